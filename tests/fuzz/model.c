/* Student models: the harness seals the bytes, so that more than the seal is tried; a model that opens labels records.
 * The bytes of trees are xgboost's, whose reader does not stand bytes that it did not write: they are left out here. */
#include "learn/model.h"
#include "data/reader.h"
#include "fuzz/harness.h"
#include "learn/ensemble.h"

#define LARGE 4096 /* columns from which on nothing is predicted: that is slow, not interesting */

static const char *sealed(const uint8_t *bytes, size_t size) {
  static const char mark[] = "fumata-model 1\n";
  uint8_t value[DIGEST_SIZE];
  char text[DIGEST_TEXT], *whole;
  struct digest digest;
  const char *path;
  digest_init(&digest);
  digest_add(&digest, mark, sizeof mark - 1);
  digest_add(&digest, bytes, size);
  digest_read(&digest, value);
  digest_print(value, text);
  whole = malloc(size + 128);
  FUZZ_MUST(whole != NULL);
  memcpy(whole, mark, sizeof mark - 1);
  if (size) memcpy(whole + sizeof mark - 1, bytes, size);
  sprintf(whole + sizeof mark - 1 + size, "sha256 %s\n", text);
  path = fuzz_file(0, whole, sizeof mark - 1 + size + 7 + DIGEST_TEXT);
  free(whole);
  return path;
}

static void check_labels(const struct student_model *model, const struct rows *rows) {
  struct ensemble single = {0};
  unsigned char *votes = calloc(rows->count, sizeof(uint16_t));
  FUZZ_MUST(votes != NULL);
  if (fuzz_judge(ensemble_single(&single, &model->learner, &model->learned)) == EXIT_OK &&
      fuzz_judge(ensemble_vote(&single, rows, 0, rows->count, votes)) == EXIT_OK)
    for (size_t i = 0; i < rows->count; i++)
      FUZZ_MUST(ensemble_label(&single, votes, i) < model->learner.classes);
  ensemble_free(&single);
  free(votes);
}

static void check_shares(const struct student_model *model, const struct rows *rows) {
  struct ensemble single = {0};
  float *share = calloc(rows->count * model->learner.classes, sizeof *share);
  FUZZ_MUST(share != NULL);
  fuzz_listen();
  if (fuzz_judge(learner_check_probability(&model->learner, "model")) == EXIT_OK &&
      fuzz_judge(ensemble_single(&single, &model->learner, &model->learned)) == EXIT_OK)
    fuzz_judge(ensemble_probability(&single, rows, share));
  ensemble_free(&single);
  free(share);
}

static void check_use(const struct student_model *model, const char *path) {
  struct rows rows;
  if (learner_base(&model->learner) == &learner_trees && model->learned.size) return;
  if (model->learner.kind == &learner_exec || model->encoding.raw_columns > LARGE || model->encoding.columns > LARGE ||
      model->learner.members > 16)
    return;
  if (fuzz_judge_input(reader_load(&rows, path, &model->encoding, NULL)) != EXIT_OK) return;
  check_labels(model, &rows);
  check_shares(model, &rows);
  rows_free(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size}, data = fuzz_cut(&fuzz, fuzz_byte(&fuzz));
  const char *path = sealed(fuzz.at, fuzz.left);
  struct student_model model;
  fuzz_listen();
  if (fuzz_judge_input(model_read(&model, path)) != EXIT_OK) return 0;
  check_use(&model, fuzz_file(1, data.at, data.left));
  model_free(&model);
  return 0;
}
