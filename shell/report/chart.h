/* Pictures of the report: inline SVG, coloured by the page's style, each with a text for screen readers. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/findings.h"

/* The chance of silence or of a wrong answer by distance or lead, with a mark where it falls to PLAN_SILENCE. */
void chart_curve(FILE *out, const struct plan_box *plan, enum plan_kind kind, uint32_t teachers);

/* Answers, and silences if the plan pays for them, added up over the queries in the order in which they were asked. `answers` is the
 * word for the first. */
void chart_stream(FILE *out, const struct findings_point *point, size_t points, uint32_t limit, const char *answers);

/* The share of records that were of a class, by the probability that the student gave it; on the diagonal both are equal. */
struct chart_bin {
  double said, was, low, high;
};
void chart_calibration(FILE *out, const struct chart_bin *bin, size_t count);

/* One bar of a list: its name, and how much of `whole` it is. */
struct chart_bar {
  const char *name;
  double value, whole;
  char text[48]; /* beside the bar */
  int is_second; /* in the second colour */
};
void chart_bars(FILE *out, const char *label, const struct chart_bar *bar, size_t count);

#endif
