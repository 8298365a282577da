/* The ledger: what a private data set has spent, on disk before it is spent (MECHANISM section 5).
 *
 * One file per private data set, an SQLite database with one table of rows that is only ever appended to; each
 * row carries the SHA-256 of itself and of the row before it. FILE-key stays beside it (ledger_lock.h). While a process is at
 * work, and after a crash, two files more belong to it, FILE-wal and FILE-mark; the next open takes them in, and without them a
 * crashed ledger is refused. All of them are the owner's alone to read and to write, whatever the umask.
 *
 * A process that answers holds the file alone from open to shut; a second one is told that it is in use. So the core's
 * state has one owner and two processes can never spend the same silence. A forked process is refused: the ledger stays
 * with the parent. No process removes a ledger by its path: another may be at work on it.
 *
 * How a program answers (every call returns an exit code of error.h and has printed its line when that is not 0; after a
 * failed write the ledger is broken, and later calls fail without a second line):
 *
 *   plan_terms(&plan, &terms);
 *   ledger_open(&ledger, path, &options);          makes the file if it does not exist
 *   ledger_tie(&ledger, digest, 0);                where there is a private file: is it this ledger's?
 *   ledger_allow(&ledger, epsilon, delta, 0);      does all that this run may cost fit under the total?
 *   ledger_begin(&ledger, &terms, again, &left);   before any training; resumes the plan if it has begun
 *   ... a budget machine takes up `left`
 *   for each query:
 *     if nothing of its kind is reserved:
 *       if nothing of it is left, stop               the budget is spent
 *       fflush(answers);                             what was released is out before the disk is asked again
 *       ledger_reserve(&ledger, left less n);        durable on return; only now the machine's state changes
 *     journal_room(&ledger, 1);                    room for the answer is there before there is one
 *     ... only now answer the query
 *     journal_record(&ledger, &answer, 1);         before it is shown
 *     write the answer
 *   ledger_finish(&ledger, left);                  flush first; unused reservations are back in `left`
 *   ledger_shut(&ledger);                          always, also after an error
 *
 * (gate/machine.c and gate/session.c do it in this order.) The ledger keeps numbers; what they mean to a
 * mechanism is told by plan/.
 *
 * What a row means. A plan pays for silences, for answers of the toll, or for both; its rows say how many of each are left.
 * A row `reserve` takes n of one kind, none of which is reserved any more: n silences pay for a stretch with any number of
 * labels and at most n silences, n answers for n answers. It is durable before the first query that it pays for is
 * answered. What was answered since, how much of either kind that is, and the digest of the session's answers so far, are
 * written with the session's next row (`reserve`, `answers` or `close`), until when the answers lie in FILE-mark, unsynced. So
 * after a crash, of the answers that were released,
 *   - those before the session's last row are stored, counted and digested in a row;
 *   - those after it are paid for by the last `reserve` rows, one of either kind, and hold at most what these took; the next
 *     process takes them in as a row `found`;
 *   - what a row that did not become durable should have paid for was not asked.
 * A crash therefore loses at most what was reserved and not answered yet, and no answer unless the power goes; it releases
 * nothing that is not paid for. The digest of answers is the SHA-256 of what ledger_encode makes of each.
 *
 * What a failing disk tells. The disk is asked only between queries: at a session's start, after a silence or an answer that
 * is already released (hence the fflush), and at the end. Whether it fails then depends on nothing but the released
 * answers and the disk; the query that waits has no answer yet, and the line printed is the same for all. FILE-mark is written
 * after an answer is drawn, but the same number of bytes for any answer, into room that was taken before.
 *
 * Not here: a ledger put back from an older copy is consistent in itself. Keep the head (ledger_head) with the
 * results; `fumata ledger verify --head` says whether a file still contains it. */
#ifndef GATE_LEDGER_H
#define GATE_LEDGER_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/rational.h"
#include "gate/journal.h"
#include "gate/process.h"
#include "plan/plan.h"

#define LEDGER_VERSION 4   /* of the file; no other is read */
#define LEDGER_TIME    21u /* "2026-01-31T12:00:00Z" with its end */

/* A plan as the rows tell it. */
struct ledger_plan {
  uint64_t number; /* 1, 2, ... in the order of beginning */
  struct plan_terms terms;
  char begun[LEDGER_TIME];
  char *protects;                     /* what its claim is about */
  struct plan_quota left;             /* what may still be reserved: the core's state */
  struct plan_quota reserved;         /* of the last reservations: neither used, as far as rows tell, nor given back */
  uint64_t labels, silences, answers; /* what a row counts */
  uint64_t sessions;
  uint64_t unclosed; /* sessions that ended without a `close` row */
};

/* A number that was paid for, drawn with noise and kept. */
struct ledger_kept {
  char *what;
  uint64_t count;
};

/* One row. Numbers below 0 and null pointers are absent. `mark` is 32 bytes: at `made` random, so that no two ledgers
 * begin alike, and the salt of the data set's digest; at `data` that digest, of a file that the ledger belongs to; at
 * `plan` the plan's digest; at `reserve` and `close` the digest of the session's answers. Salt and data digest are
 * secret: with both one could try what is in the private file. A row `total` has the totals from there on. */
struct ledger_row {
  uint64_t number;
  const char *time; /* of `made` and `plan`; "-" in later rows, as how long queries took may tell of private records */
  const char *kind; /* made, data, total, plan, resume, reserve, answers, close, found, charge, count */
  int64_t plan, left, labels, silences; /* left: silences */
  int64_t answers_left, answers;        /* of a plan that has answers */
  const char *epsilon, *delta;          /* "num/den" */
  const char *note;
  const uint8_t *mark;
  const uint8_t *journal; /* the digest of the batch of answers that was written with it (journal.h) */
  const char
      *protects; /* of `plan`, `resume` and `charge`: what the claim is about, after "seeded " where coins were known */
};

/* How to open. Zeroed: an existing ledger, for answering. */
struct ledger_options {
  int make;                      /* 1: make the file when there is none; shut removes it again if it was not used */
  int keep;                      /* 1: but not that */
  int look;                      /* 1: only read (show, verify) */
  const char *name;              /* of the data set, kept in a new ledger; may be NULL */
  struct rational total_epsilon; /* ceilings of a new ledger, which an old one must have too; */
  struct rational total_delta;   /* den 0: not given (ledger_allow) */
  const uint8_t *milestone;      /* the digest of a row to look for, 32 bytes; may be NULL */
};

/* What stands at the end of a row, once it is written. */
struct ledger_pending {
  int data_count, has_total;
  uint8_t data[2][DIGEST_SIZE];   /* of the rows, and of labels in a file of their own */
  struct rational epsilon, delta; /* the new totals */
};

struct ledger {
  void *file;           /* sqlite3 */
  struct process owner; /* who opened the file; a forked process writes no row, and its shut leaves the file alone */
  char *path;
  char *name;
  char made[LEDGER_TIME];
  int broken; /* a write failed: nothing more may be written */
  int look;
  int is_new;
  int armed, mark;          /* 1: at work, and the descriptor of FILE-mark */
  int has_lock, lock;       /* the same of FILE-key, and of the lock on it */
  uint8_t key[DIGEST_SIZE]; /* what FILE-key has */
  int reached;              /* 1: the milestone was found */
  uint64_t rows;
  uint8_t head[DIGEST_SIZE]; /* of the last row */
  uint8_t salt[DIGEST_SIZE];
  uint8_t (*data)[DIGEST_SIZE]; /* digests of the files that it belongs to */
  size_t data_count, data_room;
  struct ledger_pending pending;
  struct rational total_epsilon, total_delta;
  struct rational spent_epsilon, spent_delta; /* plans begun and charges, added up */
  char *protects;                             /* what this run's claims are about (ledger_protect) */
  int is_seeded;                              /* and its coins are known */
  char *protected;                            /* what the first cost's claim is about; NULL before the first cost */
  int mixes;                                  /* others are about something else: the sum is not a claim */
  int was_seeded;                             /* coins of a release were known: nothing of it is private */
  struct ledger_plan *plans;
  size_t plan_count, plan_room;
  struct ledger_plan *current; /* begun by this process */
  uint64_t charges;            /* rows of ledger_charge */
  struct ledger_kept *kept;    /* counts of this version of the file, the last of each kind */
  size_t kept_count, kept_room;
  char *unreleased; /* what the last charge before the opening was for, if its count was not kept and so not shown */
  struct rational unreleased_epsilon, unreleased_delta;
  uint64_t labels, silences, answers; /* since the session's last row */
  struct digest answers_digest;       /* of this session */
  uint64_t asked; /* answers of this session; the number of the next question, unless the caller says it */
  struct journal journal;
};

/* Open, lock and check the whole file: SQLite's integrity, the schema, the chain, that each row may follow the one
 * before. Refuses what is damaged, cut short, read-only, in use or of another version. Shut it even after an error. */
int ledger_open(struct ledger *ledger, const char *path, const struct ledger_options *options);

/* Ties the ledger to a data set. ledger_salt begins a digest with the key of FILE-key, the caller adds the private file's bytes to it. A ledger
 * that belongs to other bytes is refused, unless `same` says that these are a new version of them; `what` names the
 * file in the message. Nothing is written before the run's first cost. */
void ledger_salt(const struct ledger *ledger, struct digest *digest);
int ledger_tie(struct ledger *ledger, const uint8_t digest[DIGEST_SIZE], const char *what, int same);

/* The same of a file, or "-"; parts of one file are one data set. What is not a plain file cannot be read twice: it needs
 * `same` where the ledger belongs to a file. */
int ledger_tie_file(struct ledger *ledger, const char *file, int same);

/* FILE.ledger beside the file (through symbolic links), to be freed. A place where none can be made, and what is not a plain
 * file, are refused with a line that asks for --ledger. */
int ledger_beside(const char *file, char **ledger);

/* Of which neighbours this run's claims are: "records", "labels", "units of COLUMN" or "votes"; seeded: its coins are known. A plan
 * is resumed for the same neighbours only, and claims about different ones have no sum: a ledger that has others is refused, unless
 * `mixes` says that this is meant. Once after the opening; without it they are "votes". */
#define LEDGER_VOTES "votes"
int ledger_protect(struct ledger *ledger, const char *protects, int is_seeded, int mixes);

/* A run is about to spend up to (epsilon, delta) in all. The first one sets the totals that the ledger was not made
 * with; one that would pass a total is refused, unless `raise` is 1: then the total becomes what it takes. Nothing is
 * written before the run's first cost. For a run that is a plan alone, which may go on where it stopped and then costs
 * nothing, and which ledger_begin may refuse, there is the second function. */
int ledger_allow(struct ledger *ledger, struct rational epsilon, struct rational delta, int raise);
int ledger_allow_plan(struct ledger *ledger, const struct plan_terms *terms, int again, int raise);

/* Would (epsilon, delta) more fit under the ceilings? Writes nothing. A rational of den 0 counts as zero. */
int ledger_afford(const struct ledger *ledger, struct rational epsilon, struct rational delta);

/* Spend (epsilon, delta) on something that is not a plan, before doing it: `what` is a word or two, public. */
int ledger_charge(struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta);

/* 1: (epsilon, delta) was spent on `what`, for the same neighbours and version of the file, by a process that died before it kept
 * the count. A count is shown after it is kept, so that one was not shown: it need not be paid for again. The second
 * function says the same, and takes the charge for a count of this process: once. */
int ledger_is_charged(const struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta);
int ledger_take_charge(struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta);

/* Keeps a noisy count (1 or more) that was charged, before it is shown, so that a later run on the same file knows it for
 * nothing: a released number may be used again. `what` says what was counted; 0: there is none of that, or the file is another. */
int ledger_keep_count(struct ledger *ledger, const char *what, uint64_t count);
uint64_t ledger_count(const struct ledger *ledger, const char *what);

/* Begin the plan, or resume it when one of the same terms has begun and is not spent. A spent one is refused, unless
 * `again` is LEDGER_AGAIN: then the plan begins anew and costs its (epsilon, delta) anew; or LEDGER_SPENT: then it is resumed with
 * nothing left. A poll is never spent: it is resumed unless `again` is LEDGER_AGAIN. ledger_resumes says which plan that would be,
 * by its number; 0: none. And ledger_last_poll which poll it might be, as long as only its cost is known. */
enum ledger_again { LEDGER_ONCE, LEDGER_AGAIN, LEDGER_SPENT };
uint64_t ledger_last_poll(const struct ledger *ledger, struct rational epsilon, struct rational delta);
uint64_t ledger_resumes(const struct ledger *ledger, const struct plan_terms *terms, int again);
int ledger_begin(struct ledger *ledger, const struct plan_terms *terms, int again, struct plan_quota *left);

/* Some of one kind are reserved and `left` remain: durable on return. Whoever runs the machine changes its state only
 * then. */
int ledger_reserve(struct ledger *ledger, struct plan_quota left);

/* Nothing is reserved, but what was answered so far becomes a row: durable on return. */
int ledger_reserve_none(struct ledger *ledger);

/* journal_record for one answer, the toll's, or the meter's, a label or below 0 a silence; its question has no number but its
 * place in the session. */
int ledger_record(struct ledger *ledger, enum plan_kind kind, int32_t answer);

/* Counts an answer for the session's next row. The journal calls it. */
void ledger_count_answer(struct ledger *ledger, enum plan_kind kind, int32_t answer);

/* An answer as it enters the digest: 0xff for a silence, a label below 0xfe as one byte, else 0xfe and two bytes, the
 * low one first. Returns how many. */
size_t ledger_encode(int32_t answer, uint8_t bytes[3]);

/* The session's last row: `left` remain, unused reservations given back if the mechanism does that. When this fails what is
 * reserved is lost. */
int ledger_finish(struct ledger *ledger, struct plan_quota left);

/* Let go of the file. Without a finish before it this counts as a crash. */
void ledger_shut(struct ledger *ledger);

/* The last row's digest as text: what to keep with the results. */
void ledger_head(const struct ledger *ledger, char text[DIGEST_TEXT]);

/* Show every row, the first one first, to `visit`. */
typedef void ledger_visitor(void *context, const struct ledger_row *row);
int ledger_visit(struct ledger *ledger, ledger_visitor *visit, void *context);

#endif
