/* fumata learn --dry-run: columns, plan, what to expect of it and how long it takes, from public data and options alone.
 * Of the private file only that it is none of the public ones is looked at, and nothing is spent: so the number of units is
 * what --about says, or unknown. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/learn.h"
#include "data/identity.h"
#include "learn/ensemble.h"
#include "learn/pool.h"

#define LEARN_DRY_RUN_CHUNK 100u  /* records of a teacher where their number is not known */
#define LEARN_DRY_RUN_TRIES 3u    /* teachers that are trained to see how long it takes */
#define LEARN_DRY_RUN_VOTES 1000u /* public records that they vote on */

/* ---- the public side ---- */

static int learn_dry_run_load(struct learn *learn) {
  struct training *training = &learn->training;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  const char *text = learn->student_text ? learn->student_text : training->learner_text;
  int code = training_learner(training, learn->student_text ? "--student" : "--learner", text, &learn->student);
  if (!code && !learn->label_private)
    code = identity_apart(training->private_path, training->request.public_path, "--public");
  if (!code) code = identity_apart(training->private_path, learn->test_path, "--test");
  if (!code) code = training_prepare(training);
  if (!code) code = reader_load(&learn->queries, training->request.public_path, &training->encoding, &unlabelled);
  if (code) return code;
  learner_fit(&training->learner, &learn->queries, training->encoding.classes.count);
  learner_fit(&learn->student, &learn->queries, training->encoding.classes.count);
  if (learn->label_private && !learn->about) learn->about = learn->queries.count; /* public there; one half teaches */
  say_text("%zu public records to ask about, %u classes, %u features\n", learn->queries.count,
           training->encoding.classes.count, training->encoding.columns);
  training_tell_columns(training);
  return EXIT_OK;
}

/* ---- what to expect ---- */

static const double learn_dry_run_shares[] = {1, 0.95, 0.9, 0.8, 0.7, 0.6};

/* Labels before the T-th silence, if every query were like this one. */
static double learn_dry_run_labels(double silence, uint32_t silences, size_t queries) {
  double all = (double)queries * (1 - silence), paid = silence > 0 ? silences * (1 - silence) / silence : all;
  return paid < all ? paid : all;
}

static void learn_dry_run_expect(const struct learn *learn) {
  const struct training *training = &learn->training;
  const struct plan_box *plan = &training->plan;
  struct plan_quota limit = plan_limit(plan);
  say_text("what to expect of a query on which so many of the %u teachers agree, and the others on one other class:\n",
           training->teachers);
  for (size_t i = 0; i < sizeof learn_dry_run_shares / sizeof *learn_dry_run_shares; i++) {
    double share = learn_dry_run_shares[i];
    uint32_t agreeing = (uint32_t)(share * training->teachers + 0.5);
    uint32_t distance = plan_vote_distance(training->teachers, agreeing);
    say_text("  %3.0f %%", 100 * share);
    if (limit.silences) {
      double silence = plan_silence(plan, distance);
      say_text("   silent %5.1f %%; were all like that: about %.0f labels for %u silences", 100 * silence,
               learn_dry_run_labels(silence, limit.silences, learn->queries.count), limit.silences);
    }
    if (limit.answers)
      say_text("%s the toll names the right one of two in %5.1f %%", limit.silences ? ";" : "  ",
               100 * (1 - plan_miss(plan, PLAN_KIND_TOLL, distance)));
    say_text("\n");
  }
}

/* ---- how long it takes ---- */

/* One teacher of public records with labels made up; the seconds of its training and of its votes on `votes` records. */
static int learn_dry_run_teacher(const struct learn *learn, struct lesson *lesson, size_t votes, double *train,
                                 double *vote) {
  const struct learner *learner = &learn->training.learner;
  struct learned learned = {0};
  struct ensemble single = {0};
  void *room = NULL;
  double start = clock_now(), middle;
  int code = learner_train(learner, lesson, &learned);
  middle = clock_now();
  if (!code) code = memory_take(&room, votes, sizeof(uint16_t));
  if (!code) code = ensemble_single(&single, learner, &learned);
  if (!code) code = ensemble_vote(&single, &learn->queries, 0, votes, room);
  *train += middle - start;
  *vote += clock_now() - middle;
  ensemble_free(&single);
  learned_free(&learned);
  free(room);
  return code;
}

static int learn_dry_run_time(const struct learn *learn, double *seconds) {
  const struct training *training = &learn->training;
  uint64_t units = learn_plan_teaching(learn);
  size_t rows = learn->queries.count, chunk = units ? (size_t)(units / training->teachers) + 1 : LEARN_DRY_RUN_CHUNK;
  size_t votes = rows < LEARN_DRY_RUN_VOTES ? rows : LEARN_DRY_RUN_VOTES, *row = NULL;
  struct lesson lesson = {.rows = &learn->queries, .count = chunk < rows ? chunk : rows};
  double train = 0, vote = 0;
  int32_t *label = NULL;
  int code = memory_take(&row, lesson.count, sizeof *row);
  if (!code) code = memory_take(&label, lesson.count, sizeof *label);
  for (size_t i = 0; !code && i < lesson.count; i++) {
    row[i] = i;
    label[i] = (int32_t)(i % training->learner.classes);
  }
  lesson.row = row;
  lesson.label = label;
  for (unsigned t = 0; !code && t < LEARN_DRY_RUN_TRIES; t++)
    code = learn_dry_run_teacher(learn, &lesson, votes, &train, &vote);
  *seconds = (train + vote * (double)rows / (double)votes) / LEARN_DRY_RUN_TRIES * training->teachers / pool_width();
  free(row);
  free(label);
  return code;
}

/* ---- the plan ---- */

static void learn_dry_run_tell_plan(const struct learn *learn) {
  const struct training *training = &learn->training;
  const fumata_claim *claim = &training->plan.claim;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  rational_print(claim->epsilon_num, claim->epsilon_den, epsilon);
  rational_print(claim->delta_num, claim->delta_den, delta);
  say_text("plan: %s, epsilon %s and delta %s pay for %s; the core certifies it\n",
           plan_mechanism_name(training->plan.mechanism), epsilon, delta,
           plan_quota_print(plan_limit(&training->plan), limit));
  if (learn_plan_teaching(learn))
    say_text("%u teachers, about %" PRIu64 " %s each\n", training->teachers,
             learn_plan_teaching(learn) / training->teachers, learn_plan_noun(learn));
  else
    say_text("%u teachers\n", training->teachers);
}

/* Nobody said how many units there are: plans for several numbers. */
static int learn_dry_run_guess(struct learn *learn) {
  static const uint64_t numbers[] = {1000, 3000, 10000, 30000, 100000, 300000};
  struct training *training = &learn->training;
  struct plan_target target = training->target;
  char unsaid[256], limit[PLAN_QUOTA_TEXT];
  say_text(
      "how many private %s there are is not known: say --about N, a number that is public; a run without it counts "
      "them with noise, for 1/50 of the budget. Plans for some N:\n",
      learn_plan_noun(learn));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int code;
    error_capture(unsaid, sizeof unsaid);
    code = learn_size(learn, numbers[i]);
    if (!code) code = learn_size_plan(learn);
    error_capture(NULL, 0);
    say_text("  %7" PRIu64 "  ", numbers[i]);
    if (code)
      say_text("%s\n", unsaid);
    else
      say_text("%u teachers, %s\n", training->teachers, plan_quota_print(plan_limit(&training->plan), limit));
    plan_free(&training->plan);
    training->teachers = 0;
    training->target = target;
  }
  return EXIT_OK;
}

static int learn_dry_run_plan(struct learn *learn) {
  double seconds;
  int code = learn_size(learn, learn_plan_teaching(learn));
  if (!code) code = learn_size_plan(learn);
  if (code) return code;
  learn_dry_run_tell_plan(learn);
  learn_dry_run_expect(learn);
  code = learn_dry_run_time(learn, &seconds);
  if (code) return code;
  if (seconds < 60)
    say_text("time: about %.0f seconds for the teachers on %u cores\n", seconds < 1 ? 1 : seconds, pool_width());
  else
    say_text("time: about %.0f minutes for the teachers on %u cores\n", seconds / 60, pool_width());
  return EXIT_OK;
}

int learn_dry_run(struct learn *learn) {
  const struct training *training = &learn->training;
  int code = learn_dry_run_load(learn);
  if (code) return code;
  if (learn->label_private) learn->about /= 2;
  code = !training->plan_path && !training->teachers && !learn->about ? learn_dry_run_guess(learn)
                                                                      : learn_dry_run_plan(learn);
  if (!code)
    say_text(
        "nothing was spent or written; the private file was compared with the public one and not read otherwise\n");
  return code;
}
