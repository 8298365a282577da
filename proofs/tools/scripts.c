/* Random lives of both machines: every call with its arguments and all that came of it, one line each, for
 * scripts.ml to repeat. A script begins with a start and goes on with reservations, answers, closings, crashes and
 * starts from any number, in any order.
 *
 *   scripts NUMBER SEED */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fumata.h"

#define TENTH (UINT64_MAX / 10 + 1)
#define LONGEST 24

static uint64_t seed;

static uint64_t word(void) { /* splitmix64 */
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint32_t below(uint32_t n) { return (uint32_t)(word() % n); }

/* Often one of the words at which a table decides. */
static uint64_t coin_near(const uint64_t *table, uint32_t size) {
  uint32_t kind = below(8);
  if (kind == 0) return 0;
  if (kind == 1) return UINT64_MAX;
  if (kind < 5) return table[below(size)] + below(3) - 1;
  return word();
}

static uint32_t any_number(uint32_t limit) { return below(8) ? below(limit + 1) : limit + 1 + below(3); }

static fumata_verdict any_verdict(void) {
  fumata_verdict verdict;
  verdict.winner = below(16) ? below(4) : below(2) ? FUMATA_CLASSES_MAX - 1 : FUMATA_CLASSES_MAX + below(9);
  verdict.distance = below(16) ? below(7) : (uint32_t)word();
  return verdict;
}

/* The meter: sound plans and unsound ones. The last entry is what each table is sized by. */
static const uint64_t steps[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const uint64_t flat[] = {UINT64_MAX};
static const uint64_t rising[] = {1, 2};
static const uint64_t zero[] = {TENTH, 0};
static const struct {
  fumata_meter_plan plan;
  fumata_claim claim;
} meters[] = {{{steps, 4, 5}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{flat, 1, 3}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{steps, 2, 1}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{steps, 4, 5}, {1, 100, 1, 1000, 2, UINT64_C(4) << 32}},
              {{rising, 2, 5}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{zero, 2, 5}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{steps, 4, 0}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{steps, 4, FUMATA_SILENCES_MAX + 1}, {20, 1, 99, 100, 2, UINT64_C(4) << 32}},
              {{steps, 4, 5}, {20, 1, 100, 100, 2, UINT64_C(4) << 32}},
              {{steps, 4, 5}, {20, 1, 99, 100, 1, UINT64_C(4) << 32}},
              {{steps, 4, 5}, {20, 1, 99, 100, 2, 1}}};

static void table_line(const uint64_t *table, uint32_t size) {
  uint32_t i;
  printf(" %u", (unsigned)size);
  for (i = 0; i < size; i++) printf(" %llx", (unsigned long long)table[i]);
}

static void meter_state(const char *call, int status, const fumata_meter *meter) {
  printf("%s %d %u %u\n", call, status, (unsigned)meter->left, (unsigned)meter->reserved);
}

static int meter_start(fumata_meter *meter, uint32_t which) {
  const fumata_meter_plan *plan = &meters[which].plan;
  int init = below(2) != 0, status;
  uint32_t left = any_number(plan->limit);
  status = init ? fumata_meter_init(meter, plan, &meters[which].claim)
                : fumata_meter_resume(meter, plan, &meters[which].claim, left);
  printf("s %x ", (unsigned)(init ? plan->limit : left));
  meter_state("", status, meter);
  return status == FUMATA_OK;
}

static void meter_answer(fumata_meter *meter) {
  fumata_verdict verdict = any_verdict();
  uint64_t coin = coin_near(meter->plan.silence, meter->plan.size);
  int32_t answer = -7;
  int status = fumata_meter_answer(meter, &verdict, coin, &answer);
  printf("a %x %x %llx %d ", (unsigned)verdict.winner, (unsigned)verdict.distance, (unsigned long long)coin, (int)answer);
  meter_state("", status, meter);
}

static void meter_script(void) {
  uint32_t which = below(3) ? below(3) : below((uint32_t)(sizeof meters / sizeof *meters)), length = below(LONGEST), step;
  const fumata_claim *claim = &meters[which].claim;
  fumata_meter meter;
  int alive;
  memset(&meter, 0, sizeof meter);
  printf("M");
  table_line(meters[which].plan.silence, meters[which].plan.size);
  printf(" %x %x %x %llx %llx %x %llx\n", (unsigned)meters[which].plan.limit, (unsigned)claim->epsilon_num,
         (unsigned)claim->epsilon_den, (unsigned long long)claim->delta_num, (unsigned long long)claim->delta_den,
         (unsigned)claim->alpha, (unsigned long long)claim->v);
  alive = meter_start(&meter, which);
  while (length-- > 0) {
    step = below(16);
    if (step == 0) {
      printf("x\n");
      alive = 0;
    } else if (step == 1 || !alive) {
      if (below(4) == 0) alive = meter_start(&meter, which) || alive;
    } else if (step == 2) {
      meter_state("c", fumata_meter_close(&meter), &meter);
    } else if (step < 8) {
      meter_state("r", fumata_meter_reserve(&meter, 1), &meter);
    } else {
      meter_answer(&meter);
    }
  }
}

/* Classic. */
static const uint64_t threshold_cdf[] = {TENTH / 2, 5 * TENTH};
static const uint64_t query_cdf[] = {TENTH, 3 * TENTH, 6 * TENTH};
static const fumata_classic_plan classic_plan = {{threshold_cdf, 2, -1}, {query_cdf, 3, -1}, 2, 5};
static const fumata_claim classic_claim = {60, 1, 99, 100, 2, 0};

static void classic_state(const char *call, int status, const fumata_classic *classic) {
  printf("%s %d %u %u %lld\n", call, status, (unsigned)classic->left, (unsigned)classic->reserved,
         (long long)classic->threshold);
}

static int classic_start(fumata_classic *classic) {
  uint32_t left = any_number(classic_plan.limit);
  int init = below(2) != 0, status;
  status = init ? fumata_classic_init(classic, &classic_plan, &classic_claim)
                : fumata_classic_resume(classic, &classic_plan, &classic_claim, left);
  printf("s %x ", (unsigned)(init ? classic_plan.limit : left));
  classic_state("", status, classic);
  return status == FUMATA_OK;
}

static void classic_reserve(fumata_classic *classic) {
  uint64_t coin = coin_near(threshold_cdf, 2);
  int status = fumata_classic_reserve(classic, coin);
  printf("r %llx ", (unsigned long long)coin);
  classic_state("", status, classic);
}

static void classic_answer(fumata_classic *classic) {
  fumata_verdict verdict = any_verdict();
  uint64_t coin = coin_near(query_cdf, 3);
  int32_t answer = -7;
  int status = fumata_classic_answer(classic, &verdict, coin, &answer);
  printf("a %x %x %llx %d ", (unsigned)verdict.winner, (unsigned)verdict.distance, (unsigned long long)coin, (int)answer);
  classic_state("", status, classic);
}

static void classic_script(void) {
  uint32_t length = below(LONGEST), step;
  fumata_classic classic;
  int alive;
  memset(&classic, 0, sizeof classic);
  printf("C");
  table_line(threshold_cdf, 2);
  printf(" %lld", (long long)classic_plan.threshold.first);
  table_line(query_cdf, 3);
  printf(" %lld %lld %x\n", (long long)classic_plan.query.first, (long long)classic_plan.width, (unsigned)classic_plan.limit);
  alive = classic_start(&classic);
  while (length-- > 0) {
    step = below(16);
    if (step == 0) {
      printf("x\n");
      alive = 0;
    } else if (step == 1 || !alive) {
      if (below(4) == 0) alive = classic_start(&classic) || alive;
    } else if (step == 2) {
      classic_state("c", fumata_classic_close(&classic), &classic);
    } else if (step < 8) {
      classic_reserve(&classic);
    } else {
      classic_answer(&classic);
    }
  }
}

int main(int count, char **arguments) {
  long number = count > 1 ? atol(arguments[1]) : 1000;
  seed = count > 2 ? strtoull(arguments[2], NULL, 0) : 1;
  for (; number > 0; number--) {
    if (below(2)) meter_script();
    else classic_script();
  }
  return fflush(stdout) != 0;
}
