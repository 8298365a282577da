/* fumata predict: label any data with a student model. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/options.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "learn/model.h"
#include "release/answers.h"

#define PREDICT_BATCH 4096u

struct predict {
  const char *model_path, *path, *output_path;
  int score, exec, force;
  uint32_t seconds;
  FILE *out;
  struct student_model model;
  struct ensemble single;
  uint64_t id, right;
};

#define PREDICT_AT(member) offsetof(struct predict, member)

static const struct options_row predict_rows[] = {
    {"model", "FILE", options_text, PREDICT_AT(model_path), .help = "the student"},
    {"score", NULL, options_flag, PREDICT_AT(score),
     .help = "print the accuracy on the labels in FILE instead of the labels"},
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
              "\n",
    .groups = predict_groups,
    .arguments = OPTIONS_ANY};

static int predict_batch(struct predict *predict, const struct rows *rows, unsigned char *votes) {
  char *const *name = predict->model.encoding.classes.name;
  int code = ensemble_vote(&predict->single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++, predict->id++) {
    uint32_t label = ensemble_label(&predict->single, votes, i);
    predict->right += rows->label[i] == (int32_t)label;
    if (predict->score) continue;
    fprintf(predict->out, "%" PRIu64 ",", predict->id);
    answers_print(predict->out, name[label]);
  }
  if (!code && (ferror(predict->out) || fflush(predict->out) != 0)) code = error_unwritten("the labels");
  return code;
}

static int predict_all(struct predict *predict) {
  struct reader_options options = {.labels = predict->score ? LABELS_REQUIRE : LABELS_IGNORE};
  const struct encoding *encoding = &predict->model.encoding;
  unsigned char votes[2 * PREDICT_BATCH];
  struct reader reader;
  struct rows rows;
  int code = reader_open(&reader, predict->path, encoding, &options);
  if (code) return code;
  rows_init(&rows, encoding->columns, encoding->is_dense);
  if (!predict->score) fputs("id,label\n", predict->out);
  do {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, PREDICT_BATCH);
    if (!code && rows.count) code = predict_batch(predict, &rows, votes);
  } while (!code && !reader.is_finished);
  rows_free(&rows);
  reader_close(&reader);
  if (!code && predict->score && predict->id == 0) code = error_report(EXIT_INPUT, "%s: no records", predict->path);
  if (!code && predict->score)
    fprintf(predict->out, "right on %.2f %% of %" PRIu64 " records\n",
            100.0 * (double)predict->right / (double)predict->id, predict->id);
  return code;
}

static int predict_allow(const struct predict *predict) {
  const char *const inputs[] = {predict->path, predict->model_path, NULL};
  return predict->output_path ? output_allow(predict->output_path, predict->force, inputs) : EXIT_OK;
}

static int predict_run(struct predict *predict) {
  struct output output;
  int code = predict_allow(predict);
  if (!code) code = model_read(&predict->model, predict->model_path);
  if (code) return code;
  if (predict->model.learner.kind == LEARNER_EXEC && !predict->exec) {
    model_free(&predict->model);
    return error_report(EXIT_INPUT, "%s: this student is a command; --unsafe-exec runs it, if you trust it",
                        predict->model_path);
  }
  if (predict->seconds) predict->model.learner.seconds = predict->seconds;
  code = ensemble_single(&predict->single, &predict->model.learner, &predict->model.learned);
  if (!code && predict->output_path) code = output_open(&output, predict->output_path);
  if (!code) {
    predict->out = predict->output_path ? output.stream : stdout;
    code = predict_all(predict);
    if (predict->output_path && code)
      output_discard(&output);
    else if (predict->output_path)
      code = output_commit(&output);
  }
  ensemble_free(&predict->single);
  model_free(&predict->model);
  return code;
}

int command_predict(int argc, char **argv) {
  struct predict predict = {0};
  struct options_rest rest;
  int code = options_parse(&predict_command, argc, argv, &predict, &rest);
  if (code || rest.is_help) return code;
  if (!predict.model_path) return error_report(EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (rest.count > 1) return error_report(EXIT_INPUT, "'%s': one file at a time", rest.word[1]);
  predict.path = rest.count ? rest.word[0] : "-";
  return predict_run(&predict);
}
