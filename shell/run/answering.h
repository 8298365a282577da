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
  /* what was asked for */
  int kind; /* an enum plan_kind; ANSWERING_OPEN: not given */
  const char *candidates_path;
  int json;
  /* what becomes of it */
  const struct classes *names;
  struct session session;
  FILE *out;
  struct session_pair *pairs; /* candidates of each query; 0, 0 of one that is the meter's */
  size_t candidates, room;    /* how many there are */
  int has_run_out;            /* there were more queries than candidates */
  char *text;                 /* a line without its id for each class, then for a silence, one after the other, ... */
  size_t *start;              /* ... where each begins, ... */
  size_t before_id;           /* ... and how many bytes of it stand before the id */
  uint64_t id;                /* of the next query */
  struct questions before;    /* what an earlier run of the same command was answered */
  uint64_t recalled;          /* how many of the first queries have an answer there, in their order */
};
#define ANSWERING_OPEN (-1)

void answering_free(struct answering *answering);

/* A class's name, quoted where CSV asks for it, or `silent` for NULL. */
void answering_print(FILE *stream, const char *name);

/* Each returns an exit code (error.h). */

/* What a line may say; `names` must outlive the answering. */
int answering_name(struct answering *answering, const struct classes *names);

/* Reads the candidates: what the queries ask, and whether the plan pays for that; before anything is spent. They must be for `queries` of them,
 * which `path` has; UINT64_MAX: not known. */
int answering_settle(struct answering *answering, const struct plan_box *plan, const char *path, uint64_t queries);

/* Describes the session that is about to begin: who is asked what. The caller has begun `before` with the files of the queries. An
 * earlier run's answers to the same are taken up. *again as questions_recall has it. */
int answering_recall(struct answering *answering, const struct plan_box *plan, int *again);

/* One batch of ballots; of those that were answered before the ballot is not looked at. *open = 0 when the budget has closed, or the candidates have run out. */
int answering_batch(struct answering *answering, const struct votes *votes, int *open);

#endif
