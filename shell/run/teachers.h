/* The private side of a run: records become rows, rows teachers, teachers votes. Everything here is private until the gate
 * has answered; the questions come from public data and options. */
#ifndef RUN_TEACHERS_H
#define RUN_TEACHERS_H

#include "base/digest.h"
#include "base/votes.h"
#include "data/encoding.h"
#include "data/overlap.h"
#include "data/reader.h"
#include "gate/partition.h"
#include "learn/ensemble.h"

struct teachers {
  /* requested */
  struct encoding_request request; /* how to encode a record: from public data alone */
  const char *path;                /* the private file */
  const char *learner_text, *key_path;
  uint32_t count;   /* 0: not given */
  uint32_t seconds; /* of an exec learner; 0: not given */
  int verbose;      /* its messages are shown */
  /* decided by the run */
  uint32_t first, last; /* only teachers first .. last - 1 are trained here; last 0: all */
  int is_halved;        /* only half 0 of the units teaches (partition_half) */
  /* made by the run */
  struct partition partition;
  struct encoding encoding;
  struct learner learner;
  struct rows rows;       /* private */
  uint64_t surveyed;      /* several ranks: the number of private records ... */
  uint64_t *words;        /* ... and with named units the word of each */
  struct overlap records; /* what private records are compared with public ones by */
  struct ensemble ensemble;
};

/* `learner_text` points to this if --learner was not given. */
extern const char teachers_usual_learner[];

void teachers_init(struct teachers *teachers);
void teachers_free(struct teachers *teachers);

/* Each int below is an exit code (error.h). */

/* Reads the learner that `option` named, with --seconds and --unsafe-verbose. */
int teachers_learner(const struct teachers *teachers, const char *option, const char *text, struct learner *learner);

/* Makes key, classes, encoding and learner. The coins are for the key and for the words of records; they outlive the
 * teachers. */
int teachers_prepare(struct teachers *teachers, struct coins *coins);

/* Loads public rows, encoded, without their labels. If `overlap` is not NULL, it gets what they are compared by. */
int teachers_load_public(const struct teachers *teachers, const char *path, struct rows *rows, struct overlap *overlap);

/* Loads all private rows: a bad cell is found before anything is spent. With several ranks the rows are read and not kept
 * (spread_survey), unless all of them must be in one process: teachers_load_whole. */
int teachers_load(struct teachers *teachers);
int teachers_load_whole(struct teachers *teachers);

/* Refuses the file that `option` gave, if its records and the private ones, which are loaded, have more in common than
 * chance gives. Its line is about private data, like the line about a wrong cell. */
int teachers_apart(struct teachers *teachers, struct overlap *records, const char *option, const char *path);

/* Counts units, each by its word; a record that is its own unit counts as one. Private. */
int teachers_units(const struct teachers *teachers, uint64_t *units);

/* Marks, to be freed, of the rows that are in this half. */
int teachers_half(const struct teachers *teachers, uint32_t half, unsigned char **mark);

/* Adds what all processes must have in common to a digest: the key, and then the private file. `key` (or NULL) gets the
 * digest between the two. Also returns the encoding as text, to be freed. */
int teachers_identify(const struct teachers *teachers, struct digest *key, struct digest *data);
int teachers_encoding(const struct teachers *teachers, char **text, size_t *size);

/* Adds up the errors of `chunks` chunks of the half that does not teach (error_estimate.h): private. */
int teachers_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum);

/* Trains the teachers and frees the rows. */
int teachers_teach(struct teachers *teachers);

/* Makes room for the votes on `count` queries; votes on rows first .. first + count - 1. */
int teachers_room(const struct teachers *teachers, size_t count, void **room);
int teachers_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                  struct votes *votes);

/* ---- spread.c: several ranks of one run (learn/ranks.h) ----
 *
 * Each rank reads the private file, keeps the records of its own teachers, trains these and votes; rank 0 adds up how many
 * teachers name each class. Only rank 0 has the plan, the ledger, the session, the student and the output; the others
 * serve it until it ends. */

/* Rank 0 reads the private file once without keeping a record, and counts what the planner may need (teachers->surveyed,
 * teachers->words); the others check that they have the same file. */
int spread_survey(struct teachers *teachers);

/* Are there at least as many chunks, named `what`, as ranks? 0 chunks: not known yet. */
int spread_check(uint32_t chunks, const char *what);

/* On all ranks: teachers_examine, teachers_teach and teachers_vote; and the bytes of room for a vote on `count` queries. */
int spread_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum);
int spread_teach(struct teachers *teachers);
size_t spread_room(const struct teachers *teachers, size_t count);
int spread_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                struct votes *votes);

/* Rank 0 announces an order of a poll (parts.h). */
int spread_poll(void);

/* A rank above 0 obeys until rank 0 ends. `code`: whether its own options were understood. */
int spread_serve(struct teachers *teachers, int code);

/* Rank 0 at the end, after success or failure: the other ranks may end. */
void spread_end(void);

#endif
