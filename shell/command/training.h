/* What `learn` and `answer` have in common: options, private rows, a plan and teachers trained. */
#ifndef COMMAND_TRAINING_H
#define COMMAND_TRAINING_H

#include "base/votes.h"
#include "command/options.h"
#include "core/fumata.h"
#include "data/encoding.h"
#include "data/reader.h"
#include "data/rows.h"
#include "gate/partition.h"
#include "gate/session.h"
#include "learn/ensemble.h"
#include "plan/plan_meter.h"

struct training {
  /* what was asked for */
  struct encoding_request request;
  const char *private_path, *plan_path, *learner_text, *key_path;
  uint32_t teachers;         /* 0: not given */
  uint32_t first, last;      /* only teachers first .. last - 1 are trained here; last 0: all */
  int is_halved;             /* only half 0 of the units teaches (partition_half) */
  struct plan_target target; /* what was not given is 0 */
  struct session_options session;
  int raise_total, same_data_set, anyway;
  int is_answering; /* standard output belongs to the answers */
  uint32_t seconds; /* 0: not given */
  int verbose;
  uint64_t seed;
  int is_seeded;
  /* what becomes of it */
  char *ledger; /* the one beside the private file, if none was named */
  struct coins coins;
  struct partition partition;
  struct encoding encoding;
  struct learner learner;
  struct rows rows;  /* private */
  uint64_t surveyed; /* several ranks: so many private records there are ... */
  uint64_t *words;   /* ... and with named units the word of each */
  struct plan_box plan;
  struct ensemble ensemble;
};

/* Tables of options whose values go into a struct training. */
extern const struct options_row training_data[], training_teachers[], training_key[], training_budget[],
    training_answers[], training_tests[];

/* A schema, for the end of a command's help. */
extern const char training_schema_help[];

void training_init(struct training *training);
void training_free(struct training *training);

/* Each int below is an exit code (error.h). */

/* Reads the learner that `option` named, with --seconds and --unsafe-verbose. */
int training_learner(const struct training *training, const char *option, const char *text, struct learner *learner);

/* The operating system's coins, or those of --unsafe-seed. */
void training_coins(struct training *training);

/* Where no ledger was named, the one beside the private file. */
int training_ledger(struct training *training);

/* Takes the ledger, which must be the private file's; nothing is spent yet. */
int training_open(struct training *training, struct session *session);

/* Coins, key, classes, encoding, learner; then every private row: a bad cell is found before anything is spent. With several
 * ranks the rows are looked at and not kept (spread.h), unless all of them must be in one place: training_load_whole. */
int training_prepare(struct training *training);
int training_load(struct training *training);
int training_load_whole(struct training *training);

/* Marks, to be freed, of the rows that are in this half. */
int training_half(const struct training *training, uint32_t half, unsigned char **mark);

/* What other processes must have in common: the key, into a digest; and the private file, after it. `key` (or NULL) is the
 * digest between the two. */
int training_identify(const struct training *training, struct digest *key, struct digest *data);

/* The encoding as text, to be freed. */
int training_encoding(const struct training *training, char **text, size_t *size);

/* The plan of --plan or the planner's. It must protect, and so many teachers (0: not known) must be able to use it, unless
 * the operator insists. */
int training_plan(struct training *training, uint32_t teachers);

/* The same of a budget before there is a plan, with `more` epsilon beside it. */
int training_budget_check(const struct training *training, struct rational more);

/* What so many chunks of the half that does not teach get wrong (error_estimate.h), summed up: private. */
int training_examine(struct training *training, uint32_t chunks, uint32_t *sum);

/* Trains and forgets the rows. */
int training_teach(struct training *training);

/* Room for the teachers' votes on `count` queries; and what they vote on rows first .. first + count - 1. */
int training_room(const struct training *training, size_t count, void **room);
int training_vote(const struct training *training, const struct rows *rows, size_t first, size_t count, void *room,
                  struct votes *votes);

/* How the columns were read, from public cells alone: a column that was misread ruins every teacher without a word. On
 * standard output, or, where that belongs to answers, on stderr with --verbose; warnings go to stderr always. */
void training_tell_columns(const struct training *training);

/* Says on stderr, when coins are seeded, that nothing of this is private. */
void training_warn(const struct training *training);

#endif
