/* One page about a run, for those who decide and for those who audit. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "report/findings.h"

/* Exit code (error.h). */
int page_print(const struct findings *findings, FILE *out);

/* ---- its sections, in the files that write them ---- */

/* page_short.c: all of it in five lines; what the judgement of the run means; how often the best guess between two neighbours, before at
 * even odds, is right at most. */
int page_short(const struct findings *findings, FILE *out);
const char *page_short_judgement(const struct findings *findings, int *is_fine);
double page_short_guess(const struct findings *findings);

/* page_student.c: how good the student is, in all and class by class; and its probabilities and confusions. */
int page_student(const struct findings *findings, FILE *out);
int page_student_detail(const struct findings *findings, FILE *out);

/* page_audit.c: what stands behind the claim; how columns were read, the certificate and the digests. */
void page_audit_trust(FILE *out);
void page_audit(const struct findings *findings, FILE *out);

/* The value of a key, or words that say that there is none. */
static inline const char *page_field(const struct summary *summary, const char *key) {
  const char *text = summary_text(summary, key);
  return text ? text : "not noted";
}

/* A share of a whole, in percent. */
static inline double page_percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
