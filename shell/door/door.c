#include "door/door.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/rational.h"
#include "plan/mechanism.h"
#include "plan/plan_file.h"
#include "release/session.h"

struct fumata_door_plan {
  struct plan_box box;
};

struct fumata_door_meter {
  struct session session;
  struct coins coins;
};

static _Thread_local char fumata_door_text[512];

const char *fumata_door_error(void) {
  return fumata_door_text;
}

/* Errors of the shell speak into the door's text from here on. */
static void fumata_door_enter(void) {
  fumata_door_text[0] = 0;
  error_capture(fumata_door_text, sizeof fumata_door_text);
}

static int fumata_door_leave(int code) {
  error_capture(NULL, 0);
  return code;
}

/* C programs forget arguments; no door opens on nothing. */
static int fumata_door_needs(const char *what, const void *argument) {
  return argument ? EXIT_OK : error_report(EXIT_INPUT, "%s: nothing is given", what);
}

static int fumata_door_target(const char *epsilon, const char *delta, uint32_t silences, struct plan_target *target) {
  int code = fumata_door_needs("epsilon", epsilon);
  if (!code) code = fumata_door_needs("delta", delta);
  if (!code) code = plan_target_epsilon(target, "epsilon", epsilon);
  if (!code) code = plan_target_delta(target, "delta", delta);
  if (!code && (silences < 1 || silences > FUMATA_SILENCES_MAX))
    code = error_report(EXIT_INPUT, "silences: %u is not within 1 to %u", silences, FUMATA_SILENCES_MAX);
  target->silences = silences;
  return code;
}

static int fumata_door_certify(const struct plan_box *box) {
  fumata_fault fault;
  fumata_status status = plan_certify(box, &box->claim, &fault);
  if (status == FUMATA_OK) return EXIT_OK;
  return error_report(EXIT_REFUSED, "not certified: %s", fumata_strerror(status));
}

/* A finished plan goes out, or everything is taken back. */
static int fumata_door_hand_out(fumata_door_plan *made, int code, fumata_door_plan **plan) {
  if (!code) code = fumata_door_certify(&made->box);
  if (code && made) {
    plan_free(&made->box);
    free(made);
  }
  *plan = code ? NULL : made;
  return fumata_door_leave(code);
}

static int fumata_door_plan_new(fumata_door_plan **made) {
  fumata_door_enter();
  return memory_take(made, 1, sizeof **made);
}

int fumata_door_plan_make(const char *epsilon, const char *delta, uint32_t silences, const char *mechanism,
                          fumata_door_plan **plan) {
  enum plan_mechanism which = PLAN_MECHANISM_METER;
  struct plan_target target = {0};
  fumata_door_plan *made;
  int code = fumata_door_plan_new(&made);
  if (!code) code = fumata_door_target(epsilon, delta, silences, &target);
  if (!code) code = fumata_door_needs("mechanism", mechanism);
  if (!code && mechanism_find(mechanism, &which))
    code = error_report(EXIT_INPUT, "mechanism: '%.40s' is neither meter nor classic", mechanism);
  if (!code) code = mechanism_of(which)->make(&target, NULL, &made->box);
  return fumata_door_hand_out(made, code, plan);
}

int fumata_door_plan_trust(const char *epsilon, const char *delta, uint32_t silences, uint32_t alpha, uint64_t v,
                           const uint64_t *table, uint64_t size, fumata_door_plan **plan) {
  struct plan_target target = {0};
  fumata_door_plan *made;
  int code = fumata_door_plan_new(&made);
  if (!code) code = fumata_door_target(epsilon, delta, silences, &target);
  if (!code && (size < 1 || size > FUMATA_TABLE_MAX))
    code = error_report(EXIT_INPUT, "table: must have 1 to %u entries", FUMATA_TABLE_MAX);
  if (!code) code = fumata_door_needs("table", table);
  if (!code) code = memory_take(&made->box.memory[0], (size_t)size, sizeof *table);
  if (!code) {
    struct plan_box *box = &made->box;
    memcpy(box->memory[0], table, (size_t)size * sizeof *table);
    box->mechanism = PLAN_MECHANISM_METER;
    box->meter = (fumata_meter_plan){.silence = box->memory[0], .size = (uint32_t)size, .limit = silences};
    box->claim = plan_claim(&target, alpha);
    box->claim.v = v;
  }
  return fumata_door_hand_out(made, code, plan);
}

int fumata_door_plan_read(const char *path, fumata_door_plan **plan) {
  fumata_door_plan *made;
  int code = fumata_door_plan_new(&made);
  if (!code) code = fumata_door_needs("path", path);
  if (!code) code = plan_file_read(path, &made->box);
  return fumata_door_hand_out(made, code, plan);
}

int fumata_door_plan_write(const fumata_door_plan *plan, const char *path) {
  int code;
  fumata_door_enter();
  code = fumata_door_needs("plan", plan);
  if (!code) code = fumata_door_needs("path", path);
  if (!code) code = plan_file_write(path, &plan->box);
  return fumata_door_leave(code);
}

void fumata_door_plan_facts(const fumata_door_plan *plan, fumata_door_facts *facts) {
  const struct plan_box *box = &plan->box;
  int is_classic = box->mechanism == PLAN_MECHANISM_CLASSIC;
  *facts = (fumata_door_facts){.epsilon_num = box->claim.epsilon_num,
                               .epsilon_den = box->claim.epsilon_den,
                               .delta_num = box->claim.delta_num,
                               .delta_den = box->claim.delta_den,
                               .v = box->claim.v,
                               .alpha = box->claim.alpha,
                               .silences = plan_limit(box).silences,
                               .size = is_classic ? 0 : box->meter.size,
                               .is_classic = (uint32_t)is_classic,
                               .table = is_classic ? NULL : box->meter.silence};
}

double fumata_door_plan_silence(const fumata_door_plan *plan, uint32_t distance) {
  return plan_silence(&plan->box, distance);
}

void fumata_door_plan_free(fumata_door_plan *plan) {
  if (!plan) return;
  plan_free(&plan->box);
  free(plan);
}

static int fumata_door_ceiling(const char *what, const char *text, struct rational *ceiling) {
  if (!text || rational_parse(text, ceiling) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: '%.40s' is not a number", what, text);
}

static int fumata_door_meter_begin(fumata_door_meter *made, const struct session_options *options,
                                   const fumata_door_plan *plan, uint32_t classes) {
  int code;
  coins_init(&made->coins);
  code = session_open(&made->session, options, &made->coins);
  return code ? code : session_begin(&made->session, options, &plan->box, classes);
}

int fumata_door_meter_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                           const char *total_epsilon, const char *total_delta, int again, fumata_door_meter **meter) {
  struct session_options options = {.ledger_path = ledger, .again = again};
  fumata_door_meter *made = NULL;
  int code;
  fumata_door_enter();
  *meter = NULL;
  code = fumata_door_needs("plan", plan);
  if (!code) code = fumata_door_needs("ledger", ledger);
  if (!code && (classes < 2 || classes > FUMATA_CLASSES_MAX))
    code = error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_CLASSES));
  if (!code) code = fumata_door_ceiling("total_epsilon", total_epsilon, &options.total_epsilon);
  if (!code) code = fumata_door_ceiling("total_delta", total_delta, &options.total_delta);
  if (!code) code = memory_take(&made, 1, sizeof *made);
  if (code) return fumata_door_leave(code);
  code = fumata_door_meter_begin(made, &options, plan, classes);
  if (code) {
    session_shut(&made->session);
    free(made);
  } else
    *meter = made;
  return fumata_door_leave(code);
}

static int fumata_door_check_labels(const struct votes *batch) {
  if (batch->teachers >= 1 && batch->teachers <= FUMATA_TEACHERS_MAX) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_TEACHERS));
}

static int fumata_door_check_counts(uint32_t columns, uint32_t classes) {
  if (columns == classes) return EXIT_OK;
  return error_report(EXIT_INPUT, "counts have %u columns but there are %u classes", columns, classes);
}

/* The caller's array as votes. A wrong shape is refused before a silence can be spent on it. */
static int fumata_door_batch(const void *votes, int kind, uint64_t rows, uint32_t columns, uint32_t classes,
                             struct votes *batch) {
  *batch = (struct votes){.count = (size_t)rows, .teachers = columns};
  switch (kind) {
  case FUMATA_DOOR_LABELS8:
    batch->labels8 = votes;
    return fumata_door_check_labels(batch);
  case FUMATA_DOOR_LABELS16:
    batch->labels16 = votes;
    return fumata_door_check_labels(batch);
  case FUMATA_DOOR_COUNTS:
    batch->counts = votes;
    return fumata_door_check_counts(columns, classes);
  default:
    return error_report(EXIT_INPUT, "no such kind of votes");
  }
}

/* Where the answers of a call go. */
struct fumata_door_receiver {
  int32_t *answers;
  uint64_t done;
};

static void fumata_door_receive(void *context, int32_t answer) {
  struct fumata_door_receiver *receiver = context;
  receiver->answers[receiver->done++] = answer;
}

int fumata_door_meter_answer(fumata_door_meter *meter, const void *votes, int kind, uint64_t rows, uint32_t columns,
                             int32_t *answers, uint64_t *done) {
  struct fumata_door_receiver receiver = {.answers = answers};
  struct votes batch;
  int code;
  fumata_door_enter();
  *done = 0;
  code = fumata_door_needs("meter", meter);
  if (!code && rows) code = fumata_door_needs("votes", votes);
  if (!code && rows) code = fumata_door_needs("answers", answers);
  if (!code) code = fumata_door_batch(votes, kind, rows, columns, meter->session.classes, &batch);
  if (!code) code = session_answer_batch(&meter->session, &batch, fumata_door_receive, &receiver);
  *done = receiver.done;
  return fumata_door_leave(code);
}

uint32_t fumata_door_meter_left(const fumata_door_meter *meter) {
  return session_left(&meter->session).silences;
}

int fumata_door_meter_close(fumata_door_meter *meter) {
  int code;
  fumata_door_enter();
  code = fumata_door_needs("meter", meter);
  if (code) return fumata_door_leave(code);
  code = session_finish(&meter->session);
  session_shut(&meter->session);
  free(meter);
  return fumata_door_leave(code);
}
