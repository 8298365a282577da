#include "data/hog.h"

#include <math.h>
#include <string.h>

#define HOG_CLIP  0.2f /* no direction has more than this share of a block's length: one edge is not everything */
#define HOG_QUIET 0.1f /* energy added to a block, as a share of the image's mean block: flat places stay quiet */

struct hog_cells {
  float bin[HOG_GRID][HOG_GRID][HOG_BINS];
};

int hog_init(struct hog *hog, uint32_t rows, uint32_t columns) {
  uint32_t longer = rows > columns ? rows : columns;
  hog->rows = rows;
  hog->columns = columns;
  hog->side = longer / HOG_GRID + (longer % HOG_GRID != 0);
  if (hog->side < HOG_SIDE) hog->side = HOG_SIDE;
  hog->down = rows / hog->side;
  hog->across = columns / hog->side;
  return hog->down < 2 || hog->across < 2 ? -1 : 0;
}

uint32_t hog_outputs(const struct hog *hog) {
  return (hog->down - 1) * (hog->across - 1) * 4 * HOG_BINS;
}

/* The two cells that pixel `at` lies between, as the first of them and the share of the second; beyond the middle of a
 * border cell all goes to that cell. */
static uint32_t hog_between(uint32_t at, uint32_t pixels, uint32_t side, uint32_t cells, float *share) {
  float margin = (float)(pixels - cells * side) / 2;
  float place = ((float)at + 0.5f - margin) / (float)side - 0.5f;
  uint32_t first;
  *share = 0;
  if (place <= 0) return 0;
  first = (uint32_t)place;
  if (first >= cells - 1) {
    *share = 1;
    return cells - 2;
  }
  *share = place - (float)first;
  return first;
}

/* The two directions that a gradient lies between; the last one is next to the first. */
static uint32_t hog_direction(float x, float y, float *share) {
  float turn = atan2f(y, x) / (2 * (float)M_PI), place;
  uint32_t first;
  if (turn < 0) turn += 1;
  place = turn * HOG_BINS;
  first = (uint32_t)place;
  *share = place - (float)first;
  return first % HOG_BINS;
}

static void hog_pixel(const struct hog *hog, const float *image, uint32_t i, uint32_t j, struct hog_cells *cells) {
  const float *row = image + (size_t)i * hog->columns;
  float x = row[j + 1 < hog->columns ? j + 1 : j] - row[j ? j - 1 : j];
  float y = row[j + (i + 1 < hog->rows ? hog->columns : 0)] - *(row + j - (i ? hog->columns : 0));
  float length = sqrtf(x * x + y * y), down, across, next;
  uint32_t top, left, bin, other;
  if (!(length > 0)) return;
  bin = hog_direction(x, y, &next);
  other = (bin + 1) % HOG_BINS;
  top = hog_between(i, hog->rows, hog->side, hog->down, &down);
  left = hog_between(j, hog->columns, hog->side, hog->across, &across);
  for (uint32_t a = 0; a < 2; a++)
    for (uint32_t b = 0; b < 2; b++) {
      float part = length * (a ? down : 1 - down) * (b ? across : 1 - across);
      cells->bin[top + a][left + b][bin] += part * (1 - next);
      cells->bin[top + a][left + b][other] += part * next;
    }
}

static float hog_energy(const float *block) {
  float sum = 0;
  for (int k = 0; k < 4 * HOG_BINS; k++)
    sum += block[k] * block[k];
  return sum;
}

/* To length 1 (less where the block is quiet), no entry above the clip, to length 1 again. */
static void hog_normalise(float *block, float quiet) {
  float length = sqrtf(hog_energy(block) + quiet);
  for (int k = 0; k < 4 * HOG_BINS; k++)
    block[k] = fminf(block[k] / length, HOG_CLIP);
  length = sqrtf(hog_energy(block) + HOG_QUIET);
  for (int k = 0; k < 4 * HOG_BINS; k++)
    block[k] /= length;
}

void hog_describe(const struct hog *hog, const float *image, float *features) {
  uint32_t blocks = (hog->down - 1) * (hog->across - 1), b;
  struct hog_cells cells;
  float total = 0, *block = features;
  memset(&cells, 0, sizeof cells);
  for (uint32_t i = 0; i < hog->rows; i++)
    for (uint32_t j = 0; j < hog->columns; j++)
      hog_pixel(hog, image, i, j, &cells);
  for (uint32_t i = 0; i + 1 < hog->down; i++)
    for (uint32_t j = 0; j + 1 < hog->across; j++)
      for (uint32_t k = 0; k < 4; k++, block += HOG_BINS)
        memcpy(block, cells.bin[i + k / 2][j + k % 2], sizeof cells.bin[0][0]);
  for (b = 0; b < blocks; b++)
    total += hog_energy(features + b * 4 * HOG_BINS);
  if (!(total > 0)) return; /* no edge: zeros */
  for (b = 0; b < blocks; b++)
    hog_normalise(features + b * 4 * HOG_BINS, HOG_QUIET * total / (float)blocks);
}
