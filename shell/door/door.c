#include "door/inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/say.h"
#include "gate/ledger_look.h"
#include "gate/session.h"
#include "plan/mechanism.h"
#include "plan/plan_advise.h"
#include "plan/plan_file.h"
#include "plan/plan_solve.h"

struct fumata_door_meter {
  struct session session;
  struct coins coins;
};

_Static_assert((int)FUMATA_DOOR_REFUSED == EXIT_REFUSED && (int)FUMATA_DOOR_INPUT == EXIT_INPUT &&
                   (int)FUMATA_DOOR_SYSTEM == EXIT_SYSTEM && (int)FUMATA_DOOR_STOPPED == EXIT_STOPPED,
               "the door's codes are the program's");

static _Thread_local char fumata_door_text[512];

const char *fumata_door_version(void) {
  return FUMATA_VERSION;
}

const char *fumata_door_error(void) {
  return fumata_door_text;
}

/* A library does not speak by itself: notes of the shell, such as that a ledger is in use, are not said here. */
static __attribute__((constructor)) void fumata_door_quiet(void) {
  say_set(SAY_QUIET);
}

/* Errors of the shell speak into the door's text from here on. */
void door_enter(void) {
  fumata_door_text[0] = 0;
  error_capture(fumata_door_text, sizeof fumata_door_text);
}

int door_leave(int code) {
  error_capture(NULL, 0);
  return code;
}

/* C programs forget arguments; no door opens on nothing. */
int door_needs(const char *what, const void *argument) {
  return argument ? EXIT_OK : error_report(EXIT_INPUT, "%s: nothing is given", what);
}

int door_cost(const char *epsilon, const char *delta, struct plan_target *target) {
  int code = door_needs("epsilon", epsilon);
  if (!code) code = door_needs("delta", delta);
  if (!code) code = plan_target_epsilon(target, "epsilon", epsilon);
  if (!code) code = plan_target_delta(target, "delta", delta);
  return code;
}

static int fumata_door_target(const char *epsilon, const char *delta, uint32_t silences, struct plan_target *target) {
  int code = door_cost(epsilon, delta, target);
  if (!code && (silences < 1 || silences > FUMATA_SILENCES_MAX))
    code = error_report(EXIT_INPUT, "silences: %u is not within 1 to %u", silences, FUMATA_SILENCES_MAX);
  target->silences = silences;
  return code;
}

/* A finished plan goes out if the core certifies it, or everything is taken back. */
int door_hand_out(fumata_door_plan *made, int code, fumata_door_plan **plan) {
  fumata_fault fault;
  fumata_status status;
  if (!code) code = door_needs("where the plan goes", plan);
  status = code ? FUMATA_OK : plan_certify(&made->box, &made->box.claim, &fault);
  if (status != FUMATA_OK) code = error_report(EXIT_REFUSED, "not certified: %s", fumata_strerror(status));
  if (code && made) {
    plan_free(&made->box);
    free(made);
  }
  if (plan) *plan = code ? NULL : made;
  return door_leave(code);
}

int door_plan_new(fumata_door_plan **made) {
  door_enter();
  return memory_take(made, 1, sizeof **made);
}

int fumata_door_plan_make(const char *epsilon, const char *delta, uint32_t silences, const char *mechanism,
                          fumata_door_plan **plan) {
  enum plan_mechanism which = PLAN_MECHANISM_METER;
  struct plan_target target = {0};
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = fumata_door_target(epsilon, delta, silences, &target);
  if (!code) code = door_needs("mechanism", mechanism);
  if (!code && (mechanism_find(mechanism, &which) || !mechanism_of(which)->miss[PLAN_KIND_METER] ||
                mechanism_of(which)->miss[PLAN_KIND_TOLL]))
    code = error_report(EXIT_INPUT, "mechanism: '%.40s' is neither meter nor classic", mechanism);
  if (!code) code = mechanism_of(which)->make(&target, NULL, &made->box);
  return door_hand_out(made, code, plan);
}

int fumata_door_plan_budget(const char *epsilon, const char *delta, uint32_t silences, uint32_t answers,
                            fumata_door_plan **plan) {
  struct plan_target target = {.silences = silences, .answers = answers};
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = door_cost(epsilon, delta, &target);
  if (!code) code = mechanism_of(plan_target_mechanism(&target))->make(&target, NULL, &made->box);
  return door_hand_out(made, code, plan);
}

int fumata_door_plan_most_answers(const char *epsilon, const char *delta, uint32_t distance, double named,
                                  uint32_t most, fumata_door_plan **plan) {
  struct plan_target target = {0};
  fumata_door_plan *made;
  uint32_t answers = 0;
  int code = door_plan_new(&made);
  if (!code) code = door_cost(epsilon, delta, &target);
  if (!code && !(named > 0.5 && named < 1)) code = error_report(EXIT_INPUT, "named: %g is not within 0.5 to 1", named);
  if (!code) code = plan_solve_most(&target, PLAN_KIND_TOLL, distance, 1 - named, most, &made->box, &answers);
  if (!code && !answers)
    code = error_report(EXIT_REFUSED, "not even one answer names the winner that often at distance %u", distance);
  return door_hand_out(made, code, plan);
}

/* A copy of the caller's table. */
static int fumata_door_table(const uint64_t *table, uint64_t size, uint64_t **memory) {
  int code = EXIT_OK;
  if (size < 1 || size > FUMATA_TABLE_MAX)
    code = error_report(EXIT_INPUT, "table: must have 1 to %u entries", FUMATA_TABLE_MAX);
  if (!code) code = door_needs("table", table);
  if (!code) code = memory_take(memory, (size_t)size, sizeof *table);
  if (!code) memcpy(*memory, table, (size_t)size * sizeof *table);
  return code;
}

int fumata_door_plan_trust(const char *epsilon, const char *delta, uint32_t silences, uint32_t alpha, uint64_t v,
                           const uint64_t *table, uint64_t size, fumata_door_plan **plan) {
  struct plan_target target = {0};
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = fumata_door_target(epsilon, delta, silences, &target);
  if (!code) code = fumata_door_table(table, size, &made->box.memory[0]);
  if (!code) {
    struct plan_box *box = &made->box;
    box->mechanism = PLAN_MECHANISM_METER;
    box->meter = (fumata_meter_plan){.silence = box->memory[0], .size = (uint32_t)size, .limit = silences};
    box->claim = plan_claim(&target, alpha);
    box->claim.v = v;
  }
  return door_hand_out(made, code, plan);
}

int fumata_door_plan_trust_toll(const char *epsilon, const char *delta, uint32_t answers, uint32_t alpha, uint64_t u,
                                const uint64_t *named, uint64_t size, fumata_door_plan **plan) {
  struct plan_target target = {.answers = answers};
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = door_cost(epsilon, delta, &target);
  if (!code) code = plan_target_answers(&target);
  if (!code) code = fumata_door_table(named, size, &made->box.memory[1]);
  if (!code) {
    struct plan_box *box = &made->box;
    box->mechanism = PLAN_MECHANISM_TOLL;
    box->toll = (fumata_toll_plan){.named = box->memory[1], .size = (uint32_t)size, .limit = answers};
    box->claim = plan_claim(&target, alpha);
    box->claim.u = u;
  }
  return door_hand_out(made, code, plan);
}

int fumata_door_plan_read(const char *path, fumata_door_plan **plan) {
  fumata_door_plan *made;
  int code = door_plan_new(&made);
  if (!code) code = door_needs("path", path);
  if (!code) code = plan_file_read(path, &made->box);
  if (!code) code = plan_for_teachers(&made->box);
  return door_hand_out(made, code, plan);
}

int fumata_door_plan_write(const fumata_door_plan *plan, const char *path) {
  int code;
  door_enter();
  code = door_needs("plan", plan);
  if (!code) code = door_needs("path", path);
  if (!code) code = plan_file_write(path, &plan->box);
  return door_leave(code);
}

void fumata_door_plan_facts(const fumata_door_plan *plan, fumata_door_facts *facts) {
  static const struct plan_box none = {0};
  const struct plan_box *box = plan ? &plan->box : &none;
  int is_classic = box->mechanism == PLAN_MECHANISM_CLASSIC;
  if (!facts) return;
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
  return plan ? plan_silence(&plan->box, distance) : 1;
}

void fumata_door_plan_toll_facts(const fumata_door_plan *plan, fumata_door_toll_facts *facts) {
  if (facts) *facts = (fumata_door_toll_facts){0};
  if (plan && facts)
    *facts =
        (fumata_door_toll_facts){plan->box.claim.u, plan->box.toll.limit, plan->box.toll.size, plan->box.toll.named};
}

double fumata_door_plan_named(const fumata_door_plan *plan, uint32_t distance) {
  return plan ? 1 - plan_miss(&plan->box, PLAN_KIND_TOLL, distance) : 0;
}

void fumata_door_plan_free(fumata_door_plan *plan) {
  if (!plan) return;
  plan_free(&plan->box);
  free(plan);
}

int door_ceiling(const char *what, const char *text, struct rational *ceiling) {
  if (!text || rational_parse(text, ceiling) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: '%.40s' is not a number", what, text);
}

int fumata_door_meter_open_for(const fumata_door_plan *plan, const char *ledger, uint32_t classes, const char *protects,
                               const char *total_epsilon, const char *total_delta, int again,
                               fumata_door_meter **meter) {
  struct session_options options = {.ledger_path = ledger, .again = again, .protects = protects};
  fumata_door_meter *made = NULL;
  int code;
  door_enter();
  if (meter) *meter = NULL;
  code = door_needs("where the meter goes", meter);
  if (!code) code = door_needs("plan", plan);
  if (!code) code = door_needs("ledger", ledger);
  if (!code && (classes < 2 || classes > FUMATA_CLASSES_MAX))
    code = error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_CLASSES));
  if (!code) code = door_ceiling("total_epsilon", total_epsilon, &options.total_epsilon);
  if (!code) code = door_ceiling("total_delta", total_delta, &options.total_delta);
  if (!code) code = memory_take(&made, 1, sizeof *made);
  if (code) return door_leave(code);
  coins_init(&made->coins);
  code = session_open(&made->session, &options, &made->coins);
  if (!code) code = session_begin(&made->session, &options, &plan->box, classes);
  if (code) {
    session_shut(&made->session);
    free(made);
  } else {
    const struct ledger_plan *begun = made->session.ledger.current;
    made->session.next = begun->labels + begun->silences + begun->answers;
    *meter = made;
  }
  return door_leave(code);
}

int fumata_door_meter_open(const fumata_door_plan *plan, const char *ledger, uint32_t classes,
                           const char *total_epsilon, const char *total_delta, int again, fumata_door_meter **meter) {
  return fumata_door_meter_open_for(plan, ledger, classes, NULL, total_epsilon, total_delta, again, meter);
}

/* The caller's array as votes. A wrong shape is refused before a silence can be spent on it. */
static int fumata_door_batch(const void *votes, int kind, uint64_t rows, uint32_t columns, uint32_t classes,
                             struct votes *batch) {
  *batch = (struct votes){.count = (size_t)rows, .teachers = columns};
  if (kind == FUMATA_DOOR_LABELS8)
    batch->labels8 = votes;
  else if (kind == FUMATA_DOOR_LABELS16)
    batch->labels16 = votes;
  else if (kind == FUMATA_DOOR_COUNTS)
    batch->counts = votes;
  else
    return error_report(EXIT_INPUT, "no such kind of votes");
  if (kind == FUMATA_DOOR_COUNTS ? columns == classes : columns >= 1 && columns <= FUMATA_TEACHERS_MAX) return EXIT_OK;
  return kind == FUMATA_DOOR_COUNTS
             ? error_report(EXIT_INPUT, "counts have %u columns but there are %u classes", columns, classes)
             : error_report(EXIT_INPUT, "%s", fumata_strerror(FUMATA_ERR_TEACHERS));
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

/* What a call asks: of the meter, or of the toll with its pairs. */
struct fumata_door_question {
  enum plan_kind asked;
  const void *votes;
  int kind; /* of the votes */
  uint64_t rows;
  uint32_t columns;
  const struct session_pair *pairs;
};

static int fumata_door_ask(fumata_door_meter *meter, const struct fumata_door_question *question, int32_t *answers,
                           uint64_t *done) {
  struct fumata_door_receiver receiver = {.answers = answers};
  struct votes batch;
  int code;
  door_enter();
  if (done) *done = 0;
  code = door_needs("where the number of answers goes", done);
  if (!code) code = door_needs("meter", meter);
  if (!code && question->rows) code = door_needs("votes", question->votes);
  if (!code && question->rows) code = door_needs("answers", answers);
  if (!code)
    code = fumata_door_batch(question->votes, question->kind, question->rows, question->columns, meter->session.classes,
                             &batch);
  if (!code && question->asked == PLAN_KIND_METER)
    code = session_answer_batch(&meter->session, &batch, fumata_door_receive, &receiver);
  else if (!code)
    code = session_answer_pairs(&meter->session, &batch, question->pairs, fumata_door_receive, &receiver);
  if (done) *done = receiver.done;
  return door_leave(code);
}

int fumata_door_meter_answer(fumata_door_meter *meter, const void *votes, int kind, uint64_t rows, uint32_t columns,
                             int32_t *answers, uint64_t *done) {
  struct fumata_door_question question = {PLAN_KIND_METER, votes, kind, rows, columns, NULL};
  return fumata_door_ask(meter, &question, answers, done);
}

/* A row of two labels is a session_pair as it lies. */
_Static_assert(sizeof(struct session_pair) == 2 * sizeof(uint32_t), "a pair is two labels");

int fumata_door_meter_choose(fumata_door_meter *meter, const void *votes, int kind, uint64_t rows, uint32_t columns,
                             const uint32_t *pairs, int32_t *answers, uint64_t *done) {
  struct fumata_door_question question = {PLAN_KIND_TOLL, votes,   kind,
                                          rows,           columns, (const struct session_pair *)pairs};
  return fumata_door_ask(meter, &question, answers, done);
}

/* Where the answers of a journal go. */
struct fumata_door_shelf {
  fumata_door_answer *answers;
  uint64_t room, count;
};

static int fumata_door_shelve(void *context, const struct journal_batch *batch) {
  struct fumata_door_shelf *shelf = context;
  for (size_t i = 0; i < batch->count; i++, shelf->count++) {
    const struct journal_answer *one = &batch->answer[i];
    if (shelf->count < shelf->room)
      shelf->answers[shelf->count] =
          (fumata_door_answer){batch->plan, one->query, (uint32_t)one->kind, one->first, one->second, one->answer};
  }
  return EXIT_OK;
}

int fumata_door_ledger_answers(const char *ledger, fumata_door_answer *answers, uint64_t room, uint64_t *count) {
  struct fumata_door_shelf shelf = {answers, room, 0};
  struct ledger_look look;
  int code;
  door_enter();
  if (count) *count = 0;
  code = door_needs("where the number of answers goes", count);
  if (!code) code = door_needs("ledger", ledger);
  if (!code && room) code = door_needs("answers", answers);
  if (code) return door_leave(code);
  code = ledger_look_open(&look, ledger, NULL);
  if (!code) code = journal_visit(&look.ledger, 0, fumata_door_shelve, &shelf);
  ledger_look_shut(&look);
  *count = shelf.count;
  return door_leave(code);
}

/* ---- budgets ---- */

int fumata_door_ledger_make(const char *ledger, const char *total_epsilon, const char *total_delta) {
  struct ledger_options how = {.make = 1, .keep = 1};
  struct ledger made = {0};
  int code;
  door_enter();
  code = door_needs("ledger", ledger);
  if (!code) code = door_ceiling("total_epsilon", total_epsilon, &how.total_epsilon);
  if (!code) code = door_ceiling("total_delta", total_delta, &how.total_delta);
  if (code) return door_leave(code);
  code = ledger_open(&made, ledger, &how);
  ledger_shut(&made);
  return door_leave(code);
}

int fumata_door_ledger_totals(const char *ledger, fumata_door_totals *totals) {
  struct ledger_look look;
  int code;
  door_enter();
  code = door_needs("ledger", ledger);
  if (!code) code = door_needs("totals", totals);
  if (code) return door_leave(code);
  code = ledger_look_open(&look, ledger, NULL);
  if (!code) {
    const struct ledger *seen = &look.ledger;
    *totals = (fumata_door_totals){seen->spent_epsilon.num, seen->spent_epsilon.den, seen->spent_delta.num,
                                   seen->spent_delta.den,   seen->total_epsilon.num, seen->total_epsilon.den,
                                   seen->total_delta.num,   seen->total_delta.den};
  }
  ledger_look_shut(&look);
  return door_leave(code);
}

int fumata_door_budget_check(const char *epsilon, const char *delta) {
  struct plan_target target = {0};
  int code;
  door_enter();
  code = door_cost(epsilon, delta, &target);
  if (!code)
    code = plan_advise_budget(NULL, (struct rational){target.epsilon_num, target.epsilon_den},
                              (struct rational){target.delta_num, target.delta_den});
  return door_leave(code);
}

int fumata_door_plan_check_teachers(const fumata_door_plan *plan, uint32_t teachers) {
  int code;
  door_enter();
  code = door_needs("plan", plan);
  if (!code) code = plan_advise_enough(&plan->box, teachers);
  return door_leave(code);
}

int fumata_door_plan_allow(const fumata_door_plan *plan, const char *ledger, const char *protects, int again) {
  struct ledger_look look;
  struct plan_terms terms;
  char limit[PLAN_QUOTA_TEXT];
  int code;
  door_enter();
  code = door_needs("plan", plan);
  if (!code) code = door_needs("ledger", ledger);
  if (!code) code = plan_for_teachers(&plan->box);
  if (code || access(ledger, F_OK) != 0) return door_leave(code);
  plan_terms(&plan->box, &terms);
  code = ledger_look_open(&look, ledger, NULL);
  if (!code) code = ledger_protect(&look.ledger, protects ? protects : LEDGER_VOTES, 0, 0);
  if (!code && !ledger_resumes(&look.ledger, &terms, LEDGER_AGAIN)) {
    if (!again && ledger_resumes(&look.ledger, &terms, LEDGER_ONCE))
      code = error_report(EXIT_REFUSED, "%s: this plan's %s are spent", ledger, plan_quota_print(terms.limit, limit));
    else
      code = ledger_afford(&look.ledger, terms.epsilon, terms.delta);
  }
  ledger_look_shut(&look);
  return door_leave(code);
}

uint32_t fumata_door_meter_answers_left(const fumata_door_meter *meter) {
  return meter ? session_left(&meter->session).answers : 0;
}

uint64_t fumata_door_meter_plan(const fumata_door_meter *meter) {
  return meter ? meter->session.ledger.current->number : 0;
}

uint64_t fumata_door_meter_next(const fumata_door_meter *meter) {
  return meter ? meter->session.next : 0;
}

void fumata_door_meter_reserve(fumata_door_meter *meter, uint32_t silences, uint32_t answers) {
  if (!meter) return;
  if (silences) meter->session.reserve.silences = silences;
  if (answers) meter->session.reserve.answers = answers;
}

uint32_t fumata_door_meter_left(const fumata_door_meter *meter) {
  return meter ? session_left(&meter->session).silences : 0;
}

int fumata_door_meter_close(fumata_door_meter *meter) {
  int code;
  door_enter();
  code = door_needs("meter", meter);
  if (code) return door_leave(code);
  code = session_finish(&meter->session);
  session_shut(&meter->session);
  free(meter);
  return door_leave(code);
}
