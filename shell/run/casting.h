/* One share of the teachers votes, on one of several machines: what the votes are of, and the two files they become
 * (data/share.h). No ledger is touched here and nothing is released: votes are private. */
#ifndef RUN_CASTING_H
#define RUN_CASTING_H

#include "data/share.h"
#include "run/teachers.h"

struct casting {
  struct teachers *teachers;
  struct share share;
  const char *queries_path; /* the pool */
  const char *rows_path;    /* only these rows of the pool; NULL: all */
  const char *output_path;
  int anyway; /* go on even if public records seem to be private ones */
  struct rows pool;
  struct overlap records; /* what the pool's records and the private ones are compared by */
};

/* Each returns an exit code (error.h). */

/* Takes prepared teachers and writes PRIVATE files: the share's teachers learn and vote on the pool. */
int casting_run(struct casting *casting);

/* Reads a list of records to vote on: one number a line, counted from 0, each below `records`; to be freed. The list is
 * public, like the records. An empty list is refused. */
int casting_read_rows(const char *path, size_t records, size_t **row, size_t *count);

#endif
