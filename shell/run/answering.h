/* Ballots in, one line each out, by the meter or the toll: which kind a query is, and how its answer is written. The gate
 * decides what is answered (gate/session.h).
 *
 * Candidates are the two classes between which the toll decides, query by query. They are public, and must not have been made
 * by looking at the teachers' votes. Their file is CSV with the header `first,second`, also gzip'ed; one row a query, in the
 * order of the queries: two declared classes, in either order, or two empty cells, which leave the query to the meter. */
#ifndef RUN_ANSWERING_H
#define RUN_ANSWERING_H

#include <stdio.h>

#include "data/classes.h"
#include "gate/session.h"
#include "run/questions.h"

struct answering {
  /* requested */
  int kind; /* an enum plan_kind; ANSWERING_OPEN: not given */
  const char *candidates_path;
  int json;
  /* made by the run */
  const struct classes *names;
  struct session session;
  FILE *out;
  struct session_pair *pairs; /* candidates of each query; 0, 0 where the meter answers */
  size_t candidates, room;    /* how many of them */
  int has_run_out;            /* there were more queries than candidates */
  char *text;                 /* a line without its id for each class, then for a silence, one after the other, ... */
  size_t *start;              /* ... where each begins, ... */
  size_t before_id;           /* ... and how many bytes of it stand before the id */
  uint64_t id;                /* id of the next query */
  struct questions before;    /* what an earlier run of the same command was answered */
  uint64_t recalled;          /* how many of the first queries `before` answers, in their order */
};
#define ANSWERING_OPEN (-1)

void answering_free(struct answering *answering);

/* A class's name, quoted where CSV asks for it, or `silent` for NULL. */
void answering_print(FILE *stream, const char *name);

/* Each returns an exit code (error.h). */

/* Prepares the lines; `names` must outlive the answering. */
int answering_name(struct answering *answering, const struct classes *names);

/* Before anything is spent, reads the candidates: what the queries ask, and whether the plan pays for that. There must be
 * one pair for each of the `queries` queries that `path` has; UINT64_MAX: not known. */
int answering_settle(struct answering *answering, const struct plan_box *plan, const char *path, uint64_t queries);

/* Describes the session that is about to begin: who is asked what. The caller has begun `before` with the files of the
 * queries. An earlier run's answers to the same queries are used again. *again is as in questions_recall. */
int answering_recall(struct answering *answering, const struct plan_box *plan, int *again);

/* Answers one batch of ballots; skips the ballots that were answered before. *open = 0 when the budget has closed, or the
 * candidates have run out. */
int answering_batch(struct answering *answering, const struct votes *votes, int *open);

#endif
