/* What a student is worth, of any answers and scores: counts add up, shares and their intervals lie in 0 to 1 around the value, and
 * what is printed for programs is one object without a bare `nan`. */
#include "learn/metrics.h"

#include <math.h>

#include "fuzz/harness.h"

#define CLASSES 4
#define RECORDS 256

static void check_value(struct metrics_value value, double most) {
  if (isnan(value.value)) {
    FUZZ_MUST(isnan(value.low) && isnan(value.high));
    return;
  }
  FUZZ_MUST(value.value >= 0 && value.value <= most);
  if (isnan(value.low)) return; /* of one record there is no spread */
  FUZZ_MUST(value.low >= 0 && value.low <= value.value + 1e-9 && value.value <= value.high + 1e-9);
  FUZZ_MUST(value.high <= most + 1e-9);
}

static void check(const struct metrics *metrics, uint64_t known) {
  uint64_t records = 0, named = 0, binned = 0, won, lost;
  FUZZ_MUST(metrics->records == known && metrics->right <= known);
  for (uint32_t c = 0; c < metrics->classes; c++) {
    records += metrics_count(metrics, c);
    named += metrics_named(metrics, c);
    check_value(metrics_recall(metrics, c), 1);
    check_value(metrics_precision(metrics, c), 1);
  }
  FUZZ_MUST(records == known && named == known);
  check_value(metrics_accuracy(metrics), 1);
  check_value(metrics_balanced(metrics), 1);
  check_value(metrics->auc, 1);
  check_value(metrics->log_loss, INFINITY);
  for (int b = 0; b < METRICS_BINS; b++) {
    const struct metrics_bin *bin = &metrics->bin[b];
    FUZZ_MUST(bin->right <= bin->records);
    FUZZ_MUST(!bin->records || (bin->sum / (double)bin->records >= b / 10.0 - 1e-6 &&
                                bin->sum / (double)bin->records <= (b + 1) / 10.0 + 1e-6));
    binned += bin->records;
  }
  FUZZ_MUST(!metrics->has_probability || binned == known);
  metrics_against_majority(metrics, &won, &lost);
  FUZZ_MUST(known + won >= lost && metrics->right == metrics_count(metrics, metrics_majority(metrics)) + won - lost);
}

static void show(const struct metrics *metrics) {
  char class_names[CLASSES][2] = {"a", "\"", "c", "d"}, *names[CLASSES], *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  struct json json = {.out = out};
  FUZZ_MUST(out != NULL);
  for (int c = 0; c < CLASSES; c++)
    names[c] = class_names[c];
  metrics_print(metrics, names, METRICS_CLASSES, out);
  FUZZ_MUST(fflush(out) == 0 && size > 0 && !memchr(text, '\0', size));
  rewind(out);
  json_open(&json, NULL, '{', 1);
  metrics_json(metrics, names, "test_", &json);
  json_close(&json);
  FUZZ_MUST(fclose(out) == 0 && !strstr(text, "nan") && !strstr(text, "inf"));
  free(text);
}

/* A row of scores: of probabilities they sum to 1. */
static void draw(struct fuzz *fuzz, float *score, uint32_t classes, int is_probability) {
  float sum = 0;
  for (uint32_t c = 0; c < classes; c++)
    sum += score[c] = (float)fuzz_byte(fuzz) / (is_probability ? 1.0F : 16.0F);
  for (uint32_t c = 0; c < classes && is_probability; c++)
    score[c] = sum > 0 ? score[c] / sum : 1.0F / (float)classes;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz);
  uint32_t classes = 2 + how % (CLASSES - 1), answer[RECORDS];
  int32_t truth[RECORDS];
  float score[RECORDS * CLASSES];
  size_t count = 0, known = 0, first = fuzz_byte(&fuzz);
  struct metrics metrics;
  int is_probability = how >> 4 & 1, has_scores = how >> 5 & 1, is_wrong = 0, code;
  for (; fuzz.left && count < RECORDS; count++) {
    uint8_t byte = fuzz_byte(&fuzz);
    truth[count] = (int32_t)(byte % (classes + 1)) - 1;
    answer[count] = byte == 255 ? classes : byte / 8 % classes;
    draw(&fuzz, score + count * classes, classes, is_probability);
    is_wrong = is_wrong || (truth[count] >= 0 && answer[count] >= classes);
    known += truth[count] >= 0;
  }
  if (first > count) first = count;
  fuzz_listen();
  FUZZ_MUST(metrics_begin(&metrics, classes) == EXIT_OK);
  code = metrics_add(&metrics, first, truth, answer, has_scores ? score : NULL, is_probability);
  if (!code)
    code = metrics_add(&metrics, count - first, truth + first, answer + first,
                       has_scores ? score + first * classes : NULL, is_probability);
  FUZZ_MUST(fuzz_judge_input(code) == (is_wrong ? EXIT_INPUT : EXIT_OK));
  if (!code) {
    FUZZ_MUST(metrics_end(&metrics) == EXIT_OK);
    check(&metrics, known);
    if (known) show(&metrics); /* nobody shows those of no records */
  }
  metrics_free(&metrics);
  return 0;
}
