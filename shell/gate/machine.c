#include "gate/machine.h"

#include <string.h>

#include "base/error.h"
#include "plan/mechanism.h"

static const struct machine_kind *const machine_kinds[] = {[PLAN_MECHANISM_METER] = &machine_meter,
                                                           [PLAN_MECHANISM_CLASSIC] = &machine_classic,
                                                           [PLAN_MECHANISM_TOLL] = &machine_toll,
                                                           [PLAN_MECHANISM_BOTH] = &machine_both};

static void machine_make(struct machine *machine, const struct plan_box *plan) {
  memset(machine, 0, sizeof *machine);
  machine->kind = machine_kinds[plan->mechanism];
  machine->at_once = mechanism_of(plan->mechanism)->at_once;
  process_note(&machine->owner);
}

fumata_status machine_init(struct machine *machine, const struct plan_box *plan) {
  machine_make(machine, plan);
  return machine->kind->init(&machine->state, plan);
}

fumata_status machine_resume(struct machine *machine, const struct plan_box *plan, struct plan_quota left) {
  machine_make(machine, plan);
  return machine->kind->resume(&machine->state, plan, left);
}

static int machine_refuse(const struct ledger *ledger, enum plan_kind kind, fumata_status status) {
  const char *what = kind == PLAN_KIND_METER ? "silences" : "answers";
  if (status == FUMATA_ERR_SPENT) return error_report(EXIT_REFUSED, "%s: this plan's %s are spent", ledger->path, what);
  return error_report(EXIT_SYSTEM, "%s: cannot reserve %s: %s", ledger->path, what, fumata_strerror(status));
}

/* How many of `count` may be reserved now. */
static uint32_t machine_room(const struct machine *machine, enum plan_kind kind, uint32_t count) {
  struct plan_quota left = machine->kind->left(&machine->state);
  uint32_t room = *plan_quota_of(&left, kind);
  if (machine->at_once && room > machine->at_once) room = machine->at_once;
  return count < room ? count : room;
}

int machine_reserve(struct machine *machine, struct ledger *ledger, struct coins *coins, enum plan_kind kind,
                    uint32_t count) {
  const struct machine_kind *core = machine->kind;
  union machine_state next = machine->state;
  fumata_status status;
  uint64_t coin = 0;
  int code = process_check(&machine->owner, ledger->path);
  if (code) return code;
  count = machine_room(machine, kind, count);
  if (!count) return machine_refuse(ledger, kind, FUMATA_ERR_SPENT);
  if (core->reserves_with_coin) code = coins_draw(coins, &coin);
  if (code) return code;
  status = core->reserve(&next, kind, count, coin);
  if (status != FUMATA_OK) return machine_refuse(ledger, kind, status);
  code = ledger_reserve(ledger, core->left(&next));
  if (!code) machine->state = next;
  return code;
}

/* Nothing is answered that is not reserved, and nothing at all in a forked process. */
static int machine_is_open(const struct machine *machine, enum plan_kind kind) {
  struct plan_quota reserved = machine->kind->reserved(&machine->state);
  return machine->owner.token == process_token() && *plan_quota_of(&reserved, kind) > 0;
}

fumata_status machine_answer(struct machine *machine, const fumata_verdict *verdict, uint64_t coin, int32_t *answer) {
  if (!machine_is_open(machine, PLAN_KIND_METER)) return FUMATA_ERR_CLOSED;
  return machine->kind->answer(&machine->state, verdict, coin, answer);
}

fumata_status machine_answer_duel(struct machine *machine, const fumata_duel *duel, uint64_t coin, int32_t *answer) {
  if (!machine_is_open(machine, PLAN_KIND_TOLL)) return FUMATA_ERR_CLOSED;
  return machine->kind->answer_duel(&machine->state, duel, coin, answer);
}

int machine_close(struct machine *machine, struct ledger *ledger) {
  int code = process_check(&machine->owner, ledger->path);
  fumata_status status;
  if (code) return code;
  status = machine->kind->close(&machine->state);
  if (status != FUMATA_OK)
    return error_report(EXIT_SYSTEM, "%s: cannot close the plan: %s", ledger->path, fumata_strerror(status));
  return ledger_finish(ledger, machine->kind->left(&machine->state));
}

struct plan_quota machine_reserved(const struct machine *machine) {
  return machine->kind->reserved(&machine->state);
}

struct plan_quota machine_left(const struct machine *machine) {
  struct plan_quota left = machine->kind->left(&machine->state), reserved = machine->kind->reserved(&machine->state);
  return (struct plan_quota){left.silences + reserved.silences, left.answers + reserved.answers};
}
