/* fumata predict: label any data with a student model. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "ensemble.h"
#include "model.h"
#include "output.h"
#include "reader.h"
#include "say.h"
#include "vote.h"

static const char fumata_predict_help[] =
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

#define FUMATA_PREDICT_BATCH 4096u

typedef struct {
  const char *model_path, *path, *output_path;
  int score, exec;
  uint32_t seconds;
  FILE *out;
  fumata_model model;
  fumata_ensemble single;
  uint64_t id, right;
} fumata_predict;

static int fumata_predict_batch(fumata_predict *predict, const fumata_rows *rows, unsigned char *votes) {
  char *const *name = predict->model.encoding.classes.name;
  int code = fumata_ensemble_vote(&predict->single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++, predict->id++) {
    uint32_t label = fumata_ensemble_width(&predict->single) == 1 ? votes[i] : ((const uint16_t *)votes)[i];
    predict->right += rows->label[i] == (int32_t)label;
    if (predict->score) continue;
    fprintf(predict->out, "%" PRIu64 ",", predict->id);
    fumata_answer_print(predict->out, name[label]);
  }
  if (!code && (fflush(predict->out) != 0 || ferror(predict->out)))
    code = fumata_say_error(FUMATA_EXIT_SYSTEM, "cannot write the labels");
  return code;
}

static int fumata_predict_all(fumata_predict *predict) {
  fumata_reader_options options = {.labels = predict->score ? FUMATA_LABELS_REQUIRE : FUMATA_LABELS_IGNORE};
  const fumata_encoding *encoding = &predict->model.encoding;
  unsigned char votes[2 * FUMATA_PREDICT_BATCH];
  fumata_reader reader;
  fumata_rows rows;
  int code = fumata_reader_open(&reader, predict->path, encoding, &options);
  if (code) return code;
  fumata_rows_init(&rows, encoding->columns, encoding->is_dense);
  if (!predict->score) fputs("id,label\n", predict->out);
  do {
    fumata_rows_clear(&rows);
    code = fumata_reader_next(&reader, &rows, FUMATA_PREDICT_BATCH);
    if (!code && rows.count) code = fumata_predict_batch(predict, &rows, votes);
  } while (!code && !reader.is_finished);
  fumata_rows_free(&rows);
  fumata_reader_close(&reader);
  if (!code && predict->score && predict->id == 0)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no records", predict->path);
  if (!code && predict->score)
    fprintf(predict->out, "right on %.2f %% of %" PRIu64 " records\n",
            100.0 * (double)predict->right / (double)predict->id, predict->id);
  return code;
}

static int fumata_predict_run(fumata_predict *predict) {
  fumata_output output;
  int code = fumata_model_read(&predict->model, predict->model_path);
  if (code) return code;
  if (predict->model.learner.kind == FUMATA_LEARNER_EXEC && !predict->exec) {
    fumata_model_free(&predict->model);
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: this student is a command; --unsafe-exec runs it, if you trust it",
                            predict->model_path);
  }
  if (predict->seconds) predict->model.learner.seconds = predict->seconds;
  code = fumata_ensemble_single(&predict->single, &predict->model.learner, &predict->model.learned);
  if (!code && predict->output_path) code = fumata_output_open(&output, predict->output_path);
  if (!code) {
    predict->out = predict->output_path ? output.stream : stdout;
    code = fumata_predict_all(predict);
    if (predict->output_path && code)
      fumata_output_discard(&output);
    else if (predict->output_path)
      code = fumata_output_commit(&output);
  }
  fumata_ensemble_free(&predict->single);
  fumata_model_free(&predict->model);
  return code;
}

int fumata_cmd_predict(int argc, char **argv) {
  static const struct option names[] = {{"model", required_argument, NULL, 'm'},
                                        {"score", no_argument, NULL, 's'},
                                        {"unsafe-exec", no_argument, NULL, 'x'},
                                        {"seconds", required_argument, NULL, 't'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"help", no_argument, NULL, 'h'},
                                        {NULL, 0, NULL, 0}};
  fumata_predict predict = {.path = "-"};
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
        return fumata_say_error(FUMATA_EXIT_INPUT, "--seconds: '%.40s' is not a whole number from 1 to 1000000",
                                optarg);
      break;
    case 'o':
      predict.output_path = optarg;
      break;
    case 'h':
      fputs(fumata_predict_help, stdout);
      return FUMATA_EXIT_OK;
    case ':':
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s needs a value; fumata predict --help", argv[optind - 1]);
    default:
      return fumata_say_error(FUMATA_EXIT_INPUT, "no option '%s'; fumata predict --help", argv[optind - 1]);
    }
  }
  if (!predict.model_path)
    return fumata_say_error(FUMATA_EXIT_INPUT, "--model FILE is missing: what fumata learn made");
  if (optind < argc) predict.path = argv[optind++];
  if (optind < argc) return fumata_say_error(FUMATA_EXIT_INPUT, "'%s': one file at a time", argv[optind]);
  return fumata_predict_run(&predict);
}
