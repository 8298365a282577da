#include "learn/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/crowd.h"
#include "data/moments.h"

#define PLACES_CLIP   5.0f  /* in deviations: columns are clipped here */
#define PLACES_SAMPLE 8192  /* the rule is learned from at most this many public rows */
#define PLACES_WIDE   127u  /* columns: if there are more, their principal components replace them, ... */
#define PLACES_AXES   112u  /* ... this many of them; ... */
#define PLACES_KEPT   1024u /* ... of more columns than this only those of largest variance are used */
#define PLACES_SHARP  2.0   /* the student's scores spread this many times as far as all coordinates before them, ... */
#define PLACES_BEYOND 3.5   /* ... and this many of their deviations reach FUMATA_PLACE_MAX */
#define PLACES_TAIL   20.0  /* a column whose standardised fourth moment is above this has a long tail ... */
#define PLACES_VALUES 3     /* ... if it has at least this many different values */
#define PLACES_FLAG   1.0f  /* distance of the two values of a column that has only two, however rare one of them is */
#define PLACES_NEVER  1e20  /* a score as low as this belongs to a class that was never named */

/* ---- the rule, from public rows ---- */

/* Row number s of a sample of `sample` rows: evenly spaced, since files come sorted. */
static size_t places_sampled(const struct rows *rows, size_t sample, size_t s) {
  return (size_t)((unsigned __int128)s * rows->count / sample);
}

/* A value of a column, with its tail drawn in. */
static float places_value(const struct places *places, uint32_t j, float x) {
  return places->tail[j] > 0 ? asinhf(x / places->tail[j]) : x;
}

/* A value of a column before projection. */
static float places_standard(const struct places *places, uint32_t j, float x) {
  float z = (places_value(places, j, x) - places->mean[j]) * places->scale[j];
  z = z < PLACES_CLIP * places->clip ? z : PLACES_CLIP * places->clip;
  return z > -PLACES_CLIP * places->clip ? z : -PLACES_CLIP * places->clip;
}

/* Sums of the powers of a column's values, first about 0 and later about the mean. */
struct places_sums {
  double one, two, four;
  float first, other; /* two values of the column */
  int values;         /* how many different ones, up to PLACES_VALUES */
};

static void places_see(struct places_sums *sums, float x, double about) {
  double d = (double)x - about;
  sums->one += d;
  sums->two += d * d;
  sums->four += d * d * d * d;
  if (sums->values == 0)
    sums->first = x, sums->values = 1;
  else if (sums->values == 1 && x != sums->first)
    sums->other = x, sums->values = 2;
  else if (sums->values == 2 && x != sums->first && x != sums->other)
    sums->values = PLACES_VALUES;
}

/* Finds means and deviations of all columns, with the current tails. */
static int places_measure(struct places *places, const struct rows *rows, size_t sample, struct places_sums *sums) {
  uint32_t d = places->inputs;
  float *row;
  int code = memory_take(&row, d, sizeof *row);
  for (int pass = 0; !code && pass < 2; pass++) {
    memset(sums, 0, d * sizeof *sums);
    for (size_t s = 0; s < sample; s++) {
      rows_expand(rows, places_sampled(rows, sample, s), row);
      for (uint32_t j = 0; j < d; j++)
        places_see(&sums[j], places_value(places, j, row[j]), pass ? (double)places->mean[j] : 0);
    }
    for (uint32_t j = 0; !pass && j < d; j++)
      places->mean[j] = (float)(sums[j].one / (double)sample);
  }
  for (uint32_t j = 0; !code && j < d; j++) {
    double variance = sums[j].two / (double)sample;
    places->scale[j] = variance > 1e-12 ? (float)(1 / sqrt(variance)) : 0;
    if (sums[j].values == 2 && variance > 1e-12) places->scale[j] = PLACES_FLAG / fabsf(sums[j].other - sums[j].first);
  }
  free(row);
  return code;
}

/* Draws in the long tails, and measures again. */
static int places_draw_in(struct places *places, const struct rows *rows, size_t sample, struct places_sums *sums) {
  int is_drawn = 0;
  for (uint32_t j = 0; j < places->inputs; j++) {
    double scale = (double)places->scale[j], fourth = sums[j].four / (double)sample * pow(scale, 4);
    if (sums[j].values < PLACES_VALUES || !(fourth > PLACES_TAIL)) continue;
    places->tail[j] = (float)(0.1 / scale);
    is_drawn = 1;
  }
  return is_drawn ? places_measure(places, rows, sample, sums) : EXIT_OK;
}

/* Leaves out all but the PLACES_KEPT columns of largest variance. */
static int places_heavier(const void *a, const void *b, void *context) {
  const float *scale = context;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  float left = scale[x] > 0 ? scale[x] : HUGE_VALF, right = scale[y] > 0 ? scale[y] : HUGE_VALF;
  if (left != right) return left < right ? -1 : 1;
  return x < y ? -1 : x > y;
}

static int places_keep(struct places *places, uint32_t *count) {
  uint32_t d = places->inputs, *order;
  int code = memory_take(&order, d, sizeof *order);
  *count = d < PLACES_KEPT ? d : PLACES_KEPT;
  if (code) return code;
  for (uint32_t j = 0; j < d; j++) {
    order[j] = j;
    places->kept[j] = PLACES_NONE;
  }
  if (d > PLACES_KEPT) qsort_r(order, d, sizeof *order, places_heavier, places->scale);
  for (uint32_t k = 0; k < *count; k++)
    places->kept[order[k]] = k;
  free(order);
  return EXIT_OK;
}

/* Writes the kept standardised columns of a row into `out`. */
static void places_columns(const struct places *places, const struct rows *rows, size_t i, float *row, float *out) {
  rows_expand(rows, i, row);
  for (uint32_t j = 0; j < places->inputs; j++)
    if (places->kept[j] != PLACES_NONE) out[places->kept[j]] = places_standard(places, j, row[j]);
}

/* The principal components of the kept columns, and the root of their summed variances. */
static int places_project(struct places *places, uint32_t columns, const struct rows *standard) {
  double *axis = NULL, *variance = NULL, total = 0;
  struct moments moments;
  uint32_t plain = PLACES_AXES;
  int code = moments_init(&moments, columns, 1);
  if (code) return code;
  code = moments_add(&moments, standard);
  if (!code) code = memory_take(&axis, (size_t)columns * plain, sizeof *axis);
  if (!code) code = memory_take(&variance, columns, sizeof *variance);
  if (!code) code = moments_principal(&moments, plain, axis, variance);
  if (!code) code = memory_take(&places->axes, (size_t)columns * plain, sizeof *places->axes);
  for (uint32_t k = 0; !code && k < plain; k++) {
    total += variance[k] > 0 ? variance[k] : 0;
    for (uint32_t j = 0; j < columns; j++)
      places->axes[(size_t)j * plain + k] = (float)axis[(size_t)k * columns + j];
  }
  places->plain = plain;
  places->spread = sqrt(total);
  moments_free(&moments);
  free(axis);
  free(variance);
  return code;
}

/* Lays out the coordinates of standardised columns: the kept columns themselves, or their components. */
static int places_lay_out(struct places *places, const struct rows *rows, size_t sample) {
  struct rows standard;
  uint32_t columns = 0;
  float *row = NULL;
  int code = places_keep(places, &columns);
  rows_init(&standard, columns, 1);
  places->plain = columns;
  if (!code) code = memory_take(&row, places->inputs, sizeof *row);
  if (!code) code = rows_reserve(&standard, sample, 0);
  for (size_t s = 0; !code && s < sample; s++)
    places_columns(places, rows, places_sampled(rows, sample, s), row,
                   rows_push_dense(&standard, ROWS_UNLABELLED, 0, 0));
  if (!code && columns > PLACES_WIDE) {
    code = places_project(places, columns, &standard);
  } else if (!code) {
    double total = 0;
    for (uint32_t k = 0; k < columns; k++) {
      double one = 0, two = 0;
      for (size_t s = 0; s < sample; s++) {
        double z = (double)standard.dense[s * columns + k];
        one += z;
        two += z * z;
      }
      total += two / (double)sample - one / (double)sample * (one / (double)sample);
    }
    places->spread = sqrt(total);
  }
  rows_free(&standard);
  free(row);
  return code;
}

/* out += x times an axis: each output is a sum over the inputs in their order. */
static void places_add_axis(float *restrict out, const float *restrict axis, float x, uint32_t outputs) {
  for (uint32_t k = 0; k < outputs; k++)
    out[k] += x * axis[k];
}

static void places_add(const struct places *places, uint32_t j, float x, float *coordinates) {
  uint32_t k = places->kept[j];
  if (k == PLACES_NONE) return;
  if (places->axes)
    places_add_axis(coordinates, places->axes + (size_t)k * places->plain, x, places->plain);
  else
    coordinates[k] += x;
}

static int places_settle(struct places *places, uint32_t classes) {
  uint32_t scores = classes == 2 ? 1 : classes > PLACES_SCORES_MAX ? 0 : classes, lanes = FUMATA_CROWD_LANES;
  int code = memory_take(&places->origin, places->plain, sizeof *places->origin);
  if (!code) code = memory_take(&places->zero, places->inputs, sizeof *places->zero);
  if (code) return code;
  for (uint32_t j = 0; j < places->inputs; j++) {
    places->zero[j] = places_standard(places, j, 0);
    places_add(places, j, places->zero[j], places->origin);
  }
  if (!(places->spread > 0)) places->spread = 1;
  places->room = scores;
  places->dimensions = (places->plain + scores + lanes - 1) / lanes * lanes;
  places->stretch = PLACES_SHARP * places->spread / sqrt(scores ? scores : 1);
  places->unit = (float)(FUMATA_PLACE_MAX / (PLACES_BEYOND * places->stretch));
  return EXIT_OK;
}

int places_fit(struct places *places, const struct features *features, const struct rows *public_rows,
               uint32_t classes) {
  size_t sample = public_rows->count < PLACES_SAMPLE ? public_rows->count : PLACES_SAMPLE;
  struct places_sums *sums = NULL;
  uint32_t d = public_rows->columns;
  int is_pca = features && features->count && features->step[features->count - 1].kind == FEATURES_PCA, code;
  memset(places, 0, sizeof *places);
  if (!sample) return error_report(EXIT_INPUT, "no public records to ask about");
  places->inputs = d;
  places->classes = classes;
  places->clip = is_pca ? HUGE_VALF : 1;
  code = memory_take(&places->mean, d, sizeof(float));
  if (!code) code = memory_take(&places->scale, d, sizeof(float));
  if (!code) code = memory_take(&places->tail, d, sizeof(float));
  if (!code) code = memory_take(&places->kept, d, sizeof *places->kept);
  if (!code) code = memory_take(&sums, d, sizeof *sums);
  if (!code) code = places_measure(places, public_rows, sample, sums);
  if (!code && !is_pca) code = places_draw_in(places, public_rows, sample, sums);
  for (uint32_t j = 0; !code && is_pca && j < d; j++)
    places->scale[j] = 1;
  if (!code) code = places_lay_out(places, public_rows, sample);
  if (!code) code = places_settle(places, classes);
  free(sums);
  if (code) places_free(places);
  return code;
}

void places_free(struct places *places) {
  free(places->mean);
  free(places->scale);
  free(places->tail);
  free(places->kept);
  free(places->zero);
  free(places->axes);
  free(places->origin);
  memset(places, 0, sizeof *places);
}

/* ---- places ---- */

static int16_t places_round(double x) {
  x = x < FUMATA_PLACE_MAX ? x : FUMATA_PLACE_MAX;
  return (int16_t)lrint(x > -FUMATA_PLACE_MAX ? x : -FUMATA_PLACE_MAX);
}

/* The scores of one row that become coordinates. */
static void places_scores(const struct places *places, const struct rows *rows, size_t i, float *score) {
  places->student->kind->score_row(places->student, places->learned, rows, i, score);
  if (places->classes == 2) score[0] = score[1];
}

void places_sharpen_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place) {
  float score[PLACES_SCORES_MAX];
  memset(place + places->plain, 0, (places->dimensions - places->plain) * sizeof *place);
  if (!places->scores) return;
  places_scores(places, rows, i, score);
  for (uint32_t s = 0; s < places->scores; s++)
    place[places->plain + s] = places_round(((double)score[s] - places->score_mean[s]) * places->score_scale[s]);
}

void places_of_row(const struct places *places, const struct rows *rows, size_t i, int16_t *place) {
  float coordinates[FUMATA_DIMENSIONS_MAX];
  memcpy(coordinates, places->origin, places->plain * sizeof *coordinates);
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (uint32_t j = 0; j < places->inputs; j++)
      if (row[j] != 0) places_add(places, j, places_standard(places, j, row[j]) - places->zero[j], coordinates);
  } else {
    for (size_t e = rows->start[i]; e < rows->start[i + 1]; e++) {
      uint32_t j = rows->index[e];
      places_add(places, j, places_standard(places, j, rows->value[e]) - places->zero[j], coordinates);
    }
  }
  for (uint32_t k = 0; k < places->plain; k++)
    place[k] = places_round((double)(coordinates[k] * places->unit));
  places_sharpen_row(places, rows, i, place);
}

int places_sharpen(struct places *places, const struct learner *student, const struct learned *learned,
                   const struct rows *public_rows) {
  size_t sample = public_rows->count < PLACES_SAMPLE ? public_rows->count : PLACES_SAMPLE;
  double one[PLACES_SCORES_MAX] = {0}, two[PLACES_SCORES_MAX] = {0};
  float score[PLACES_SCORES_MAX];
  if (!places->room || !learned->size || !student->kind->score_row) return EXIT_OK;
  places->student = student;
  places->learned = learned;
  places->scores = places->room;
  for (size_t s = 0; s < sample; s++) {
    places_scores(places, public_rows, places_sampled(public_rows, sample, s), score);
    for (uint32_t k = 0; k < places->scores; k++) {
      one[k] += (double)score[k];
      two[k] += (double)score[k] * (double)score[k];
    }
  }
  for (uint32_t k = 0; k < places->scores; k++) {
    double mean = one[k] / (double)sample, variance = two[k] / (double)sample - mean * mean;
    places->score_mean[k] = mean;
    places->score_scale[k] =
        fabs(mean) < PLACES_NEVER && variance > 1e-12 ? places->stretch / sqrt(variance) * (double)places->unit : 0;
  }
  return EXIT_OK;
}
