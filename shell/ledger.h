/* The ledger: what a private data set has spent, on disk before it is spent (MECHANISM section 5).
 *
 * One file per private data set, an SQLite database with one table of rows that is only ever appended to; each
 * row carries the SHA-256 of itself and of the row before it. While a process is at work, and after a crash, two files
 * belong to it, FILE-wal and FILE-mark; the next open takes them in, and without them a crashed ledger is refused.
 *
 * A process that answers holds the file alone from open to shut; a second one is told that it is in use. So the core's
 * state has one owner and two processes can never spend the same silence. A process that forks leaves the ledger to the
 * parent. Nobody removes a ledger by its path: another may be at work on it.
 *
 * How a program answers (every call returns an exit code of say.h and has printed its line when that is not 0; after a
 * failed write the ledger is broken, and later calls fail without a second line):
 *
 *   fumata_ledger_terms_meter(&plan, &claim, &terms);
 *   fumata_ledger_open(&ledger, path, &options);          makes the file when there is none
 *   fumata_ledger_begin(&ledger, &terms, again, &left);   before any training; resumes the plan if it has begun
 *   fumata_meter_resume(&meter, &plan, &claim, left);
 *   for each query:
 *     if (!meter.reserved) {
 *       if (meter.left == 0) break;                       the budget is spent
 *       fflush(answers);                                  what was released is out before the disk is asked again
 *       fumata_ledger_reserve_meter(&ledger, &meter);     durable on return
 *     }
 *     ... only now look at the query's votes; fumata_meter_answer(&meter, &verdict, coin, &answer);
 *     write the answer; fumata_ledger_record(&ledger, answer);
 *   fumata_ledger_finish_meter(&ledger, &meter);          flush first; gives an unused reservation back
 *   fumata_ledger_shut(&ledger);                          always, also after an error
 *
 * What a row means. A reservation pays for one stretch: any number of labels, then at most one silence. The row
 * `reserve` is durable before the stretch's first query is looked at. How many answers a stretch gave, and the digest
 * of the session's answers so far, are written with the session's next row (`reserve` or `close`): no write per answer.
 * So after a crash, of the answers that were released,
 *   - those of every stretch but the last are counted and digested in a row;
 *   - those of the last stretch are paid for by its `reserve` row, and hold at most one silence;
 *   - a stretch whose row did not become durable has no answers.
 * A crash therefore loses at most one silence of the budget and releases none that is not paid for.
 * The digest of answers is the SHA-256 of what fumata_ledger_encode makes of each.
 *
 * What a failing disk tells. The disk is asked only between queries: at a session's start, after a silence that is
 * already released (hence the fflush), and at the end. Whether it fails then depends on nothing but the released
 * answers and the disk; the query that waits has not been looked at, and the line printed is the same for all.
 *
 * Not here: a ledger put back from an older copy is consistent in itself. Keep the head (fumata_ledger_head) with the
 * results; `fumata ledger verify --head` says whether a file still contains it. */
#ifndef FUMATA_LEDGER_H
#define FUMATA_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "classic.h"
#include "digest.h"
#include "meter.h"
#include "rational.h"

#define FUMATA_LEDGER_VERSION 1
#define FUMATA_LEDGER_TIME    21u /* "2026-01-31T12:00:00Z" with its end */

typedef enum { FUMATA_LEDGER_METER = 1, FUMATA_LEDGER_CLASSIC = 2 } fumata_ledger_mechanism;

/* What a plan costs and what it is called; made by fumata_ledger_terms_*. */
typedef struct {
  fumata_ledger_mechanism mechanism;
  uint32_t limit; /* T */
  fumata_rational epsilon, delta;
  uint8_t digest[FUMATA_DIGEST_SIZE]; /* of the plan's tables and the claim */
} fumata_ledger_terms;

/* A plan as the rows tell it. */
typedef struct {
  uint64_t number; /* 1, 2, ... in the order of beginning */
  fumata_ledger_terms terms;
  char begun[FUMATA_LEDGER_TIME];
  uint32_t left;             /* silences that may still be reserved: the core's state */
  uint32_t reserved;         /* 1: the last reservation is neither used up nor given back */
  uint64_t labels, silences; /* answers that a row counts */
  uint64_t sessions;
  uint64_t unclosed; /* sessions that ended without a `close` row */
} fumata_ledger_plan;

/* One row. Numbers below 0 and null pointers are absent. `mark` is 32 bytes: at `made` random, so that no two ledgers
 * begin alike; at `plan` the plan's digest; at `reserve` and `close` the digest of the session's answers. */
typedef struct {
  uint64_t number;
  const char *time;
  const char *kind; /* made, plan, resume, reserve, close, charge */
  int64_t plan, left, labels, silences;
  const char *epsilon, *delta; /* "num/den" */
  const char *note;
  const uint8_t *mark;
} fumata_ledger_row;

/* How to open. Zeroed: an existing ledger, for answering. */
typedef struct {
  int make;                      /* 1: make the file when there is none; shut removes it again if it was not used */
  int keep;                      /* 1: but not that */
  int look;                      /* 1: only read (show, verify) */
  const char *name;              /* of the data set, kept in a new ledger; may be NULL */
  fumata_rational total_epsilon; /* ceilings of a new ledger, which an old one must have too; */
  fumata_rational total_delta;   /* den 0: not given */
  const uint8_t *milestone;      /* the digest of a row to look for, 32 bytes; may be NULL */
} fumata_ledger_options;

typedef struct {
  void *file; /* sqlite3 */
  char *path;
  char *name;
  char made[FUMATA_LEDGER_TIME];
  int broken; /* a write failed: nothing more may be written */
  int look;
  int is_new;
  int armed, mark; /* 1: at work, and the descriptor of FILE-mark */
  int reached;     /* 1: the milestone was found */
  uint64_t rows;
  uint8_t head[FUMATA_DIGEST_SIZE]; /* of the last row */
  fumata_rational total_epsilon, total_delta;
  fumata_rational spent_epsilon, spent_delta; /* plans begun and charges, added up */
  fumata_ledger_plan *plans;
  size_t plan_count;
  fumata_ledger_plan *current; /* begun by this process */
  uint64_t charges;            /* rows of fumata_ledger_charge */
  uint64_t labels, silences;   /* since the session's last row */
  fumata_digest answers;       /* of this session */
} fumata_ledger;

/* What a plan is called: SHA-256 over its mechanism, its tables, T and the claim. */
void fumata_ledger_terms_meter(const fumata_meter_plan *plan, const fumata_claim *claim, fumata_ledger_terms *terms);
void fumata_ledger_terms_classic(const fumata_classic_plan *plan, const fumata_claim *claim,
                                 fumata_ledger_terms *terms);

/* Open, lock and check the whole file: SQLite's integrity, the schema, the chain, that each row may follow the one
 * before. Refuses what is damaged, cut short, read-only, in use or of another version. Shut it even after an error. */
int fumata_ledger_open(fumata_ledger *ledger, const char *path, const fumata_ledger_options *options);

/* Would (epsilon, delta) more fit under the ceilings? Writes nothing. A rational of den 0 counts as zero. */
int fumata_ledger_afford(const fumata_ledger *ledger, fumata_rational epsilon, fumata_rational delta);

/* Spend (epsilon, delta) on something that is not a plan, before doing it: `what` is a word or two, public. */
int fumata_ledger_charge(fumata_ledger *ledger, const char *what, fumata_rational epsilon, fumata_rational delta);

/* Begin the plan, or resume it when one of the same terms has begun and is not spent. A spent one is refused, unless
 * `again` is 1: then the plan begins anew and costs its (epsilon, delta) anew. */
int fumata_ledger_begin(fumata_ledger *ledger, const fumata_ledger_terms *terms, int again, uint32_t *left);

/* Reserve in the core and on disk. On failure the core's state is as before, so that it cannot answer. */
int fumata_ledger_reserve_meter(fumata_ledger *ledger, fumata_meter *meter);
int fumata_ledger_reserve_classic(fumata_ledger *ledger, fumata_classic *classic, uint64_t coin);

/* Count an answer that was just written (a label or FUMATA_SILENT). No disk is touched, nothing can fail. */
void fumata_ledger_record(fumata_ledger *ledger, int32_t answer);

/* An answer as it enters the digest: 0xff for a silence, a label below 0xfe as one byte, else 0xfe and two bytes, the
 * low one first. Returns how many. */
size_t fumata_ledger_encode(int32_t answer, uint8_t bytes[3]);

/* Close the core's state and write the session's last row. When this fails the open reservation is lost. */
int fumata_ledger_finish_meter(fumata_ledger *ledger, fumata_meter *meter);
int fumata_ledger_finish_classic(fumata_ledger *ledger, fumata_classic *classic);

/* Let go of the file. Without a finish before it this counts as a crash. */
void fumata_ledger_shut(fumata_ledger *ledger);

/* The last row's digest as text: what to keep with the results. */
void fumata_ledger_head(const fumata_ledger *ledger, char text[FUMATA_DIGEST_TEXT]);

/* Show every row, the first one first, to `visit`. */
int fumata_ledger_visit(fumata_ledger *ledger, void (*visit)(void *context, const fumata_ledger_row *row),
                        void *context);

#endif
