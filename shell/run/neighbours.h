/* `fumata learn` by poll: the private records are the voters, and those near a public point are asked (gate/poll_session.h). The
 * private side is the crowd and the session; the questions come from public rows and released answers alone (learn/polling.h). */
#ifndef RUN_NEIGHBOURS_H
#define RUN_NEIGHBOURS_H

#include "gate/poll_session.h"
#include "learn/polling.h"
#include "run/budget.h"
#include "run/learning.h"
#include "run/parts.h"

struct neighbours {
  /* what was asked for */
  int aim; /* an enum polling_aim */
  /* what becomes of it */
  struct places places;
  struct polling polling;
  struct crowd crowd;
  struct poll_session session;
  size_t *order;      /* of the crowd's records, which private row each is; NULL: in the order of the file */
  struct parts parts; /* of several ranks: what this one has, whose order is the one above */
  uint64_t questions; /* that were answered; of these by an earlier run: */
  uint64_t recalled;
  struct polling_lesson lesson; /* labels of public rows that the answers come to */
};

void neighbours_free(struct neighbours *neighbours);

/* Each int is an exit code (error.h). */

/* Loads test, public and private rows, these in the order of their files; of several ranks each its own private ones. */
int neighbours_load(struct neighbours *neighbours, struct learning *learning, struct teachers *teachers);

/* Which records the uses of a poll will belong to: those of the file, grouped as they are. What cannot be read twice is like
 * nothing that comes later. Goes into budget->data. */
int neighbours_identify(const struct teachers *teachers, const struct ledger *ledger, struct coins *coins,
                        uint8_t value[DIGEST_SIZE]);

/* Places, crowd and session: the plan begins or goes on. */
int neighbours_begin(struct neighbours *neighbours, const struct learning *learning, struct teachers *teachers,
                     const struct budget *budget, struct ledger *ledger, struct coins *coins);

/* Asks round after round until nothing is left to ask. */
int neighbours_ask(struct neighbours *neighbours, struct teachers *teachers);

/* The student that learns from the answers, and what it is worth. */
int neighbours_finish(struct neighbours *neighbours, struct learning *learning);

/* The crowd of the private rows that this process has. */
int neighbours_crowd(struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd);

/* The student has changed: its part of the places is made again. */
int neighbours_sharpen(const struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd);

/* The units of the rows, in the order in which each comes first; the records of one stand together, in their order: order[k] is the
 * row of record k, first[u] the first record of unit u (as crowd.h says), *units how many there are. All three have room. */
int neighbours_group(const uint64_t *unit, size_t count, size_t *order, uint32_t *first, uint32_t *units);

/* The place of each row, as the rule is now; `whole`: not only what the student changes. order NULL: as they are. */
int neighbours_place(const struct places *places, const struct rows *rows, const size_t *order, int whole,
                     fumata_points *points);

#endif
