/* The first section, in short: the claim, how good the student is, what it cost, what is left, what to believe. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "report/html.h"
#include "report/page.h"

/* What a judgement of summary.json means for users of the student. */
static const struct {
  const char *judgement, *what;
} page_short_words[] = {
    {"fine", "The student is better than chance and than always predicting one class."},
    {"no labels", "No label was released: the student has learned nothing. Do not use it."},
    {"one class", "Every released label is the same class, and the student predicts nothing else. Do not use it."},
    {"constant", "The student predicts the same class for every record. Do not use its labels."},
    {"no better than chance", "The student is no better than chance. Do not use it."},
    {"unclear", "It is not clear that the student is better than chance: test it before you use it."},
    {"no better than the majority",
     "The student is not right more often than always predicting the commonest class would be."},
    {"misses a class", "The student misses a class: look at the recall of each before you use it."}};

const char *page_short_judgement(const struct findings *findings, int *is_fine) {
  const char *judgement = page_field(&findings->summary, "judgement");
  *is_fine = !strcmp(judgement, "fine");
  for (size_t i = 0; i < sizeof page_short_words / sizeof *page_short_words; i++)
    if (!strcmp(page_short_words[i].judgement, judgement)) return page_short_words[i].what;
  return "The student was not judged.";
}

double page_short_guess(const struct findings *findings) {
  const double epsilon = summary_number(&findings->summary, "total_epsilon", 0);
  const double delta = summary_number(&findings->summary, "total_delta", 0);
  return 1 - (1 - delta) / (1 + exp(epsilon));
}

/* The class with the lowest recall on the test. */
static int page_short_least(const struct findings *findings, double *recall, FILE *out) {
  struct summary *item;
  size_t count, least = 0;
  int code = summary_list(findings_measured(findings), "test_by_class", &item, &count);
  *recall = 2;
  for (size_t i = 0; !code && i < count; i++) {
    double one = summary_number(item + i, "recall", 2);
    if (one >= *recall) continue;
    *recall = one;
    least = i;
  }
  if (!code && *recall <= 1 && out) {
    fputs(" The lowest recall is that of “", out);
    html_name(out, page_field(item + least, "class"), HTML_NAME_MOST);
    fprintf(out, "”: <b>%.1f&nbsp;%%</b>.", 100 * *recall);
  }
  summary_list_free(item, count);
  return code;
}

static int page_short_good(const struct findings *findings, FILE *out) {
  const struct summary *measured = findings_measured(findings);
  const double compared = summary_number(&findings->summary, "unsafe_compared_accuracy", -1);
  double recall, pair[2];
  int code;
  fputs("<tr><th>How good</th><td>", out);
  if (!summary_text(measured, "test_accuracy")) {
    fputs("Not tested; add <code>--test FILE</code>.", out);
    summary_pair(&findings->summary, "foreseen_balanced_accuracy_95", pair);
    if (!isnan(pair[0]))
      fprintf(out,
              " On released labels that it had not learned from its balanced accuracy is %.1f&nbsp;%% (%.1f to %.1f); "
              "always predicting one class gives %.1f&nbsp;%%.",
              100 * summary_number(&findings->summary, "foreseen_balanced_accuracy", 0), 100 * pair[0], 100 * pair[1],
              100.0 / findings->model.encoding.classes.count);
    fputs("</td></tr>\n", out);
    return EXIT_OK;
  }
  html_print(out, "Right on <b>%.1f %%</b> of %s test records; always predicting “%s” would be right on %.1f %%",
             100 * summary_number(measured, "test_accuracy", 0), page_field(measured, "tested"),
             page_field(measured, "test_majority_class"), 100 * summary_number(measured, "test_majority", 0));
  if (compared >= 0) fprintf(out, ", a student without privacy on %.1f&nbsp;%%", 100 * compared);
  fprintf(out, ". If all classes count alike: %.1f&nbsp;%%.",
          100 * summary_number(measured, "test_balanced_accuracy", 0));
  code = page_short_least(findings, &recall, out);
  fputs("</td></tr>\n", out);
  return code;
}

static void page_short_cost(const struct findings *findings, FILE *out) {
  const struct ledger *ledger = &findings->ledger;
  const struct rational spent = ledger->spent_epsilon, total = ledger->total_epsilon;
  const double left =
      (total.den ? rational_value(total.num, total.den) : 0) - (spent.den ? rational_value(spent.num, spent.den) : 0);
  char text[RATIONAL_TEXT];
  html_print(out, "<tr><th>What it cost</th><td>ε = %s and δ = %s of this data set; ",
             page_field(&findings->summary, "total_epsilon"), page_field(&findings->summary, "total_delta"));
  html_print(out, "%" PRIu64 " labels were released.</td></tr>\n", findings->labels);
  fputs("<tr><th>What is left</th><td>", out);
  if (!findings->has_ledger)
    fputs("Not known: the ledger was not found; --ledger FILE names it.", out);
  else if (ledger->mixes)
    fputs("The runs in the ledger protect different things, so their costs cannot be added up.", out);
  else if (!total.den)
    fprintf(out, "The ledger does not have a ceiling; ε = %s was spent in all.", rational_text(spent, "0", text));
  else if (left < 1e-12)
    fprintf(out,
            "Nothing: ε = %s is spent, and further questions about these records are refused. The student can still "
            "be used.",
            rational_text(total, "0", text));
  else
    fprintf(out, "ε = %.6g of a total of %s.", left, rational_text(total, "0", text));
  fputs("</td></tr>\n", out);
}

static void page_short_tiles(const struct findings *findings, double recall, FILE *out) {
  const struct summary *measured = findings_measured(findings);
  const double accuracy = summary_number(measured, "test_accuracy", -1);
  const double auc = summary_number(measured, "test_auc", -1);
  fputs("<div class='tiles'>\n", out);
  if (accuracy >= 0) {
    fprintf(out,
            "<div class='tile'><b>%.1f&nbsp;%%</b><span>right on the test; the commonest class: "
            "%.1f&nbsp;%%</span></div>\n",
            100 * accuracy, 100 * summary_number(measured, "test_majority", 0));
    fprintf(out, "<div class='tile'><b>%.1f&nbsp;%%</b><span>balanced accuracy; chance: %.1f&nbsp;%%</span></div>\n",
            100 * summary_number(measured, "test_balanced_accuracy", 0),
            100.0 / findings->model.encoding.classes.count);
    if (recall <= 1)
      fprintf(out, "<div class='tile'><b class='%s'>%.1f&nbsp;%%</b><span>lowest recall of a class</span></div>\n",
              recall < 0.5 / findings->model.encoding.classes.count ? "bad" : "", 100 * recall);
    if (auc >= 0) fprintf(out, "<div class='tile'><b>%.3f</b><span>AUC; chance: 0.5</span></div>\n", auc);
  }
  html_print(out, HTML_TILE("%s"), page_field(&findings->summary, "total_epsilon"), "ε, all of this run");
  html_print(out, HTML_TILE("%s"), page_field(&findings->summary, "total_delta"), "δ, all of this run");
  fputs("</div>\n", out);
}

int page_short(const struct findings *findings, FILE *out) {
  int is_fine, code;
  const char *judged = page_short_judgement(findings, &is_fine);
  double recall;
  fputs(HTML_SECTION("short", "In short"), out);
  code = page_short_least(findings, &recall, NULL);
  if (!code) page_short_tiles(findings, recall, out);
  fputs("<table class='facts brief'>\n", out);
  html_print(out,
             "<tr><th>The claim</th><td>An attacker who sees everything that was released, and guesses whether %s, is "
             "right at most <b>%.2f %%</b> of the time; a guess without it is right 50 %% of the time.</td></tr>\n",
             page_field(&findings->summary, "neighbours"), ceil(1e4 * page_short_guess(findings)) / 100);
  if (!code) code = page_short_good(findings, out);
  page_short_cost(findings, out);
  html_print(out, "<tr><th>What to believe</th><td>%s %s %s</td></tr>\n</table>\n</section>\n", judged,
             findings->is_certified ? "That the plan keeps its claim is proved by machine and was checked again for "
                                      "this page. The program around the proved core is tested. Coins, disk and "
                                      "compilers are assumed to work."
                                    : "The plan does not keep its claim.",
             summary_text(findings_measured(findings), "test_accuracy")
                 ? "The numbers of the student hold for records like those of the test."
                 : "");
  return code;
}
