/* fumata predict: label any data with a student model. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/progress.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/options.h"
#include "command/predict_line.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "learn/model.h"

#define PREDICT_BATCH 4096u

struct predict {
  const char *model_path, *path, *output_path;
  int score, exec, force, proba;
  uint32_t seconds;
  char delimiter; /* 0: as the model says */
  struct predict_line line;
  FILE *out;
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
    {"with-columns", NULL, options_flag, PREDICT_AT(line.with_columns),
     .help = "CSV: the columns of FILE as they are, then `predicted`, instead of an id"},
    {"delimiter", "C", options_delimiter, PREDICT_AT(delimiter),
     .help = "what separates the cells of a CSV file, if not what did when the student learned: one character, or tab"},
    {"json", NULL, options_flag, PREDICT_AT(line.json), .help = "a JSON object a line instead of CSV"},
    {"output", "FILE", options_text, PREDICT_AT(output_path), .letter = 'o',
     .help = "write there instead of to standard output; folders on the way are made"},
    {"force", NULL, options_flag, PREDICT_AT(force), .help = "overwrite the file of -o, unless it is an input"},
    {"unsafe-exec", NULL, options_flag, PREDICT_AT(exec),
     .help = "run the command that a student with an exec learner names: only if you trust the model"},
    {"seconds", "S", options_count, PREDICT_AT(seconds), .most = COMMAND_SECONDS_MAX,
     .help = "CPU time of one run of an exec learner (60)"},
    {0}};

static const struct options_group predict_groups[] = {{NULL, predict_rows, 0}, {0}};

static const struct options_command predict_command = {
    .name = "predict",
    .before = "usage: fumata predict --model student.model [OPTION...] [FILE]\n"
              "\n"
              "Labels the records of FILE (or of standard input) with a student that `fumata learn` made: one line a "
              "record,\n"
              "`id,label`, ids counted from 0. A student is public: it may be used as often as you like.\n"
              "\n"
              "  fumata predict --model out/student.model new.csv > labels.csv\n"
              "  fumata predict --model out/student.model --score test.csv        how often is it right?\n"
              "  fumata predict --model out/student.model --proba --with-columns new.csv -o labelled.csv\n"
              "\n",
    .groups = predict_groups,
    .arguments = OPTIONS_ANY};

/* ---- one batch ---- */

/* Keeps the bytes of the record that was read last. */
static int predict_keep_record(struct predict *predict) {
  const struct csv *csv = &predict->reader.source.csv;
  size_t needed = predict->records_size + csv->record_length;
  int code = memory_grow(&predict->records, &predict->records_capacity, needed, 1);
  if (code) return code;
  memcpy(predict->records + predict->records_size, csv->record, csv->record_length);
  predict->records_size = needed;
  predict->end[predict->rows.count - 1] = needed;
  return EXIT_OK;
}

/* Record by record, where their bytes are wanted. */
static int predict_read(struct predict *predict) {
  int code = EXIT_OK;
  rows_clear(&predict->rows);
  predict->records_size = 0;
  if (!predict->line.with_columns) return reader_next(&predict->reader, &predict->rows, PREDICT_BATCH);
  while (!code && !predict->reader.is_finished && predict->rows.count < PREDICT_BATCH) {
    size_t before = predict->rows.count;
    code = reader_next(&predict->reader, &predict->rows, 1);
    if (!code && predict->rows.count > before) code = predict_keep_record(predict);
  }
  return code;
}

static void predict_print(struct predict *predict, size_t i, uint32_t label) {
  size_t begin = predict->line.with_columns && i ? predict->end[i - 1] : 0;
  struct predict_said said = {.id = predict->id, .label = label};
  if (predict->proba) said.share = predict->share + i * predict->model.learner.classes;
  if (predict->line.with_columns) {
    said.record = predict->records + begin;
    said.length = predict->end[i] - begin;
  }
  predict_line_print(&predict->line, &said, predict->out);
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

/* ---- all of it ---- */

static int predict_make_room(struct predict *predict) {
  uint32_t classes = predict->model.learner.classes;
  int code = memory_take(&predict->votes, PREDICT_BATCH, ensemble_width(&predict->single));
  if (!code && predict->proba) code = memory_take(&predict->share, (size_t)PREDICT_BATCH * classes, sizeof(float));
  if (!code && predict->line.with_columns) code = memory_take(&predict->end, PREDICT_BATCH, sizeof *predict->end);
  return code;
}

/* The columns of the file stand beside ours: no two of them may have one name. */
static int predict_check_columns(struct predict *predict) {
  struct source *source = &predict->reader.source;
  if (!predict->line.with_columns) return EXIT_OK;
  if (source->format->traits & FORMAT_NUMBERS)
    return error_report(EXIT_INPUT, "%s: --with-columns is for CSV; this is %s", source->stream.path,
                        source->format->name);
  if (nameset_find(&source->header, "predicted", strlen("predicted")) != NAMESET_NONE)
    return error_report(EXIT_INPUT, "%s:1: there is a column called \"predicted\" already", source->stream.path);
  source->csv.keep_record = 1;
  predict->line.delimiter = source->csv.delimiter;
  return EXIT_OK;
}

static void predict_print_score(const struct predict *predict) {
  double share = (double)predict->right / (double)predict->id;
  if (predict->line.json)
    fprintf(predict->out, "{\"records\": %" PRIu64 ", \"right\": %" PRIu64 ", \"accuracy\": %.6f}\n", predict->id,
            predict->right, share);
  else
    fprintf(predict->out, "right on %.2f %% of %" PRIu64 " records\n", 100.0 * share, predict->id);
}

static int predict_records(struct predict *predict) {
  struct progress progress;
  int code = EXIT_OK;
  if (!predict->score)
    predict_line_header(&predict->line, &predict->reader.source.header, predict->proba, predict->out);
  progress_start(&progress, "labelling records", 0);
  do {
    code = predict_read(predict);
    if (!code && predict->rows.count) code = predict_batch(predict);
    progress_step(&progress, predict->id);
  } while (!code && !predict->reader.is_finished);
  progress_end(&progress);
  if (!code && predict->score && predict->id == 0) code = error_report(EXIT_INPUT, "%s: no records", predict->path);
  if (!code && predict->score) predict_print_score(predict);
  return code;
}

static int predict_all(struct predict *predict) {
  struct reader_options options = {.labels = predict->score ? LABELS_REQUIRE : LABELS_IGNORE};
  const struct encoding *encoding = &predict->model.encoding;
  int code = reader_open(&predict->reader, predict->path, encoding, &options);
  if (code) return code;
  rows_init(&predict->rows, encoding->columns, encoding->is_dense);
  predict->line.classes = &encoding->classes;
  predict->line.delimiter = ',';
  code = predict_check_columns(predict);
  if (!code) code = predict_make_room(predict);
  if (!code) code = predict_records(predict);
  rows_free(&predict->rows);
  reader_close(&predict->reader);
  return code;
}

static int predict_allow(const struct predict *predict) {
  const char *const inputs[] = {predict->path, predict->model_path, NULL};
  return predict->output_path ? output_allow(predict->output_path, predict->force, inputs) : EXIT_OK;
}

static int predict_write(struct predict *predict) {
  struct output output;
  int code;
  if (!predict->output_path) {
    predict->out = stdout;
    return predict_all(predict);
  }
  code = output_open(&output, predict->output_path);
  if (code) return code;
  predict->out = output.stream;
  code = predict_all(predict);
  if (!code) return output_commit(&output);
  output_discard(&output);
  return code;
}

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
  if (predict->proba) code = learner_check_probability(&model->learner, predict->model_path);
  return code ? code : ensemble_single(&predict->single, &model->learner, &model->learned);
}

static int predict_run(struct predict *predict) {
  int code = predict_allow(predict);
  if (!code) code = predict_open(predict);
  if (!code) code = predict_write(predict);
  ensemble_free(&predict->single);
  model_free(&predict->model);
  free(predict->votes);
  free(predict->share);
  free(predict->records);
  free(predict->end);
  return code;
}

int command_predict(int argc, char **argv) {
  struct predict predict = {0};
  struct options_rest rest;
  int code = options_parse(&predict_command, argc, argv, &predict, &rest);
  if (code || rest.is_help) return code;
  if (!predict.model_path) return error_report(EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (rest.count > 1) return error_report(EXIT_INPUT, "'%s': one file at a time", rest.word[1]);
  if (predict.line.json && predict.line.with_columns)
    return error_report(EXIT_INPUT, "--json and --with-columns exclude each other");
  predict.path = rest.count ? rest.word[0] : "-";
  return predict_run(&predict);
}
