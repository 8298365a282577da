/* A meter and a toll in one life: one certificate for both, and random lives with crashes against a model that only
 * counts. */
#include "core/budget.h"

#include <string.h>

#include "support/suite.h"

#define TENTH (UINT64_MAX / 10 + 1)

static const uint64_t silence[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const uint64_t named[] = {6 * TENTH, 7 * TENTH + TENTH / 2, 8 * TENTH};
static const fumata_budget_plan plan = {{silence, 4, 5}, {named, 3, 4}};
/* c(2) 4^5 2^4 e^-epsilon = 4096 e^-epsilon has to fit into 0.99 - 5 / 10. */
static const fumata_claim claim = {20, 1, 99, 100, 2, UINT64_C(4) << 32, UINT64_C(2) << 32};

static void certify(const fumata_budget_plan *bad, const fumata_claim *said, int status, fumata_fault_kind kind,
                    uint32_t index) {
  fumata_fault fault = {FUMATA_FAULT_RATIO, 77};
  ck_assert_int_eq(fumata_certify_budget(bad, said, &fault), status);
  ck_assert_int_eq(fault.kind, kind);
  ck_assert_uint_eq(fault.index, index);
}

/* Every refusal, by its own name, and no byte of a budget is touched by it. */
static void refuse(const fumata_budget_plan *bad, const fumata_claim *said, int status, fumata_fault_kind kind,
                   uint32_t index) {
  fumata_budget budget, before;
  memset(&budget, 0xa5, sizeof budget);
  memset(&before, 0xa5, sizeof before);
  certify(bad, said, status, kind, index);
  ck_assert_int_eq(fumata_budget_init(&budget, bad, said), status);
  ck_assert_int_eq(fumata_budget_resume(&budget, bad, said, 0, 0), status);
  ck_assert_mem_eq(&budget, &before, sizeof before);
}

START_TEST(test_refusals) {
  static const uint64_t rising[] = {1, 2}, falling[] = {8 * TENTH, 6 * TENTH}, steep[] = {9 * TENTH};
  fumata_budget_plan bad = plan;
  fumata_claim said = claim;
  certify(&plan, &claim, FUMATA_OK, FUMATA_FAULT_NONE, 0);
  said.v = 0;
  refuse(&plan, &said, FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0);
  said = claim;
  said.u = (UINT64_C(1) << 32) - 1;
  refuse(&plan, &said, FUMATA_ERR_CLAIM, FUMATA_FAULT_CLAIM, 0);
  bad.meter.limit = 0;
  refuse(&bad, &claim, FUMATA_ERR_LIMIT, FUMATA_FAULT_LIMIT, 0);
  bad = plan;
  bad.toll.limit = 0;
  refuse(&bad, &claim, FUMATA_ERR_LIMIT, FUMATA_FAULT_ANSWERS, 0);
  bad.toll.limit = FUMATA_ANSWERS_MAX + 1;
  refuse(&bad, &claim, FUMATA_ERR_LIMIT, FUMATA_FAULT_ANSWERS, 0);
  bad = plan;
  bad.meter.silence = rising;
  bad.meter.size = 2;
  refuse(&bad, &claim, FUMATA_ERR_TABLE, FUMATA_FAULT_TABLE, 1);
  bad = plan;
  bad.toll.named = falling;
  bad.toll.size = 2;
  refuse(&bad, &claim, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED, 1);
  bad.toll.size = FUMATA_TABLE_MAX + 1;
  refuse(&bad, &claim, FUMATA_ERR_TABLE, FUMATA_FAULT_NAMED, 0);
  bad.toll.named = steep; /* 0.9^2 / 0.5 + 0.1^2 / 0.5 = 1.64; back: 0.5^2 / 0.9 + 0.5^2 / 0.1 = 2.78 > 2 */
  bad.toll.size = 1;
  refuse(&bad, &claim, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_ANSWER, 0);
}
END_TEST

/* At epsilon 8 a meter or a toll alone would do: 256 e^-8 < 0.49, 4 e^-8 < 0.99. Together they do not: 4096 e^-8 = 1.4. */
START_TEST(test_total_is_of_both) {
  fumata_claim said = claim;
  fumata_fault fault;
  said.epsilon_num = 8;
  ck_assert_int_eq(fumata_certify_meter(&plan.meter, &said, &fault), FUMATA_OK);
  ck_assert_int_eq(fumata_certify_toll(&plan.toll, &said, &fault), FUMATA_OK);
  refuse(&plan, &said, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 0);
  said.epsilon_num = 91; /* 4096 e^-9.1 = 0.457 */
  said.epsilon_den = 10;
  certify(&plan, &said, FUMATA_OK, FUMATA_FAULT_NONE, 0);
  said.epsilon_num = 90; /* 4096 e^-9 = 0.505 */
  refuse(&plan, &said, FUMATA_ERR_UNCERTIFIED, FUMATA_FAULT_TOTAL, 0);
}
END_TEST

START_TEST(test_resume) {
  uint32_t silences, answers;
  fumata_budget budget, before;
  for (silences = 0; silences <= 6; silences++)
    for (answers = 0; answers <= 5; answers++) {
      int status = silences <= 5 && answers <= 4 ? FUMATA_OK : FUMATA_ERR_LEFT;
      memset(&budget, 0xff, sizeof budget);
      memset(&before, 0xff, sizeof before);
      ck_assert_int_eq(fumata_budget_resume(&budget, &plan, &claim, silences, answers), status);
      if (status) {
        ck_assert_mem_eq(&budget, &before, sizeof before);
        continue;
      }
      ck_assert_ptr_eq(budget.meter.plan.silence, silence);
      ck_assert_ptr_eq(budget.toll.plan.named, named);
      ck_assert(budget.meter.plan.size == 4 && budget.meter.plan.limit == 5);
      ck_assert(budget.toll.plan.size == 3 && budget.toll.plan.limit == 4);
      ck_assert(budget.meter.left == silences && budget.meter.reserved == 0);
      ck_assert(budget.toll.left == answers && budget.toll.reserved == 0);
    }
  ck_assert_int_eq(fumata_budget_init(&budget, &plan, &claim), FUMATA_OK);
  ck_assert(budget.meter.left == 5 && budget.toll.left == 4);
}
END_TEST

/* splitmix64 */
static uint64_t next(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* What the world saw of each kind, and what is on disk. */
struct world {
  uint32_t silences, answers, stored_silences, stored_answers;
};

static void ask_meter(fumata_budget *budget, struct world *world, uint64_t *seed) {
  fumata_verdict verdict = {(uint32_t)(next(seed) % 10), (uint32_t)(next(seed) % 6)};
  uint32_t reserved = budget->meter.reserved;
  int32_t out = -2;
  if (world->stored_silences > budget->meter.left) return;
  ck_assert_int_eq(fumata_meter_answer(&budget->meter, &verdict, next(seed), &out),
                   reserved ? FUMATA_OK : FUMATA_ERR_CLOSED);
  if (!reserved) return;
  ck_assert(out == FUMATA_SILENT || (out == (int32_t)verdict.winner && verdict.distance > 0));
  ck_assert_uint_eq(budget->meter.reserved, reserved - (out == FUMATA_SILENT));
  world->silences += out == FUMATA_SILENT;
}

static void ask_toll(fumata_budget *budget, struct world *world, uint64_t *seed) {
  fumata_duel duel = {(uint32_t)(next(seed) % 10), 10, (uint32_t)(next(seed) % 6)};
  uint32_t reserved = budget->toll.reserved;
  int32_t out = -2;
  if (world->stored_answers > budget->toll.left) return;
  ck_assert_int_eq(fumata_toll_answer(&budget->toll, &duel, next(seed), &out),
                   reserved ? FUMATA_OK : FUMATA_ERR_CLOSED);
  if (!reserved) return;
  ck_assert(out == (int32_t)duel.winner || out == 10);
  ck_assert_uint_eq(budget->toll.reserved, reserved - 1);
  world->answers++;
}

/* One step of a life. */
static void step(fumata_budget *budget, struct world *world, int stores, uint64_t *seed) {
  uint64_t dice = next(seed) % 16;
  uint32_t number = (uint32_t)(next(seed) % 4);
  if (dice < 3)
    fumata_meter_reserve(&budget->meter, number);
  else if (dice < 6)
    fumata_toll_reserve(&budget->toll, number);
  else if (dice < 8 && stores)
    world->stored_silences = budget->meter.left, world->stored_answers = budget->toll.left;
  else if (dice < 11)
    ask_meter(budget, world, seed);
  else if (dice < 13)
    ask_toll(budget, world, seed);
  else if (dice < 14) {
    ck_assert_int_eq(fumata_meter_close(&budget->meter), FUMATA_OK);
    ck_assert_int_eq(fumata_toll_close(&budget->toll), FUMATA_OK);
  } else {
    memset(budget, (int)(number + 1), sizeof *budget);
    ck_assert_int_eq(fumata_budget_resume(budget, &plan, &claim, world->stored_silences, world->stored_answers),
                     FUMATA_OK);
  }
}

static struct world live(int steps, int stores, uint64_t seed) {
  fumata_budget budget;
  struct world world = {0, 0, stores ? 5 : 0, stores ? 4 : 0};
  ck_assert_int_eq(fumata_budget_init(&budget, &plan, &claim), FUMATA_OK);
  while (steps-- > 0) {
    step(&budget, &world, stores, &seed);
    if (!stores) continue;
    ck_assert_uint_le(world.silences + budget.meter.reserved + budget.meter.left, 5);
    ck_assert_uint_le(world.answers + budget.toll.reserved + budget.toll.left, 4);
    ck_assert_uint_le(world.silences + world.stored_silences, 5);
    ck_assert_uint_le(world.answers + world.stored_answers, 4);
  }
  return world;
}

START_TEST(test_lives) {
  uint32_t silences = 0, answers = 0;
  uint64_t seed;
  for (seed = 0; seed < 30; seed++) {
    struct world world = live(600, 1, seed);
    silences = world.silences > silences ? world.silences : silences;
    answers = world.answers > answers ? world.answers : answers;
  }
  /* The lives are long enough to reach both limits. */
  ck_assert_uint_eq(silences, 5);
  ck_assert_uint_eq(answers, 4);
}
END_TEST

SUITE_MAIN("budget", test_refusals, test_total_is_of_both, test_resume, test_lives)
