/* The student on the test: compared with the commonest class, class by class, its probabilities, and which classes it confuses. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"

#define PAGE_STUDENT_MATRIX 12 /* most classes for a matrix that can be read on a phone */
#define PAGE_STUDENT_NAME   16 /* characters of a name above a column */
#define PAGE_STUDENT_ERRORS 10 /* confusions in the list that replaces a larger matrix */
#define PAGE_STUDENT_ROWS   24 /* classes that get a line */

/* ---- in all ---- */

static void page_student_bar(struct chart_bar *bar, const char *name, double percent) {
  bar->name = name;
  bar->value = percent;
  bar->whole = 100;
  snprintf(bar->text, sizeof bar->text, "%.1f %%", percent);
}

static void page_student_bars(const struct findings *findings, FILE *out) {
  const struct summary *measured = findings_measured(findings);
  const double compared = summary_number(&findings->summary, "unsafe_compared_accuracy", -1);
  struct chart_bar bar[3] = {{0}, {.is_second = 1}, {.is_second = 1}};
  page_student_bar(bar, "student", 100 * summary_number(measured, "test_accuracy", 0));
  page_student_bar(bar + 1, "commonest", 100 * summary_number(measured, "test_majority", 0));
  page_student_bar(bar + 2, "not private", 100 * compared);
  chart_bars(out, "accuracy of the student, of always predicting the commonest class, and without privacy", bar,
             compared >= 0 ? 3 : 2);
  if (compared >= 0)
    fprintf(out,
            "<p class='bad'>NOT PRIVATE: a student that learned from all private records (--unsafe-compare) is right "
            "on %.1f&nbsp;%%. That number was not paid for; remove it before you publish this page.</p>\n",
            100 * compared);
}

/* "84.8 % (84.2 to 85.3)", or the plain number. */
static void page_student_value(const struct summary *from, const char *key, int is_percent, FILE *out) {
  const double value = summary_number(from, key, NAN), by = is_percent ? 100 : 1;
  const char *unit = is_percent ? "&nbsp;%" : "";
  const int digits = is_percent ? 1 : 3;
  char interval[64];
  double pair[2];
  snprintf(interval, sizeof interval, "%s_95", key);
  summary_pair(from, interval, pair);
  if (isnan(value))
    fputs("-", out);
  else
    fprintf(out, "%.*f%s", digits, by * value, unit);
  if (!isnan(value) && !isnan(pair[0]))
    fprintf(out, " <span class='soft'>(%.*f to %.*f)</span>", digits, by * pair[0], digits, by * pair[1]);
}

static void page_student_numbers(const struct findings *findings, FILE *out) {
  static const struct {
    const char *name, *key, *what;
    int is_percent;
  } rows[] = {{"accuracy", "test_accuracy", "how often it is right", 1},
              {"balanced accuracy", "test_balanced_accuracy",
               "the mean recall of the classes; always predicting one class gives one over their number", 1},
              {"AUC", "test_auc", "how often it ranks a record of a class above one of another; 0.5 is chance", 0},
              {"log loss", "test_log_loss", "how wrong its probabilities are; less is better", 0}};
  const struct summary *measured = findings_measured(findings);
  fputs("<table class='facts brief'>\n", out);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    html_print(out, "<tr><th>%s</th><td><b>", rows[i].name);
    page_student_value(measured, rows[i].key, rows[i].is_percent, out);
    html_print(out, "</b><br><span class='soft'>%s</span></td></tr>\n", rows[i].what);
  }
  fputs("</table>\n", out);
}

static void page_student_score(const struct findings *findings, FILE *out) {
  const struct summary *measured = findings_measured(findings);
  const double accuracy = summary_number(measured, "test_accuracy", 0),
               majority = summary_number(measured, "test_majority", 0);
  page_student_bars(findings, out);
  html_print(out,
             "<p>Right on <b>%.1f %%</b> of %s test records; always predicting the commonest class, “%s”, would be "
             "right on %.1f %%.",
             100 * accuracy, page_field(measured, "tested"), page_field(measured, "test_majority_class"),
             100 * majority);
  if (accuracy <= majority) fputs(" <b class='warn'>By this measure the student is not better than that.</b>", out);
  fputs("</p>\n", out);
  page_student_numbers(findings, out);
  fputs("<p class='soft'>In brackets: 95&nbsp;% intervals. Test records are assumed to be public: nothing here "
        "protects them.</p>\n",
        out);
}

/* Without a test: how well released labels are predicted by students that had not learned from them. */
static void page_student_foreseen(const struct findings *findings, FILE *out) {
  const struct summary *summary = &findings->summary;
  fputs("<p>The student was not tested. <code>--test FILE</code>, with labelled records that are not the private ones, "
        "shows accuracy, recall of each class and which classes are confused.</p>\n",
        out);
  if (!(summary_number(summary, "foreseen_balanced_accuracy", -1) >= 0)) return;
  fputs("<p>By what was released: balanced accuracy <b>", out);
  page_student_value(summary, "foreseen_balanced_accuracy", 1, out);
  html_print(out,
             "</b> on %s released labels, each predicted by a student that was trained without it; always predicting "
             "one class gives %.1f %%. Released labels are noisy, so the student may do better on true ones.</p>\n",
             page_field(summary, "foreseen"), 100.0 / findings->model.encoding.classes.count);
}

/* ---- class by class ---- */

static int page_student_by_recall(const void *a, const void *b) {
  const double x = summary_number(a, "recall", 2), y = summary_number(b, "recall", 2);
  return x < y ? -1 : x > y;
}

static int page_student_recall(const struct findings *findings, FILE *out) {
  struct summary *item;
  size_t count, shown;
  int code = summary_list(findings_measured(findings), "test_by_class", &item, &count);
  if (code || !count) return code;
  shown = count < PAGE_STUDENT_ROWS ? count : PAGE_STUDENT_ROWS;
  if (shown < count) qsort(item, count, sizeof *item, page_student_by_recall);
  fputs("<table class='stack'><thead><tr><th>class</th><th class='n'>records</th><th class='n'>of these found "
        "(recall)</th><th class='n'>predicted</th><th class='n'>of these right (precision)</th></tr></thead>\n",
        out);
  for (size_t i = 0; i < shown; i++) {
    html_print(out, "<tr><td data-name='class'>%s</td>" HTML_CELL("records", "%s"), page_field(item + i, "class"),
               page_field(item + i, "records"));
    fputs("<td class='n' data-name='found (recall)'>", out);
    page_student_value(item + i, "recall", 1, out);
    html_print(out, "</td>" HTML_CELL("predicted", "%s"), page_field(item + i, "named"));
    fputs("<td class='n' data-name='right (precision)'>", out);
    page_student_value(item + i, "precision", 1, out);
    fputs("</td></tr>\n", out);
  }
  fputs("</table>\n", out);
  if (shown < count) fprintf(out, "<p class='soft'>The %zu of %zu classes with the lowest recall.</p>\n", shown, count);
  summary_list_free(item, count);
  return EXIT_OK;
}

static int page_student_calibration(const struct findings *findings, FILE *out) {
  struct chart_bin bin[METRICS_BINS];
  struct summary *item;
  size_t count;
  int code = summary_list(findings_measured(findings), "test_calibration", &item, &count);
  if (code || !count) return code;
  for (size_t i = 0; i < count && i < METRICS_BINS; i++) {
    double pair[2];
    summary_pair(item + i, "was_95", pair);
    bin[i] = (struct chart_bin){summary_number(item + i, "said", 0), summary_number(item + i, "was", 0),
                                isnan(pair[0]) ? 0 : pair[0], isnan(pair[1]) ? 1 : pair[1]};
  }
  fputs("<h3>How good its probabilities are</h3>\n", out);
  chart_calibration(out, bin, count < METRICS_BINS ? count : METRICS_BINS);
  fputs(findings->model.encoding.classes.count == 2
            ? "<p class='soft'>How often a record was of the second class, by the probability that the student gave, "
            : "<p class='soft'>How often the likeliest class was right, by the probability that the student gave, ",
        out);
  fputs("with 95&nbsp;% intervals. On the dotted line the probabilities are right; away from it, use them only to "
        "rank.</p>\n",
        out);
  summary_list_free(item, count);
  return EXIT_OK;
}

/* ---- confusions ---- */

static uint64_t page_student_cell(const struct findings *findings, uint32_t truth, uint32_t answer) {
  return findings->metrics.confusion[(size_t)truth * findings->metrics.classes + answer];
}

static void page_student_matrix(const struct findings *findings, FILE *out) {
  const struct classes *classes = &findings->model.encoding.classes;
  fputs("<p>Which classes are confused:</p><div class='scroll'><table class='matrix'><thead><tr><th></th>", out);
  for (uint32_t c = 0; c < classes->count; c++) {
    fputs("<th><span>", out);
    html_name(out, classes->name[c], PAGE_STUDENT_NAME);
    fputs("</span></th>", out);
  }
  fputs("</tr></thead>\n", out);
  for (uint32_t truth = 0; truth < classes->count; truth++) {
    const uint64_t records = metrics_count(&findings->metrics, truth);
    fputs("<tr><th class='row'>", out);
    html_name(out, classes->name[truth], PAGE_STUDENT_NAME);
    fputs("</th>", out);
    for (uint32_t c = 0; c < classes->count; c++) {
      const double share = records ? (double)page_student_cell(findings, truth, c) / (double)records : 0;
      fprintf(out, "<td class='%s' style='background:rgba(%s,%.2f)'>", share > 0.55 ? "hi" : "",
              c == truth ? "36,86,201" : "194,98,12", share > 0 ? 0.08 + 0.82 * share : 0);
      if (share > 0) fprintf(out, "%.0f", 100 * share);
      fputs("</td>", out);
    }
    fputs("</tr>\n", out);
  }
  fputs("</table></div>\n<p class='soft'>Rows: the true class; columns: the student's; percent of the row. The "
        "diagonal is the recall of each class.</p>\n",
        out);
}

struct page_student_error {
  uint64_t count;
  uint32_t truth, answer;
};

static void page_student_errors(const struct findings *findings, FILE *out) {
  const struct classes *classes = &findings->model.encoding.classes;
  struct page_student_error worst[PAGE_STUDENT_ERRORS] = {{0}}; /* the worst first */
  for (uint32_t t = 0; t < classes->count; t++)
    for (uint32_t a = 0; a < classes->count; a++) {
      struct page_student_error error = {t == a ? 0 : page_student_cell(findings, t, a), t, a};
      for (size_t i = 0; i < PAGE_STUDENT_ERRORS; i++)
        if (error.count > worst[i].count) {
          struct page_student_error kept = worst[i];
          worst[i] = error;
          error = kept;
        }
    }
  if (!worst[0].count) return;
  fputs("<h3>The commonest confusions</h3><table><thead><tr><th>true class</th><th>student</th><th class='n'>records"
        "</th></tr></thead>\n",
        out);
  for (size_t i = 0; i < PAGE_STUDENT_ERRORS && worst[i].count; i++)
    html_print(out, "<tr><td>%s</td><td>%s</td><td class='n'>%" PRIu64 "</td></tr>\n", classes->name[worst[i].truth],
               classes->name[worst[i].answer], worst[i].count);
  fputs("</table>\n", out);
}

/* ---- the sections ---- */

static int page_student_is_tested(const struct findings *findings) {
  return summary_text(findings_measured(findings), "test_accuracy") != NULL;
}

int page_student(const struct findings *findings, FILE *out) {
  int code = EXIT_OK, is_tested = page_student_is_tested(findings);
  fputs(HTML_SECTION("student", "How good the student is"), out);
  if (is_tested)
    page_student_score(findings, out);
  else
    page_student_foreseen(findings, out);
  fputs("<h3>Class by class</h3>\n", out);
  if (is_tested)
    code = page_student_recall(findings, out);
  else
    fputs("<p class='soft'>This needs a test.</p>\n", out);
  fputs("</section>\n", out);
  return code;
}

int page_student_detail(const struct findings *findings, FILE *out) {
  int code;
  if (!page_student_is_tested(findings)) return EXIT_OK;
  fputs(HTML_SECTION("classes", "The student in detail"), out);
  code = page_student_calibration(findings, out);
  if (!findings->metrics.records)
    fputs("<p class='soft'>--test FILE shows which classes are confused.</p>\n", out);
  else if (findings->metrics.classes <= PAGE_STUDENT_MATRIX)
    page_student_matrix(findings, out);
  else
    page_student_errors(findings, out);
  fputs("</section>\n", out);
  return code;
}
