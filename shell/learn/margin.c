#include "learn/margin.h"

#include <stdlib.h>

struct margin_pair margin_pair(const float *score, uint32_t classes) {
  struct margin_pair pair = {score[1] > score[0], score[1] <= score[0], 0};
  for (uint32_t c = 2; c < classes; c++)
    if (score[c] > score[pair.likeliest]) {
      pair.second = pair.likeliest;
      pair.likeliest = c;
    } else if (score[c] > score[pair.second])
      pair.second = c;
  pair.margin = score[pair.likeliest] - score[pair.second];
  return pair;
}

static int margin_closer(const void *a, const void *b) {
  const struct margin_row *x = a, *y = b;
  if (x->margin != y->margin) return x->margin < y->margin ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

void margin_sort(struct margin_row *rows, size_t count) {
  qsort(rows, count, sizeof *rows, margin_closer);
}
