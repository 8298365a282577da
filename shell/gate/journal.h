/* The journal: every answer that was released, with its question, in the ledger's own file.
 *
 * Answers are public once they are released, and paid for before; so none may be lost and none is paid for twice. An answer goes
 * two ways to the disk, one after the other:
 *   - journal_record puts it into FILE-mark before it is shown. The room there is taken before the question is answered, and
 *     nothing is synced: a killed process and a full disk leave it, a power cut may not.
 *   - the ledger's next row takes the whole batch into FILE, in its own transaction, synced. The row has the batch's digest.
 * After a crash the next process that opens the ledger takes in what it finds in FILE-mark, as a row `found`; one that only looks
 * sees it as the last batch.
 *
 * With a batch may go a text `about` it, which is public: what a later run must know to tell whether it asks the same questions.
 * That of a row `plan` or `resume` is about its whole session. And a state of the plan, which is PRIVATE: it is overwritten by the
 * plan's next one, never printed, and enters digests with a salt that lies beside it.
 *
 * A plan of the poll has no silences or answers to count: it begins with a limit of none, reserves nothing, and each batch is one
 * journal_append, durable with the state that it leaves before its answers are shown. */
#ifndef GATE_JOURNAL_H
#define GATE_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "plan/plan.h"

struct ledger;
struct ledger_row;

struct journal_answer {
  uint64_t query;         /* the public number of what was asked: of a record, or of a line of queries */
  enum plan_kind kind;    /* who was asked */
  uint32_t first, second; /* the toll's candidates; 0, 0 of all classes */
  int32_t answer;         /* a label, or below 0 a silence */
};

/* The batch at hand, which the ledger's next row takes in. */
struct journal {
  struct journal_answer *answer;
  size_t count, room;
  size_t space; /* answers for which FILE-mark has room */
  char *about;
  size_t about_size;
  uint8_t *state;
  size_t state_size;
  int has_about, has_state;
  uint64_t batches; /* in FILE */
  uint64_t last;    /* the last row of a plan: what lies in FILE-mark belongs to it */
  uint8_t digest[DIGEST_SIZE], state_digest[DIGEST_SIZE], salt[DIGEST_SIZE];
};

/* Exit codes (error.h); a failure has printed its line. All but the readers are for the process that holds the ledger, after
 * ledger_begin (journal_describe and journal_keep also before it). */

/* Room for `more` answers, in memory and in FILE-mark: asked for before they are drawn, so that no answer is without. */
int journal_room(struct ledger *ledger, size_t more);

/* Answers that were just drawn, before they are shown. */
int journal_record(struct ledger *ledger, const struct journal_answer *answers, size_t count);

/* What the ledger's next row of a plan takes along. */
int journal_describe(struct ledger *ledger, const void *about, size_t size);
int journal_keep(struct ledger *ledger, const void *state, size_t size);

/* A batch at once, as a row `answers` of the plan that is at work: durable on return, all of it or nothing. `about` and `state`
 * may be NULL: none. The answers may be shown from then on. */
int journal_append(struct ledger *ledger, const struct journal_answer *answers, size_t count, const void *about,
                   size_t about_size, const void *state, size_t state_size);

/* The batches of a plan (its number; 0: of every plan), in the order in which they were written. `about` is the batch's own, or
 * its session's. A visitor that returns other than EXIT_OK ends the visit, which returns the same. */
struct journal_batch {
  uint64_t row; /* 0: not in a row yet */
  uint64_t plan;
  const struct journal_answer *answer;
  size_t count;
  const char *about; /* NULL: none */
  size_t about_size;
};
typedef int journal_visitor(void *context, const struct journal_batch *batch);
int journal_visit(struct ledger *ledger, uint64_t plan, journal_visitor *visit, void *context);

/* The plan's state, to be freed; NULL and 0 if it has none. */
int journal_state(struct ledger *ledger, uint64_t plan, void **state, size_t *size);

/* ---- for the ledger itself ---- */

/* Around a row that is written: its digest, before; inside its transaction (0, or -1 where SQLite fails); after it. */
int journal_bind(struct ledger *ledger, struct ledger_row *row);
int journal_store(struct ledger *ledger, const struct ledger_row *row);
void journal_clear(struct ledger *ledger, const struct ledger_row *row);

/* Of a row that is read: is its batch whole, and what the row counts? NULL, or what is wrong. */
const char *journal_check(struct ledger *ledger, const struct ledger_row *row);

/* After the last row: are there as many batches as rows that have one? */
const char *journal_check_all(struct ledger *ledger);

/* What a crash left in FILE-mark becomes the batch at hand; ledger_open makes a row of it. */
int journal_find(struct ledger *ledger);
void journal_free(struct journal *journal);

#endif
