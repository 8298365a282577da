#include "gate/machine.h"

static fumata_status machine_classic_init(union machine_state *state, const struct plan_box *plan) {
  return fumata_classic_init(&state->classic, &plan->classic, &plan->claim);
}

static fumata_status machine_classic_resume(union machine_state *state, const struct plan_box *plan,
                                            struct plan_quota left) {
  return fumata_classic_resume(&state->classic, &plan->classic, &plan->claim, left.silences);
}

/* One at a time: every stretch has a threshold of its own. */
static fumata_status machine_classic_reserve(union machine_state *state, enum plan_kind kind, uint32_t count,
                                             uint64_t coin) {
  (void)kind;
  return count == 1 ? fumata_classic_reserve(&state->classic, coin) : FUMATA_ERR_SPENT;
}

static fumata_status machine_classic_answer(union machine_state *state, const fumata_verdict *verdict, uint64_t coin,
                                            int32_t *answer) {
  return fumata_classic_answer(&state->classic, verdict, coin, answer);
}

static fumata_status machine_classic_close(union machine_state *state) {
  return fumata_classic_close(&state->classic);
}

static struct plan_quota machine_classic_left(const union machine_state *state) {
  return (struct plan_quota){.silences = state->classic.left};
}

static struct plan_quota machine_classic_reserved(const union machine_state *state) {
  return (struct plan_quota){.silences = state->classic.reserved};
}

const struct machine_kind machine_classic = {.reserves_with_coin = 1,
                                             .init = machine_classic_init,
                                             .resume = machine_classic_resume,
                                             .reserve = machine_classic_reserve,
                                             .answer = machine_classic_answer,
                                             .close = machine_classic_close,
                                             .left = machine_classic_left,
                                             .reserved = machine_classic_reserved};
