/* Where a student wavers: the two likeliest classes of a row, and rows ordered by how close these are. */
#ifndef LEARN_MARGIN_H
#define LEARN_MARGIN_H

#include <stddef.h>
#include <stdint.h>

struct margin_pair {
  uint32_t likeliest, second;
  float margin;
};

/* From the scores of one row; there are at least two classes. */
struct margin_pair margin_pair(const float *score, uint32_t classes);

struct margin_row {
  float margin;
  size_t row;
};

/* The closest first; of equally close ones the first row. */
void margin_sort(struct margin_row *rows, size_t count);

#endif
