#include "command/report_chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "command/report_html.h"

/* The frame of a curve, in units that are about a pixel wide on a phone. */
#define REPORT_CHART_WIDTH  400.0
#define REPORT_CHART_HEIGHT 230.0
#define REPORT_CHART_LEFT   46.0
#define REPORT_CHART_RIGHT  388.0
#define REPORT_CHART_TOP    14.0
#define REPORT_CHART_BOTTOM 188.0
#define REPORT_CHART_LETTER 6.5 /* a letter is hardly wider */
#define REPORT_CHART_STEPS  400 /* points of a line; more cannot be seen */

struct report_chart {
  FILE *out;
  double x_most, y_most;
};

static double report_chart_x(const struct report_chart *chart, double x) {
  return REPORT_CHART_LEFT + (REPORT_CHART_RIGHT - REPORT_CHART_LEFT) * x / chart->x_most;
}

static double report_chart_y(const struct report_chart *chart, double y) {
  return REPORT_CHART_BOTTOM - (REPORT_CHART_BOTTOM - REPORT_CHART_TOP) * y / chart->y_most;
}

/* The 1, 2 or 5 times a power of ten that cuts `most` into three to seven parts. */
static double report_chart_step(double most) {
  double power = pow(10, floor(log10(most / 4))), rest = most / 4 / power;
  return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void report_chart_open(const struct report_chart *chart, const char *label) {
  fprintf(chart->out, "<figure><svg viewBox='0 0 %g %g' role='img' aria-label='", REPORT_CHART_WIDTH,
          REPORT_CHART_HEIGHT);
  report_html_text(chart->out, label);
  fputs("'>\n", chart->out);
}

static void report_chart_axes(const struct report_chart *chart, const char *x_name, int is_percent) {
  const double x_step = report_chart_step(chart->x_most), y_step = report_chart_step(chart->y_most);
  FILE *out = chart->out;
  for (double y = 0; y <= chart->y_most * 1.0001; y += y_step) {
    double at = report_chart_y(chart, y);
    fprintf(out, "<line class='grid' x1='%g' x2='%g' y1='%.1f' y2='%.1f'/>", REPORT_CHART_LEFT, REPORT_CHART_RIGHT, at,
            at);
    fprintf(out, "<text x='%g' y='%.1f' text-anchor='end'>%.6g%s</text>\n", REPORT_CHART_LEFT - 6, at + 4,
            is_percent ? 100 * y : y, is_percent ? " %" : "");
  }
  for (double x = 0; x <= chart->x_most * 1.0001; x += x_step)
    fprintf(out, "<text x='%.1f' y='%g' text-anchor='middle'>%.6g</text>\n", report_chart_x(chart, x),
            REPORT_CHART_BOTTOM + 16, x);
  fprintf(out, "<path class='frame' d='M%g %gV%gH%g'/>\n", REPORT_CHART_LEFT, REPORT_CHART_TOP, REPORT_CHART_BOTTOM,
          REPORT_CHART_RIGHT);
  fprintf(out, "<text x='%g' y='%g' text-anchor='middle'>%s</text>\n", (REPORT_CHART_LEFT + REPORT_CHART_RIGHT) / 2,
          REPORT_CHART_BOTTOM + 36, x_name);
}

static void report_chart_close(const struct report_chart *chart) {
  fputs("</svg></figure>\n", chart->out);
}

/* ---- how answers are given ---- */

/* A vertical line at a distance, and its name on the side where there is room. */
static void report_chart_mark(const struct report_chart *chart, double x, double y, const char *text) {
  const double at = report_chart_x(chart, x);
  const int is_right = at + 8 + REPORT_CHART_LETTER * (double)strlen(text) < REPORT_CHART_WIDTH;
  fprintf(chart->out, "<line class='mark' x1='%.1f' x2='%.1f' y1='%g' y2='%g'/>", at, at, REPORT_CHART_TOP,
          REPORT_CHART_BOTTOM);
  fprintf(chart->out, "<text class='mt' x='%.1f' y='%g' text-anchor='%s'>%s</text>\n", at + (is_right ? 5 : -5), y,
          is_right ? "start" : "end", text);
}

/* Far enough to see where even that teachers agree matters little. */
static double report_chart_reach(const struct plan_box *plan, enum plan_kind kind, uint32_t teachers) {
  const double all = teachers ? plan_vote_distance(teachers, teachers) : 0;
  uint32_t rare = plan_miss_distance(plan, kind, PLAN_SILENCE / 50);
  double reach = rare == UINT32_MAX ? all : rare;
  if (all > 0 && all < 2 * reach) reach = fmax(reach, all * 1.05);
  return fmax(reach, 4);
}

void report_chart_curve(FILE *out, const struct plan_box *plan, enum plan_kind kind, uint32_t teachers) {
  const int is_toll = kind == PLAN_KIND_TOLL;
  struct report_chart chart = {out, report_chart_reach(plan, kind, teachers), is_toll ? 0.5 : 1};
  const uint32_t k = plan_miss_distance(plan, kind, PLAN_SILENCE);
  const double step = fmax(1, floor(chart.x_most / REPORT_CHART_STEPS));
  char text[64];
  report_chart_open(&chart, is_toll ? "The chance that the loser is named falls with the distance of a vote"
                                    : "The chance of silence falls with the distance of a vote");
  report_chart_axes(&chart, "distance: how far the vote is from being undecided", 1);
  fputs("<polyline class='a' points='", out);
  for (double d = 0; d <= chart.x_most; d += step)
    fprintf(out, "%.1f,%.1f ", report_chart_x(&chart, d), report_chart_y(&chart, plan_miss(plan, kind, (uint32_t)d)));
  fputs("'/>\n", out);
  if (teachers && plan_vote_distance(teachers, teachers) <= chart.x_most) {
    snprintf(text, sizeof text, "all %" PRIu32 " agree", teachers);
    report_chart_mark(&chart, plan_vote_distance(teachers, teachers), REPORT_CHART_TOP + 40, text);
  }
  if (k != UINT32_MAX && k <= chart.x_most) {
    snprintf(text, sizeof text, "k = %" PRIu32 ": %s in %g %%", k, is_toll ? "loser" : "silence", 100 * PLAN_SILENCE);
    report_chart_mark(&chart, k, REPORT_CHART_TOP + 12, text);
  }
  report_chart_close(&chart);
}

/* ---- answers over the stream ---- */

static double report_chart_asked(const struct report_point *point) {
  return (double)(point->labels + point->silences + point->answers);
}

/* What a line counts: labels and answers of the toll, or silences. */
static double report_chart_count(const struct report_point *point, int is_silences) {
  return (double)(is_silences ? point->silences : point->labels + point->answers);
}

static void report_chart_line(const struct report_chart *chart, const struct report_point *point, size_t points,
                              int is_silences) {
  const size_t step = points / REPORT_CHART_STEPS + 1;
  fprintf(chart->out, "<polyline class='%s' points='%g,%g ", is_silences ? "b" : "a", REPORT_CHART_LEFT,
          REPORT_CHART_BOTTOM);
  for (size_t i = 0; i < points; i++) {
    if (i % step && i + 1 < points) continue;
    fprintf(chart->out, "%.1f,%.1f ", report_chart_x(chart, report_chart_asked(point + i)),
            report_chart_y(chart, report_chart_count(point + i, is_silences)));
  }
  fputs("'/>\n", chart->out);
}

/* The end of the budget: silences cannot go beyond it. */
static void report_chart_limit(const struct report_chart *chart, uint32_t limit) {
  const double at = report_chart_y(chart, limit);
  fprintf(chart->out, "<line class='mark' x1='%g' x2='%g' y1='%.1f' y2='%.1f'/>", REPORT_CHART_LEFT, REPORT_CHART_RIGHT,
          at, at);
  fprintf(chart->out, "<text class='mt' x='%g' y='%.1f' text-anchor='end'>T = %" PRIu32 "</text>\n", REPORT_CHART_RIGHT,
          at - 4, limit);
}

void report_chart_stream(FILE *out, const struct report_point *point, size_t points, uint32_t limit) {
  const struct report_point last = point[points - 1];
  struct report_chart chart = {out, report_chart_asked(&last), 1};
  chart.y_most = fmax(fmax(report_chart_count(&last, 0), report_chart_count(&last, 1)), 1);
  if (limit && limit <= 2 * chart.y_most) chart.y_most = fmax(chart.y_most, limit);
  if (chart.x_most < 1) return;
  report_chart_open(&chart, "Labels and silences, added up in the order of the queries");
  report_chart_axes(&chart, "queries asked", 0);
  if (limit && limit <= chart.y_most) report_chart_limit(&chart, limit);
  report_chart_line(&chart, point, points, 0);
  report_chart_line(&chart, point, points, 1);
  fprintf(out, "<text class='at' x='%g' y='%g'>%" PRIu64 " labels</text>\n", REPORT_CHART_LEFT + 8,
          REPORT_CHART_TOP + 10, last.labels + last.answers);
  fprintf(out, "<text class='bt' x='%g' y='%g'>%" PRIu64 " silences</text>\n", REPORT_CHART_LEFT + 8,
          REPORT_CHART_TOP + 26, last.silences);
  report_chart_close(&chart);
}

/* ---- bars ---- */

#define REPORT_CHART_BAR   22.0 /* the height of a line */
#define REPORT_CHART_NAME  14   /* characters of a name */
#define REPORT_CHART_START 118.0
#define REPORT_CHART_END   300.0

void report_chart_bars(FILE *out, const char *label, const struct report_chart_bar *bar, size_t count) {
  fprintf(out, "<figure><svg viewBox='0 0 %g %g' role='img' aria-label='", REPORT_CHART_WIDTH,
          REPORT_CHART_BAR * (double)count + 4);
  report_html_text(out, label);
  fputs("'>\n", out);
  for (size_t i = 0; i < count; i++) {
    const double y = REPORT_CHART_BAR * (double)i + 4, wide = REPORT_CHART_END - REPORT_CHART_START;
    const double share = bar[i].whole > 0 ? fmin(bar[i].value / bar[i].whole, 1) : 0;
    fprintf(out, "<text class='ink' x='%g' y='%.1f' text-anchor='end'>", REPORT_CHART_START - 7, y + 12);
    report_html_name(out, bar[i].name, REPORT_CHART_NAME);
    fprintf(out, "</text><rect class='track' x='%g' y='%.1f' width='%g' height='15' rx='3'/>", REPORT_CHART_START, y,
            wide);
    fprintf(out, "<rect class='%s' x='%g' y='%.1f' width='%.1f' height='15' rx='3'/>", bar[i].is_second ? "bf" : "af",
            REPORT_CHART_START, y, wide * share);
    fprintf(out, "<text x='%g' y='%.1f'>", REPORT_CHART_END + 7, y + 12);
    report_html_text(out, bar[i].text);
    fputs("</text>\n", out);
  }
  fputs("</svg></figure>\n", out);
}
