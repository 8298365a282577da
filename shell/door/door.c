#include "door/door.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rational.h"
#include "plan/plan_classic.h"
#include "plan/plan_file.h"
#include "release/session.h"

struct fumata_door_plan {
  struct plan_box box;
};

struct fumata_door_meter {
  struct session session;
  struct coins coins;
};

static char fumata_door_text[512];

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

static int fumata_door_target(const char *epsilon, const char *delta, uint32_t silences, struct plan_target *target) {
  int code = plan_target_epsilon(target, "epsilon", epsilon);
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
  *made = calloc(1, sizeof **made);
  return *made ? EXIT_OK : error_report(EXIT_SYSTEM, "out of memory");
}

int fumata_door_plan_make(const char *epsilon, const char *delta, uint32_t silences, const char *mechanism,
                          fumata_door_plan **plan) {
  struct plan_target target = {0};
  fumata_door_plan *made;
  int code = fumata_door_plan_new(&made);
  if (!code) code = fumata_door_target(epsilon, delta, silences, &target);
  if (!code && !strcmp(mechanism, "meter"))
    code = plan_meter_make(&target, NULL, &made->box);
  else if (!code && !strcmp(mechanism, "classic"))
    code = plan_classic_make(&target, NULL, &made->box);
  else if (!code)
    code = error_report(EXIT_INPUT, "mechanism: '%.40s' is neither meter nor classic", mechanism);
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
  if (!code) {
    struct plan_box *box = &made->box;
    box->mechanism = PLAN_MECHANISM_METER;
    box->memory[0] = malloc((size_t)size * sizeof *table);
    if (!box->memory[0])
      code = error_report(EXIT_SYSTEM, "out of memory");
    else {
      memcpy(box->memory[0], table, (size_t)size * sizeof *table);
      box->meter.silence = box->memory[0];
      box->meter.size = (uint32_t)size;
      box->meter.limit = silences;
      box->claim = (fumata_claim){.epsilon_num = target.epsilon_num,
                                  .epsilon_den = target.epsilon_den,
                                  .delta_num = target.delta_num,
                                  .delta_den = target.delta_den,
                                  .alpha = alpha,
                                  .v = v};
    }
  }
  return fumata_door_hand_out(made, code, plan);
}

int fumata_door_plan_read(const char *path, fumata_door_plan **plan) {
  fumata_door_plan *made;
  int code = fumata_door_plan_new(&made);
  if (!code) code = plan_file_read(path, &made->box);
  return fumata_door_hand_out(made, code, plan);
}

int fumata_door_plan_write(const fumata_door_plan *plan, const char *path) {
  fumata_door_enter();
  return fumata_door_leave(plan_file_write(path, &plan->box));
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
                               .silences = plan_limit(box),
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

int fumata_door_meter_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                           const char *total_epsilon, const char *total_delta, int again, fumata_door_meter **meter) {
  struct session_options options = {.ledger_path = ledger, .again = again};
  fumata_door_meter *made;
  int code;
  fumata_door_enter();
  *meter = NULL;
  if (classes < 2 || classes > FUMATA_CLASSES_MAX)
    return fumata_door_leave(error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_CLASSES)));
  code = fumata_door_ceiling("total_epsilon", total_epsilon, &options.total_epsilon);
  if (!code) code = fumata_door_ceiling("total_delta", total_delta, &options.total_delta);
  if (code) return fumata_door_leave(code);
  made = calloc(1, sizeof *made);
  if (!made) return fumata_door_leave(error_report(EXIT_SYSTEM, "out of memory"));
  coins_init(&made->coins);
  code = session_open(&made->session, &options, &made->coins);
  if (!code) code = session_begin(&made->session, &options, &plan->box, classes);
  if (code) {
    session_shut(&made->session);
    free(made);
  } else
    *meter = made;
  return fumata_door_leave(code);
}

/* Wrong shapes and votes are refused as a whole, before a silence can be spent on the rows above them. */
static int fumata_door_check(const fumata_door_meter *meter, const void *votes, int kind, uint64_t rows,
                             uint32_t columns) {
  uint32_t classes = meter->session.classes;
  uint64_t cells = rows * columns, i;
  if (kind == FUMATA_DOOR_COUNTS && columns != classes)
    return error_report(EXIT_INPUT, "counts have %u columns but there are %u classes", columns, classes);
  if (kind != FUMATA_DOOR_COUNTS && (columns < 1 || columns > FUMATA_TEACHERS_MAX))
    return error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_TEACHERS));
  if (kind == FUMATA_DOOR_LABELS8) {
    const uint8_t *v = votes;
    uint8_t most = 0;
    for (i = 0; i < cells; i++)
      most = v[i] > most ? v[i] : most;
    if (cells && most >= classes) return error_report(EXIT_INPUT, "vote %u: there are %u classes", most, classes);
  } else if (kind == FUMATA_DOOR_LABELS16) {
    const uint16_t *v = votes;
    uint16_t most = 0;
    for (i = 0; i < cells; i++)
      most = v[i] > most ? v[i] : most;
    if (cells && most >= classes) return error_report(EXIT_INPUT, "vote %u: there are %u classes", most, classes);
  } else if (kind == FUMATA_DOOR_COUNTS) {
    const uint32_t *v = votes;
    for (i = 0; i < rows; i++, v += columns) {
      uint64_t sum = 0;
      for (uint32_t c = 0; c < columns; c++)
        sum += v[c];
      if (sum < 1 || sum > FUMATA_TEACHERS_MAX)
        return error_report(EXIT_INPUT, "counts of query %llu: %s", (unsigned long long)i,
                            fumata_strerror(FUMATA_ERR_TEACHERS));
    }
  } else
    return error_report(EXIT_INPUT, "no such kind of votes");
  return EXIT_OK;
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
  struct votes batch = {.count = (size_t)rows, .teachers = columns};
  int code;
  fumata_door_enter();
  if (kind == FUMATA_DOOR_LABELS8)
    batch.labels8 = votes;
  else if (kind == FUMATA_DOOR_LABELS16)
    batch.labels16 = votes;
  else
    batch.counts = votes;
  code = fumata_door_check(meter, votes, kind, rows, columns);
  if (!code) code = session_answer_batch(&meter->session, &batch, fumata_door_receive, &receiver);
  *done = receiver.done;
  return fumata_door_leave(code);
}

uint32_t fumata_door_meter_left(const fumata_door_meter *meter) {
  return session_left(&meter->session);
}

int fumata_door_meter_close(fumata_door_meter *meter) {
  int code;
  fumata_door_enter();
  code = session_finish(&meter->session);
  session_shut(&meter->session);
  free(meter);
  return fumata_door_leave(code);
}
