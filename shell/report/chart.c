#include "report/chart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/html.h"

/* The frame of a curve, in units that are about a pixel wide on a phone. */
#define CHART_WIDTH  400.0
#define CHART_HEIGHT 230.0
#define CHART_LEFT   50.0
#define CHART_RIGHT  388.0
#define CHART_TOP    14.0
#define CHART_BOTTOM 188.0
#define CHART_LETTER 6.5 /* about the width of a letter */
#define CHART_STEPS  400 /* points of a line; more cannot be seen */

struct chart {
  FILE *out;
  double x_most, y_most;
};

static double chart_x(const struct chart *chart, double x) {
  return CHART_LEFT + (CHART_RIGHT - CHART_LEFT) * x / chart->x_most;
}

static double chart_y(const struct chart *chart, double y) {
  return CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * y / chart->y_most;
}

/* 1, 2 or 5 times a power of ten, such that `most` has three to seven parts of it. */
static double chart_step(double most) {
  double power = pow(10, floor(log10(most / 4))), rest = most / 4 / power;
  return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void chart_open(FILE *out, double height, const char *label) {
  html_print(out, "<figure><svg viewBox='0 0 %g %g' role='img' aria-label='%s'>\n", CHART_WIDTH, height, label);
}

/* A number of an axis: thousands as k, so that it has room. */
static const char *chart_number(double number, char text[32]) {
  if (number >= 10000)
    snprintf(text, 32, "%gk", number / 1000);
  else
    snprintf(text, 32, "%.6g", number);
  return text;
}

static void chart_axes(const struct chart *chart, const char *x_name, int is_percent) {
  const double x_step = chart_step(chart->x_most), y_step = chart_step(chart->y_most);
  FILE *out = chart->out;
  char text[32];
  for (double y = 0; y <= chart->y_most * 1.0001; y += y_step) {
    double at = chart_y(chart, y);
    fprintf(out, "<line class='grid' x1='%g' x2='%g' y1='%.1f' y2='%.1f'/>", CHART_LEFT, CHART_RIGHT, at, at);
    fprintf(out, "<text x='%g' y='%.1f' text-anchor='end'>%s%s</text>\n", CHART_LEFT - 6, at + 4,
            chart_number(is_percent ? 100 * y : y, text), is_percent ? " %" : "");
  }
  for (double x = 0; x <= chart->x_most * 1.0001; x += x_step)
    fprintf(out, "<text x='%.1f' y='%g' text-anchor='%s'>%s</text>\n", chart_x(chart, x), CHART_BOTTOM + 16,
            chart_x(chart, x) > CHART_RIGHT - CHART_LETTER ? "end" : "middle", chart_number(x, text));
  fprintf(out, "<path class='frame' d='M%g %gV%gH%g'/>\n", CHART_LEFT, CHART_TOP, CHART_BOTTOM, CHART_RIGHT);
  fprintf(out, "<text x='%g' y='%g' text-anchor='middle'>%s</text>\n", (CHART_LEFT + CHART_RIGHT) / 2,
          CHART_BOTTOM + 36, x_name);
}

/* ---- how answers are given ---- */

/* A vertical line at a distance, and its name on the side where there is room. */
static void chart_mark(const struct chart *chart, double x, double y, const char *text) {
  const double at = chart_x(chart, x);
  const int is_right = at + 8 + CHART_LETTER * (double)strlen(text) < CHART_WIDTH;
  fprintf(chart->out, "<line class='mark' x1='%.1f' x2='%.1f' y1='%g' y2='%g'/>", at, at, CHART_TOP, CHART_BOTTOM);
  fprintf(chart->out, "<text class='mt' x='%.1f' y='%g' text-anchor='%s'>%s</text>\n", at + (is_right ? 5 : -5), y,
          is_right ? "start" : "end", text);
}

/* How far the curve is drawn: until misses are rare, and as far as all teachers can reach. */
static double chart_reach(const struct plan_box *plan, enum plan_kind kind, uint32_t teachers) {
  const double all = teachers ? plan_vote_distance(teachers, teachers) : 0;
  uint32_t rare = plan_miss_distance(plan, kind, PLAN_SILENCE / 50);
  double reach = rare == UINT32_MAX ? all : rare;
  if (all > 0 && all < 2 * reach) reach = fmax(reach, all * 1.05);
  return fmax(reach, 4);
}

void chart_curve(FILE *out, const struct plan_box *plan, enum plan_kind kind, uint32_t teachers) {
  static const struct {
    const char *title, *axis, *miss;
    double most;
  } words[PLAN_KINDS] = {
      [PLAN_KIND_METER] = {"The chance of silence falls with the distance of a vote",
                           "distance: how far the vote is from being undecided", "silence", 1},
      [PLAN_KIND_TOLL] = {"The chance that the answer is the loser falls with the distance of a vote",
                          "distance: how far the vote is from being undecided", "loser", 0.5},
      [PLAN_KIND_POLL] = {"The chance of a wrong answer falls with the lead",
                          "lead: how many more records say yes than no", "wrong", 0.5}};
  struct chart chart = {out, chart_reach(plan, kind, teachers), words[kind].most};
  const uint32_t k = plan_miss_distance(plan, kind, PLAN_SILENCE);
  const double step = fmax(1, floor(chart.x_most / CHART_STEPS));
  char text[64];
  chart_open(out, CHART_HEIGHT, words[kind].title);
  chart_axes(&chart, words[kind].axis, 1);
  fputs("<polyline class='a' points='", out);
  for (double d = 0; d <= chart.x_most; d += step)
    fprintf(out, "%.1f,%.1f ", chart_x(&chart, d), chart_y(&chart, plan_miss(plan, kind, (uint32_t)d)));
  fputs("'/>\n", out);
  if (teachers && plan_vote_distance(teachers, teachers) <= chart.x_most) {
    snprintf(text, sizeof text, "all %" PRIu32 " agree", teachers);
    chart_mark(&chart, plan_vote_distance(teachers, teachers), CHART_TOP + 40, text);
  }
  if (k != UINT32_MAX && k <= chart.x_most && (!teachers || k <= plan_vote_distance(teachers, teachers))) {
    snprintf(text, sizeof text, "%" PRIu32 ": %s in %g %%", k, words[kind].miss, 100 * PLAN_SILENCE);
    chart_mark(&chart, k, CHART_TOP + 12, text);
  }
  fputs("</svg></figure>\n", out);
}

/* ---- answers over the stream ---- */

static double chart_asked(const struct findings_point *point) {
  return (double)(point->labels + point->silences + point->answers);
}

/* What a line counts: labels and answers of the toll, or silences. */
static double chart_count(const struct findings_point *point, int is_silences) {
  return (double)(is_silences ? point->silences : point->labels + point->answers);
}

static void chart_line(const struct chart *chart, const struct findings_point *point, size_t points, int is_silences) {
  const size_t step = points / CHART_STEPS + 1;
  fprintf(chart->out, "<polyline class='%s' points='%g,%g ", is_silences ? "b" : "a", CHART_LEFT, CHART_BOTTOM);
  for (size_t i = 0; i < points; i++) {
    if (i % step && i + 1 < points) continue;
    fprintf(chart->out, "%.1f,%.1f ", chart_x(chart, chart_asked(point + i)),
            chart_y(chart, chart_count(point + i, is_silences)));
  }
  fputs("'/>\n", chart->out);
}

void chart_stream(FILE *out, const struct findings_point *point, size_t points, uint32_t limit, const char *answers) {
  const struct findings_point last = point[points - 1];
  struct chart chart = {out, chart_asked(&last), 1};
  chart.y_most = fmax(fmax(chart_count(&last, 0), chart_count(&last, 1)), 1);
  if (limit && limit <= 2 * chart.y_most) chart.y_most = fmax(chart.y_most, limit);
  if (chart.x_most < 1) return;
  chart_open(out, CHART_HEIGHT,
             limit ? "Answers and silences, added up in the order of the questions"
                   : "Answers, added up in the order of the questions");
  chart_axes(&chart, "questions asked", 0);
  if (limit && limit <= chart.y_most) { /* the end of the budget: silences cannot go beyond it */
    const double at = chart_y(&chart, limit);
    fprintf(out, "<line class='mark' x1='%g' x2='%g' y1='%.1f' y2='%.1f'/>", CHART_LEFT, CHART_RIGHT, at, at);
    fprintf(out, "<text class='mt' x='%g' y='%.1f' text-anchor='end'>T = %" PRIu32 "</text>\n", CHART_RIGHT, at - 4,
            limit);
  }
  chart_line(&chart, point, points, 0);
  if (limit) chart_line(&chart, point, points, 1);
  fprintf(out, "<text class='at' x='%g' y='%g'>%" PRIu64 " %s</text>\n", CHART_LEFT + 8, CHART_TOP + 10,
          last.labels + last.answers, answers);
  if (limit)
    fprintf(out, "<text class='bt' x='%g' y='%g'>%" PRIu64 " silences</text>\n", CHART_LEFT + 8, CHART_TOP + 26,
            last.silences);
  fputs("</svg></figure>\n", out);
}

/* ---- what probabilities are worth ---- */

void chart_calibration(FILE *out, const struct chart_bin *bin, size_t count) {
  struct chart chart = {out, 100, 1};
  chart_open(out, CHART_HEIGHT, "How often a class was right, by the probability that the student gave");
  chart_axes(&chart, "the student said, in percent", 1);
  fprintf(out, "<line class='grid' x1='%g' x2='%g' y1='%g' y2='%g'/>\n", CHART_LEFT, CHART_RIGHT, CHART_BOTTOM,
          CHART_TOP);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "<line class='b' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>", chart_x(&chart, 100 * bin[i].said),
            chart_x(&chart, 100 * bin[i].said), chart_y(&chart, bin[i].low), chart_y(&chart, bin[i].high));
  if (count > 1) fputs("<polyline class='a' points='", out);
  for (size_t i = 0; count > 1 && i < count; i++)
    fprintf(out, "%.1f,%.1f ", chart_x(&chart, 100 * bin[i].said), chart_y(&chart, bin[i].was));
  if (count > 1) fputs("'/>\n", out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "<rect class='af' x='%.1f' y='%.1f' width='5' height='5'/>", chart_x(&chart, 100 * bin[i].said) - 2.5,
            chart_y(&chart, bin[i].was) - 2.5);
  fputs("</svg></figure>\n", out);
}

/* ---- bars ---- */

#define CHART_BAR   22.0 /* the height of a line */
#define CHART_NAME  14   /* characters of a name */
#define CHART_START 118.0
#define CHART_END   300.0

void chart_bars(FILE *out, const char *label, const struct chart_bar *bar, size_t count) {
  chart_open(out, CHART_BAR * (double)count + 4, label);
  for (size_t i = 0; i < count; i++) {
    const double y = CHART_BAR * (double)i + 4, wide = CHART_END - CHART_START;
    const double share = bar[i].whole > 0 ? fmin(bar[i].value / bar[i].whole, 1) : 0;
    fprintf(out, "<text class='ink' x='%g' y='%.1f' text-anchor='end'>", CHART_START - 7, y + 12);
    html_name(out, bar[i].name, CHART_NAME);
    fprintf(out, "</text><rect class='track' x='%g' y='%.1f' width='%g' height='15' rx='3'/>", CHART_START, y, wide);
    fprintf(out, "<rect class='%s' x='%g' y='%.1f' width='%.1f' height='15' rx='3'/>", bar[i].is_second ? "bf" : "af",
            CHART_START, y, wide * share);
    html_print(out, "<text x='%g' y='%.1f'>%s</text>\n", CHART_END + 7, y + 12, bar[i].text);
  }
  fputs("</svg></figure>\n", out);
}
