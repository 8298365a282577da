/* Plans of the meter made to measure (MECHANISM section 2): the search for the table that answers most. */
#ifndef PLAN_PLAN_METER_H
#define PLAN_PLAN_METER_H

#include "plan/plan.h"

extern const struct mechanism plan_meter_mechanism;

/* The int functions return an exit code (error.h); a failure has printed its line and left the box empty. */

/* The best certified plan; `aim` NULL means the usual one. */
int plan_meter_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* The distance (with a fraction) at which the best table would bring silence down to `silence` if no certificate had
 * to be paid for; nothing is built. Infinite if there is no such table. */
double plan_meter_reach(const struct plan_target *target, double silence);

/* ---- for a plan that holds silences beside answers (plan_both.c) ---- */

/* The probability that a query at this distance is met with silence (mechanism.h). */
double plan_meter_silence(const struct plan_box *box, uint32_t distance);

/* The best share of delta for the first entry at one alpha, near *part (0: anywhere), and the cost there: a distance, or a
 * silence on average. Where nothing is feasible, more for the first entry may be. */
double plan_meter_split(const struct plan_budget *budget, const struct plan_aim *aim, double alpha, int turns,
                        double *part);

/* The extremal table, rounded so that every entry is what the next one starts from, and the V (times 2^32) that it costs.
 * `slack` and `total` stay unused of every step and of the moment. `table` has room for FUMATA_TABLE_MAX entries. Returns
 * 0, or -1 if there is no such table. */
int plan_meter_table(const struct plan_budget *budget, uint32_t alpha, double part, double slack, double total,
                     uint64_t *table, uint32_t *size, uint64_t *v);

#endif
