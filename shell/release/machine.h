/* A budget machine, whichever mechanism it runs: how many silences are left, and what the next ballot is answered.
 *
 * A mechanism is one file that fills a machine_kind (machine_meter.c), a member of machine_state and a line in
 * machine.c; what its plans are like is told in plan/ (plan/mechanism.h). */
#ifndef RELEASE_MACHINE_H
#define RELEASE_MACHINE_H

#include "base/coins.h"
#include "base/process.h"
#include "core/fumata.h"
#include "ledger/ledger.h"
#include "plan/plan.h"

union machine_state {
  fumata_meter meter;
  fumata_classic classic;
};

/* What the core offers for a mechanism; the statuses are the core's. */
struct machine_kind {
  int reserves_with_coin; /* 1: a reservation draws noise */
  fumata_status (*init)(union machine_state *state, const struct plan_box *plan);
  fumata_status (*resume)(union machine_state *state, const struct plan_box *plan, uint32_t left);
  fumata_status (*reserve)(union machine_state *state, uint64_t coin);
  fumata_status (*answer)(union machine_state *state, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);
  fumata_status (*close)(union machine_state *state);
  uint32_t (*left)(const union machine_state *state);
  uint32_t (*reserved)(const union machine_state *state);
};

extern const struct machine_kind machine_meter, machine_classic;

struct machine {
  const struct machine_kind *kind;
  union machine_state state;
  struct process owner; /* who made it; in a forked process it reserves, answers and closes nothing */
};

/* Both certify the plan; its tables must outlive the machine. A new life, or one of which `left` silences remain. */
fumata_status machine_init(struct machine *machine, const struct plan_box *plan);
fumata_status machine_resume(struct machine *machine, const struct plan_box *plan, uint32_t left);

/* Pays for one silence: first a row of the ledger, durable, then the machine. On failure the machine is as before, so
 * that it cannot answer. Exit code (error.h). */
int machine_reserve(struct machine *machine, struct ledger *ledger, struct coins *coins);

/* A label or FUMATA_SILENT; only while a silence is reserved, which in a forked process is never: FUMATA_ERR_CLOSED. */
fumata_status machine_answer(struct machine *machine, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);

/* Ends the life's session in the machine and then in the ledger. Exit code; when it fails the open reservation is lost. */
int machine_close(struct machine *machine, struct ledger *ledger);

int machine_has_reserved(const struct machine *machine);

/* Silences that are left, a held reservation included. */
uint32_t machine_left(const struct machine *machine);

#endif
