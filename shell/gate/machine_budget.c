#include "gate/machine.h"
#include "gate/target.h"

/* The meter, the toll, and both in one life: one state, of which a plan fills what it has. The other part stays zero, and is
 * never handed to the core: what has nothing left and nothing reserved is refused before (machine.c). */

static fumata_status machine_budget_init_meter(union machine_state *state, const struct plan_box *plan) {
  return fumata_meter_init(&state->budget.meter, &plan->meter, &plan->claim);
}

static fumata_status machine_budget_resume_meter(union machine_state *state, const struct plan_box *plan,
                                                 struct plan_quota left) {
  return fumata_meter_resume(&state->budget.meter, &plan->meter, &plan->claim, left.silences);
}

static fumata_status machine_budget_init_toll(union machine_state *state, const struct plan_box *plan) {
  return fumata_toll_init(&state->budget.toll, &plan->toll, &plan->claim);
}

static fumata_status machine_budget_resume_toll(union machine_state *state, const struct plan_box *plan,
                                                struct plan_quota left) {
  return fumata_toll_resume(&state->budget.toll, &plan->toll, &plan->claim, left.answers);
}

static fumata_status machine_budget_init_both(union machine_state *state, const struct plan_box *plan) {
  fumata_budget_plan both = {plan->meter, plan->toll};
  return fumata_budget_init(&state->budget, &both, &plan->claim);
}

static fumata_status machine_budget_resume_both(union machine_state *state, const struct plan_box *plan,
                                                struct plan_quota left) {
  fumata_budget_plan both = {plan->meter, plan->toll};
  return fumata_budget_resume(&state->budget, &both, &plan->claim, left.silences, left.answers);
}

static fumata_status machine_budget_reserve(union machine_state *state, enum plan_kind kind, uint32_t count,
                                            uint64_t coin) {
  (void)coin;
  return kind == PLAN_KIND_METER ? fumata_meter_reserve(&state->budget.meter, count)
                                 : fumata_toll_reserve(&state->budget.toll, count);
}

static fumata_status machine_budget_answer(union machine_state *state, const fumata_verdict *verdict, uint64_t coin,
                                           int32_t *answer) {
  return target_best()->meter_answer(&state->budget.meter, verdict, coin, answer);
}

static fumata_status machine_budget_answer_duel(union machine_state *state, const fumata_duel *duel, uint64_t coin,
                                                int32_t *answer) {
  return fumata_toll_answer(&state->budget.toll, duel, coin, answer);
}

/* To give back nothing is to give back what is not there too. */
static fumata_status machine_budget_close(union machine_state *state) {
  fumata_status status = FUMATA_OK;
  if (state->budget.meter.reserved) status = fumata_meter_close(&state->budget.meter);
  if (status == FUMATA_OK && state->budget.toll.reserved) status = fumata_toll_close(&state->budget.toll);
  return status;
}

static struct plan_quota machine_budget_left(const union machine_state *state) {
  return (struct plan_quota){state->budget.meter.left, state->budget.toll.left};
}

static struct plan_quota machine_budget_reserved(const union machine_state *state) {
  return (struct plan_quota){state->budget.meter.reserved, state->budget.toll.reserved};
}

#define MACHINE_BUDGET                                                                                                 \
  .reserve = machine_budget_reserve, .answer = machine_budget_answer, .answer_duel = machine_budget_answer_duel,       \
  .close = machine_budget_close, .left = machine_budget_left, .reserved = machine_budget_reserved

const struct machine_kind machine_meter = {
    .init = machine_budget_init_meter, .resume = machine_budget_resume_meter, MACHINE_BUDGET};
const struct machine_kind machine_toll = {
    .init = machine_budget_init_toll, .resume = machine_budget_resume_toll, MACHINE_BUDGET};
const struct machine_kind machine_both = {
    .init = machine_budget_init_both, .resume = machine_budget_resume_both, MACHINE_BUDGET};
