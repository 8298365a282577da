/* The claim, what it cost, how answers were given and what was released. */
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/chart.h"
#include "report/html.h"

#define PAGE_BARS 24   /* classes that get a bar */
#define PAGE_WEAK 0.99 /* chance of a right guess above which the page calls the bound weak */

static int page_is_private(const struct findings *findings) {
  return !strcmp(page_field(&findings->summary, "private"), "true");
}

static uint32_t page_teachers(const struct findings *findings) {
  return (uint32_t)summary_number(&findings->summary, "teachers", 0);
}

/* ---- the claim ---- */

static void page_head(const struct findings *findings, FILE *out) {
  fputs("<header><div class='soft'>Fumata privacy report</div><h1>What was released from private data, and what it can "
        "reveal</h1><div class='chips'>",
        out);
  fputs(page_is_private(findings) ? "<span class='good'>private</span>" : "<span class='bad'>NOT PRIVATE</span>", out);
  fputs(findings->is_certified ? "<span class='good'>plan certified by the core</span>"
                               : "<span class='bad'>plan NOT certified</span>",
        out);
  fputs(!findings->has_ledger                         ? "<span class='warn'>ledger not found</span>"
        : findings->ledger.reached && findings->entry ? "<span class='good'>ledger whole, with this run</span>"
                                                      : "<span class='bad'>this run is not in the ledger</span>",
        out);
  fputs("</div></header>\n", out);
}

static void page_alarm(FILE *out, int is_wrong, const char *text) {
  if (is_wrong) html_print(out, "<section class='alarm'>%s</section>\n", text);
}

/* What is certainly wrong, by released data alone. */
static void page_alarms(const struct findings *findings, FILE *out) {
  const fumata_claim *claim = &findings->plan.claim;
  const char *said = summary_text(&findings->summary, "epsilon");
  char epsilon[RATIONAL_TEXT];
  uint32_t seen = 0;
  int is_fine;
  const char *judged = page_short_judgement(findings, &is_fine);
  rational_print(claim->epsilon_num, claim->epsilon_den, epsilon);
  for (uint32_t c = 0; c < findings->model.encoding.classes.count; c++)
    seen += findings->released[c] > 0;
  page_alarm(out, !page_is_private(findings),
             "NOT PRIVATE: this run was made with --unsafe-seed. Nothing below protects a record.");
  page_alarm(out, !findings->is_certified,
             "The core does not certify the plan in this folder. The claim below does not hold.");
  /* By its cost in the summary, and by its digest in the ledger. */
  page_alarm(out, !said || strcmp(said, epsilon) != 0 || (findings->has_ledger && !findings->entry),
             "The plan in this folder is not the plan of the run or of its ledger: what this page says about "
             "the plan is not true of the run.");
  page_alarm(out, seen == 0, "No label was released: the student has learned nothing.");
  page_alarm(out, seen == 1, "Every released label is the same class: the student predicts nothing else.");
  page_alarm(out, seen > 1 && !is_fine, judged);
}

static void page_words(const struct findings *findings, FILE *out) {
  const double epsilon = summary_number(&findings->summary, "total_epsilon", 0);
  const double guess = page_short_guess(findings);
  const struct plan_quota limit = plan_limit(&findings->plan);
  html_print(
      out,
      "<p class='claim'>Everything that this run released about the private data is (ε, δ)-differentially private with "
      "<b>ε = %s</b> and <b>δ = %s</b>, for two data sets of which one becomes the other when <b>%s</b>. "
      "Whatever crashes in between, it ",
      page_field(&findings->summary, "total_epsilon"), page_field(&findings->summary, "total_delta"),
      page_field(&findings->summary, "neighbours"));
  if (limit.silences) fprintf(out, "is silent at most <b>T = %" PRIu32 "</b> times", limit.silences);
  if (limit.silences && limit.answers) fputs(" and ", out);
  if (limit.answers)
    fprintf(out, "answers at most <b>L = %" PRIu32 "</b> times which of two candidates the teachers prefer",
            limit.answers);
  if (plan_votes(&findings->plan))
    fprintf(out, "counts at most <b>B = %" PRIu32 "</b> votes of each", plan_votes(&findings->plan));
  fputs(". It holds for any number of queries, also when each is chosen after seeing the answers before it.", out);
  if (plan_votes(&findings->plan))
    fputs(" <b>One that is changed is one removed and one added: for it the claim is 2ε and (1 + e<sup>ε</sup>)δ.</b>",
          out);
  fputs("</p>\n", out);
  fprintf(
      out,
      "<p>In other words: whatever is released is at most e<sup>ε</sup> = %.4g times as likely under one of the two "
      "data sets as under the other, up to δ. An attacker who sees all of it, knows everything else, and thought both "
      "data sets equally likely before, guesses right in at most <b>%.2f&nbsp;%%</b> of cases (50&nbsp;%% means "
      "nothing learned, 100&nbsp;%% means certainty).",
      exp(epsilon), ceil(1e4 * guess) / 100);
  if (guess > PAGE_WEAK) fputs(" <b class='warn'>This is a weak bound, which promises little.</b>", out);
  fputs("</p>\n", out);
}

/* With a poll in it, the sum is for a record or unit that is added or removed. */
static int page_has_poll(const struct ledger *ledger) {
  int has_poll = 0;
  for (size_t i = 0; i < ledger->plan_count; i++)
    has_poll |= ledger->plans[i].terms.mechanism == PLAN_MECHANISM_POLL;
  return has_poll;
}

static void page_claim(const struct findings *findings, FILE *out) {
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  fputs(HTML_SECTION("claim", "The claim"), out);
  page_words(findings, out);
  if (findings->has_ledger && findings->ledger.mixes)
    fputs("<p>The runs in this ledger protect different things, so their costs cannot be added up.</p>\n", out);
  else if (findings->has_ledger)
    fprintf(out, "<p>All runs in this ledger together%s: <b>ε = %s</b>, <b>δ = %s</b>.</p>\n",
            page_has_poll(&findings->ledger) ? ", for one added or removed" : "",
            rational_text(findings->ledger.spent_epsilon, "0", epsilon),
            rational_text(findings->ledger.spent_delta, "0", delta));
  if (findings->has_ledger && findings->ledger.was_seeded)
    fputs("<p class='bad'>NOT PRIVATE: a run in this ledger was made with --unsafe-seed.</p>\n", out);
  fputs("</section>\n", out);
}

/* ---- what was spent ---- */

static void page_part(const struct findings *findings, FILE *out, const char *name, const char *epsilon,
                      const char *delta) {
  if (!summary_text(&findings->summary, epsilon)) return;
  fprintf(out, "<tr><td>%s</td>", name);
  html_print(out, "<td class='n'>%s</td><td class='n'>%s</td></tr>\n", page_field(&findings->summary, epsilon),
             page_field(&findings->summary, delta));
}

/* "3 of 20", or "-" if the plan does not pay for it. */
static void page_plan_left(uint32_t left, uint32_t limit, const char *what, FILE *out) {
  fprintf(out, "<td class='n' data-name='%s left'>", what);
  if (limit)
    fprintf(out, "%" PRIu32 " of %" PRIu32 "</td>", left, limit);
  else
    fputs("-</td>", out);
}

static void page_plan_row(const struct findings *findings, const struct ledger_plan *plan, FILE *out) {
  const struct plan_quota left = plan->left, limit = plan->terms.limit;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT];
  fprintf(out,
          "<tr><td class='one' data-name='plan'>%" PRIu64 "%s</td><td data-name='kind'>%s</td>" HTML_CELL("ε", "%s")
              HTML_CELL("δ", "%s"),
          plan->number, plan == findings->entry ? ", this run" : "", plan_mechanism_name(plan->terms.mechanism),
          rational_text(plan->terms.epsilon, "0", epsilon), rational_text(plan->terms.delta, "0", delta));
  page_plan_left(left.silences, limit.silences, "silences", out);
  page_plan_left(left.answers, limit.answers, "answers", out);
  fprintf(out, HTML_CELL("answers given", "%" PRIu64) HTML_CELL("begun", "%.10s") "</tr>\n",
          plan->labels + plan->answers, plan->begun);
}

static struct chart_bar page_total_bar(const char *name, struct rational spent, struct rational total) {
  struct chart_bar bar = {.name = name};
  char a[RATIONAL_TEXT], b[RATIONAL_TEXT];
  bar.value = spent.den ? rational_value(spent.num, spent.den) : 0;
  bar.whole = total.den ? rational_value(total.num, total.den) : 0;
  snprintf(bar.text, sizeof bar.text, "%.18s of %.18s", rational_text(spent, "0", a),
           rational_text(total, "no limit", b));
  return bar;
}

/* All runs on the data set. */
static void page_ledger(const struct findings *findings, FILE *out) {
  const struct ledger *ledger = &findings->ledger;
  struct chart_bar bar[2] = {page_total_bar("ε spent", ledger->spent_epsilon, ledger->total_epsilon),
                             page_total_bar("δ spent", ledger->spent_delta, ledger->total_delta)};
  fputs("<h3>All runs in this ledger</h3>\n", out);
  chart_bars(out, "epsilon and delta spent of the total", bar, 2);
  fputs("<table class='stack'><thead><tr><th>plan</th><th>kind</th><th class='n'>ε</th><th class='n'>δ</th>"
        "<th class='n'>silences left</th><th class='n'>answers left</th><th class='n'>answers given</th><th "
        "class='n'>begun</th></tr></thead>\n",
        out);
  for (size_t i = 0; i < ledger->plan_count; i++)
    page_plan_row(findings, ledger->plans + i, out);
  fputs("</table>\n", out);
  if (ledger->charges)
    fprintf(out, "<p class='soft'>Costs besides the plans (counts, estimates), in the sum: %" PRIu64 ".</p>\n",
            ledger->charges);
}

static void page_budget(const struct findings *findings, FILE *out) {
  fputs(HTML_SECTION("budget", "What was spent, and what is left"), out);
  fputs("<h3>This run</h3><table><thead><tr><th>paid for</th><th class='n'>ε</th><th class='n'>δ</th></tr></thead>\n",
        out);
  page_part(findings, out, "the plan: all answers, labels and silences", "epsilon", "delta");
  page_part(findings, out, "a count of the private units, with noise", "count_epsilon", "count_delta");
  page_part(findings, out, "an estimate of the teachers' error, with noise", "estimate_epsilon", "estimate_delta");
  page_part(findings, out, "<b>total of the run</b>", "total_epsilon", "total_delta");
  fputs("</table>\n", out);
  if (findings->has_ledger)
    page_ledger(findings, out);
  else
    fputs("<p class='soft'>The ledger of the data set was not found (--ledger FILE names it): what other runs spent is "
          "not shown.</p>\n",
          out);
  fputs("<p class='soft'>A plan is paid for in full when it begins. Releases on one data set add up; when the total is "
        "reached, Fumata refuses.</p></section>\n",
        out);
}

/* ---- how answers were given ---- */

/* What happens to a vote in which all teachers agree, the clearest that there can be. */
static void page_reach(const struct findings *findings, enum plan_kind kind, const char *what, FILE *out) {
  const uint32_t teachers = page_teachers(findings), far = plan_vote_distance(teachers, teachers);
  const double miss = plan_miss(&findings->plan, kind, far);
  const int is_bad = miss > (kind == PLAN_KIND_METER ? PLAN_UNANIMOUS : PLAN_UNANIMOUS_LOSER);
  if (!teachers) return;
  fprintf(out,
          "when all %" PRIu32 " teachers agree, at distance %" PRIu32 ", the answer is %s in "
          "<b class='%s'>%.2g&nbsp;%%</b> of cases.",
          teachers, far, what, is_bad ? "bad" : "", 100 * miss);
}

static void page_silence(const struct findings *findings, FILE *out) {
  fputs(HTML_SECTION("silence", "When there is an answer"), out);
  chart_curve(out, &findings->plan, PLAN_KIND_METER, page_teachers(findings));
  fputs("<p>Teachers vote on a public record. The distance is the number of votes that would have to change before "
        "another class wins. Close votes are met with silence, clear ones get the winner's label: ",
        out);
  page_reach(findings, PLAN_KIND_METER, "silence", out);
  fputs(" One record can change one vote; a silence reveals a little, a label hardly anything. Only silences are "
        "counted.</p></section>\n",
        out);
}

static void page_toll(const struct findings *findings, FILE *out) {
  fputs(HTML_SECTION("toll", "When the answer is paid for"), out);
  chart_curve(out, &findings->plan, PLAN_KIND_TOLL, page_teachers(findings));
  fputs("<p>For some public records the question is which of two candidates the teachers prefer. There is always an "
        "answer, and each is paid for. It is the winner, or by chance the loser: ",
        out);
  page_reach(findings, PLAN_KIND_TOLL, "the loser", out);
  fputs("</p></section>\n", out);
}

static void page_poll(const struct findings *findings, FILE *out) {
  fputs(HTML_SECTION("poll", "Who is asked, and how often the answer is right"), out);
  chart_curve(out, &findings->plan, PLAN_KIND_POLL, 0);
  fprintf(
      out,
      "<p>A question is about a public record: the private ones near it vote, each by its own label. The answer is yes "
      "or no by the sign of the lead, or by chance the opposite. Each private record votes at most %" PRIu32
      " times. Records far from a question do not vote, and it reveals nothing about them.</p></section>\n",
      plan_votes(&findings->plan));
}

static void page_stream(const struct findings *findings, FILE *out) {
  const struct plan_quota limit = plan_limit(&findings->plan);
  fputs(HTML_SECTION("stream", "Answers over the stream"), out);
  if (findings->points)
    chart_stream(out, findings->point, findings->points, limit.silences, limit.silences ? "labels" : "answers");
  else
    fputs("<p class='soft'>The ledger was not found, or this plan is not in it.</p>\n", out);
  if (plan_votes(&findings->plan)) {
    html_print(out,
               "<p>%s questions were asked and answered about some of %s public records. They give %" PRIu64
               " labels: with more than two classes a label takes several.</p></section>\n",
               page_field(&findings->summary, "asked"), page_field(&findings->summary, "queries"), findings->labels);
    return;
  }
  html_print(out,
             "<p>%s questions were asked, each about one of %s public records: %" PRIu64 " were answered with a class",
             page_field(&findings->summary, "asked"), page_field(&findings->summary, "queries"), findings->labels);
  if (limit.silences) fprintf(out, " and %" PRIu64 " with silence", findings->silent);
  fputs(". When all that was paid for is used, the plan closes, and further questions are refused.</p></section>\n",
        out);
}

/* ---- what was released ---- */

static int page_by_count(const void *a, const void *b) {
  const double x = ((const struct chart_bar *)a)->value, y = ((const struct chart_bar *)b)->value;
  return x < y ? 1 : x > y ? -1 : 0;
}

/* Why the shares of the classes differ from those among the records. */
static void page_released_why(const struct findings *findings, FILE *out) {
  const char *ask = summary_text(&findings->summary, "ask");
  if (plan_votes(&findings->plan))
    fputs(" Most are about records of which it was not sure, and each answer has noise: the shares are not those of "
          "the classes among the records.",
          out);
  else if (ask && strcmp(ask, "random") != 0)
    fputs(" It asked about records of which it was not sure: the shares are not those of the classes among the "
          "records.",
          out);
  else if (plan_limit(&findings->plan).silences)
    fputs(" Records on which the teachers disagree are met with silence, so classes that are easy to recognise are "
          "labelled more often than they occur.",
          out);
}

static int page_released(const struct findings *findings, FILE *out) {
  const struct classes *classes = &findings->model.encoding.classes;
  struct chart_bar *bar;
  size_t shown = classes->count < PAGE_BARS ? classes->count : PAGE_BARS;
  double most = 0;
  int code = memory_take(&bar, classes->count, sizeof *bar);
  if (code) return code;
  for (uint32_t c = 0; c < classes->count; c++) {
    bar[c].name = classes->name[c];
    bar[c].value = (double)findings->released[c];
    snprintf(bar[c].text, sizeof bar[c].text, "%" PRIu64 " (%.1f %%)", findings->released[c],
             page_percent(findings->released[c], findings->labels));
    most = fmax(most, bar[c].value);
  }
  if (shown < classes->count) qsort(bar, classes->count, sizeof *bar, page_by_count);
  for (uint32_t c = 0; c < classes->count; c++)
    bar[c].whole = most;
  fputs(HTML_SECTION("released", "Released labels by class"), out);
  chart_bars(out, "released labels by class", bar, shown);
  if (shown < classes->count)
    fprintf(out, "<p class='soft'>The %zu most frequent of %" PRIu32 " classes.</p>\n", shown, classes->count);
  fputs("<p class='soft'>These labels are all that the student learned from.", out);
  page_released_why(findings, out);
  fputs("</p></section>\n", out);
  free(bar);
  return EXIT_OK;
}

static void page_foot(const struct findings *findings, FILE *out) {
  html_print(out,
             "<footer>Made by fumata " FUMATA_VERSION " from the files of the run. %s Check it: <code>fumata certify "
             "%s</code>",
             summary_text(&findings->summary, "unsafe_compared_accuracy")
                 ? "It has the accuracy of a student without privacy, which was not paid for: do not publish it."
                 : "It has only what was released and what never depended on the private records, so it may be "
                   "published with the results.",
             findings->path[FINDINGS_PLAN]);
  if (findings->has_ledger)
    html_print(out, ", <code>fumata ledger verify %s --head %s</code>", findings->ledger_found,
               page_field(&findings->summary, "ledger_head"));
  fputs(".</footer>\n", out);
}

int page_print(const struct findings *findings, FILE *out) {
  const struct plan_quota limit = plan_limit(&findings->plan);
  int code;
  html_open(out, "Fumata privacy report");
  page_head(findings, out);
  page_alarms(findings, out);
  code = page_short(findings, out);
  if (!code) code = page_student(findings, out);
  page_claim(findings, out);
  page_budget(findings, out);
  page_audit_trust(out);
  fputs("<h2>In detail</h2>\n<div class='two'>\n", out);
  if (limit.silences) page_silence(findings, out);
  if (limit.answers) page_toll(findings, out);
  if (plan_votes(&findings->plan)) page_poll(findings, out);
  page_stream(findings, out);
  if (!code) code = page_released(findings, out);
  if (!code) code = page_student_detail(findings, out);
  fputs("</div>\n", out);
  page_audit(findings, out);
  page_foot(findings, out);
  html_close(out);
  return code;
}
