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
  /* requested */
  int aim; /* an enum polling_aim */
  /* made by the run */
  struct places places;
  struct polling polling;
  struct crowd crowd;
  struct poll_session session;
  size_t *order;      /* the private row of each record of the crowd; NULL: in the order of the file */
  struct parts parts; /* with several ranks: what this one has, in the order above */
  uint64_t questions; /* how many were answered, and how many of these by an earlier run */
  uint64_t recalled;
  struct polling_lesson lesson; /* the labels of public rows that follow from the answers */
};

void neighbours_free(struct neighbours *neighbours);

/* Each int is an exit code (error.h). */

/* Loads test, public and private rows, these in the order of their files; with several ranks each loads its own private
 * ones. */
int neighbours_load(struct neighbours *neighbours, struct learning *learning, struct teachers *teachers);

/* Adds to budget->data which records the uses of a poll will belong to: those of the file, grouped into units as they are.
 * A file that cannot be read twice is never the same as a later one. */
int neighbours_identify(const struct teachers *teachers, const struct ledger *ledger, struct coins *coins,
                        uint8_t value[DIGEST_SIZE]);

/* Makes places, crowd and session: the plan begins or goes on. */
int neighbours_begin(struct neighbours *neighbours, const struct learning *learning, struct teachers *teachers,
                     const struct budget *budget, struct ledger *ledger, struct coins *coins);

/* Asks round after round until all is asked. */
int neighbours_ask(struct neighbours *neighbours, struct teachers *teachers);

/* The student that learns from the answers, and how good it is. */
int neighbours_finish(struct neighbours *neighbours, struct learning *learning);

/* The crowd of the private rows that this process has. */
int neighbours_crowd(struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd);

/* The student has changed: makes its part of the places again. */
int neighbours_sharpen(const struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd);

/* Groups rows into units, in the order in which the units first appear; the records of a unit stand together, in their
 * order. order[k] is the row of record k, first[u] the first record of unit u (as in crowd.h), *units the number of units.
 * All three have room. */
int neighbours_group(const uint64_t *unit, size_t count, size_t *order, uint32_t *first, uint32_t *units);

/* Makes the place of each row by the current rule; `whole`: not only the part that the student changes. order NULL: rows
 * in their own order. */
int neighbours_place(const struct places *places, const struct rows *rows, const size_t *order, int whole,
                     fumata_points *points);

#endif
