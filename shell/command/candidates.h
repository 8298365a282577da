/* A file of candidates: between which two classes the toll is to choose, query by query. It is public, and must not have
 * been made by looking at the teachers' votes.
 *
 * CSV with the header `first,second`, also gzip'ed; one row a query, in the order of the queries: two declared classes, in
 * either order, or two empty cells, which leave the query to the meter. */
#ifndef COMMAND_CANDIDATES_H
#define COMMAND_CANDIDATES_H

#include "data/classes.h"
#include "gate/session.h"
#include "plan/plan.h"

struct candidates {
  struct session_pair *pairs; /* 0, 0 of a query that is the meter's */
  size_t count, room;
  struct plan_quota asked; /* queries of either kind, counted up to UINT32_MAX */
};

/* Exit code (error.h); free also after an error. */
int candidates_load(struct candidates *candidates, const char *path, const struct classes *classes);
void candidates_free(struct candidates *candidates);

/* The kind of query `at`, and how many of the next `most` ones, that one included, are of the same kind. */
enum plan_kind candidates_kind(const struct candidates *candidates, size_t at);
size_t candidates_alike(const struct candidates *candidates, size_t at, size_t most);

#endif
