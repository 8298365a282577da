/* Random lives of all machines: every call with its arguments and all that came of it, one line each, for
 * scripts.ml to repeat. A script begins with a start and goes on with reservations, answers, closings, crashes and
 * starts from any number, in any order.
 *
 *   scripts NUMBER SEED */
#include "scripts.h"

static uint32_t any_number(uint32_t limit) { return below(8) ? below(limit + 1) : limit + 1 + below(3); }

/* Mostly one that can be reserved. */
static uint32_t any_reservation(uint32_t left) { return below(8) ? 1 + below(left + 1) : (uint32_t)word() * below(2); }

static fumata_verdict any_verdict(void) {
  fumata_verdict verdict;
  verdict.winner = below(16) ? below(4) : below(2) ? FUMATA_CLASSES_MAX - 1 : FUMATA_CLASSES_MAX + below(9);
  verdict.distance = below(16) ? below(7) : (uint32_t)word();
  return verdict;
}

/* Two candidates that often are ones. */
static fumata_duel any_duel(void) {
  fumata_verdict ahead = any_verdict(), behind = any_verdict();
  fumata_duel duel;
  duel.winner = ahead.winner;
  duel.loser = behind.winner;
  duel.distance = ahead.distance;
  return duel;
}

/* Sound tables and unsound ones. */
static const uint64_t steps[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const uint64_t flat[] = {UINT64_MAX};
static const uint64_t rising[] = {1, 2};
static const uint64_t zero[] = {TENTH, 0};

/* The first of each kind is sound, and so is the first claim. */
static const fumata_meter_plan meters[] = {{steps, 4, 5},  {flat, 1, 3}, {steps, 2, 1},
                                           {rising, 2, 5}, {zero, 2, 5}, {steps, 4, 0},
                                           {steps, 4, FUMATA_SILENCES_MAX + 1}};
static const fumata_toll_plan tolls[] = {{named, 3, 5},  {fair, 1, 9},    {named, 1, 1},
                                         {unfair, 2, 5}, {falling, 2, 5}, {named, 3, 0},
                                         {named, 3, FUMATA_ANSWERS_MAX + 1}};

/* A meter and a toll; a script has one of them, or both in a budget. */
typedef struct {
  const fumata_claim *claim;
  fumata_budget_plan plan;
  fumata_budget budget;
  int meter_refused, toll_refused; /* each half alone: what a budget says depends on it */
} life;

static void purse_line(int status, uint32_t left, uint32_t reserved) {
  printf(" %d %u %u\n", status, (unsigned)left, (unsigned)reserved);
}

static int meter_start(life *l) {
  uint32_t left = any_number(l->plan.meter.limit);
  int init = below(2) != 0, status;
  status = init ? fumata_meter_init(&l->budget.meter, &l->plan.meter, l->claim)
                : fumata_meter_resume(&l->budget.meter, &l->plan.meter, l->claim, left);
  printf("s %x", (unsigned)(init ? l->plan.meter.limit : left));
  purse_line(status, l->budget.meter.left, l->budget.meter.reserved);
  return status == FUMATA_OK;
}

static int toll_start(life *l) {
  uint32_t left = any_number(l->plan.toll.limit);
  int init = below(2) != 0, status;
  status = init ? fumata_toll_init(&l->budget.toll, &l->plan.toll, l->claim)
                : fumata_toll_resume(&l->budget.toll, &l->plan.toll, l->claim, left);
  printf("t %x", (unsigned)(init ? l->plan.toll.limit : left));
  purse_line(status, l->budget.toll.left, l->budget.toll.reserved);
  return status == FUMATA_OK;
}

static int budget_start(life *l) {
  uint32_t silences = any_number(l->plan.meter.limit), answers = any_number(l->plan.toll.limit);
  int init = below(2) != 0, status;
  status = init ? fumata_budget_init(&l->budget, &l->plan, l->claim)
                : fumata_budget_resume(&l->budget, &l->plan, l->claim, silences, answers);
  printf("b %x %x %d %d", (unsigned)(init ? l->plan.meter.limit : silences),
         (unsigned)(init ? l->plan.toll.limit : answers), l->meter_refused, l->toll_refused);
  printf(" %d %u %u %u %u\n", status, (unsigned)l->budget.meter.left, (unsigned)l->budget.meter.reserved,
         (unsigned)l->budget.toll.left, (unsigned)l->budget.toll.reserved);
  return status == FUMATA_OK;
}

static void meter_call(fumata_meter *meter, uint32_t step) {
  if (step == 2) {
    int status = fumata_meter_close(meter);
    printf("c");
    purse_line(status, meter->left, meter->reserved);
  } else if (step < 8) {
    uint32_t n = any_reservation(meter->left);
    int status = fumata_meter_reserve(meter, n);
    printf("r %x", (unsigned)n);
    purse_line(status, meter->left, meter->reserved);
  } else {
    fumata_verdict verdict = any_verdict();
    uint64_t coin = coin_near(meter->plan.silence, meter->plan.size);
    int32_t answer = -7;
    int status = fumata_meter_answer(meter, &verdict, coin, &answer);
    printf("a %x %x %llx %d", (unsigned)verdict.winner, (unsigned)verdict.distance, (unsigned long long)coin, (int)answer);
    purse_line(status, meter->left, meter->reserved);
  }
}

static void toll_call(fumata_toll *toll, uint32_t step) {
  if (step == 2) {
    int status = fumata_toll_close(toll);
    printf("C");
    purse_line(status, toll->left, toll->reserved);
  } else if (step < 8) {
    uint32_t n = any_reservation(toll->left);
    int status = fumata_toll_reserve(toll, n);
    printf("R %x", (unsigned)n);
    purse_line(status, toll->left, toll->reserved);
  } else {
    fumata_duel duel = any_duel();
    uint64_t coin = coin_near(toll->plan.named, toll->plan.size);
    int32_t answer = -7;
    int status = fumata_toll_answer(toll, &duel, coin, &answer);
    printf("A %x %x %x %llx %d", (unsigned)duel.winner, (unsigned)duel.loser, (unsigned)duel.distance,
           (unsigned long long)coin, (int)answer);
    purse_line(status, toll->left, toll->reserved);
  }
}

/* kind 0: a meter, 1: a toll, 2: both in a budget. */
static int start(life *l, int kind) { return kind == 0 ? meter_start(l) : kind == 1 ? toll_start(l) : budget_start(l); }

static void budget_script(int kind) {
  uint32_t length = below(LONGEST), step;
  fumata_fault fault;
  life l;
  int alive;
  memset(&l, 0, sizeof l);
  l.claim = any_claim();
  l.plan.meter = meters[PICK(meters)];
  l.plan.toll = tolls[PICK(tolls)];
  l.meter_refused = fumata_certify_meter(&l.plan.meter, l.claim, &fault) != FUMATA_OK;
  l.toll_refused = fumata_certify_toll(&l.plan.toll, l.claim, &fault) != FUMATA_OK;
  printf("M");
  table_line(l.plan.meter.silence, l.plan.meter.size);
  printf(" %x", (unsigned)l.plan.meter.limit);
  table_line(l.plan.toll.named, l.plan.toll.size);
  printf(" %x", (unsigned)l.plan.toll.limit);
  claim_line(l.claim);
  alive = start(&l, kind);
  while (length-- > 0) {
    step = below(16);
    if (step == 0) {
      printf("x\n");
      alive = 0;
    } else if (step == 1 || !alive) {
      if (below(4) == 0) alive = start(&l, kind) || alive;
    } else if (kind == 0 || (kind == 2 && below(2))) {
      meter_call(&l.budget.meter, step);
    } else {
      toll_call(&l.budget.toll, step);
    }
  }
}

/* Classic. */
static const uint64_t threshold_cdf[] = {TENTH / 2, 5 * TENTH};
static const uint64_t query_cdf[] = {TENTH, 3 * TENTH, 6 * TENTH};
static const fumata_classic_plan classic_plan = {{threshold_cdf, 2, -1}, {query_cdf, 3, -1}, 2, 5};

static void classic_state(const char *call, int status, const fumata_classic *classic) {
  printf("%s %d %u %u %lld\n", call, status, (unsigned)classic->left, (unsigned)classic->reserved,
         (long long)classic->threshold);
}

static int classic_start(fumata_classic *classic, const fumata_claim *claim) {
  uint32_t left = any_number(classic_plan.limit);
  int init = below(2) != 0, status;
  status = init ? fumata_classic_init(classic, &classic_plan, claim)
                : fumata_classic_resume(classic, &classic_plan, claim, left);
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
  const fumata_claim *claim = any_claim();
  uint32_t length = below(LONGEST), step;
  fumata_classic classic;
  int alive;
  memset(&classic, 0, sizeof classic);
  printf("N");
  table_line(threshold_cdf, 2);
  printf(" %lld", (long long)classic_plan.threshold.first);
  table_line(query_cdf, 3);
  printf(" %lld %lld %x", (long long)classic_plan.query.first, (long long)classic_plan.width, (unsigned)classic_plan.limit);
  claim_line(claim);
  alive = classic_start(&classic, claim);
  while (length-- > 0) {
    step = below(16);
    if (step == 0) {
      printf("x\n");
      alive = 0;
    } else if (step == 1 || !alive) {
      if (below(4) == 0) alive = classic_start(&classic, claim) || alive;
    } else if (step == 2) {
      classic_state("c", fumata_classic_close(&classic), &classic);
    } else if (step < 8) {
      classic_reserve(&classic);
    } else {
      classic_answer(&classic);
    }
  }
}

/* Counts. The first table keeps the first claim for a sensitivity of 1, and the second for one of 2. */
#define SIXTEENTH (UINT64_C(1) << 60)
static const uint64_t six_cdf[] = {SIXTEENTH, 3 * SIXTEENTH, 8 * SIXTEENTH, 13 * SIXTEENTH, 15 * SIXTEENTH};
#define PART (SIXTEENTH / 2)
static const uint64_t wide_cdf[] = {PART,      2 * PART,  4 * PART,  6 * PART,  11 * PART, 16 * PART,
                                    21 * PART, 26 * PART, 28 * PART, 30 * PART, 31 * PART};
static const uint64_t fallen_cdf[] = {5, 4};
static const uint64_t empty_cdf[] = {0, 0};
static const fumata_noise noises[] = {{six_cdf, 5, -2},
                                      {wide_cdf, 11, -5},
                                      {six_cdf, 5, FUMATA_NOISE_RANGE},
                                      {fallen_cdf, 2, 0},
                                      {empty_cdf, 2, 0},
                                      {six_cdf, 5, -FUMATA_NOISE_RANGE - 1}};
static const fumata_claim count_claims[] = {
    {1, 1, 1, 16, 0, 0, 0}, {916, 1000, 1, 16, 0, 0, 0}, {1, 1, 1, 17, 0, 0, 0}, {1, 1, 16, 16, 0, 0, 0}, {0, 1, 1, 16, 0, 0, 0}};

static uint64_t any_count(void) {
  uint32_t kind = below(8);
  return kind == 0 ? word() : kind == 1 ? (uint64_t)FUMATA_COUNT_MAX + below(3) - 1 : below(100000);
}

static void count_line(const char *call, int status, const fumata_counter *counter) {
  printf("%s %d %u\n", call, status, (unsigned)counter->reserved);
}

static int count_start(fumata_counter *counter, const fumata_noise *noise, const fumata_claim *claim) {
  uint32_t sensitivity = below(16) ? 1 + below(2) : below(2) ? 0 : FUMATA_COUNT_SENSITIVITY_MAX + 1;
  int status = fumata_count_init(counter, noise, sensitivity, claim);
  printf("s %x ", (unsigned)sensitivity);
  count_line("", status, counter);
  return status == FUMATA_OK;
}

static void count_release(fumata_counter *counter) {
  uint64_t number = any_count(), coin = coin_near(counter->noise.cdf, counter->noise.size);
  int64_t noisy = -7;
  int status = fumata_count_release(counter, number, coin, &noisy);
  printf("p %llx %llx %lld ", (unsigned long long)number, (unsigned long long)coin, (long long)noisy);
  count_line("", status, counter);
}

static void count_script(void) {
  const fumata_noise *noise = &noises[below(3) ? below(2) : below((uint32_t)(sizeof noises / sizeof *noises))];
  const fumata_claim *claim =
      &count_claims[below(3) ? 0 : below((uint32_t)(sizeof count_claims / sizeof *count_claims))];
  uint32_t length = below(LONGEST);
  fumata_counter counter;
  int alive;
  memset(&counter, 0, sizeof counter);
  printf("K");
  table_line(noise->cdf, noise->size);
  printf(" %lld", (long long)noise->first);
  claim_line(claim);
  alive = count_start(&counter, noise, claim);
  while (length-- > 0) {
    if (below(8) == 0) {
      printf("x\n");
      alive = 0;
    } else if (!alive || below(4) == 0) {
      alive = count_start(&counter, noise, claim) || alive;
    } else {
      count_release(&counter);
    }
  }
}

int main(int count, char **arguments) {
  long number = count > 1 ? atol(arguments[1]) : 1000;
  seed = count > 2 ? strtoull(arguments[2], NULL, 0) : 1;
  for (; number > 0; number--) {
    uint32_t kind = below(5);
    if (kind < 3) budget_script((int)kind);
    else if (kind == 3) classic_script();
    else count_script();
  }
  return fflush(stdout) != 0;
}
