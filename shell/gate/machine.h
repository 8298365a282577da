/* A budget machine, whichever mechanism it runs: what is left of either kind, and what the next ballot is answered.
 *
 * A mechanism is one file that fills a machine_kind (machine_budget.c, machine_classic.c), a member of machine_state and a
 * line in machine.c; what its plans are like is told in plan/ (plan/mechanism.h). */
#ifndef GATE_MACHINE_H
#define GATE_MACHINE_H

#include "core/fumata.h"
#include "gate/coins.h"
#include "gate/ledger.h"
#include "gate/process.h"
#include "plan/plan.h"

union machine_state {
  fumata_budget budget; /* the meter, the toll, or both */
  fumata_classic classic;
};

/* What the core offers for a mechanism; the statuses are the core's. Of a kind of which nothing is left no reservation is
 * tried, and of one of which nothing is reserved no answer. */
struct machine_kind {
  int reserves_with_coin; /* 1: a reservation draws noise */
  fumata_status (*init)(union machine_state *state, const struct plan_box *plan);
  fumata_status (*resume)(union machine_state *state, const struct plan_box *plan, struct plan_quota left);
  fumata_status (*reserve)(union machine_state *state, enum plan_kind kind, uint32_t count, uint64_t coin);
  fumata_status (*answer)(union machine_state *state, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);
  fumata_status (*answer_duel)(union machine_state *state, const fumata_duel *duel, uint64_t coin, int32_t *answer);
  fumata_status (*close)(union machine_state *state);
  struct plan_quota (*left)(const union machine_state *state);
  struct plan_quota (*reserved)(const union machine_state *state);
};

extern const struct machine_kind machine_meter, machine_toll, machine_both, machine_classic;

struct machine {
  const struct machine_kind *kind;
  union machine_state state;
  uint32_t at_once;     /* most that the mechanism reserves at once; 0: any number */
  struct process owner; /* who made it; in a forked process it reserves, answers and closes nothing */
};

/* Both certify the plan; its tables must outlive the machine. A new life, or one of which `left` remains. */
fumata_status machine_init(struct machine *machine, const struct plan_box *plan);
fumata_status machine_resume(struct machine *machine, const struct plan_box *plan, struct plan_quota left);

/* Pays for up to `count` of a kind, as many as are left and as the mechanism takes at once: first a row of the ledger,
 * durable, then the machine. On failure the machine is as before, so that it cannot answer. Exit code (error.h). */
int machine_reserve(struct machine *machine, struct ledger *ledger, struct coins *coins, enum plan_kind kind,
                    uint32_t count);

/* A label or FUMATA_SILENT, from the meter; one of the duel's two, from the toll. Only while something of the kind is
 * reserved, which in a forked process is never: FUMATA_ERR_CLOSED. */
fumata_status machine_answer(struct machine *machine, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);
fumata_status machine_answer_duel(struct machine *machine, const fumata_duel *duel, uint64_t coin, int32_t *answer);

/* Ends the life's session in the machine and then in the ledger. Exit code; when it fails what is reserved is lost. */
int machine_close(struct machine *machine, struct ledger *ledger);

/* What is reserved and not used; and what is left, that included. */
struct plan_quota machine_reserved(const struct machine *machine);
struct plan_quota machine_left(const struct machine *machine);

#endif
