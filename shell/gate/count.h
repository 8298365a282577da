/* A number about the private data, released once with noise: what the planner may know. It is paid for before it is drawn, and in
 * the ledger before it is shown: so one that was paid for and is not there was not shown, and is drawn without a second
 * payment by whoever comes after the crash. */
#ifndef GATE_COUNT_H
#define GATE_COUNT_H

#include "core/count.h"
#include "gate/coins.h"
#include "gate/ledger.h"
#include "gate/process.h"
#include "plan/plan_count.h"

/* Zeroed: nothing is paid for, and nothing is released. */
struct count {
  struct ledger *ledger;
  fumata_counter counter;
  struct process owner;
};

/* Charges what the noise is certified for, unless a process has paid for the same and died before the count was kept; then
 * certifies the noise again. `what` is its name in the ledger and in messages. The noise must outlive the count. Exit code
 * (error.h). */
int count_pay(struct count *count, const struct plan_count *noise, struct ledger *ledger, const char *what);
int count_is_paid(const struct plan_count *noise, const struct ledger *ledger, const char *what);

/* The value with noise, once and only in the process that paid; what is below 1 is 1. The ledger keeps it by the name `of`, where
 * ledger_count finds it. One unit changes the value by at most what the noise was made for. Exit code (error.h). */
int count_release(struct count *count, struct coins *coins, const char *what, const char *of, uint64_t value,
                  uint64_t *noisy);

#endif
