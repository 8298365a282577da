/* One page about a run, for people who decide and people who audit. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "report/findings.h"

/* Exit code (error.h). */
int page_print(const struct findings *findings, FILE *out);

/* ---- its sections, in the files that write them ---- */

/* page_short.c: the five lines at the top; what the judgement of the run means; the most often that a guess between two equally likely
 * neighbours can be right. */
int page_short(const struct findings *findings, FILE *out);
const char *page_short_judgement(const struct findings *findings, int *is_fine);
double page_short_guess(const struct findings *findings);

/* page_student.c: how good the student is, overall and class by class; its probabilities and confusions. */
int page_student(const struct findings *findings, FILE *out);
int page_student_detail(const struct findings *findings, FILE *out);

/* page_audit.c: what is proved, tested and assumed; how columns were read, the certificate and the digests. */
void page_audit_trust(FILE *out);
void page_audit(const struct findings *findings, FILE *out);

/* The value of a key, or "not noted". */
static inline const char *page_field(const struct summary *summary, const char *key) {
  const char *text = summary_text(summary, key);
  return text ? text : "not noted";
}

/* A share in percent. */
static inline double page_percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
