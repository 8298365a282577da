/* The student on a test file: how often each class is taken for each. */
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "command/report.h"
#include "data/reader.h"
#include "learn/ensemble.h"

#define REPORT_SCORE_BATCH 4096u

static int report_score_batch(struct report *report, const struct ensemble *student, const struct rows *rows) {
  const uint32_t classes = report->model.encoding.classes.count;
  unsigned char votes[2 * REPORT_SCORE_BATCH];
  int code = ensemble_vote(student, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++) {
    uint32_t answer = ensemble_label(student, votes, i), truth = (uint32_t)rows->label[i];
    if (answer >= classes) return error_report(EXIT_INPUT, "%s: the student names no class", report->folder);
    report->confusion[(size_t)truth * classes + answer]++;
    report->right += truth == answer;
    report->tested++;
  }
  return code;
}

static int report_score_file(struct report *report, const struct ensemble *student) {
  const struct reader_options options = {.labels = LABELS_REQUIRE};
  const struct encoding *encoding = &report->model.encoding;
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, report->test_path, encoding, &options);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  do {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, REPORT_SCORE_BATCH);
    if (!code && rows.count) code = report_score_batch(report, student, &rows);
  } while (!code && !reader.is_finished);
  rows_free(&rows);
  reader_close(&reader);
  if (!code && report->tested == 0) code = error_report(EXIT_INPUT, "%s: no records", report->test_path);
  return code;
}

int report_score(struct report *report) {
  const size_t classes = report->model.encoding.classes.count;
  struct ensemble student = {0};
  int code;
  if (!report->test_path) return EXIT_OK;
  if (report->model.learner.kind->traits & LEARNER_COMMAND && !report->exec)
    return error_report(EXIT_INPUT, "%s: this student is a command; --unsafe-exec runs it, if you trust it",
                        report->path[REPORT_MODEL]);
  code = memory_take(&report->confusion, classes * classes, sizeof *report->confusion);
  if (!code) code = ensemble_single(&student, &report->model.learner, &report->model.learned);
  if (!code) code = report_score_file(report, &student);
  ensemble_free(&student);
  return code;
}
