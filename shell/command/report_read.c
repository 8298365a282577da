/* What a run of `fumata learn` left behind. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "command/report.h"
#include "data/source.h"
#include "plan/plan_file.h"

const char *const report_files[REPORT_FILES] = {"summary.json", "plan", "labels.csv", "student.model"};

static int report_read_digest(const char *path, uint8_t result[DIGEST_SIZE]) {
  struct digest digest;
  char block[1 << 16];
  FILE *file = fopen(path, "rb");
  size_t n;
  int failed;
  if (!file) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  digest_init(&digest);
  while ((n = fread(block, 1, sizeof block, file)) > 0)
    digest_add(&digest, block, n);
  failed = ferror(file);
  fclose(file);
  if (failed) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  digest_read(&digest, result);
  return EXIT_OK;
}

static int report_read_files(struct report *report) {
  int code = EXIT_OK;
  for (int i = 0; !code && i < REPORT_FILES; i++) {
    code = memory_print(&report->path[i], "%s/%s", report->folder, report_files[i]);
    if (!code) code = report_read_digest(report->path[i], report->digest[i]);
  }
  return code;
}

static int report_read_plan(struct report *report) {
  fumata_fault fault;
  int code = plan_file_read(report->path[REPORT_PLAN], &report->plan);
  if (code) return code;
  report->is_certified = plan_certify(&report->plan, &report->plan.claim, &fault) == FUMATA_OK;
  return EXIT_OK;
}

/* One released answer, the second cell of its line; behind it may stand the kind of question, a plain word. A class that is
 * called silent stands in quotes, and so is told from silence. */
static int report_read_answer(struct report *report, const struct source *source) {
  const struct cell *cell = source->csv.cell + 1;
  size_t behind = source->csv.cells > 2 ? cell[1].length + 1 : 0;
  int is_quoted =
      source->csv.record_length > behind && source->csv.record[source->csv.record_length - behind - 1] == '"';
  int32_t label;
  if (!is_quoted && cell->length == 6 && !memcmp(cell->text, "silent", 6)) {
    report->silent++;
    return EXIT_OK;
  }
  label = classes_find(&report->model.encoding.classes, cell->text, cell->length);
  if (label < 0)
    return error_report(EXIT_INPUT, "%s:%llu: the answer is none of the student's classes", source->file,
                        (unsigned long long)source->lines.line);
  report->released[label]++;
  report->labels++;
  return EXIT_OK;
}

static int report_read_labels(struct report *report) {
  const char *path = report->path[REPORT_LABELS];
  struct source source;
  int more = 1, code = memory_take(&report->released, report->model.encoding.classes.count, sizeof *report->released);
  if (code) return code;
  code = source_open(&source, path, &format_csv, NULL);
  if (code) return code;
  source.csv.keep_record = 1;
  if (source.header.count < 2 || source.header.count > 3 || strcmp(nameset_text(&source.header, 1), "answer") != 0)
    code = error_report(EXIT_INPUT, "%s: no list of answers: the header id,answer or id,answer,kind is expected", path);
  while (!code && more) {
    code = source_next(&source, &more);
    if (!code && more) code = report_read_answer(report, &source);
  }
  source_close(&source);
  return code;
}

/* ---- the ledger ---- */

struct report_read_rows {
  struct report *report;
  int code;
};

static void report_read_row(void *context, const struct ledger_row *row) {
  struct report_read_rows *rows = context;
  struct report *report = rows->report;
  struct report_point *point;
  if (rows->code || row->plan != (int64_t)report->entry->number || (row->labels < 0 && row->answers < 0)) return;
  rows->code = memory_grow(&report->point, &report->point_room, report->points + 1, sizeof *report->point);
  if (rows->code) return;
  point = report->point + report->points;
  *point = report->points ? point[-1] : (struct report_point){0, 0, 0};
  if (row->labels > 0) point->labels += (uint64_t)row->labels;
  if (row->silences > 0) point->silences += (uint64_t)row->silences;
  if (row->answers > 0) point->answers += (uint64_t)row->answers;
  report->points++;
}

/* The file that the operator names, the one that the run names, or the folder's own; the latter two may be elsewhere. */
static int report_read_find_ledger(struct report *report) {
  const char *named = report->ledger_path ? report->ledger_path : report_summary_text(&report->summary, "ledger");
  int code = EXIT_OK;
  if (named) code = memory_print(&report->ledger_found, "%s", named);
  if (code || report->ledger_path || (named && access(named, R_OK) == 0)) return code;
  free(report->ledger_found);
  code = memory_print(&report->ledger_found, "%s/ledger", report->folder);
  if (code || access(report->ledger_found, R_OK) == 0) return code;
  free(report->ledger_found);
  report->ledger_found = NULL;
  return EXIT_OK;
}

static int report_read_head(const char *text, uint8_t head[DIGEST_SIZE]) {
  if (!text || strlen(text) != DIGEST_TEXT - 1) return -1;
  for (size_t i = 0; i < DIGEST_SIZE; i++) {
    char pair[3] = {text[2 * i], text[2 * i + 1], 0}, *rest;
    head[i] = (uint8_t)strtoul(pair, &rest, 16);
    if (rest != pair + 2) return -1;
  }
  return 0;
}

static int report_read_ledger(struct report *report) {
  struct ledger_options options = {.look = 1};
  struct report_read_rows rows = {report, EXIT_OK};
  struct plan_terms terms;
  uint8_t head[DIGEST_SIZE];
  int code = report_read_find_ledger(report);
  if (code || !report->ledger_found) return code;
  if (!report_read_head(report_summary_text(&report->summary, "ledger_head"), head)) options.milestone = head;
  report->has_ledger = 1;
  code = ledger_open(&report->ledger, report->ledger_found, &options);
  if (code) return code;
  plan_terms(&report->plan, &terms);
  for (size_t i = 0; i < report->ledger.plan_count; i++)
    if (!memcmp(report->ledger.plans[i].terms.digest, terms.digest, DIGEST_SIZE))
      report->entry = report->ledger.plans + i;
  if (!report->entry) return EXIT_OK;
  code = ledger_visit(&report->ledger, report_read_row, &rows);
  return code ? code : rows.code;
}

int report_read(struct report *report) {
  int code = report_read_files(report);
  if (!code) code = report_summary_read(&report->summary, report->path[REPORT_SUMMARY]);
  if (!code) code = report_read_plan(report);
  if (!code) code = model_read(&report->model, report->path[REPORT_MODEL]);
  if (!code) code = report_read_labels(report);
  if (!code) code = report_read_ledger(report);
  return code;
}

void report_read_free(struct report *report) {
  for (int i = 0; i < REPORT_FILES; i++)
    free(report->path[i]);
  report_summary_free(&report->summary);
  plan_free(&report->plan);
  model_free(&report->model);
  if (report->has_ledger) ledger_shut(&report->ledger);
  free(report->ledger_found);
  free(report->released);
  free(report->point);
  free(report->confusion);
}
