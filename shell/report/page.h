/* One page about a run, for those who decide and for those who audit. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include <stdio.h>

#include "report/findings.h"

/* Exit code (error.h). */
int page_print(const struct findings *findings, FILE *out);

/* ---- its sections, in the files that write them ---- */

/* page_student.c: how good the student is, in all and class by class. */
void page_student(const struct findings *findings, FILE *out);
void page_student_classes(const struct findings *findings, FILE *out);

/* page_audit.c: how columns were read, the certificate and the digests, and what stands behind the claim. */
void page_audit(const struct findings *findings, FILE *out);

/* A share of a whole, in percent. */
static inline double page_percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
