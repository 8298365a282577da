#include "plan/plan_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PLAN_COUNT_COINS 0x1p64L
#define PLAN_COUNT_BITS  36    /* to which the core's e^epsilon is found; its numbers have 32 */
#define PLAN_COUNT_SLACK 4e-9L /* four roundings of such numbers, relative */
#define PLAN_COUNT_TURNS 5     /* tables that are tried */

/* Does the core's e^epsilon cover a ratio of 1 + excess? Two places are certified at a generous delta iff it does. */
static int plan_count_covers(const fumata_claim *claim, long double excess) {
  uint64_t cdf = (uint64_t)(PLAN_COUNT_COINS / (2 + excess));
  fumata_noise two = {&cdf, 1, 0};
  fumata_claim generous = *claim;
  fumata_fault fault;
  generous.delta_num = UINT64_MAX - 1;
  generous.delta_den = UINT64_MAX;
  return fumata_certify_noise(&two, 1, &generous, &fault) == FUMATA_OK;
}

/* ln of the core's lower bound of e^epsilon, 0 when it is not above 1. */
static long double plan_count_epsilon(const fumata_claim *claim) {
  long double low = 0, high = expm1l((long double)claim->epsilon_num / claim->epsilon_den);
  for (int turn = 0; turn < PLAN_COUNT_BITS; turn++) {
    long double middle = (low + high) / 2;
    if (plan_count_covers(claim, middle))
      low = middle;
    else
      high = middle;
  }
  return log1pl(low);
}

/* The weight of outcome z before scaling, and the sum of the weights of -reach .. reach. */
static long double plan_count_weight(long double rate, int64_t z) {
  return expl(-rate * (long double)(z < 0 ? -z : z));
}

static long double plan_count_total(long double rate, int64_t reach) {
  long double b = expl(-rate), end = expl(-rate * (long double)(reach + 1));
  return (1 + b - 2 * end) / -expm1l(-rate);
}

/* The shortest reach at which no more than delta is exposed, that is the share of the `sensitivity` outermost places of one
 * side: nothing lies beyond them. It may be too long for a table. */
static int64_t plan_count_reach(long double rate, uint32_t sensitivity, long double delta) {
  int64_t low = (int64_t)sensitivity, high = FUMATA_NOISE_MAX;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    long double first = plan_count_weight(rate, middle - (int64_t)sensitivity + 1);
    if (first * expm1l(-rate * sensitivity) / expm1l(-rate) / plan_count_total(rate, middle) <= delta)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The table of this rate, certified or not, in place of the one before: whole coins for each place, rounded down; the middle
 * takes what is left over. */
static int plan_count_build(struct plan_count *count, long double rate, fumata_noise *noise) {
  long double delta = (long double)count->claim.delta_num / (long double)count->claim.delta_den;
  int64_t reach = plan_count_reach(rate, count->sensitivity, delta * (1 - PLAN_COUNT_SLACK));
  long double unit;
  uint64_t sum = 0;
  int code;
  free(count->memory);
  count->memory = NULL;
  if (2 * reach > FUMATA_NOISE_MAX)
    return error_report(EXIT_REFUSED, "a count's noise of scale %.3Lg does not fit a table: a larger epsilon is needed",
                        1 / rate);
  code = memory_take(&count->memory, (size_t)(2 * reach), sizeof *count->memory);
  if (code) return code;
  unit = PLAN_COUNT_COINS / plan_count_total(rate, reach);
  for (int64_t j = 0; j < reach; j++) {
    sum += (uint64_t)(unit * plan_count_weight(rate, j - reach));
    count->memory[j] = sum;
    count->memory[2 * reach - 1 - j] = 0 - sum;
  }
  *noise = (fumata_noise){count->memory, (uint32_t)(2 * reach), -reach};
  return EXIT_OK;
}

/* Tables of smaller and smaller rates until the core accepts one. */
static int plan_count_search(struct plan_count *count) {
  long double epsilon = plan_count_epsilon(&count->claim), slack = PLAN_COUNT_SLACK;
  for (int turn = 0; turn < PLAN_COUNT_TURNS && slack < epsilon; turn++) {
    fumata_noise noise;
    int code = plan_count_build(count, (epsilon - slack) / count->sensitivity, &noise);
    if (code) return code;
    if (fumata_count_init(&count->counter, &noise, count->sensitivity, &count->claim) == FUMATA_OK) return EXIT_OK;
    /* What rounding to whole coins may change a ratio by: the outermost place has the fewest. */
    slack += slack + (count->memory[0] ? 2 / (long double)count->memory[0] : 1);
  }
  return error_report(EXIT_REFUSED, "no noise keeps epsilon %g, delta %g for a count that a unit changes by %u",
                      rational_value(count->claim.epsilon_num, count->claim.epsilon_den),
                      rational_value(count->claim.delta_num, count->claim.delta_den), count->sensitivity);
}

int plan_count_make(const struct plan_target *target, uint32_t sensitivity, struct plan_count *count) {
  int code;
  memset(count, 0, sizeof *count);
  if (sensitivity < 1 || sensitivity > FUMATA_COUNT_SENSITIVITY_MAX)
    return error_report(EXIT_INPUT, "a unit may change a count by 1 to %u", FUMATA_COUNT_SENSITIVITY_MAX);
  count->sensitivity = sensitivity;
  count->claim = plan_claim(target, 2);
  code = plan_count_search(count);
  if (code) plan_count_free(count);
  return code;
}

void plan_count_free(struct plan_count *count) {
  free(count->memory);
  memset(count, 0, sizeof *count);
}
