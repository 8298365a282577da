/* The student on the test: against the most frequent class, class by class, and what it takes for what. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "command/report_chart.h"
#include "command/report_html.h"
#include "command/report_page.h"

#define REPORT_STUDENT_MATRIX 12 /* classes that a matrix may have and still be read on a phone */
#define REPORT_STUDENT_NAME   16 /* characters of a name above a column */
#define REPORT_STUDENT_ERRORS 10 /* confusions that are named where there is no matrix */

static uint64_t report_student_cell(const struct report *report, uint32_t truth, uint32_t answer) {
  return report->confusion[(size_t)truth * report->model.encoding.classes.count + answer];
}

static uint64_t report_student_records(const struct report *report, uint32_t truth) {
  uint64_t sum = 0;
  for (uint32_t c = 0; c < report->model.encoding.classes.count; c++)
    sum += report_student_cell(report, truth, c);
  return sum;
}

static uint64_t report_student_majority(const struct report *report) {
  uint64_t most = 0;
  for (uint32_t c = 0; c < report->model.encoding.classes.count; c++) {
    uint64_t records = report_student_records(report, c);
    if (records > most) most = records;
  }
  return most;
}

static void report_student_share(struct report_chart_bar *bar, const char *name, double percent) {
  bar->name = name;
  bar->value = percent;
  bar->whole = 100;
  snprintf(bar->text, sizeof bar->text, "%.1f %%", percent);
}

static void report_student_score(const struct report *report, FILE *out) {
  struct report_chart_bar bar[2] = {{0}, {.is_second = 1}};
  const uint64_t majority = report_student_majority(report);
  report_student_share(bar, "student", report_page_percent(report->right, report->tested));
  report_student_share(bar + 1, "most frequent", report_page_percent(majority, report->tested));
  report_chart_bars(out, "the student against always saying the most frequent class", bar, 2);
  fprintf(out,
          "<p>Right on <b>%.1f&nbsp;%%</b> of %" PRIu64 " test records; always saying the most frequent class would be "
          "right on %.1f&nbsp;%%.",
          bar[0].value, report->tested, bar[1].value);
  if (report->right <= majority)
    fputs(" <b class='bad'>The student is no better than that.</b> Try a larger epsilon, more silences, or a better "
          "learner.",
          out);
  fputs("</p>\n", out);
}

/* Without a test file: what the run itself noted. */
static void report_student_noted(const struct report *report, FILE *out) {
  struct report_chart_bar bar = {0};
  if (!report_summary_text(&report->summary, "test_accuracy")) {
    fputs("<p class='soft'>There was no test: --test FILE shows accuracy, recall and what is taken for what.</p>\n",
          out);
    return;
  }
  report_student_share(&bar, "student", 100 * report_summary_number(&report->summary, "test_accuracy", 0));
  report_chart_bars(out, "accuracy of the student", &bar, 1);
  fputs("<p>Right on so many of ", out);
  report_html_text(out, report_summary_text(&report->summary, "tested"));
  fputs(" test records, says the run. --test FILE shows recall and what is taken for what.</p>\n", out);
}

/* ---- few classes: a matrix ---- */

static void report_student_shade(FILE *out, uint64_t count, uint64_t records, int is_right) {
  const double share = records ? (double)count / (double)records : 0;
  fprintf(out, "<td class='%s' style='background:rgba(%s,%.2f)'>", share > 0.55 ? "hi" : "",
          is_right ? "36,86,201" : "194,98,12", share > 0 ? 0.08 + 0.82 * share : 0);
  if (count) fprintf(out, "%.0f", 100 * share);
  fputs("</td>", out);
}

static void report_student_matrix(const struct report *report, FILE *out) {
  const struct classes *classes = &report->model.encoding.classes;
  fputs("<p>What is taken for what:</p><div class='scroll'><table class='matrix'><thead><tr><th></th>", out);
  for (uint32_t c = 0; c < classes->count; c++) {
    fputs("<th><span>", out);
    report_html_name(out, classes->name[c], REPORT_STUDENT_NAME);
    fputs("</span></th>", out);
  }
  fputs("<th><span>records</span></th></tr></thead>\n", out);
  for (uint32_t truth = 0; truth < classes->count; truth++) {
    const uint64_t records = report_student_records(report, truth);
    fputs("<tr><th class='row'>", out);
    report_html_text(out, classes->name[truth]);
    fputs("</th>", out);
    for (uint32_t c = 0; c < classes->count; c++)
      report_student_shade(out, report_student_cell(report, truth, c), records, c == truth);
    fprintf(out, "<td>%" PRIu64 "</td></tr>\n", records);
  }
  fputs("</table></div>\n<p class='soft'>Rows: the truth; columns: what the student says; percent of the row. The "
        "diagonal "
        "is the recall of each class.</p>\n",
        out);
}

/* ---- many classes: recall of each, and the worst confusions ---- */

static void report_student_recall(const struct report *report, FILE *out) {
  const struct classes *classes = &report->model.encoding.classes;
  fputs(
      "<h3>Recall</h3><div class='scroll'><table><thead><tr><th>class</th><th class='n'>records</th><th class='n'>right"
      "</th></tr></thead>\n",
      out);
  for (uint32_t c = 0; c < classes->count; c++) {
    const uint64_t records = report_student_records(report, c);
    if (!records) continue;
    fputs("<tr><td>", out);
    report_html_text(out, classes->name[c]);
    fprintf(out, "</td><td class='n'>%" PRIu64 "</td><td class='n'>%.1f %%</td></tr>\n", records,
            report_page_percent(report_student_cell(report, c, c), records));
  }
  fputs("</table></div>\n", out);
}

struct report_student_error {
  uint64_t count;
  uint32_t truth, answer;
};

/* Keeps the worst ones, the worst first. */
static void report_student_rank(struct report_student_error worst[REPORT_STUDENT_ERRORS],
                                struct report_student_error error) {
  for (size_t i = 0; i < REPORT_STUDENT_ERRORS; i++)
    if (error.count > worst[i].count) {
      struct report_student_error kept = worst[i];
      worst[i] = error;
      error = kept;
    }
}

static void report_student_errors(const struct report *report, FILE *out) {
  const struct classes *classes = &report->model.encoding.classes;
  struct report_student_error worst[REPORT_STUDENT_ERRORS];
  memset(worst, 0, sizeof worst);
  for (uint32_t t = 0; t < classes->count; t++)
    for (uint32_t a = 0; a < classes->count; a++)
      if (t != a) report_student_rank(worst, (struct report_student_error){report_student_cell(report, t, a), t, a});
  if (!worst[0].count) return;
  fputs(
      "<h3>What is most often taken for what</h3><table><thead><tr><th>truth</th><th>student</th><th class='n'>records"
      "</th></tr></thead>\n",
      out);
  for (size_t i = 0; i < REPORT_STUDENT_ERRORS && worst[i].count; i++) {
    fputs("<tr><td>", out);
    report_html_text(out, classes->name[worst[i].truth]);
    fputs("</td><td>", out);
    report_html_text(out, classes->name[worst[i].answer]);
    fprintf(out, "</td><td class='n'>%" PRIu64 "</td></tr>\n", worst[i].count);
  }
  fputs("</table>\n", out);
}

void report_student(const struct report *report, FILE *out) {
  report_html_section(out, "student", "The student");
  if (!report->tested)
    report_student_noted(report, out);
  else
    report_student_score(report, out);
  fputs("<p class='soft'>Test records are taken to be public: nothing here protects them.</p></section>\n", out);
}

void report_student_classes(const struct report *report, FILE *out) {
  if (!report->tested) return;
  report_html_section(out, "classes", "The student, class by class");
  if (report->model.encoding.classes.count <= REPORT_STUDENT_MATRIX)
    report_student_matrix(report, out);
  else {
    report_student_recall(report, out);
    report_student_errors(report, out);
  }
  fputs("</section>\n", out);
}
