/* fumata predict: label any data with a student model. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/quote.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/options.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "learn/metrics.h"
#include "learn/model.h"

#define PREDICT_BATCH  4096u
#define PREDICT_DIGITS 9          /* give a float back exactly */
#define PREDICT_NONE   UINT32_MAX /* instead of a label: the record could not be read */

struct predict {
  const char *model_path, *path, *output_path;
  int score, exec, force, proba, scores, with_columns, json, strict;
  double threshold; /* 0: the likeliest class is named */
  uint32_t seconds;
  char delimiter, decimal; /* 0: as the model says */
  FILE *out;
  char between; /* what separates the cells that are written: the record's own columns', or a comma */
  struct student_model model;
  struct ensemble single;
  struct reader reader;
  struct reader_unread unread;
  struct metrics metrics; /* of --score */
  uint64_t id;
  /* one batch */
  struct rows rows;
  uint32_t *label;
  float *share;  /* probabilities or scores, if anything asks for them */
  char *records; /* with columns: the records' bytes, one behind the other, and where each ends */
  size_t records_size, records_capacity, *end;
};

#define PREDICT_AT(member) offsetof(struct predict, member)

static const struct options_row predict_rows[] = {
    {"model", "FILE", options_text, PREDICT_AT(model_path), .help = "the student"},
    {"score", NULL, options_flag, PREDICT_AT(score),
     .help = "instead of labels: how good they are, by the labels in FILE, with 95 % intervals"},
    {"proba", NULL, options_flag, PREDICT_AT(proba), .help = "also how likely each class is, a column p_CLASS each"},
    {"scores", NULL, options_flag, PREDICT_AT(scores),
     .help = "also the score of each class, a column s_CLASS each; works without probabilities too"},
    {"threshold", "P", options_share, PREDICT_AT(threshold), .most = 1,
     .help = "for two classes: predict the second one where its probability is at least P (0.5)"},
    {"with-columns", NULL, options_flag, PREDICT_AT(with_columns),
     .help = "CSV: the columns of FILE as they are, then `predicted`, instead of an id"},
    {"delimiter", "C", options_delimiter, PREDICT_AT(delimiter),
     .help = "the separator of cells in a CSV file, if it is not the one the student learned with: one character, or "
             "tab"},
    {"decimal", "C", options_decimal, PREDICT_AT(decimal),
     .help = "the decimal separator, if it is not the one the student learned with: a comma or a point"},
    {"json", NULL, options_flag, PREDICT_AT(json), .help = "a JSON object a line instead of CSV"},
    {"strict", NULL, options_flag, PREDICT_AT(strict),
     .help = "stop at the first record that cannot be read (otherwise: an empty label, a warning and a count)"},
    {"output", "FILE", options_text, PREDICT_AT(output_path), .letter = 'o',
     .help = "write there instead of to standard output; missing folders are made"},
    {"force", NULL, options_flag, PREDICT_AT(force), .help = "overwrite the file of -o, unless it is an input"},
    {"unsafe-exec", NULL, options_flag, PREDICT_AT(exec),
     .help = "run the command that a student with an exec learner names: only if you trust the model"},
    {"seconds", "S", options_count, PREDICT_AT(seconds), .most = COMMAND_SECONDS_MAX,
     .help = "CPU time of one run of an exec learner (60)"},
    {0}};

static const struct options_command predict_command = {
    .name = "predict",
    .before = "usage: fumata predict --model student.model [OPTION...] [FILE]\n"
              "\n"
              "Labels the records of FILE (or of standard input) with a student that `fumata learn` made: one line\n"
              "a record, `id,label`, ids counted from 0. A student is public: it may be used as often as you like.\n"
              "A record that cannot be read (a cell that is not a number) gets an empty label and a warning; the\n"
              "exit code is 0 if any record could be read.\n"
              "\n"
              "  fumata predict --model out/student.model new.csv > labels.csv\n"
              "  fumata predict --model out/student.model --score test.csv        how good is it?\n"
              "  fumata predict --model out/student.model --threshold 0.2 new.csv  find more of the second class\n"
              "  fumata predict --model out/student.model --proba --with-columns new.csv -o labelled.csv\n"
              "\n",
    .groups = (const struct options_group[]){{NULL, predict_rows, 0}, {0}},
    .arguments = OPTIONS_ANY};

/* ---- lines ---- */

/* `id,label`, or with probabilities, or with the record's own columns. */
static void predict_header(const struct predict *predict) {
  const struct nameset *columns = &predict->reader.source.header;
  const struct classes *classes = &predict->model.encoding.classes;
  FILE *out = predict->out;
  char between = predict->between;
  if (!predict->with_columns) fputs("id", out);
  for (uint32_t c = 0; predict->with_columns && c < columns->count; c++) {
    if (c) fputc(between, out);
    quote_csv(out, nameset_text(columns, c), between);
  }
  fprintf(out, "%c%s", between, predict->with_columns ? "predicted" : "label");
  for (uint32_t c = 0; (predict->proba || predict->scores) && c < classes->count; c++) {
    int is_quoted = quote_csv_needed(classes->name[c], between);
    fprintf(out, is_quoted ? "%c\"%c_" : "%c%c_", between, predict->proba ? 'p' : 's');
    quote_csv_inside(out, classes->name[c]);
    if (is_quoted) fputc('"', out);
  }
  fputc('\n', out);
}

static void predict_print_json(const struct predict *predict, const float *share, uint32_t label) {
  const struct classes *classes = &predict->model.encoding.classes;
  struct json json = {.out = predict->out};
  json_open(&json, NULL, '{', 0);
  json_print(&json, "id", "%" PRIu64, predict->id);
  json_string(&json, "label", label == PREDICT_NONE ? NULL : classes->name[label]);
  if (share && label == PREDICT_NONE) {
    json_string(&json, predict->proba ? "p" : "s", NULL);
  } else if (share) {
    json_open(&json, predict->proba ? "p" : "s", '{', 0);
    for (uint32_t c = 0; c < classes->count; c++)
      json_print(&json, classes->name[c], "%.*g", PREDICT_DIGITS, (double)share[c]);
    json_close(&json);
  }
  json_close(&json);
}

/* The line for row i of the batch; with PREDICT_NONE its cells are empty. */
static void predict_print(const struct predict *predict, size_t i, uint32_t label) {
  const struct classes *classes = &predict->model.encoding.classes;
  const float *share = predict->proba || predict->scores ? predict->share + i * classes->count : NULL;
  FILE *out = predict->out;
  if (predict->json) {
    predict_print_json(predict, share, label);
    return;
  }
  if (predict->with_columns) {
    size_t begin = i ? predict->end[i - 1] : 0;
    fwrite(predict->records + begin, 1, predict->end[i] - begin, out);
  } else {
    fprintf(out, "%" PRIu64, predict->id);
  }
  fputc(predict->between, out);
  if (label != PREDICT_NONE) quote_csv(out, classes->name[label], predict->between);
  for (uint32_t c = 0; share && c < classes->count; c++) {
    fputc(predict->between, out);
    if (label != PREDICT_NONE) fprintf(out, "%.*g", PREDICT_DIGITS, (double)share[c]);
  }
  fputc('\n', out);
}

/* ---- records ---- */

/* Reads a batch, record by record if their bytes are needed. */
static int predict_read(struct predict *predict) {
  const struct csv *csv = &predict->reader.source.csv;
  struct rows *rows = &predict->rows;
  int code = EXIT_OK;
  rows_clear(rows);
  predict->records_size = 0;
  if (!predict->with_columns) return reader_next(&predict->reader, rows, PREDICT_BATCH);
  while (!code && !predict->reader.is_finished && rows->count < PREDICT_BATCH) {
    size_t before = rows->count, needed;
    code = reader_next(&predict->reader, rows, 1);
    if (code || rows->count == before) continue;
    needed = predict->records_size + csv->record_length;
    code = memory_grow(&predict->records, &predict->records_capacity, needed, 1);
    if (code) return code;
    memcpy(predict->records + predict->records_size, csv->record, csv->record_length);
    predict->records_size = predict->end[before] = needed;
  }
  return code;
}

static int predict_batch(struct predict *predict) {
  const struct rows *rows = &predict->rows;
  int code = metrics_ask(&predict->single, rows, predict->threshold, predict->label, predict->share);
  if (!code && predict->score)
    code = metrics_add(&predict->metrics, rows->count, rows->label, predict->label, predict->share,
                       metrics_has_probability(&predict->single));
  if (!code && predict->scores) code = predict->single.learner->kind->score(&predict->single, rows, predict->share);
  for (size_t i = 0; !code && i < rows->count; i++, predict->id++)
    if (!predict->score) predict_print(predict, i, rows->label[i] == ROWS_UNREAD ? PREDICT_NONE : predict->label[i]);
  if (!code && (ferror(predict->out) || fflush(predict->out) != 0))
    code = error_unwritten(predict->output_path ? predict->output_path : "the labels");
  return code;
}

/* What --score prints at the end. */
static int predict_tell(struct predict *predict) {
  const struct classes *classes = &predict->model.encoding.classes;
  struct json json = {.out = predict->out};
  int code;
  if (predict->metrics.records == 0) return error_report(EXIT_INPUT, "%s: no records", predict->path);
  code = metrics_end(&predict->metrics);
  if (code) return code;
  if (!predict->json) {
    metrics_print(&predict->metrics, classes->name, UINT32_MAX, predict->out);
    if (predict->unread.count)
      fprintf(predict->out, "left out: %" PRIu64 " of %" PRIu64 " records, which could not be read\n",
              predict->unread.count, predict->id);
    return EXIT_OK;
  }
  json_open(&json, NULL, '{', 0);
  json_print(&json, "records", "%" PRIu64, predict->metrics.records);
  json_print(&json, "left_out", "%" PRIu64, predict->unread.count);
  json_print(&json, "right", "%" PRIu64, predict->metrics.right);
  metrics_json(&predict->metrics, classes->name, "", &json);
  json_close(&json);
  return EXIT_OK;
}

/* Reports the first record that could not be read at once, since output may be used before the end. */
static void predict_warn(const struct predict *predict, uint64_t before) {
  if (before || !predict->unread.count) return;
  error_warn("WARNING: %s; such records %s (--strict stops at the first)", predict->unread.first,
             predict->score ? "are left out" : "get an empty label");
}

/* Reports how many records could not be read. If none could, the file is wrong, and not one of its cells. */
static int predict_count(const struct predict *predict) {
  unsigned long long count = predict->unread.count, all = predict->id;
  if (!count) return EXIT_OK;
  if (count == all)
    return error_report(EXIT_INPUT, "%s: none of the %llu records could be read", predict->reader.source.stream.path,
                        all);
  error_warn(predict->score ? "WARNING: %s: %llu of %llu records could not be read and are left out"
                            : "WARNING: %s: %llu of %llu records have no label: they could not be read",
             predict->reader.source.stream.path, count, all);
  return EXIT_OK;
}

static int predict_records(struct predict *predict) {
  struct progress progress;
  uint64_t before;
  int code = EXIT_OK;
  if (!predict->score && !predict->json) predict_header(predict);
  progress_start(&progress, "labelling records", 0);
  do {
    before = predict->unread.count;
    code = predict_read(predict);
    predict_warn(predict, before);
    if (!code && predict->rows.count) code = predict_batch(predict);
    progress_step(&progress, predict->id);
  } while (!code && !predict->reader.is_finished);
  progress_end(&progress);
  if (!code) code = predict_count(predict);
  return code || !predict->score ? code : predict_tell(predict);
}

/* The columns of the file are printed beside ours, so their names must differ. */
static int predict_check_columns(struct predict *predict) {
  struct source *source = &predict->reader.source;
  if (!predict->with_columns) return EXIT_OK;
  if (source->format->traits & FORMAT_NUMBERS)
    return error_report(EXIT_INPUT, "%s: --with-columns is for CSV, but this is %s: leave it out", source->stream.path,
                        source->format->name);
  if (nameset_find(&source->header, "predicted", strlen("predicted")) != NAMESET_NONE)
    return error_report(EXIT_INPUT,
                        "%s:1: --with-columns adds a column \"predicted\", and there is one already: rename it",
                        source->stream.path);
  source->csv.keep_record = 1;
  predict->unread.needs_cells = 1; /* else the cells of such a record would be printed under the wrong names */
  predict->between = source->csv.delimiter;
  return memory_take(&predict->end, PREDICT_BATCH, sizeof *predict->end);
}

static int predict_all(struct predict *predict) {
  struct reader_options options = {.labels = predict->score ? LABELS_REQUIRE : LABELS_IGNORE,
                                   .unread = predict->strict ? NULL : &predict->unread};
  const struct encoding *encoding = &predict->model.encoding;
  int code = reader_open(&predict->reader, predict->path, encoding, &options);
  if (code) return code;
  rows_init(&predict->rows, encoding->columns, encoding->is_dense);
  predict->between = ',';
  code = predict_check_columns(predict);
  if (!code) code = memory_take(&predict->label, PREDICT_BATCH, sizeof *predict->label);
  if (!code && predict->score) code = metrics_begin(&predict->metrics, encoding->classes.count);
  if (!code && (predict->proba || predict->scores || predict->threshold > 0 ||
                (predict->score && metrics_has_scores(&predict->single))))
    code = memory_take(&predict->share, (size_t)PREDICT_BATCH * encoding->classes.count, sizeof(float));
  if (!code) code = predict_records(predict);
  rows_free(&predict->rows);
  reader_close(&predict->reader);
  return code;
}

/* ---- the command ---- */

/* Not every student can do --scores and --threshold. */
static int predict_check_scores(const struct predict *predict) {
  const struct learner *learner = &predict->model.learner;
  if (predict->scores && !learner->kind->score)
    return error_report(EXIT_INPUT, "%s: --scores: %s", predict->model_path, learner->kind->unlikely);
  if (!(predict->threshold > 0)) return EXIT_OK;
  if (learner->classes != 2)
    return error_report(EXIT_INPUT, "%s: --threshold is for two classes, and this student has %u: leave it out",
                        predict->model_path, learner->classes);
  if (!(learner->kind->traits & LEARNER_PROBABILITY))
    return error_report(EXIT_INPUT, "%s: --threshold: %s", predict->model_path, learner->kind->unlikely);
  return EXIT_OK;
}

static int predict_open(struct predict *predict) {
  struct student_model *model = &predict->model;
  int code = model_read(model, predict->model_path);
  if (code) return code;
  if (model->learner.kind->traits & LEARNER_COMMAND && !predict->exec)
    return error_report(EXIT_INPUT, "%s: this student runs a command: add --unsafe-exec if you trust it",
                        predict->model_path);
  say_detail("%s: %u classes, %u features", predict->model_path, model->learner.classes, model->learner.columns);
  if (predict->seconds) model->learner.seconds = predict->seconds;
  if (predict->delimiter) model->encoding.style.delimiter = predict->delimiter;
  if (predict->decimal) encoding_decimal(&model->encoding, predict->decimal);
  if (predict->proba) code = learner_check_probability(&model->learner, predict->model_path);
  if (!code) code = predict_check_scores(predict);
  return code ? code : ensemble_single(&predict->single, &model->learner, &model->learned);
}

int command_predict(int argc, char **argv) {
  struct predict predict = {0};
  struct output output = {0};
  struct options_rest rest;
  int code = options_parse(&predict_command, argc, argv, &predict, &rest);
  if (code || rest.is_help) return code;
  if (!predict.model_path) return error_report(EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (rest.count > 1) return error_report(EXIT_INPUT, "'%s': give only one file", rest.word[1]);
  if (predict.proba && predict.scores)
    return error_report(EXIT_INPUT, "--proba and --scores exclude each other: give one");
  if (predict.json && predict.with_columns)
    return error_report(EXIT_INPUT, "--json and --with-columns exclude each other: give one");
  predict.path = rest.count ? rest.word[0] : "-";
  if (predict.output_path)
    code =
        output_allow(predict.output_path, predict.force, (const char *const[]){predict.path, predict.model_path, NULL});
  if (!code) code = predict_open(&predict);
  if (!code && predict.output_path) code = output_open(&output, predict.output_path);
  predict.out = output.stream ? output.stream : stdout;
  if (!code) code = predict_all(&predict);
  code = output_end(&output, code);
  ensemble_free(&predict.single);
  model_free(&predict.model);
  metrics_free(&predict.metrics);
  free(predict.label);
  free(predict.share);
  free(predict.records);
  free(predict.end);
  return code;
}
