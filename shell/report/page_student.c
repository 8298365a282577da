/* The student on the test: against the most frequent class, class by class, and what it takes for what. */
#include <inttypes.h>
#include <stdlib.h>

#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"

#define PAGE_STUDENT_MATRIX 12 /* classes that a matrix may have and still be read on a phone */
#define PAGE_STUDENT_NAME   16 /* characters of a name above a column */
#define PAGE_STUDENT_ERRORS 10 /* confusions that are named where there is no matrix */

static uint64_t page_student_cell(const struct findings *findings, uint32_t truth, uint32_t answer) {
  return findings->confusion[(size_t)truth * findings->model.encoding.classes.count + answer];
}

static uint64_t page_student_records(const struct findings *findings, uint32_t truth) {
  uint64_t sum = 0;
  for (uint32_t c = 0; c < findings->model.encoding.classes.count; c++)
    sum += page_student_cell(findings, truth, c);
  return sum;
}

static void page_student_share(struct chart_bar *bar, const char *name, double percent) {
  bar->name = name;
  bar->value = percent;
  bar->whole = 100;
  snprintf(bar->text, sizeof bar->text, "%.1f %%", percent);
}

static void page_student_score(const struct findings *findings, FILE *out) {
  struct chart_bar bar[2] = {{0}, {.is_second = 1}};
  uint64_t majority = 0;
  for (uint32_t c = 0; c < findings->model.encoding.classes.count; c++) {
    uint64_t records = page_student_records(findings, c);
    if (records > majority) majority = records;
  }
  page_student_share(bar, "student", page_percent(findings->right, findings->tested));
  page_student_share(bar + 1, "most frequent", page_percent(majority, findings->tested));
  chart_bars(out, "the student against always saying the most frequent class", bar, 2);
  fprintf(out,
          "<p>Right on <b>%.1f&nbsp;%%</b> of %" PRIu64 " test records; always saying the most frequent class would be "
          "right on %.1f&nbsp;%%.",
          bar[0].value, findings->tested, bar[1].value);
  if (findings->right <= majority)
    fputs(" <b class='bad'>The student is not better than that.</b> Try a larger epsilon, more silences, or a better "
          "learner.",
          out);
  fputs("</p>\n", out);
}

/* Without a test file: what the run itself noted. */
static void page_student_noted(const struct findings *findings, FILE *out) {
  struct chart_bar bar = {0};
  if (!summary_text(&findings->summary, "test_accuracy")) {
    fputs("<p class='soft'>There was no test: --test FILE shows accuracy, recall and what is taken for what.</p>\n",
          out);
    return;
  }
  page_student_share(&bar, "student", 100 * summary_number(&findings->summary, "test_accuracy", 0));
  chart_bars(out, "accuracy of the student", &bar, 1);
  html_print(out,
             "<p>The share of %s test records on which it was right, as the run noted it. --test FILE shows recall and "
             "what is taken for what.</p>\n",
             summary_text(&findings->summary, "tested"));
}

/* ---- few classes: a matrix ---- */

static void page_student_matrix(const struct findings *findings, FILE *out) {
  const struct classes *classes = &findings->model.encoding.classes;
  fputs("<p>What is taken for what:</p><div class='scroll'><table class='matrix'><thead><tr><th></th>", out);
  for (uint32_t c = 0; c < classes->count; c++) {
    fputs("<th><span>", out);
    html_name(out, classes->name[c], PAGE_STUDENT_NAME);
    fputs("</span></th>", out);
  }
  fputs("<th><span>records</span></th></tr></thead>\n", out);
  for (uint32_t truth = 0; truth < classes->count; truth++) {
    const uint64_t records = page_student_records(findings, truth);
    html_print(out, "<tr><th class='row'>%s</th>", classes->name[truth]);
    for (uint32_t c = 0; c < classes->count; c++) {
      const double share = records ? (double)page_student_cell(findings, truth, c) / (double)records : 0;
      fprintf(out, "<td class='%s' style='background:rgba(%s,%.2f)'>", share > 0.55 ? "hi" : "",
              c == truth ? "36,86,201" : "194,98,12", share > 0 ? 0.08 + 0.82 * share : 0);
      if (share > 0) fprintf(out, "%.0f", 100 * share);
      fputs("</td>", out);
    }
    fprintf(out, "<td>%" PRIu64 "</td></tr>\n", records);
  }
  fputs("</table></div>\n<p class='soft'>Rows: the truth; columns: what the student says; percent of the row. The "
        "diagonal is the recall of each class.</p>\n",
        out);
}

/* ---- many classes: recall of each, and the worst confusions ---- */

static void page_student_recall(const struct findings *findings, FILE *out) {
  const struct classes *classes = &findings->model.encoding.classes;
  fputs(
      "<h3>Recall</h3><div class='scroll'><table><thead><tr><th>class</th><th class='n'>records</th><th class='n'>right"
      "</th></tr></thead>\n",
      out);
  for (uint32_t c = 0; c < classes->count; c++) {
    const uint64_t records = page_student_records(findings, c);
    if (!records) continue;
    html_print(out, "<tr><td>%s</td><td class='n'>%" PRIu64 "</td><td class='n'>%.1f %%</td></tr>\n", classes->name[c],
               records, page_percent(page_student_cell(findings, c, c), records));
  }
  fputs("</table></div>\n", out);
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
  fputs(
      "<h3>What is most often taken for what</h3><table><thead><tr><th>truth</th><th>student</th><th class='n'>records"
      "</th></tr></thead>\n",
      out);
  for (size_t i = 0; i < PAGE_STUDENT_ERRORS && worst[i].count; i++)
    html_print(out, "<tr><td>%s</td><td>%s</td><td class='n'>%" PRIu64 "</td></tr>\n", classes->name[worst[i].truth],
               classes->name[worst[i].answer], worst[i].count);
  fputs("</table>\n", out);
}

void page_student(const struct findings *findings, FILE *out) {
  fputs(HTML_SECTION("student", "The student"), out);
  if (!findings->tested)
    page_student_noted(findings, out);
  else
    page_student_score(findings, out);
  fputs("<p class='soft'>Test records are taken to be public: nothing here protects them.</p></section>\n", out);
}

void page_student_classes(const struct findings *findings, FILE *out) {
  if (!findings->tested) return;
  fputs(HTML_SECTION("classes", "The student, class by class"), out);
  if (findings->model.encoding.classes.count <= PAGE_STUDENT_MATRIX)
    page_student_matrix(findings, out);
  else {
    page_student_recall(findings, out);
    page_student_errors(findings, out);
  }
  fputs("</section>\n", out);
}
