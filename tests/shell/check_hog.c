#include "data/hog.h"

#include <math.h>

#include "support/scratch.h"

#define SIZE 28
#define MOST 4096

static float image[SIZE * SIZE], features[MOST];
static struct hog hog;

static void describe(void) {
  ck_assert_int_eq(hog_init(&hog, SIZE, SIZE), 0);
  ck_assert_uint_le(hog_outputs(&hog), MOST);
  memset(features, 0, sizeof features);
  hog_describe(&hog, image, features);
}

static float length(const float *block) {
  float sum = 0;
  for (int k = 0; k < 4 * HOG_BINS; k++)
    sum += block[k] * block[k];
  return sqrtf(sum);
}

START_TEST(test_sizes) {
  ck_assert_int_eq(hog_init(&hog, 28, 28), 0);
  ck_assert_uint_eq(hog.side, 4);
  ck_assert_uint_eq(hog_outputs(&hog), 6 * 6 * 4 * HOG_BINS);
  ck_assert_int_eq(hog_init(&hog, 8, 8), 0);
  ck_assert_uint_eq(hog.side, 2);
  ck_assert_uint_eq(hog_outputs(&hog), 3 * 3 * 4 * HOG_BINS);
  ck_assert_int_eq(hog_init(&hog, 224, 32), -1);
  ck_assert_int_eq(hog_init(&hog, 224, 64), 0);
  ck_assert_uint_eq(hog.down, 7);
  ck_assert_uint_eq(hog.across, 2);
  ck_assert_int_eq(hog_init(&hog, 3, 3), -1);
  ck_assert_int_eq(hog_init(&hog, 4, 4), 0);
  for (uint32_t rows = 4; rows < 300; rows++)
    for (uint32_t columns = 4; columns < 300; columns += 7)
      if (!hog_init(&hog, rows, columns)) ck_assert(hog.down <= HOG_GRID && hog.across <= HOG_GRID);
}
END_TEST

/* No edge, no features. */
START_TEST(test_flat) {
  for (int i = 0; i < SIZE * SIZE; i++)
    image[i] = 7;
  describe();
  for (uint32_t i = 0; i < hog_outputs(&hog); i++)
    ck_assert_float_eq(features[i], 0);
}
END_TEST

/* A slope that rises to the right has one direction, everywhere; one that falls to the right has the opposite one. */
START_TEST(test_slopes) {
  static const struct {
    float x, y;
    int bin;
  } slope[] = {{1, 0, 0}, {0, 1, HOG_BINS / 4}, {-1, 0, HOG_BINS / 2}, {0, -1, 3 * HOG_BINS / 4}};
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++)
        image[i * SIZE + j] = slope[s].x * (float)j + slope[s].y * (float)i;
    describe();
    for (uint32_t f = 0; f < hog_outputs(&hog); f++)
      if ((int)(f % HOG_BINS) == slope[s].bin)
        ck_assert_float_gt(features[f], 0.3f);
      else
        ck_assert_float_lt(features[f], 1e-4f);
  }
}
END_TEST

static void draw(float bright, float dark, int shift) {
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      image[i * SIZE + j] = (i - 9) * (i - 9) + (j - 9 - shift) * (j - 9 - shift) < 30 ? bright : dark;
}

/* Brighter, with more contrast, in another unit: the same features. An edge elsewhere: others. No block is longer than 1. */
START_TEST(test_light) {
  static float first[MOST];
  double moved = 0;
  draw(1, 0, 0);
  describe();
  memcpy(first, features, sizeof first);
  for (uint32_t b = 0; b < hog_outputs(&hog); b += 4 * HOG_BINS)
    ck_assert_float_le(length(features + b), 1);
  ck_assert_float_gt(length(features), 0.5f);
  draw(255, 51, 0);
  describe();
  for (uint32_t i = 0; i < hog_outputs(&hog); i++)
    ck_assert_float_eq_tol(features[i], first[i], 1e-4f);
  draw(1, 0, 4);
  describe();
  for (uint32_t i = 0; i < hog_outputs(&hog); i++)
    moved += fabs((double)features[i] - (double)first[i]);
  ck_assert_double_gt(moved, 1);
}
END_TEST

/* What lies outside the image plays no part, for shapes that the cells do not fill and for single pixels in corners. */
START_TEST(test_borders) {
  for (uint32_t rows = 4; rows < 33; rows++)
    for (uint32_t columns = 4; columns < 33; columns++) {
      float *exact, *out, sum = 0;
      if (hog_init(&hog, rows, columns)) continue;
      exact = calloc((size_t)rows * columns, sizeof *exact); /* the sanitizer guards its ends */
      out = calloc(hog_outputs(&hog), sizeof *out);
      exact[0] = exact[rows * columns - 1] = exact[columns - 1] = 1;
      hog_describe(&hog, exact, out);
      for (uint32_t i = 0; i < hog_outputs(&hog); i++) {
        ck_assert(isfinite(out[i]));
        sum += out[i];
      }
      ck_assert_float_gt(sum, 0);
      free(exact);
      free(out);
    }
}
END_TEST

SCRATCH_MAIN("hog", test_sizes, test_flat, test_slopes, test_light, test_borders)
