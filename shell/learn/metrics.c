#include "learn/metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/quote.h"

#define METRICS_Z      1.959963984540054 /* of 95 % */
#define METRICS_LEAST  1e-15             /* smaller probabilities count as this, as in scikit-learn */
#define METRICS_SCORES ((size_t)1 << 26) /* at most this many are kept; with more there is no AUC */

static const struct metrics_value metrics_none = {NAN, NAN, NAN};

/* ---- gathering ---- */

int metrics_begin(struct metrics *metrics, uint32_t classes) {
  memset(metrics, 0, sizeof *metrics);
  metrics->classes = classes;
  metrics->has_probability = 1;
  metrics->auc = metrics->log_loss = metrics_none;
  return memory_take(&metrics->confusion, (size_t)classes * classes, sizeof *metrics->confusion);
}

void metrics_free(struct metrics *metrics) {
  free(metrics->confusion);
  free(metrics->score);
  free(metrics->truth);
  memset(metrics, 0, sizeof *metrics);
}

/* With two classes the second score says all. */
static size_t metrics_width(const struct metrics *metrics) {
  return metrics->classes == 2 ? 1 : metrics->classes;
}

static int metrics_keep(struct metrics *metrics, int32_t truth, const float *score) {
  size_t width = metrics_width(metrics), at = metrics->records;
  int code;
  if ((at + 1) * width > METRICS_SCORES) metrics->is_unranked = 1;
  if (metrics->is_unranked) return EXIT_OK;
  code = memory_grow(&metrics->score, &metrics->score_room, (at + 1) * width, sizeof *metrics->score);
  if (!code) code = memory_grow(&metrics->truth, &metrics->truth_room, at + 1, sizeof *metrics->truth);
  if (code) return code;
  memcpy(metrics->score + at * width, metrics->classes == 2 ? score + 1 : score, width * sizeof *score);
  metrics->truth[at] = truth;
  return EXIT_OK;
}

/* Takes a probability that the student gave, and whether it was right. */
static void metrics_believe(struct metrics *metrics, int32_t truth, const float *share) {
  uint32_t likeliest = 0;
  struct metrics_bin *bin;
  double loss = (double)share[truth], p;
  for (uint32_t c = 1; c < metrics->classes; c++)
    if (share[c] > share[likeliest]) likeliest = c;
  if (metrics->classes == 2) likeliest = 1;
  p = (double)share[likeliest];
  bin = &metrics->bin[p < 1 ? (int)(p * METRICS_BINS) : METRICS_BINS - 1];
  bin->records++;
  bin->right += truth == (int32_t)likeliest;
  bin->sum += p;
  loss = -log(loss > METRICS_LEAST ? loss : METRICS_LEAST);
  metrics->loss += loss;
  metrics->loss_squared += loss * loss;
}

int metrics_add(struct metrics *metrics, size_t count, const int32_t *truth, const uint32_t *answer, const float *score,
                int is_probability) {
  int code = EXIT_OK;
  if (!score) metrics->is_unranked = 1;
  if (!score || !is_probability) metrics->has_probability = 0;
  for (size_t i = 0; !code && i < count; i++) {
    const float *own = score ? score + i * metrics->classes : NULL;
    if (truth[i] < 0) continue;
    if (answer[i] >= metrics->classes) return error_report(EXIT_INPUT, "the student's answer is not a class");
    if (own) code = metrics_keep(metrics, truth[i], own);
    if (own && is_probability) metrics_believe(metrics, truth[i], own);
    metrics->confusion[(size_t)truth[i] * metrics->classes + answer[i]]++;
    metrics->right += truth[i] == (int32_t)answer[i];
    metrics->records++;
  }
  return code;
}

/* ---- the area under the curve ---- */

struct metrics_rank {
  float score;
  int is_class;
};

static int metrics_lower(const void *a, const void *b) {
  const struct metrics_rank *x = a, *y = b;
  return x->score < y->score ? -1 : x->score > y->score;
}

/* How often a record of the class scores higher than one of another class; equal scores count one half. */
static double metrics_area(struct metrics_rank *rank, size_t count, double inside, double outside) {
  double sum = 0;
  qsort(rank, count, sizeof *rank, metrics_lower);
  for (size_t i = 0, next; i < count; i = next) {
    size_t members = 0;
    for (next = i; next < count && rank[next].score == rank[i].score; next++)
      members += (size_t)rank[next].is_class;
    sum += (double)members * ((double)i + (double)next + 1) / 2; /* the mean of their ranks */
  }
  return (sum - inside * (inside + 1) / 2) / (inside * outside);
}

/* Newcombe 2006, method 5. */
static double metrics_area_spread(double area, double inside, double outside) {
  double mean = (inside + outside) / 2 - 1;
  return METRICS_Z *
         sqrt(area * (1 - area) * (1 + mean * ((1 - area) / (2 - area) + area / (1 + area))) / (inside * outside));
}

/* The farthest area from `area` toward `end` that the data do not contradict. */
static double metrics_area_limit(double area, double end, double inside, double outside) {
  double near = area, far = end;
  if (fabs(end - area) <= metrics_area_spread(end, inside, outside)) return end;
  for (int i = 0; i < 60; i++) {
    double middle = (near + far) / 2;
    if (fabs(middle - area) <= metrics_area_spread(middle, inside, outside))
      near = middle;
    else
      far = middle;
  }
  return near;
}

/* One class against the rest; no value if all records or none are of that class. */
static struct metrics_value metrics_auc_of(const struct metrics *metrics, struct metrics_rank *rank, uint32_t label) {
  size_t width = metrics_width(metrics), count = metrics->records;
  double inside = (double)metrics_count(metrics, label), outside = (double)count - inside;
  struct metrics_value auc;
  if (inside < 1 || outside < 1) return metrics_none;
  for (size_t i = 0; i < count; i++)
    rank[i] =
        (struct metrics_rank){metrics->score[i * width + (width > 1 ? label : 0)], metrics->truth[i] == (int32_t)label};
  auc.value = metrics_area(rank, count, inside, outside);
  auc.low = metrics_area_limit(auc.value, 0, inside, outside);
  auc.high = metrics_area_limit(auc.value, 1, inside, outside);
  return auc;
}

/* The mean over the classes. Its limits are the means of theirs: a mean varies at most as much as its parts do on average. */
static int metrics_rank_all(struct metrics *metrics) {
  struct metrics_value sum = {0, 0, 0};
  struct metrics_rank *rank;
  uint32_t ranked = 0;
  int code = memory_take(&rank, metrics->records, sizeof *rank);
  if (code) return code;
  for (uint32_t c = metrics->classes == 2; c < metrics->classes; c++) {
    struct metrics_value one = metrics_auc_of(metrics, rank, c);
    if (isnan(one.value)) continue;
    sum = (struct metrics_value){sum.value + one.value, sum.low + one.low, sum.high + one.high};
    ranked++;
  }
  free(rank);
  if (ranked) metrics->auc = (struct metrics_value){sum.value / ranked, sum.low / ranked, sum.high / ranked};
  return EXIT_OK;
}

int metrics_end(struct metrics *metrics) {
  double n = (double)metrics->records, mean, spread;
  int code = EXIT_OK;
  if (!metrics->records) metrics->has_probability = 0;
  if (metrics->records && !metrics->is_unranked) code = metrics_rank_all(metrics);
  if (metrics->has_probability) {
    mean = metrics->loss / n;
    spread = n > 1 ? METRICS_Z * sqrt(fmax(0, metrics->loss_squared / n - mean * mean) / (n - 1)) : NAN;
    metrics->log_loss = (struct metrics_value){mean, n > 1 ? fmax(0, mean - spread) : NAN, mean + spread};
  }
  free(metrics->score);
  free(metrics->truth);
  metrics->score = NULL;
  metrics->truth = NULL;
  return code;
}

/* ---- the student's answers ---- */

int metrics_has_scores(const struct ensemble *single) {
  return single->learner->kind->score != NULL;
}

int metrics_has_probability(const struct ensemble *single) {
  return metrics_has_scores(single) && (single->learner->kind->traits & LEARNER_PROBABILITY);
}

int metrics_ask(const struct ensemble *single, const struct rows *rows, double threshold, uint32_t *answer,
                float *score) {
  void *votes;
  int code = memory_take(&votes, rows->count, ensemble_width(single));
  if (!code) code = ensemble_vote(single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++)
    answer[i] = ensemble_label(single, votes, i);
  free(votes);
  if (code || !score || !metrics_has_scores(single)) return code;
  code = metrics_has_probability(single) ? ensemble_probability(single, rows, score)
                                         : single->learner->kind->score(single, rows, score);
  for (size_t i = 0; !code && threshold > 0 && i < rows->count; i++)
    answer[i] = (double)score[2 * i + 1] >= threshold;
  return code;
}

int metrics_rows(struct metrics *metrics, const struct ensemble *single, const struct rows *rows, double threshold) {
  uint32_t classes = single->learner->classes, *answer = NULL;
  float *score = NULL;
  int code = metrics_begin(metrics, classes);
  if (!code) code = memory_take(&answer, rows->count, sizeof *answer);
  if (!code && metrics_has_scores(single)) code = memory_align(&score, rows->count * classes, sizeof *score);
  if (!code) code = metrics_ask(single, rows, threshold, answer, score);
  if (!code) code = metrics_add(metrics, rows->count, rows->label, answer, score, metrics_has_probability(single));
  if (!code) code = metrics_end(metrics);
  free(answer);
  free(score);
  return code;
}

/* ---- counts and shares ---- */

static uint64_t metrics_cell(const struct metrics *metrics, uint32_t truth, uint32_t answer) {
  return metrics->confusion[(size_t)truth * metrics->classes + answer];
}

uint64_t metrics_count(const struct metrics *metrics, uint32_t label) {
  uint64_t sum = 0;
  for (uint32_t c = 0; c < metrics->classes; c++)
    sum += metrics_cell(metrics, label, c);
  return sum;
}

uint64_t metrics_named(const struct metrics *metrics, uint32_t label) {
  uint64_t sum = 0;
  for (uint32_t c = 0; c < metrics->classes; c++)
    sum += metrics_cell(metrics, c, label);
  return sum;
}

uint32_t metrics_majority(const struct metrics *metrics) {
  uint32_t best = 0;
  for (uint32_t c = 1; c < metrics->classes; c++)
    if (metrics_count(metrics, c) > metrics_count(metrics, best)) best = c;
  return best;
}

uint32_t metrics_occurring(const struct metrics *metrics) {
  uint32_t sum = 0;
  for (uint32_t c = 0; c < metrics->classes; c++)
    sum += metrics_count(metrics, c) > 0;
  return sum;
}

void metrics_against_majority(const struct metrics *metrics, uint64_t *won, uint64_t *lost) {
  uint32_t majority = metrics_majority(metrics);
  uint64_t kept = metrics_cell(metrics, majority, majority);
  *won = metrics->right - kept;
  *lost = metrics_count(metrics, majority) - kept;
}

struct metrics_value metrics_share(uint64_t part, uint64_t whole) {
  double n = (double)whole, p = (double)part / n, z = METRICS_Z, middle, half;
  if (!whole) return metrics_none;
  middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n);
  return (struct metrics_value){p, part ? middle - half : 0, part < whole ? middle + half : 1};
}

struct metrics_value metrics_accuracy(const struct metrics *metrics) {
  return metrics_share(metrics->right, metrics->records);
}

struct metrics_value metrics_recall(const struct metrics *metrics, uint32_t label) {
  return metrics_share(metrics_cell(metrics, label, label), metrics_count(metrics, label));
}

struct metrics_value metrics_precision(const struct metrics *metrics, uint32_t label) {
  return metrics_share(metrics_cell(metrics, label, label), metrics_named(metrics, label));
}

struct metrics_value metrics_balanced(const struct metrics *metrics) {
  double sum = 0, below = 0, above = 0, occurring = metrics_occurring(metrics);
  if (occurring < 1) return metrics_none;
  for (uint32_t c = 0; c < metrics->classes; c++) {
    struct metrics_value one = metrics_recall(metrics, c);
    if (isnan(one.value)) continue;
    sum += one.value;
    below += (one.value - one.low) * (one.value - one.low);
    above += (one.high - one.value) * (one.high - one.value);
  }
  sum /= occurring;
  return (struct metrics_value){sum, fmax(0, sum - sqrt(below) / occurring), fmin(1, sum + sqrt(above) / occurring)};
}

/* ---- for people and for programs ---- */

struct metrics_text {
  char text[64];
};

static struct metrics_text metrics_percent(struct metrics_value value, int digits) {
  struct metrics_text text = {"-"};
  if (!isnan(value.value))
    snprintf(text.text, sizeof text.text, "%.*f %% (%.*f to %.*f)", digits, 100 * value.value, digits, 100 * value.low,
             digits, 100 * value.high);
  return text;
}

static struct metrics_text metrics_plain(struct metrics_value value) {
  struct metrics_text text = {"-"};
  if (!isnan(value.value))
    snprintf(text.text, sizeof text.text, "%.3f (%.3f to %.3f)", value.value, value.low, value.high);
  return text;
}

void metrics_print(const struct metrics *metrics, char *const *names, uint32_t most, FILE *out) {
  struct metrics_value accuracy = metrics_accuracy(metrics);
  uint32_t majority = metrics_majority(metrics);
  struct quote quote;
  fprintf(out,
          "the student is right on %.2f %% of %" PRIu64
          " records (95 %% interval %.2f to %.2f); always saying %s: %.2f %%\n",
          100 * accuracy.value, metrics->records, 100 * accuracy.low, 100 * accuracy.high,
          quote_name(&quote, names[majority], strlen(names[majority])),
          100 * metrics_share(metrics_count(metrics, majority), metrics->records).value);
  fprintf(out, "balanced accuracy %s; ", metrics_percent(metrics_balanced(metrics), 1).text);
  fprintf(out, "AUC %s; log loss %s\n", metrics_plain(metrics->auc).text, metrics_plain(metrics->log_loss).text);
  if (metrics->classes > most) return;
  fprintf(out, "%-24s %9s  %-24s %9s  %s\n", "class", "records", "of these found (recall)", "named",
          "of these right (precision)");
  for (uint32_t c = 0; c < metrics->classes; c++)
    fprintf(out, "%-24s %9" PRIu64 "  %-24s %9" PRIu64 "  %s\n", quote_name(&quote, names[c], strlen(names[c])),
            metrics_count(metrics, c), metrics_percent(metrics_recall(metrics, c), 1).text, metrics_named(metrics, c),
            metrics_percent(metrics_precision(metrics, c), 1).text);
}

/* NAME and NAME_95; null if there is no such number. */
static void metrics_json_value(struct json *json, const char *prefix, const char *name, struct metrics_value value) {
  char key[64];
  snprintf(key, sizeof key, "%s%s", prefix, name);
  if (isnan(value.value)) {
    json_string(json, key, NULL);
    return;
  }
  json_print(json, key, "%.6f", value.value);
  if (isnan(value.low)) return;
  snprintf(key, sizeof key, "%s%s_95", prefix, name);
  json_open(json, key, '[', 0);
  json_print(json, NULL, "%.6f", value.low);
  json_print(json, NULL, "%.6f", value.high);
  json_close(json);
}

static void metrics_json_classes(const struct metrics *metrics, char *const *names, const char *key,
                                 struct json *json) {
  json_open(json, key, '[', 1);
  for (uint32_t c = 0; c < metrics->classes; c++) {
    json_open(json, NULL, '{', 0);
    json_string(json, "class", names[c]);
    json_print(json, "records", "%" PRIu64, metrics_count(metrics, c));
    json_print(json, "named", "%" PRIu64, metrics_named(metrics, c));
    metrics_json_value(json, "", "recall", metrics_recall(metrics, c));
    metrics_json_value(json, "", "precision", metrics_precision(metrics, c));
    json_close(json);
  }
  json_close(json);
}

static void metrics_json_calibration(const struct metrics *metrics, const char *key, struct json *json) {
  json_open(json, key, '[', 1);
  for (int b = 0; b < METRICS_BINS; b++) {
    const struct metrics_bin *bin = &metrics->bin[b];
    if (!bin->records) continue;
    json_open(json, NULL, '{', 0);
    json_print(json, "records", "%" PRIu64, bin->records);
    json_print(json, "said", "%.6f", bin->sum / (double)bin->records);
    metrics_json_value(json, "", "was", metrics_share(bin->right, bin->records));
    json_close(json);
  }
  json_close(json);
}

void metrics_json(const struct metrics *metrics, char *const *names, const char *prefix, struct json *json) {
  uint32_t majority = metrics_majority(metrics);
  char key[64];
  metrics_json_value(json, prefix, "accuracy", metrics_accuracy(metrics));
  snprintf(key, sizeof key, "%smajority", prefix);
  json_print(json, key, "%.6f", metrics_share(metrics_count(metrics, majority), metrics->records).value);
  snprintf(key, sizeof key, "%smajority_class", prefix);
  json_string(json, key, names[majority]);
  metrics_json_value(json, prefix, "balanced_accuracy", metrics_balanced(metrics));
  metrics_json_value(json, prefix, "auc", metrics->auc);
  metrics_json_value(json, prefix, "log_loss", metrics->log_loss);
  snprintf(key, sizeof key, "%sby_class", prefix);
  metrics_json_classes(metrics, names, key, json);
  snprintf(key, sizeof key, "%scalibration", prefix);
  if (metrics->has_probability) metrics_json_calibration(metrics, key, json);
}
