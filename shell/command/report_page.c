/* The page itself: the claim, what it cost, how answers were given and what was released. */
#include "command/report_page.h"

#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "command/report_chart.h"
#include "command/report_html.h"

#define REPORT_PAGE_BARS 24   /* classes that get a bar */
#define REPORT_PAGE_WEAK 0.99 /* chance of a right guess from which the page says that the bound is weak */

static const char *report_page_field(const struct report *report, const char *key) {
  const char *text = report_summary_text(&report->summary, key);
  return text ? text : "not noted";
}

static int report_page_is_private(const struct report *report) {
  const char *text = report_summary_text(&report->summary, "private");
  return text && !strcmp(text, "true");
}

static uint32_t report_page_teachers(const struct report *report) {
  return (uint32_t)report_summary_number(&report->summary, "teachers", 0);
}

static const char *report_page_number(struct rational x, const char *none, char text[RATIONAL_TEXT]) {
  if (x.den == 0) return none;
  rational_print(x.num, x.den, text);
  return text;
}

/* ---- the claim ---- */

static void report_page_head(const struct report *report, FILE *out) {
  fputs("<header><div class='soft'>Fumata privacy report</div><h1>", out);
  report_html_printf(out, "What was released from private data, and what it can tell");
  fputs("</h1><div class='chips'>", out);
  fputs(report_page_is_private(report) ? "<span class='good'>private</span>" : "<span class='bad'>NOT PRIVATE</span>",
        out);
  fputs(report->is_certified ? "<span class='good'>plan certified by the core</span>"
                             : "<span class='bad'>plan NOT certified</span>",
        out);
  if (report->has_ledger)
    fputs(report->ledger.reached && report->entry ? "<span class='good'>ledger whole, and holds this run</span>"
                                                  : "<span class='bad'>the ledger does not hold this run</span>",
          out);
  else
    fputs("<span class='warn'>ledger not at hand</span>", out);
  fputs("</div></header>\n", out);
}

static void report_page_alarm(FILE *out, const char *text) {
  fputs("<section class='alarm'>", out);
  report_html_text(out, text);
  fputs("</section>\n", out);
}

/* Is the plan in the folder the run's: by its cost in the summary, and by its digest in the ledger? */
static int report_page_is_own_plan(const struct report *report) {
  const fumata_claim *claim = &report->plan.claim;
  const char *said = report_summary_text(&report->summary, "epsilon");
  char epsilon[RATIONAL_TEXT];
  rational_print(claim->epsilon_num, claim->epsilon_den, epsilon);
  return said && !strcmp(said, epsilon) && (!report->has_ledger || report->entry);
}

/* What cannot be good, from released data alone. */
static void report_page_alarms(const struct report *report, FILE *out) {
  uint32_t seen = 0;
  for (uint32_t c = 0; c < report->model.encoding.classes.count; c++)
    seen += report->released[c] > 0;
  if (!report_page_is_private(report))
    report_page_alarm(out, "NOT PRIVATE: this run was made with --unsafe-seed. Nothing below protects anybody.");
  if (!report->is_certified)
    report_page_alarm(out, "The core does not certify the plan in this folder. The claim below does not hold.");
  if (!report_page_is_own_plan(report))
    report_page_alarm(out, "The plan in this folder is not the one that the run or its ledger speaks of: what is said "
                           "here about the plan does not hold of the run.");
  if (seen == 0)
    report_page_alarm(out,
                      "No label was released: the student has learned nothing. Try a larger epsilon, more silences, "
                      "or teachers with more records each.");
  if (seen == 1)
    report_page_alarm(out,
                      "Every released label is the same class: the student says nothing else. Try a larger epsilon, "
                      "more silences, or a better learner.");
}

/* The best guess between two neighbours, before at even odds, is right so often at most. */
static double report_page_guess(double epsilon, double delta) {
  return 1 - (1 - delta) / (1 + exp(epsilon));
}

/* What is paid for, and how often it may be had. */
static void report_page_limits(struct plan_quota limit, FILE *out) {
  fputs("Whatever crashes in between, it ", out);
  if (limit.silences) fprintf(out, "is silent at most <b>T = %" PRIu32 "</b> times", limit.silences);
  if (limit.silences && limit.answers) fputs(" and ", out);
  if (limit.answers)
    fprintf(out, "says at most <b>L = %" PRIu32 "</b> times which of two candidates the teachers prefer",
            limit.answers);
  fputs(".", out);
}

static void report_page_words(const struct report *report, FILE *out) {
  const double epsilon = report_summary_number(&report->summary, "total_epsilon", 0);
  const double guess = report_page_guess(epsilon, report_summary_number(&report->summary, "total_delta", 0));
  fputs(
      "<p class='claim'>Everything that this run released about the private data is (ε, δ)-differentially private with "
      "<b>ε = ",
      out);
  report_html_text(out, report_page_field(report, "total_epsilon"));
  fputs("</b> and <b>δ = ", out);
  report_html_text(out, report_page_field(report, "total_delta"));
  fputs("</b>, for two data sets of which one becomes the other when <b>", out);
  report_html_text(out, report_page_field(report, "neighbours"));
  fputs("</b>. ", out);
  report_page_limits(plan_limit(&report->plan), out);
  fputs(" It holds against anybody who chooses the queries one after the other, for as many as they like.</p>\n", out);
  fprintf(
      out,
      "<p>In other words: whatever is released is at most e<sup>ε</sup> = %.4g times as likely under one of the two "
      "data sets as under the other, up to δ. Somebody who sees all of it, knows everything else, and had to guess "
      "between the two at even odds before, guesses right in at most <b>%.2f&nbsp;%%</b> of cases (50&nbsp;%% is no "
      "knowledge, 100&nbsp;%% is certainty).",
      exp(epsilon), ceil(1e4 * guess) / 100);
  if (guess > REPORT_PAGE_WEAK) fputs(" <b class='warn'>A bound as weak as this promises little.</b>", out);
  fputs("</p>\n", out);
}

/* What the data set has given away in all. */
static void report_page_all_runs(const struct report *report, FILE *out) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  if (!report->has_ledger) return;
  fprintf(out, "<p>All runs on this data set together: <b>ε = %s</b>, <b>δ = %s</b>.</p>\n",
          report_page_number(report->ledger.spent_epsilon, "0", epsilon),
          report_page_number(report->ledger.spent_delta, "0", delta));
}

static void report_page_tiles(const struct report *report, FILE *out) {
  const struct plan_quota limit = plan_limit(&report->plan);
  fputs("<div class='tiles'>\n", out);
  report_html_tile(out, "ε, all of this run", "%s", report_page_field(report, "total_epsilon"));
  report_html_tile(out, "δ, all of this run", "%s", report_page_field(report, "total_delta"));
  if (limit.silences) report_html_tile(out, "silences that may be (T)", "%" PRIu32, limit.silences);
  if (limit.answers) report_html_tile(out, "paid answers that may be (L)", "%" PRIu32, limit.answers);
  report_html_tile(out, "teachers, each with records of its own", "%s", report_page_field(report, "teachers"));
  report_html_tile(out, "labels released", "%" PRIu64, report->labels);
  if (report->tested)
    report_html_tile(out, "of the test the student has right", "%.1f %%",
                     report_page_percent(report->right, report->tested));
  else if (report_summary_text(&report->summary, "test_accuracy"))
    report_html_tile(out, "of the test the student has right", "%.1f %%",
                     100 * report_summary_number(&report->summary, "test_accuracy", 0));
  fputs("</div>\n", out);
}

static void report_page_claim(const struct report *report, FILE *out) {
  report_html_section(out, "claim", "The claim");
  report_page_words(report, out);
  report_page_all_runs(report, out);
  report_page_tiles(report, out);
  fputs("</section>\n", out);
}

/* ---- what was spent ---- */

static void report_page_part(const struct report *report, FILE *out, const char *name, const char *epsilon,
                             const char *delta) {
  if (!report_summary_text(&report->summary, epsilon)) return;
  fprintf(out, "<tr><td>%s</td><td class='n'>", name);
  report_html_text(out, report_page_field(report, epsilon));
  fputs("</td><td class='n'>", out);
  report_html_text(out, report_page_field(report, delta));
  fputs("</td></tr>\n", out);
}

/* What this run paid for. */
static void report_page_costs(const struct report *report, FILE *out) {
  fputs("<h3>This run</h3><table><thead><tr><th>paid for</th><th class='n'>ε</th><th class='n'>δ</th></tr></thead>\n",
        out);
  report_page_part(report, out, "the plan: all answers, labels and silences", "epsilon", "delta");
  report_page_part(report, out, "a count of the private units, with noise", "count_epsilon", "count_delta");
  report_page_part(report, out, "an estimate of the teachers' error, with noise", "estimate_epsilon", "estimate_delta");
  report_page_part(report, out, "<b>total of the run</b>", "total_epsilon", "total_delta");
  fputs("</table>\n", out);
}

static void report_page_plan_row(const struct report *report, const struct ledger_plan *plan, FILE *out) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  fprintf(out, "<tr><td class='one'>%" PRIu64 "%s</td><td>%s</td>", plan->number,
          plan == report->entry ? ", this run" : "", plan_mechanism_name(plan->terms.mechanism));
  fprintf(out, "<td class='n'>%s</td><td class='n'>%s</td>", report_page_number(plan->terms.epsilon, "0", epsilon),
          report_page_number(plan->terms.delta, "0", delta));
  fprintf(out, "<td class='n'>%" PRIu32 " of %" PRIu32 "</td><td class='n'>%" PRIu32 " of %" PRIu32 "</td>",
          plan->left.silences, plan->terms.limit.silences, plan->left.answers, plan->terms.limit.answers);
  fprintf(out, "<td class='n'>%" PRIu64 "</td>", plan->labels + plan->answers);
  fprintf(out, "<td class='n'>%.10s</td></tr>\n", plan->begun);
}

static void report_page_total_bar(struct report_chart_bar *bar, const char *name, struct rational spent,
                                  struct rational total) {
  char a[RATIONAL_TEXT], b[RATIONAL_TEXT];
  bar->name = name;
  bar->value = spent.den ? rational_value(spent.num, spent.den) : 0;
  bar->whole = total.den ? rational_value(total.num, total.den) : 0;
  snprintf(bar->text, sizeof bar->text, "%.18s of %.18s", report_page_number(spent, "0", a),
           report_page_number(total, "no limit", b));
}

/* What the ledger has of the data set as a whole. */
static void report_page_ledger(const struct report *report, FILE *out) {
  const struct ledger *ledger = &report->ledger;
  struct report_chart_bar bar[2] = {0};
  fputs("<h3>The data set, over all runs</h3>\n", out);
  report_page_total_bar(bar, "ε spent", ledger->spent_epsilon, ledger->total_epsilon);
  report_page_total_bar(bar + 1, "δ spent", ledger->spent_delta, ledger->total_delta);
  report_chart_bars(out, "epsilon and delta spent of the total", bar, 2);
  fputs("<div class='scroll'><table><thead><tr><th>plan</th><th>kind</th><th class='n'>ε</th><th class='n'>δ</th>"
        "<th class='n'>silences left</th><th class='n'>answers left</th><th class='n'>labels</th><th "
        "class='n'>begun</th></tr></thead>\n",
        out);
  for (size_t i = 0; i < ledger->plan_count; i++)
    report_page_plan_row(report, ledger->plans + i, out);
  fputs("</table></div>\n", out);
  if (ledger->charges)
    fprintf(out, "<p class='soft'>Costs besides the plans (counts, estimates), in the sum: %" PRIu64 ".</p>\n",
            ledger->charges);
}

static void report_page_budget(const struct report *report, FILE *out) {
  report_html_section(out, "budget", "What was spent, and what is left");
  report_page_costs(report, out);
  if (report->has_ledger)
    report_page_ledger(report, out);
  else
    fputs(
        "<p class='soft'>The ledger of the data set was not at hand (--ledger FILE names it): what other runs spent is "
        "not shown.</p>\n",
        out);
  fputs("<p class='soft'>A plan is paid for in full when it begins. Releases on one data set add up; when the total is "
        "reached, Fumata refuses.</p></section>\n",
        out);
}

/* ---- how answers were given ---- */

/* How many teachers of one mind it takes, and whether there are as many. */
static void report_page_reach(const struct report *report, enum plan_kind kind, const char *what, FILE *out) {
  const uint32_t teachers = report_page_teachers(report), k = plan_miss_distance(&report->plan, kind, PLAN_SILENCE);
  if (k == UINT32_MAX)
    fprintf(out, "with this plan %s is frequent at any distance.", what);
  else
    fprintf(out, "from distance <b>k = %" PRIu32 "</b> on, %s comes in at most %g&nbsp;%% of cases.", k, what,
            100 * PLAN_SILENCE);
  if (teachers && k != UINT32_MAX && k > plan_vote_distance(teachers, teachers))
    fprintf(out, " <b class='bad'>Not even %" PRIu32 " teachers of one mind reach it.</b>", teachers);
}

static void report_page_silence(const struct report *report, FILE *out) {
  report_html_section(out, "silence", "When there is an answer");
  report_chart_curve(out, &report->plan, PLAN_KIND_METER, report_page_teachers(report));
  fputs("<p>Teachers vote on a public record. The distance says how many votes would have to change before the winner "
        "does. Close votes are met with silence, clear ones get the winner's label: ",
        out);
  report_page_reach(report, PLAN_KIND_METER, "silence", out);
  fputs(" One record sways one vote; a silence tells a little, a label next to nothing. Only silences are "
        "counted.</p></section>\n",
        out);
}

static void report_page_toll(const struct report *report, FILE *out) {
  report_html_section(out, "toll", "When the answer is paid for");
  report_chart_curve(out, &report->plan, PLAN_KIND_TOLL, report_page_teachers(report));
  fputs("<p>For some public records the question is which of two candidates the teachers prefer. There is always an "
        "answer, "
        "each is paid for, and it is the winner unless chance names the loser: ",
        out);
  report_page_reach(report, PLAN_KIND_TOLL, "the loser", out);
  fputs("</p></section>\n", out);
}

static void report_page_answers(const struct report *report, FILE *out) {
  const struct plan_quota limit = plan_limit(&report->plan);
  if (limit.silences) report_page_silence(report, out);
  if (limit.answers) report_page_toll(report, out);
}

static void report_page_stream(const struct report *report, FILE *out) {
  report_html_section(out, "stream", "Answers over the stream");
  if (report->points)
    report_chart_stream(out, report->point, report->points, plan_limit(&report->plan).silences);
  else
    fputs("<p class='soft'>The ledger was not at hand, or does not hold this plan.</p>\n", out);
  fputs("<p>", out);
  report_html_printf(out, "%s of %s public records were asked: %" PRIu64 " labels and %" PRIu64 " silences.",
                     report_page_field(report, "asked"), report_page_field(report, "queries"), report->labels,
                     report->silent);
  fputs(" When what was paid for is used up the plan closes, and no further record is answered.</p></section>\n", out);
}

/* ---- what was released ---- */

static int report_page_by_count(const void *a, const void *b) {
  const double x = ((const struct report_chart_bar *)a)->value, y = ((const struct report_chart_bar *)b)->value;
  return x < y ? 1 : x > y ? -1 : 0;
}

static int report_page_bars(const struct report *report, FILE *out) {
  const struct classes *classes = &report->model.encoding.classes;
  struct report_chart_bar *bar;
  size_t shown;
  int code = memory_take(&bar, classes->count, sizeof *bar);
  if (code) return code;
  for (uint32_t c = 0; c < classes->count; c++) {
    bar[c].name = classes->name[c];
    bar[c].value = (double)report->released[c];
    snprintf(bar[c].text, sizeof bar[c].text, "%" PRIu64 " (%.1f %%)", report->released[c],
             report_page_percent(report->released[c], report->labels));
  }
  shown = classes->count;
  if (shown > REPORT_PAGE_BARS) {
    qsort(bar, classes->count, sizeof *bar, report_page_by_count);
    shown = REPORT_PAGE_BARS;
  }
  for (uint32_t c = 0; c < classes->count; c++)
    for (uint32_t d = 0; d < classes->count; d++)
      bar[c].whole = fmax(bar[c].whole, bar[d].value);
  report_chart_bars(out, "released labels by class", bar, shown);
  if (shown < classes->count)
    fprintf(out, "<p class='soft'>The %zu most frequent of %" PRIu32 " classes.</p>\n", shown, classes->count);
  free(bar);
  return EXIT_OK;
}

static int report_page_released(const struct report *report, FILE *out) {
  int code;
  report_html_section(out, "released", "Released labels by class");
  code = report_page_bars(report, out);
  fputs("<p class='soft'>These labels are all that the student learned from. Classes on which the teachers agree are "
        "labelled more often than they occur.</p></section>\n",
        out);
  return code;
}

static void report_page_foot(const struct report *report, FILE *out) {
  fputs("<footer>Made by fumata " FUMATA_VERSION
        " out of what the run left; it holds only what was released, and what never "
        "depended on the private records, so it may be published with the results. Check it: <code>fumata certify ",
        out);
  report_html_text(out, report->path[REPORT_PLAN]);
  fputs("</code>", out);
  if (report->has_ledger) {
    fputs(", <code>fumata ledger verify ", out);
    report_html_text(out, report->ledger_found);
    fputs(" --head ", out);
    report_html_text(out, report_page_field(report, "ledger_head"));
    fputs("</code>", out);
  }
  fputs(".</footer>\n", out);
}

int report_page(const struct report *report, FILE *out) {
  int code;
  report_html_open(out, "Fumata privacy report");
  report_page_head(report, out);
  report_page_alarms(report, out);
  report_page_claim(report, out);
  report_page_budget(report, out);
  fputs("<div class='two'>\n", out);
  report_page_answers(report, out);
  report_page_stream(report, out);
  code = report_page_released(report, out);
  report_student(report, out);
  fputs("</div>\n", out);
  report_student_classes(report, out);
  report_audit(report, out);
  report_page_foot(report, out);
  report_html_close(out);
  return code;
}
