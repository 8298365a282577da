/* What ballots say, one after the other: tallied when asked for, or ahead of that on other cores.
 *
 * Looking ahead is harmless. A verdict is a function of votes that lie in this process already, and of nothing else; it
 * stays in memory that this file alone reads until session.c asks for it, which is after the query's price is on disk; and
 * it decides nothing before: how far ahead is looked, by how many threads, and which ballots a thread takes follow from sizes
 * and from how fast threads are, never from what a ballot says. When the budget closes, or an error ends the batch, what was
 * looked at ahead is freed unread. Coins are drawn elsewhere, in the order of the queries, so that the answers are those of
 * one core. What a clock can tell is a matter of TRUST 10. */
#ifndef GATE_VERDICTS_H
#define GATE_VERDICTS_H

#include "base/memory.h"
#include "base/threads.h"
#include "base/votes.h"
#include "core/ballot.h"
#include "plan/plan.h"

#define VERDICTS_SLOTS 32u /* blocks of verdicts that are waiting to be asked for, at most */

/* Queries of one kind. */
struct verdicts_batch {
  enum plan_kind kind;
  uint32_t classes;
  const struct votes *votes;
  const struct session_pair *pairs; /* NULL: classes 0 and 1 */
};

/* Of a ballot, to the machine that is asked; only if the status is FUMATA_OK. */
struct verdicts_one {
  fumata_status status;
  union {
    fumata_verdict label; /* the meter */
    fumata_duel duel;     /* the toll */
  } says;
};

/* Blocks of queries, claimed in their order by whoever is free and taken in their order by the one that answers: block b
 * has slot b % VERDICTS_SLOTS from its claim until it is given up. Each part has cache lines of its own, so that no thread waits
 * for a line that another thread writes. */
struct verdicts {
  /* only read, once there are threads */
  const struct verdicts_batch *batch;
  uint32_t *counts;          /* a row for each thread ... */
  size_t row;                /* ... and how many cells it has */
  struct verdicts_one *ring; /* NULL: one core */
  size_t size;               /* queries of a block */
  size_t blocks;             /* of the batch */

  /* of the thread that answers */
  _Alignas(MEMORY_LINE) size_t query; /* one core: the next one, and what the one before it said */
  struct verdicts_one one;
  const struct verdicts_one *next, *end; /* several: what is left of the block that is handed out */

  /* of who holds the lock */
  _Alignas(MEMORY_LINE) pthread_mutex_t lock;
  pthread_cond_t ready, room; /* the block that is waited for; slots that are free */
  size_t claimed, given_up;   /* how many blocks */
  char is_ready[VERDICTS_SLOTS];
  int is_over;

  struct threads threads;
};

/* `cores` 0: as many as the process may use and the batch is worth. Exit code (error.h); the batch stays where it is until
 * `verdicts_end`, which is called in any case. */
int verdicts_begin(struct verdicts *verdicts, const struct verdicts_batch *batch, unsigned cores);

/* The next query's; as often as the batch has queries. Valid until the next call. */
const struct verdicts_one *verdicts_next(struct verdicts *verdicts);

/* Ends the other threads, each after the block it is at. */
void verdicts_end(struct verdicts *verdicts);

#endif
