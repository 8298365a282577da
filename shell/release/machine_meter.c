#include "release/machine.h"

static fumata_status machine_meter_init(union machine_state *state, const struct plan_box *plan) {
  return fumata_meter_init(&state->meter, &plan->meter, &plan->claim);
}

static fumata_status machine_meter_resume(union machine_state *state, const struct plan_box *plan, uint32_t left) {
  return fumata_meter_resume(&state->meter, &plan->meter, &plan->claim, left);
}

static fumata_status machine_meter_reserve(union machine_state *state, uint64_t coin) {
  (void)coin;
  return fumata_meter_reserve(&state->meter, 1);
}

static fumata_status machine_meter_answer(union machine_state *state, const fumata_verdict *verdict, uint64_t coin,
                                          int32_t *answer) {
  return fumata_meter_answer(&state->meter, verdict, coin, answer);
}

static fumata_status machine_meter_close(union machine_state *state) {
  return fumata_meter_close(&state->meter);
}

static uint32_t machine_meter_left(const union machine_state *state) {
  return state->meter.left;
}

static uint32_t machine_meter_reserved(const union machine_state *state) {
  return state->meter.reserved;
}

const struct machine_kind machine_meter = {.init = machine_meter_init,
                                           .resume = machine_meter_resume,
                                           .reserve = machine_meter_reserve,
                                           .answer = machine_meter_answer,
                                           .close = machine_meter_close,
                                           .left = machine_meter_left,
                                           .reserved = machine_meter_reserved};
