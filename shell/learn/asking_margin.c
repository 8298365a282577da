/* Asking by margin: where the student's two likeliest classes are closest. */
#include <stdlib.h>

#include "base/memory.h"
#include "learn/asking.h"

#define ASKING_MARGIN_FEW 2 /* so many times the wanted ones are the closest few, of which some are asked at random */

struct asking_close {
  float margin;
  size_t row;
};

static int asking_margin_order(const void *a, const void *b) {
  const struct asking_close *x = a, *y = b;
  if (x->margin != y->margin) return x->margin < y->margin ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* The rows that may be asked, closest first. */
static int asking_margin_sort(const struct asking *asking, int silent, struct asking_close **close, size_t *count) {
  int code = memory_take(close, asking->pool->count, sizeof **close);
  *count = 0;
  for (size_t i = 0; !code && i < asking->pool->count; i++)
    if (asking_is_open(asking, i) && (!silent || asking_was_silent(asking, i)))
      (*close)[(*count)++] = (struct asking_close){asking_pair(asking, i).margin, i};
  if (!code) qsort(*close, *count, sizeof **close, asking_margin_order);
  return code;
}

int asking_margin(struct asking *asking, size_t wanted, int silent) {
  struct asking_close *close = NULL;
  size_t count, few;
  int code = EXIT_OK;
  if (asking->size >= wanted) return code;
  code = asking_margin_sort(asking, silent, &close, &count);
  few = code ? 0 : (wanted - asking->size) * ASKING_MARGIN_FEW;
  if (few > count) few = count;
  for (; !code && few && asking->size < wanted; few--) {
    size_t at = 0;
    code = asking_below(asking, few, &at);
    if (!code) code = asking_put(asking, close[at].row);
    close[at] = close[few - 1];
  }
  free(close);
  return code;
}
