/* A session of a poll: one ledger, one certified plan, a crowd; questions in and answers, yes or no, out.
 *
 * The order is fixed here and nowhere else. The plan's whole (epsilon, delta) is charged when it begins: a poll has no
 * limit on questions, since each unit pays for its own votes, and a unit that has voted B times votes no more. A batch of
 * questions is put to the crowd. Then the number of votes of each unit goes to disk, together with the questions, before
 * the first coin is drawn. The answers go to disk before they are handed over. So a crash loses at most the answers of one
 * batch, whose votes are spent, and no answer is drawn twice.
 *
 * Earlier answers are handed over again at no cost: a run that was cut short, or is repeated, asks the same questions in
 * the same order and gets the same answers, as long as its questions are the same. From the first different question on it
 * asks anew.
 *
 * The number of votes of each unit is private and belongs to the records that were asked: a poll goes on only with the
 * same private file. */
#ifndef GATE_POLL_SESSION_H
#define GATE_POLL_SESSION_H

#include "base/digest.h"
#include "core/poll.h"
#include "gate/coins.h"
#include "gate/crowd.h"
#include "gate/ledger.h"
#include "plan/plan.h"

/* Earlier questions and answers, all released: a line for each question, as in the journal. */
struct poll_session_past {
  char *text;
  size_t size, room, at; /* of `text`; questions before `at` were asked again */
  unsigned char *answer;
  size_t count, answer_room, next;
};

struct poll_session {
  struct ledger *ledger; /* open; the caller shuts it */
  struct coins *coins;
  struct process owner;
  uint32_t classes;
  fumata_poll poll;
  uint8_t data[DIGEST_SIZE]; /* whose uses these are */
  struct poll_session_past past;
  uint64_t answers;  /* how many were handed over */
  uint64_t recalled; /* how many of these an earlier session has given */
};

/* Each int is an exit code (error.h). */

/* Before a plan is made, by what it must pay: refuses already here if that may be a plan that was begun on other data. */
int poll_session_foresee(struct ledger *ledger, struct rational epsilon, struct rational delta,
                         const uint8_t data[DIGEST_SIZE]);

/* Begins the plan, or goes on with it; the core certifies it once more. The plan must outlive the session. `data` is a
 * digest, begun by ledger_salt, of the private file and of what makes units of its records: a poll that was begun on
 * another one is refused. `again`: the plan begins anew and costs its (epsilon, delta) anew. */
int poll_session_begin(struct poll_session *session, struct ledger *ledger, struct coins *coins,
                       const struct plan_box *plan, uint32_t classes, uint32_t units, const uint8_t data[DIGEST_SIZE],
                       int again);

/* A number of the plan that is not secret and is the same in each of its sessions: a seed for choosing questions. */
uint64_t poll_session_seed(const struct poll_session *session);

/* A question as the journal has it: reads the line of a batch's text that begins at *at, and moves *at behind it. Returns
 * 0, or -1 if there is no line. `weights` has one number a class, each after a blank, up to the line's end. */
struct poll_session_asked {
  uint64_t row;
  uint32_t radius;
  const char *weights, *end;
};
int poll_session_asked(const char *text, size_t size, size_t *at, struct poll_session_asked *asked);

/* Takes an answer, 1 or 0, after it is on disk. */
typedef void poll_session_receiver(void *context, int yes);

/* Answers a batch of questions, which do not depend on each other's answers, in their order. */
int poll_session_ask(struct poll_session *session, struct crowd *crowd, const struct crowd_question *questions,
                     size_t count, poll_session_receiver *receive, void *context);

/* Writes the session's last row. Always call `poll_session_end`: it wipes what is private. */
int poll_session_finish(struct poll_session *session);
void poll_session_end(struct poll_session *session);

#endif
