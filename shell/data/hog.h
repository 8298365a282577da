/* Histograms of oriented gradients (Dalal and Triggs, 2005): what the edges of a grey image look like, place by place.
 *
 * No parameter is learned, from whatever data: the features of an image are a function of that image alone. The longer
 * side is cut into at most HOG_GRID cells (28 x 28 pixels: 7 x 7 cells of 4 x 4); a cell has HOG_BINS directions, each
 * pixel's gradient is shared among the two nearest directions and the four nearest cells; each 2 x 2 neighbouring cells
 * are one block, normalised by itself. Bright or dark, in 0 .. 1 or 0 .. 255, the features are the same. */
#ifndef DATA_HOG_H
#define DATA_HOG_H

#include <stddef.h>
#include <stdint.h>

#define HOG_GRID 7  /* cells of the longer side at most */
#define HOG_BINS 12 /* directions of a full turn: from dark to bright is not from bright to dark */
#define HOG_SIDE 2  /* pixels of a cell's side at least */

struct hog {
  uint32_t rows, columns; /* pixels */
  uint32_t side;          /* pixels of a cell's side */
  uint32_t down, across;  /* cells; what is left over at the borders counts for the cells next to it */
};

/* Fails (-1) where the image has fewer than two cells in a direction. */
int hog_init(struct hog *hog, uint32_t rows, uint32_t columns);

/* Features of an image. */
uint32_t hog_outputs(const struct hog *hog);

/* `image` has rows x columns pixels, row by row. */
void hog_describe(const struct hog *hog, const float *image, float *features);

#endif
