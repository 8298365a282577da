/* fumata predict: label any data with a student model. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "command/commands.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "learn/model.h"
#include "release/answers.h"

static const char predict_help[] =
    "usage: fumata predict --model student.model [OPTION...] [FILE]\n"
    "\n"
    "Labels the records of FILE (or of standard input) with a student that `fumata learn` made: one line a record,\n"
    "`id,label`, ids counted from 0. A student is public: it may be used as often as you like.\n"
    "\n"
    "  fumata predict --model out/student.model new.csv > labels.csv\n"
    "  fumata predict --model out/student.model --score test.csv        how often is it right?\n"
    "\n"
    "  --model FILE       the student\n"
    "  --score            print the accuracy on the labels in FILE instead of the labels\n"
    "  -o, --output FILE  write there instead of to standard output\n"
    "  --unsafe-exec      run the command that a student with an exec learner names: only if you trust the model\n"
    "  --seconds S        CPU time of one run of an exec learner (60)\n";

#define PREDICT_BATCH 4096u

struct predict {
  const char *model_path, *path, *output_path;
  int score, exec;
  uint32_t seconds;
  FILE *out;
  struct student_model model;
  struct ensemble single;
  uint64_t id, right;
};

static int predict_batch(struct predict *predict, const struct rows *rows, unsigned char *votes) {
  char *const *name = predict->model.encoding.classes.name;
  int code = ensemble_vote(&predict->single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++, predict->id++) {
    uint32_t label = ensemble_width(&predict->single) == 1 ? votes[i] : ((const uint16_t *)votes)[i];
    predict->right += rows->label[i] == (int32_t)label;
    if (predict->score) continue;
    fprintf(predict->out, "%" PRIu64 ",", predict->id);
    answers_print(predict->out, name[label]);
  }
  if (!code && (fflush(predict->out) != 0 || ferror(predict->out)))
    code = error_report(EXIT_SYSTEM, "cannot write the labels");
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

static int predict_run(struct predict *predict) {
  struct output output;
  int code = model_read(&predict->model, predict->model_path);
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
  static const struct option names[] = {{"model", required_argument, NULL, 'm'},
                                        {"score", no_argument, NULL, 's'},
                                        {"unsafe-exec", no_argument, NULL, 'x'},
                                        {"seconds", required_argument, NULL, 't'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  struct predict predict = {.path = "-"};
  int c;
  optind = 0;
  while ((c = getopt_long(argc, argv, ":o:h", names, NULL)) != -1) {
    switch (c) {
    case 'm':
      predict.model_path = optarg;
      break;
    case 's':
      predict.score = 1;
      break;
    case 'x':
      predict.exec = 1;
      break;
    case 't':
      predict.seconds = (uint32_t)strtoul(optarg, NULL, 10);
      if (!predict.seconds || predict.seconds > 1000000)
        return error_report(EXIT_INPUT, "--seconds: '%.40s' is not a whole number from 1 to 1000000", optarg);
      break;
    case 'o':
      predict.output_path = optarg;
      break;
    case 'h':
      fputs(predict_help, stdout);
      return EXIT_OK;
    case ':':
      return error_report(EXIT_INPUT, "%s needs a value; fumata predict --help", argv[optind - 1]);
    default:
      return error_report(EXIT_INPUT, "no option '%s'; fumata predict --help", argv[optind - 1]);
    }
  }
  if (!predict.model_path) return error_report(EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (optind < argc) predict.path = argv[optind++];
  if (optind < argc) return error_report(EXIT_INPUT, "'%s': one file at a time", argv[optind]);
  return predict_run(&predict);
}
