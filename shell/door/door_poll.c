#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "door/inside.h"
#include "gate/crowd.h"
#include "gate/poll_session.h"
#include "plan/mechanism.h"

struct fumata_door_poll {
  struct poll_session session;
  struct ledger ledger;
  struct coins coins;
  struct crowd crowd;
  uint32_t dimensions; /* as the caller has them */
};

int fumata_door_poll_plan(const char *epsilon, const char *delta, uint32_t votes, fumata_door_plan **plan) {
  struct plan_target target = {.votes = votes};
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = door_cost(epsilon, delta, &target);
  if (!code && (votes < 1 || votes > FUMATA_POLL_VOTES_MAX))
    code = error_report(EXIT_INPUT, "votes: %u is not within 1 to %u", votes, FUMATA_POLL_VOTES_MAX);
  if (!code) code = mechanism_of(PLAN_MECHANISM_POLL)->make(&target, NULL, &made->box);
  return door_hand_out(made, code, plan);
}

/* Places and labels of a crowd, as wide as the core wants them; the digest is of all that makes it this crowd. */
static int fumata_door_poll_crowd(const fumata_door_crowd *given, struct crowd *crowd, struct digest *digest) {
  const uint32_t lanes = FUMATA_CROWD_LANES, wide = (given->dimensions + lanes - 1) / lanes * lanes;
  int code = crowd_init(crowd, given->records, wide, given->first != NULL);
  for (uint32_t r = 0; !code && r < given->records; r++)
    memcpy(&crowd->records.places[(size_t)wide * r], &given->places[(size_t)given->dimensions * r],
           given->dimensions * sizeof *given->places);
  if (code) return code;
  memcpy(crowd->labels, given->labels, given->records * sizeof *given->labels);
  if (given->first) {
    crowd->units = given->units;
    memcpy(crowd->first, given->first, ((size_t)given->units + 1) * sizeof *given->first);
  }
  digest_add(digest, "poll", sizeof "poll");
  digest_add_u64(digest, wide);
  digest_add(digest, crowd->records.places, (size_t)wide * given->records * sizeof *given->places);
  digest_add(digest, given->labels, given->records * sizeof *given->labels);
  if (given->first) digest_add(digest, given->first, ((size_t)given->units + 1) * sizeof *given->first);
  return crowd_settle(crowd);
}

static int fumata_door_poll_check(const fumata_door_crowd *given) {
  int code = door_needs("crowd", given);
  if (!code) code = door_needs("places", given->places);
  if (!code) code = door_needs("labels", given->labels);
  if (!code && (given->records < 1 || given->dimensions < 1 || given->dimensions > FUMATA_DIMENSIONS_MAX))
    code = error_report(EXIT_INPUT, "a crowd has records, of 1 to %u coordinates each", FUMATA_DIMENSIONS_MAX);
  if (!code && given->first) {
    int is_whole = given->units >= 1 && given->units <= given->records && given->first[0] == 0 &&
                   given->first[given->units] == given->records;
    for (uint32_t u = 0; is_whole && u < given->units; u++)
      is_whole = given->first[u] < given->first[u + 1];
    if (!is_whole)
      code = error_report(EXIT_INPUT, "first: does not cut the records into units, each with a record or more");
  }
  return code;
}

static int fumata_door_poll_begin(fumata_door_poll *poll, const fumata_door_plan *plan, uint32_t classes,
                                  const fumata_door_crowd *given, int again) {
  struct plan_terms terms;
  struct digest digest;
  uint8_t data[DIGEST_SIZE];
  int code = ledger_protect(&poll->ledger, given->first ? "units" : "records", 0, 0);
  ledger_salt(&poll->ledger, &digest);
  if (!code) code = fumata_door_poll_crowd(given, &poll->crowd, &digest);
  if (code) return code;
  digest_read(&digest, data);
  plan_terms(&plan->box, &terms);
  code = ledger_allow_plan(&poll->ledger, &terms, again, 0);
  if (code) return code;
  return poll_session_begin(&poll->session, &poll->ledger, &poll->coins, &plan->box, classes, poll->crowd.units, data,
                            again);
}

static void fumata_door_poll_shut(fumata_door_poll *poll) {
  poll_session_end(&poll->session);
  crowd_free(&poll->crowd);
  ledger_shut(&poll->ledger);
  free(poll);
}

int fumata_door_poll_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                          const fumata_door_crowd *crowd, const char *total_epsilon, const char *total_delta, int again,
                          fumata_door_poll **poll) {
  struct ledger_options options = {.make = 1};
  fumata_door_poll *made = NULL;
  int code;
  door_enter();
  if (poll) *poll = NULL;
  code = door_needs("where the poll goes", poll);
  if (!code) code = door_needs("plan", plan);
  if (!code) code = door_needs("ledger", ledger);
  if (!code && plan->box.mechanism != PLAN_MECHANISM_POLL) code = error_report(EXIT_INPUT, "not the plan of a poll");
  if (!code && (classes < 2 || classes > FUMATA_CLASSES_MAX))
    code = error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_CLASSES));
  if (!code) code = fumata_door_poll_check(crowd);
  if (!code) code = door_ceiling("total_epsilon", total_epsilon, &options.total_epsilon);
  if (!code) code = door_ceiling("total_delta", total_delta, &options.total_delta);
  if (!code) code = memory_take(&made, 1, sizeof *made);
  if (code) return door_leave(code);
  coins_init(&made->coins);
  made->dimensions = crowd->dimensions;
  code = ledger_open(&made->ledger, ledger, &options);
  if (!code) code = fumata_door_poll_begin(made, plan, classes, crowd, again);
  if (code)
    fumata_door_poll_shut(made);
  else
    *poll = made;
  return door_leave(code);
}

/* Where the answers of a call go. */
struct fumata_door_poll_receiver {
  uint8_t *yes;
  uint64_t done;
};

static void fumata_door_poll_receive(void *context, int yes) {
  struct fumata_door_poll_receiver *receiver = context;
  receiver->yes[receiver->done++] = (uint8_t)yes;
}

/* The caller's questions with centres as wide as the crowd's places. */
static int fumata_door_poll_put(fumata_door_poll *poll, const fumata_door_question *given, uint64_t count,
                                struct fumata_door_poll_receiver *receiver) {
  const uint32_t wide = poll->crowd.records.dimensions;
  struct crowd_question *questions = NULL;
  int16_t *centres = NULL;
  int code = memory_take(&questions, (size_t)count, sizeof *questions);
  if (!code) code = memory_take(&centres, (size_t)count * wide, sizeof *centres);
  for (uint64_t q = 0; !code && q < count; q++) {
    code = door_needs("centre", given[q].centre);
    if (!code) code = door_needs("weights", given[q].weights);
    if (code) break;
    memcpy(&centres[q * wide], given[q].centre, poll->dimensions * sizeof *centres);
    questions[q] = (struct crowd_question){.row = given[q].row,
                                           .centre = &centres[q * wide],
                                           .weights = given[q].weights,
                                           .most = given[q].most,
                                           .radius = given[q].radius};
  }
  if (!code)
    code = poll_session_ask(&poll->session, &poll->crowd, questions, (size_t)count, fumata_door_poll_receive, receiver);
  free(questions);
  free(centres);
  return code;
}

int fumata_door_poll_ask(fumata_door_poll *poll, const fumata_door_question *questions, uint64_t count, uint8_t *yes,
                         uint64_t *done) {
  struct fumata_door_poll_receiver receiver = {yes, 0};
  int code;
  door_enter();
  if (done) *done = 0;
  code = door_needs("where the number of answers goes", done);
  if (!code) code = door_needs("poll", poll);
  if (!code && count) code = door_needs("questions", questions);
  if (!code && count) code = door_needs("where the answers go", yes);
  if (!code && count) code = fumata_door_poll_put(poll, questions, count, &receiver);
  if (done) *done = receiver.done;
  return door_leave(code);
}

int fumata_door_poll_close(fumata_door_poll *poll) {
  int code;
  door_enter();
  code = door_needs("poll", poll);
  if (code) return door_leave(code);
  code = poll_session_finish(&poll->session);
  fumata_door_poll_shut(poll);
  return door_leave(code);
}
