/* The sections of the page, in the files that write them. */
#ifndef COMMAND_REPORT_PAGE_H
#define COMMAND_REPORT_PAGE_H

#include "command/report.h"

/* report_student.c: how good the student is, in all and class by class. */
void report_student(const struct report *report, FILE *out);
void report_student_classes(const struct report *report, FILE *out);

/* report_audit.c: how columns were read, the certificate and the digests, and what stands behind the claim. */
void report_audit(const struct report *report, FILE *out);

/* A share of a whole, in percent. */
static inline double report_page_percent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif
