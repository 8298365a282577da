/* fumata learn: the mechanism, the way of asking and the student where nobody says; what is advised stands in
 * plan/plan_advise.h. */
#include "base/error.h"
#include "command/learn.h"
#include "plan/plan_advise.h"
#include "plan/plan_constants.h"

/* Which kinds of query are paid for. */
static enum plan_mechanism learn_size_mechanism(const struct learn *learn) {
  const struct plan_target *target = &learn->training.target;
  uint32_t classes = learn->training.learner.classes;
  if (learn->mechanism != LEARN_OPEN) return (enum plan_mechanism)learn->mechanism;
  if (target->silences || target->answers || learn->constants != PLAN_CONSTANTS_OURS)
    return plan_constants_mechanism((enum plan_constants)learn->constants, target);
  if (learn->has_way && learn->way == ASKING_RANDOM) return PLAN_MECHANISM_METER;
  if (learn->has_way && learn->way == ASKING_COMBINED) return PLAN_MECHANISM_BOTH;
  return plan_advise_mechanism(classes);
}

/* Does what was said about the budget go together? */
static int learn_size_check(const struct learn *learn, enum plan_mechanism mechanism) {
  const struct plan_target *target = &learn->training.target;
  const char *name = plan_mechanism_name(mechanism);
  int has_toll = mechanism == PLAN_MECHANISM_TOLL || mechanism == PLAN_MECHANISM_BOTH;
  if (target->silences && mechanism == PLAN_MECHANISM_TOLL)
    return error_report(EXIT_INPUT, "--silences: a %s plan has none", name);
  if (target->answers && !has_toll) return error_report(EXIT_INPUT, "--answers: a %s plan has none", name);
  if (learn->has_way && learn->way != ASKING_RANDOM && !has_toll)
    return error_report(EXIT_INPUT, "--ask %s: a %s plan has no answers to ask for", asking_name(learn->way), name);
  if (learn->has_way && learn->way == ASKING_COMBINED && mechanism != PLAN_MECHANISM_BOTH)
    return error_report(EXIT_INPUT, "--ask combined: a %s plan has no silences", name);
  return plan_constants_check((enum plan_constants)learn->constants, mechanism);
}

int learn_size(struct learn *learn, uint64_t units) {
  struct training *training = &learn->training;
  struct plan_setting setting = {.units = units,
                                 .queries = learn->queries.count,
                                 .classes = training->learner.classes,
                                 .constants = (enum plan_constants)learn->constants};
  int code;
  if (training->plan_path)
    return training->teachers ? EXIT_OK : error_report(EXIT_INPUT, "--plan needs --teachers K beside it");
  setting.mechanism = learn_size_mechanism(learn);
  learn->is_advised = setting.mechanism == PLAN_MECHANISM_BOTH && !training->target.silences;
  code = learn_size_check(learn, setting.mechanism);
  if (!code) code = plan_advise(&training->target, &setting, &training->teachers);
  learn->mechanism = (int)setting.mechanism;
  return code;
}

static int learn_size_make(struct learn *learn) {
  struct training *training = &learn->training;
  return plan_constants_make((enum plan_constants)learn->constants, (enum plan_mechanism)learn->mechanism,
                             &training->target, learn->queries.count, &training->plan);
}

/* Is a unanimous vote met with silence more often than not? */
static int learn_size_is_silent(const struct training *training) {
  return plan_silence(&training->plan, plan_vote_distance(training->teachers, training->teachers)) > PLAN_UNANIMOUS;
}

int learn_size_plan(struct learn *learn) {
  struct training *training = &learn->training;
  int code;
  if (training->plan_path) return training_plan(training, training->teachers);
  code = learn_size_make(learn);
  /* How the two kinds share a budget shows in the plan: advice that was too bold is taken back. */
  while (!code && learn->is_advised && training->target.silences > 1 && learn_size_is_silent(training)) {
    training->target.silences /= 2;
    plan_free(&training->plan);
    code = learn_size_make(learn);
  }
  return code || training->anyway ? code : plan_advise_enough(&training->plan, training->teachers);
}

/* Noisy answers want a more cautious student than labels that are the teachers' own. */
#define LEARN_SIZE_COST_ANSWERS 200.0 /* C is one such part of the answers, at least 1 ... */
#define LEARN_SIZE_COST_BOTH    15.0  /* ... but this where there are labels too */

void learn_size_student(struct learn *learn) {
  struct plan_quota limit = plan_limit(&learn->training.plan);
  if (!learn->has_way) learn->way = !limit.answers ? ASKING_RANDOM : limit.silences ? ASKING_COMBINED : ASKING_MARGIN;
  if (learn->student_text || learner_base(&learn->student) != &learner_logistic || !limit.answers) return;
  learn->student.cost = limit.silences                            ? LEARN_SIZE_COST_BOTH
                        : limit.answers > LEARN_SIZE_COST_ANSWERS ? limit.answers / LEARN_SIZE_COST_ANSWERS
                                                                  : 1;
}
