/* Plans of the toll made to measure (MECHANISM section 7): the search for the table that names the winner most. */
#ifndef PLAN_PLAN_TOLL_H
#define PLAN_PLAN_TOLL_H

#include "plan/mechanism.h"

extern const struct mechanism plan_toll_mechanism;

/* The int functions return an exit code (error.h); a failure has printed its line and left the box empty. */

/* The best certified plan for target->answers; `aim` NULL means the usual one. */
int plan_toll_make(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* The distance (with a fraction) at which the best table would bring naming the loser down to `miss` if no certificate had
 * to be paid for; nothing is built. Infinite if there is no such table. */
double plan_toll_reach(const struct plan_target *target, double miss);

/* The same without a check of the target, and nothing is printed: -1 when nothing could be certified. */
int plan_toll_find(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

/* ---- for tables that come from elsewhere, stand beside a meter's or serve a poll (plan_gauss.c, plan_both.c, plan_poll.c) ---- */

/* ln of the smallest U with which these entries keep Theorem T's line at the order alpha. */
double plan_toll_log_u(const uint64_t *named, uint32_t size, double alpha);

/* The distance, or the average, that an aim asks for, of the extremal table at (alpha, ln U). */
double plan_toll_cost(const struct plan_aim *aim, double alpha, double log_u);

/* The extremal table, rounded so that every entry is what the next one starts from, and U (times 2^32), rounded down.
 * `slack` stays unused of every step. `table` has room for FUMATA_TABLE_MAX entries. 0, or -1 if there is no such table. */
int plan_toll_table(uint32_t alpha, double log_u, double slack, uint64_t *table, uint32_t *size, uint64_t *u);

/* The probability that a query at this distance is answered with the loser (mechanism.h). */
double plan_toll_loser(const struct plan_box *box, uint32_t distance);

#endif
