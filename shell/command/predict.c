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
#include "learn/model.h"

#define PREDICT_BATCH  4096u
#define PREDICT_DIGITS 9 /* give a float back exactly */

struct predict {
  const char *model_path, *path, *output_path;
  int score, exec, force, proba, with_columns, json;
  uint32_t seconds;
  char delimiter, decimal; /* 0: as the model says */
  FILE *out;
  char between; /* what separates the cells that are written: the record's own columns', or a comma */
  struct student_model model;
  struct ensemble single;
  struct reader reader;
  uint64_t id, right;
  /* one batch */
  struct rows rows;
  unsigned char *votes;
  float *share;
  char *records; /* with columns: the records' bytes, one behind the other, and where each ends */
  size_t records_size, records_capacity, *end;
};

#define PREDICT_AT(member) offsetof(struct predict, member)

static const struct options_row predict_rows[] = {
    {"model", "FILE", options_text, PREDICT_AT(model_path), .help = "the student"},
    {"score", NULL, options_flag, PREDICT_AT(score),
     .help = "print the accuracy on the labels in FILE instead of the labels"},
    {"proba", NULL, options_flag, PREDICT_AT(proba), .help = "also how likely each class is, a column p_CLASS each"},
    {"with-columns", NULL, options_flag, PREDICT_AT(with_columns),
     .help = "CSV: the columns of FILE as they are, then `predicted`, instead of an id"},
    {"delimiter", "C", options_delimiter, PREDICT_AT(delimiter),
     .help = "what separates the cells of a CSV file, if not what did when the student learned: one character, or tab"},
    {"decimal", "C", options_decimal, PREDICT_AT(decimal),
     .help =
         "what stands before the fraction of a number, if not what did when the student learned: a comma or a point"},
    {"json", NULL, options_flag, PREDICT_AT(json), .help = "a JSON object a line instead of CSV"},
    {"output", "FILE", options_text, PREDICT_AT(output_path), .letter = 'o',
     .help = "write there instead of to standard output; folders on the way are made"},
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
              "\n"
              "  fumata predict --model out/student.model new.csv > labels.csv\n"
              "  fumata predict --model out/student.model --score test.csv        how often is it right?\n"
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
  for (uint32_t c = 0; predict->proba && c < classes->count; c++) {
    int is_quoted = quote_csv_needed(classes->name[c], between);
    fprintf(out, is_quoted ? "%c\"p_" : "%cp_", between);
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
  json_string(&json, "label", classes->name[label]);
  if (share) {
    json_open(&json, "p", '{', 0);
    for (uint32_t c = 0; c < classes->count; c++)
      json_print(&json, classes->name[c], "%.*g", PREDICT_DIGITS, (double)share[c]);
    json_close(&json);
  }
  json_close(&json);
}

/* What is said of row i of the batch. */
static void predict_print(const struct predict *predict, size_t i, uint32_t label) {
  const struct classes *classes = &predict->model.encoding.classes;
  const float *share = predict->proba ? predict->share + i * classes->count : NULL;
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
  quote_csv(out, classes->name[label], predict->between);
  for (uint32_t c = 0; share && c < classes->count; c++)
    fprintf(out, "%c%.*g", predict->between, PREDICT_DIGITS, (double)share[c]);
  fputc('\n', out);
}

/* ---- records ---- */

/* Record by record, where their bytes are wanted. */
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
  int code = ensemble_vote(&predict->single, rows, 0, rows->count, predict->votes);
  if (!code && predict->proba) code = ensemble_probability(&predict->single, rows, predict->share);
  for (size_t i = 0; !code && i < rows->count; i++, predict->id++) {
    uint32_t label = ensemble_label(&predict->single, predict->votes, i);
    predict->right += rows->label[i] == (int32_t)label;
    if (!predict->score) predict_print(predict, i, label);
  }
  if (!code && (ferror(predict->out) || fflush(predict->out) != 0)) code = error_unwritten("the labels");
  return code;
}

static int predict_records(struct predict *predict) {
  struct json json = {.out = predict->out};
  struct progress progress;
  double share;
  int code = EXIT_OK;
  if (!predict->score && !predict->json) predict_header(predict);
  progress_start(&progress, "labelling records", 0);
  do {
    code = predict_read(predict);
    if (!code && predict->rows.count) code = predict_batch(predict);
    progress_step(&progress, predict->id);
  } while (!code && !predict->reader.is_finished);
  progress_end(&progress);
  if (code || !predict->score) return code;
  if (predict->id == 0) return error_report(EXIT_INPUT, "%s: no records", predict->path);
  share = (double)predict->right / (double)predict->id;
  if (predict->json) {
    json_open(&json, NULL, '{', 0);
    json_print(&json, "records", "%" PRIu64, predict->id);
    json_print(&json, "right", "%" PRIu64, predict->right);
    json_print(&json, "accuracy", "%.6f", share);
    json_close(&json);
  } else
    fprintf(predict->out, "right on %.2f %% of %" PRIu64 " records\n", 100.0 * share, predict->id);
  return EXIT_OK;
}

/* The columns of the file stand beside ours: no two of them may have one name. */
static int predict_check_columns(struct predict *predict) {
  struct source *source = &predict->reader.source;
  if (!predict->with_columns) return EXIT_OK;
  if (source->format->traits & FORMAT_NUMBERS)
    return error_report(EXIT_INPUT, "%s: --with-columns is for CSV; this is %s", source->stream.path,
                        source->format->name);
  if (nameset_find(&source->header, "predicted", strlen("predicted")) != NAMESET_NONE)
    return error_report(EXIT_INPUT, "%s:1: there is a column called \"predicted\" already", source->stream.path);
  source->csv.keep_record = 1;
  predict->between = source->csv.delimiter;
  return memory_take(&predict->end, PREDICT_BATCH, sizeof *predict->end);
}

static int predict_all(struct predict *predict) {
  struct reader_options options = {.labels = predict->score ? LABELS_REQUIRE : LABELS_IGNORE};
  const struct encoding *encoding = &predict->model.encoding;
  int code = reader_open(&predict->reader, predict->path, encoding, &options);
  if (code) return code;
  rows_init(&predict->rows, encoding->columns, encoding->is_dense);
  predict->between = ',';
  code = predict_check_columns(predict);
  if (!code) code = memory_take(&predict->votes, PREDICT_BATCH, ensemble_width(&predict->single));
  if (!code && predict->proba)
    code = memory_take(&predict->share, (size_t)PREDICT_BATCH * encoding->classes.count, sizeof(float));
  if (!code) code = predict_records(predict);
  rows_free(&predict->rows);
  reader_close(&predict->reader);
  return code;
}

/* ---- the command ---- */

static int predict_open(struct predict *predict) {
  struct student_model *model = &predict->model;
  int code = model_read(model, predict->model_path);
  if (code) return code;
  if (model->learner.kind->traits & LEARNER_COMMAND && !predict->exec)
    return error_report(EXIT_INPUT, "%s: this student is a command; --unsafe-exec runs it, if you trust it",
                        predict->model_path);
  say_detail("%s: %u classes, %u features", predict->model_path, model->learner.classes, model->learner.columns);
  if (predict->seconds) model->learner.seconds = predict->seconds;
  if (predict->delimiter) model->encoding.style.delimiter = predict->delimiter;
  if (predict->decimal) encoding_decimal(&model->encoding, predict->decimal);
  if (predict->proba) code = learner_check_probability(&model->learner, predict->model_path);
  return code ? code : ensemble_single(&predict->single, &model->learner, &model->learned);
}

int command_predict(int argc, char **argv) {
  struct predict predict = {0};
  struct output output = {0};
  struct options_rest rest;
  int code = options_parse(&predict_command, argc, argv, &predict, &rest);
  if (code || rest.is_help) return code;
  if (!predict.model_path) return error_report(EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (rest.count > 1) return error_report(EXIT_INPUT, "'%s': one file at a time", rest.word[1]);
  if (predict.json && predict.with_columns)
    return error_report(EXIT_INPUT, "--json and --with-columns exclude each other");
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
  free(predict.votes);
  free(predict.share);
  free(predict.records);
  free(predict.end);
  return code;
}
