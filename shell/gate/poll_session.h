/* A session of a poll: one ledger, one certified plan, a crowd; questions in and answers, yes or no, out.
 *
 * The order is fixed here and nowhere else. The plan's whole (epsilon, delta) is charged when it begins: a poll has no limit on
 * questions, since each unit pays for its own votes, and one that has voted B times is not heard any more. A batch of questions is
 * put to the crowd; how often each unit has voted is then on disk, together with the questions, before the first coin is drawn;
 * the answers are on disk before they are handed over. So a crash loses at most the answers of one batch, whose votes are spent,
 * and no answer is drawn twice.
 *
 * What was answered before is handed over again for nothing: a run that was cut short, or is repeated, asks the same questions in
 * the same order and hears what they were answered, as far as its questions are the same. From there on it asks anew.
 *
 * How often each unit has voted is private and belongs to the very records that were asked: a poll is taken up again on the same
 * private file only. */
#ifndef GATE_POLL_SESSION_H
#define GATE_POLL_SESSION_H

#include "base/digest.h"
#include "core/poll.h"
#include "gate/coins.h"
#include "gate/crowd.h"
#include "gate/ledger.h"
#include "plan/plan.h"

/* What was asked and answered before, all released: a line for each question, as the journal has it. */
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
  uint8_t data[DIGEST_SIZE]; /* whose uses they are */
  struct poll_session_past past;
  uint64_t answers;  /* that were handed over */
  uint64_t recalled; /* of these, given in an earlier session */
};

/* Each int is an exit code (error.h). */

/* Before a plan is made, by what must be paid for: might it be one that was begun on other data? Then it is refused here already. */
int poll_session_foresee(struct ledger *ledger, struct rational epsilon, struct rational delta,
                         const uint8_t data[DIGEST_SIZE]);

/* Begins the plan, or takes it up again; the core certifies it once more. The plan must outlive the session. `data` is a digest,
 * begun by ledger_salt, of the private file and of what makes units of its records: a poll that was begun on another one is
 * refused. `again`: the plan begins anew and costs its (epsilon, delta) anew. */
int poll_session_begin(struct poll_session *session, struct ledger *ledger, struct coins *coins,
                       const struct plan_box *plan, uint32_t classes, uint32_t units, const uint8_t data[DIGEST_SIZE],
                       int again);

/* A number of the plan's own that is not a secret and the same in every session of it: what a questioner may be seeded with. */
uint64_t poll_session_seed(const struct poll_session *session);

/* A question as the journal has it: the line of a batch's text that begins at *at, which is moved behind it. 0, or -1: there is
 * none. `weights` are as many numbers, each after a blank, as there are classes, up to the line's end. */
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

/* The session's last row. `poll_session_end` is always called: it wipes what is private. */
int poll_session_finish(struct poll_session *session);
void poll_session_end(struct poll_session *session);

#endif
