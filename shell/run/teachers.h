/* The private side of a run: records become rows, rows teachers, teachers votes. Everything here is private until the gate has
 * answered; what is asked of it comes from public data and options. */
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
  /* what was asked for */
  struct encoding_request request; /* what a record becomes: from public data alone */
  const char *path;                /* the private file */
  const char *learner_text, *key_path;
  uint32_t count;   /* 0: not given */
  uint32_t seconds; /* of an exec learner; 0: not given */
  int verbose;      /* its messages are shown */
  /* what the run decides */
  uint32_t first, last; /* only teachers first .. last - 1 are trained here; last 0: all */
  int is_halved;        /* only half 0 of the units teaches (partition_half) */
  /* what becomes of it */
  struct partition partition;
  struct encoding encoding;
  struct learner learner;
  struct rows rows;       /* private */
  uint64_t surveyed;      /* several ranks: how many private records there are ... */
  uint64_t *words;        /* ... and with named units the word of each */
  struct overlap records; /* what private records are compared with public ones by */
  struct ensemble ensemble;
};

/* What `learner_text` points to if --learner was not given. */
extern const char teachers_usual_learner[];

void teachers_init(struct teachers *teachers);
void teachers_free(struct teachers *teachers);

/* Each int below is an exit code (error.h). */

/* Reads the learner that `option` named, with --seconds and --unsafe-verbose. */
int teachers_learner(const struct teachers *teachers, const char *option, const char *text, struct learner *learner);

/* Key, classes, encoding, learner. The coins are for the key and for the words of records; they outlive the teachers. */
int teachers_prepare(struct teachers *teachers, struct coins *coins);

/* Public rows, encoded; without their labels. Where `overlap` is not NULL it gets what they are compared by. */
int teachers_load_public(const struct teachers *teachers, const char *path, struct rows *rows, struct overlap *overlap);

/* Every private row: a bad cell is found before anything is spent. With several ranks the rows are looked at and not kept
 * (spread_survey), unless all of them must be in one place: teachers_load_whole. */
int teachers_load(struct teachers *teachers);
int teachers_load_whole(struct teachers *teachers);

/* Refuses the file that `option` gave, if its records and the private ones, which are loaded, have more in common than chance gives.
 * A line about private data, as that on a wrong cell is. */
int teachers_apart(struct teachers *teachers, struct overlap *records, const char *option, const char *path);

/* How many units there are, each by its word; a record that is its own unit counts as one. Private. */
int teachers_units(const struct teachers *teachers, uint64_t *units);

/* Marks, to be freed, of the rows that are in this half. */
int teachers_half(const struct teachers *teachers, uint32_t half, unsigned char **mark);

/* What other processes must have in common: the key, into a digest; and the private file, after it. `key` (or NULL) is the
 * digest between the two. And the encoding as text, to be freed. */
int teachers_identify(const struct teachers *teachers, struct digest *key, struct digest *data);
int teachers_encoding(const struct teachers *teachers, char **text, size_t *size);

/* What `chunks` chunks of the half that does not teach get wrong (error_estimate.h), summed up: private. */
int teachers_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum);

/* Trains and forgets the rows. */
int teachers_teach(struct teachers *teachers);

/* Room for the votes on `count` queries; and what is voted on rows first .. first + count - 1. */
int teachers_room(const struct teachers *teachers, size_t count, void **room);
int teachers_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                  struct votes *votes);

/* ---- spread.c: several ranks of one run (learn/ranks.h) ----
 *
 * Each rank reads the private file, keeps the records of its own teachers, trains these and votes; how many teachers name
 * each class is added up at rank 0. Rank 0 alone has the plan, the ledger, the session, the student and the output; the
 * others serve it until it ends. */

/* Rank 0 reads the private file once without keeping a record, and counts what the planner may ask about
 * (teachers->surveyed, teachers->words); the others make sure that they have the same file. */
int spread_survey(struct teachers *teachers);

/* Are there as many chunks, which are called `what`, as ranks? 0 chunks: not known yet. */
int spread_check(uint32_t chunks, const char *what);

/* All ranks: teachers_examine, teachers_teach and teachers_vote; the bytes of room for a vote on `count` queries. */
int spread_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum);
int spread_teach(struct teachers *teachers);
size_t spread_room(const struct teachers *teachers, size_t count);
int spread_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                struct votes *votes);

/* Rank 0: an order of a poll follows (parts.h). */
int spread_poll(void);

/* What a rank above 0 does: obey until rank 0 ends. `code`: whether its own options were understood. */
int spread_serve(struct teachers *teachers, int code);

/* Rank 0 at the end, whatever came of it: the others may go. */
void spread_end(void);

#endif
