#include "release/machine.h"

#include "base/error.h"

static const struct machine_kind *const machine_kinds[] = {
    [PLAN_MECHANISM_METER] = &machine_meter, [PLAN_MECHANISM_CLASSIC] = &machine_classic};

fumata_status machine_init(struct machine *machine, const struct plan_box *plan) {
  machine->kind = machine_kinds[plan->mechanism];
  process_note(&machine->owner);
  return machine->kind->init(&machine->state, plan);
}

fumata_status machine_resume(struct machine *machine, const struct plan_box *plan, uint32_t left) {
  machine->kind = machine_kinds[plan->mechanism];
  process_note(&machine->owner);
  return machine->kind->resume(&machine->state, plan, left);
}

static int machine_refuse(const struct ledger *ledger, fumata_status status) {
  if (status == FUMATA_ERR_SPENT) return error_report(EXIT_REFUSED, "%s: this plan's silences are spent", ledger->path);
  return error_report(EXIT_SYSTEM, "%s: cannot reserve a silence: %s", ledger->path, fumata_strerror(status));
}

int machine_reserve(struct machine *machine, struct ledger *ledger, struct coins *coins) {
  const struct machine_kind *kind = machine->kind;
  union machine_state next = machine->state;
  fumata_status status;
  uint64_t coin = 0;
  int code = process_check(&machine->owner, ledger->path);
  if (!code && kind->reserves_with_coin) code = coins_draw(coins, &coin);
  if (code) return code;
  status = kind->reserve(&next, coin);
  if (status != FUMATA_OK) return machine_refuse(ledger, status);
  code = ledger_reserve(ledger, kind->left(&next));
  if (!code) machine->state = next;
  return code;
}

fumata_status machine_answer(struct machine *machine, const fumata_verdict *verdict, uint64_t coin, int32_t *answer) {
  if (machine->owner.token != process_token()) return FUMATA_ERR_CLOSED;
  return machine->kind->answer(&machine->state, verdict, coin, answer);
}

int machine_close(struct machine *machine, struct ledger *ledger) {
  int code = process_check(&machine->owner, ledger->path);
  fumata_status status;
  if (code) return code;
  status = machine->kind->close(&machine->state);
  if (status != FUMATA_OK) return machine_refuse(ledger, status);
  return ledger_finish(ledger, machine->kind->left(&machine->state));
}

int machine_has_reserved(const struct machine *machine) {
  return machine->kind->reserved(&machine->state) != 0;
}

uint32_t machine_left(const struct machine *machine) {
  return machine->kind->left(&machine->state) + machine->kind->reserved(&machine->state);
}
