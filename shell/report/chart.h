/* Pictures of the report: inline SVG, coloured by the page's style, each with a text for those who do not see it. */
#ifndef REPORT_CHART_H
#define REPORT_CHART_H

#include "report/findings.h"

/* By distance, the chance of silence, or that the toll names the loser, with the distance marked at which it falls to
 * PLAN_SILENCE. */
void chart_curve(FILE *out, const struct plan_box *plan, enum plan_kind kind, uint32_t teachers);

/* Labels (answers of the toll among them) and silences, if any may be, added up over the queries in the order in which they were asked.
 * `answers`: what the first are called. */
void chart_stream(FILE *out, const struct findings_point *point, size_t points, uint32_t limit, const char *answers);

/* What share of records was of a class, by the probability that the student gave it; on the diagonal both are the same. */
struct chart_bin {
  double said, was, low, high;
};
void chart_calibration(FILE *out, const struct chart_bin *bin, size_t count);

/* One bar of a list: its name, and how much of `whole` it is. */
struct chart_bar {
  const char *name;
  double value, whole;
  char text[48]; /* what stands beside it */
  int is_second; /* in the second colour */
};
void chart_bars(FILE *out, const char *label, const struct chart_bar *bar, size_t count);

#endif
