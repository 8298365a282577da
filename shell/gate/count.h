/* A number about the private data, released once with noise: what the planner may know. It is paid for before it is drawn. */
#ifndef GATE_COUNT_H
#define GATE_COUNT_H

#include "core/count.h"
#include "gate/coins.h"
#include "gate/ledger.h"
#include "gate/process.h"
#include "plan/plan_count.h"

/* Zeroed: nothing is paid for, and nothing is released. */
struct count {
  fumata_counter counter;
  struct process owner;
};

/* Charges what the noise is certified for, then certifies it again; `what` is its name in the ledger and in messages. The
 * noise must outlive the count. Exit code (error.h). */
int count_pay(struct count *count, const struct plan_count *noise, struct ledger *ledger, const char *what);

/* The value with noise, once and only in the process that paid. One unit changes the value by at most what the noise was made
 * for. Exit code (error.h). */
int count_release(struct count *count, struct coins *coins, const char *what, uint64_t value, int64_t *noisy);

#endif
