/* What every budget machine of the core does alike. A suite says before it includes this
 *   #define MACHINE(end) fumata_meter##end     the machine's names
 * and has a `plan` of five silences or answers, a `claim` that certifies it, and `reserve`, which ignores a coin it has no
 * use for. What answers verdicts gets two tests more; a machine that answers duels says `#define MACHINE_DUELS`. */
#ifndef SUPPORT_BUDGET_H
#define SUPPORT_BUDGET_H

#include <check.h>
#include <string.h>

static MACHINE() begin(void) {
  MACHINE() machine;
  memset(&machine, 0, sizeof machine);
  ck_assert_int_eq(MACHINE(_init)(&machine, &plan, &claim), FUMATA_OK);
  return machine;
}

/* Whatever the refusal, not a byte of the machine is touched. */
static void refuse(const MACHINE(_plan) * bad, const fumata_claim *said, uint32_t left, int status) {
  MACHINE() machine, before;
  memset(&machine, 0xa5, sizeof machine);
  memset(&before, 0xa5, sizeof before);
  ck_assert_int_eq(MACHINE(_resume)(&machine, bad, said, left), status);
  ck_assert_mem_eq(&machine, &before, sizeof machine);
  if (status != FUMATA_ERR_LEFT) {
    ck_assert_int_eq(MACHINE(_init)(&machine, bad, said), status);
    ck_assert_mem_eq(&machine, &before, sizeof machine);
  }
}

START_TEST(test_refused_claims) {
  MACHINE(_plan) bad = plan;
  fumata_claim said = claim;
  bad.limit = 0;
  refuse(&bad, &claim, 0, FUMATA_ERR_LIMIT);
  bad.limit = FUMATA_SILENCES_MAX + 1;
  refuse(&bad, &claim, 1, FUMATA_ERR_LIMIT);
  said.alpha = 1;
  refuse(&plan, &said, 1, FUMATA_ERR_CLAIM);
  said = claim;
  said.epsilon_num = 1;
  refuse(&plan, &said, 1, FUMATA_ERR_UNCERTIFIED);
  refuse(&plan, &claim, 6, FUMATA_ERR_LEFT);
  refuse(&plan, &claim, UINT32_MAX, FUMATA_ERR_LEFT);
}
END_TEST

#ifndef MACHINE_DUELS

START_TEST(test_every_label) {
  MACHINE() machine = begin();
  fumata_verdict verdict = {0, 9};
  int32_t answer;
  ck_assert_int_eq(reserve(&machine, 0), FUMATA_OK);
  for (verdict.winner = 0; verdict.winner < FUMATA_CLASSES_MAX; verdict.winner++) {
    ck_assert_int_eq(MACHINE(_answer)(&machine, &verdict, UINT64_MAX, &answer), FUMATA_OK);
    ck_assert_int_eq(answer, (int32_t)verdict.winner);
  }
}
END_TEST

START_TEST(test_errors_change_nothing) {
  MACHINE() machine = begin(), before;
  fumata_verdict verdict = {1, 4};
  int32_t answer = 4711;

  memcpy(&before, &machine, sizeof before);
  ck_assert_int_eq(MACHINE(_answer)(&machine, &verdict, 0, &answer), FUMATA_ERR_CLOSED);
  ck_assert_mem_eq(&machine, &before, sizeof before);
  ck_assert_int_eq(answer, 4711);

  ck_assert_int_eq(reserve(&machine, 5), FUMATA_OK);
  memcpy(&before, &machine, sizeof before);
  ck_assert_int_eq(reserve(&machine, UINT64_MAX), FUMATA_ERR_RESERVED);
  ck_assert_mem_eq(&machine, &before, sizeof before);
  verdict.winner = FUMATA_CLASSES_MAX;
  ck_assert_int_eq(MACHINE(_answer)(&machine, &verdict, 0, &answer), FUMATA_ERR_VOTE);
  verdict.winner = UINT32_MAX;
  ck_assert_int_eq(MACHINE(_answer)(&machine, &verdict, 0, &answer), FUMATA_ERR_VOTE);
  ck_assert_mem_eq(&machine, &before, sizeof before);
  ck_assert_int_eq(answer, 4711);

  ck_assert_int_eq(MACHINE(_resume)(&machine, &plan, &claim, 0), FUMATA_OK);
  memcpy(&before, &machine, sizeof before);
  ck_assert_int_eq(reserve(&machine, 0), FUMATA_ERR_SPENT);
  ck_assert_mem_eq(&machine, &before, sizeof before);
}
END_TEST

#endif

#endif
