#include "report/findings.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "data/reader.h"
#include "data/source.h"
#include "learn/ensemble.h"
#include "plan/plan_file.h"

#define FINDINGS_BATCH 4096u /* test records at a time */

const char *const findings_files[FINDINGS_FILES] = {"summary.json", "plan", "labels.csv", "student.model"};

static int findings_find_files(struct findings *findings) {
  int code = EXIT_OK;
  for (int i = 0; !code && i < FINDINGS_FILES; i++) {
    struct digest digest;
    digest_init(&digest);
    code = memory_print(&findings->path[i], "%s/%s", findings->folder, findings_files[i]);
    if (!code) code = digest_add_file(&digest, findings->path[i]);
    if (!code) digest_read(&digest, findings->digest[i]);
  }
  return code;
}

/* One released answer, the second cell of its line; the kind of question, a plain word, may follow. A class called silent is in
 * quotes, and silence is not. */
static int findings_read_answer(struct findings *findings, const struct source *source) {
  const struct csv *csv = &source->csv;
  const struct cell *cell = csv->cell + 1;
  size_t behind = csv->cells > 2 ? cell[1].length + 1 : 0;
  int is_quoted = csv->record_length > behind && csv->record[csv->record_length - behind - 1] == '"';
  int32_t label;
  if (!is_quoted && cell->length == 6 && !memcmp(cell->text, "silent", 6)) {
    findings->silent++;
    return EXIT_OK;
  }
  label = classes_find(&findings->model.encoding.classes, cell->text, cell->length);
  if (label < 0)
    return error_report(EXIT_INPUT, "%s:%llu: the answer is not one of the student's classes", source->file,
                        (unsigned long long)source->lines.line);
  findings->released[label]++;
  findings->labels++;
  return EXIT_OK;
}

static int findings_read_labels(struct findings *findings) {
  const char *path = findings->path[FINDINGS_LABELS];
  struct source source;
  int more = 1;
  int code = memory_take(&findings->released, findings->model.encoding.classes.count, sizeof *findings->released);
  if (code) return code;
  code = source_open(&source, path, &format_csv, NULL);
  if (code) return code;
  source.csv.keep_record = 1;
  if (source.header.count < 2 || source.header.count > 3 || strcmp(nameset_text(&source.header, 1), "answer") != 0)
    code =
        error_report(EXIT_INPUT, "%s:1: not a list of answers: the header must be id,answer or id,answer,kind", path);
  while (!code && more) {
    code = source_next(&source, &more);
    if (!code && more) code = findings_read_answer(findings, &source);
  }
  source_close(&source);
  return code;
}

/* ---- the ledger ---- */

struct findings_rows {
  struct findings *findings;
  int code;
};

static void findings_take_row(void *context, const struct ledger_row *row) {
  struct findings_rows *rows = context;
  struct findings *findings = rows->findings;
  struct findings_point *point;
  if (rows->code || row->plan != (int64_t)findings->entry->number || (row->labels < 0 && row->answers < 0)) return;
  rows->code = memory_grow(&findings->point, &findings->point_room, findings->points + 1, sizeof *findings->point);
  if (rows->code) return;
  point = findings->point + findings->points;
  *point = findings->points ? point[-1] : (struct findings_point){0, 0, 0};
  if (row->labels > 0) point->labels += (uint64_t)row->labels;
  if (row->silences > 0) point->silences += (uint64_t)row->silences;
  if (row->answers > 0) point->answers += (uint64_t)row->answers;
  findings->points++;
}

/* The ledger that --ledger names, else the one that the run names, else the one in the folder; only the first must exist. */
static int findings_find_ledger(struct findings *findings) {
  const char *named = findings->ledger_path ? findings->ledger_path : summary_text(&findings->summary, "ledger");
  int code;
  if (findings->ledger_path || (named && access(named, R_OK) == 0))
    return memory_print(&findings->ledger_found, "%s", named);
  code = memory_print(&findings->ledger_found, "%s/ledger", findings->folder);
  if (code || access(findings->ledger_found, R_OK) == 0) return code;
  free(findings->ledger_found);
  findings->ledger_found = NULL;
  return EXIT_OK;
}

static int findings_read_ledger(struct findings *findings) {
  struct ledger_options options = {.look = 1};
  struct findings_rows rows = {findings, EXIT_OK};
  struct plan_terms terms;
  uint8_t head[DIGEST_SIZE];
  const char *noted = summary_text(&findings->summary, "ledger_head");
  int code = findings_find_ledger(findings);
  if (code || !findings->ledger_found) return code;
  if (noted && !digest_parse(noted, head)) options.milestone = head;
  findings->has_ledger = 1;
  code = ledger_open(&findings->ledger, findings->ledger_found, &options);
  if (code) return code;
  plan_terms(&findings->plan, &terms);
  for (size_t i = 0; i < findings->ledger.plan_count; i++)
    if (!memcmp(findings->ledger.plans[i].terms.digest, terms.digest, DIGEST_SIZE))
      findings->entry = findings->ledger.plans + i;
  if (!findings->entry) return EXIT_OK;
  code = ledger_visit(&findings->ledger, findings_take_row, &rows);
  return code ? code : rows.code;
}

int findings_read(struct findings *findings) {
  fumata_fault fault;
  int code = findings_find_files(findings);
  if (!code) code = summary_read(&findings->summary, findings->path[FINDINGS_SUMMARY]);
  if (!code) code = plan_file_read(findings->path[FINDINGS_PLAN], &findings->plan);
  if (code) return code;
  findings->is_certified = plan_certify(&findings->plan, &findings->plan.claim, &fault) == FUMATA_OK;
  code = model_read(&findings->model, findings->path[FINDINGS_MODEL]);
  if (!code) code = findings_read_labels(findings);
  return code ? code : findings_read_ledger(findings);
}

void findings_free(struct findings *findings) {
  for (int i = 0; i < FINDINGS_FILES; i++)
    free(findings->path[i]);
  summary_free(&findings->summary);
  plan_free(&findings->plan);
  model_free(&findings->model);
  if (findings->has_ledger) ledger_shut(&findings->ledger);
  free(findings->ledger_found);
  free(findings->released);
  free(findings->point);
  metrics_free(&findings->metrics);
  summary_free(&findings->measured);
}

/* ---- the student on a test file ---- */

static int findings_score_batch(struct findings *findings, const struct ensemble *student, const struct rows *rows) {
  const uint32_t classes = findings->model.encoding.classes.count;
  uint32_t *answer = NULL;
  float *score = NULL;
  int code = memory_take(&answer, rows->count, sizeof *answer);
  if (!code && metrics_has_scores(student)) code = memory_align(&score, rows->count * classes, sizeof *score);
  if (!code) code = metrics_ask(student, rows, 0, answer, score);
  if (!code)
    code = metrics_add(&findings->metrics, rows->count, rows->label, answer, score, metrics_has_probability(student));
  free(answer);
  free(score);
  return code;
}

static int findings_score_file(struct findings *findings, const struct ensemble *student) {
  const struct reader_options options = {.labels = LABELS_REQUIRE};
  const struct encoding *encoding = &findings->model.encoding;
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, findings->test_path, encoding, &options);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  do {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, FINDINGS_BATCH);
    if (!code && rows.count) code = findings_score_batch(findings, student, &rows);
  } while (!code && !reader.is_finished);
  rows_free(&rows);
  reader_close(&reader);
  if (!code && findings->metrics.records == 0) code = error_report(EXIT_INPUT, "%s: no records", findings->test_path);
  return code ? code : metrics_end(&findings->metrics);
}

/* Writes the results as a summary and reads it, so that the page has one way to read both. */
static int findings_score_note(struct findings *findings) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  struct json json = {.out = stream};
  int code;
  if (!stream) return memory_short();
  json_open(&json, NULL, '{', 0);
  json_print(&json, "tested", "%llu", (unsigned long long)findings->metrics.records);
  metrics_json(&findings->metrics, findings->model.encoding.classes.name, "test_", &json);
  json_close(&json);
  code = fclose(stream) ? memory_short() : summary_parse(&findings->measured, findings->test_path, text, size);
  free(text);
  return code;
}

int findings_score(struct findings *findings) {
  struct ensemble student = {0};
  int code;
  if (!findings->test_path) return EXIT_OK;
  if (findings->model.learner.kind->traits & LEARNER_COMMAND && !findings->exec)
    return error_report(EXIT_INPUT, "%s: this student runs a command: add --unsafe-exec if you trust it",
                        findings->path[FINDINGS_MODEL]);
  code = metrics_begin(&findings->metrics, findings->model.encoding.classes.count);
  if (!code) code = ensemble_single(&student, &findings->model.learner, &findings->model.learned);
  if (!code) code = findings_score_file(findings, &student);
  ensemble_free(&student);
  return code ? code : findings_score_note(findings);
}

const struct summary *findings_measured(const struct findings *findings) {
  return findings->metrics.records ? &findings->measured : &findings->summary;
}
