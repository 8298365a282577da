/* fumata learn --dry-run: columns, plan, what to expect and how long it takes, from public data and options alone. It looks only at
 * the name and the header of the private file, and spends nothing: the number of units is that of --about, or unknown. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/learn.h"
#include "learn/pool.h"

#define LEARN_DRY_CHUNK 100u   /* records of a teacher if their number is not known */
#define LEARN_DRY_TRIES 3u     /* teachers that are trained to see how long it takes */
#define LEARN_DRY_CROWD 20000u /* public records in the place of private ones */
#define LEARN_DRY_VOTES 1000u  /* public records that they vote on */

static int learn_dry_load(struct learn *learn) {
  struct training *training = &learn->training;
  struct teachers *teachers = &training->teachers;
  struct learning *learning = &learn->learning;
  int is_open = training->budget.is_poll && !learning->student_text;
  int code = is_open ? EXIT_OK : learning_parse(learning, teachers);
  if (!code) code = learn_apart(learn);
  training_coins(training, 0, &training->coins);
  if (!code) code = teachers_prepare(teachers, &training->coins);
  if (!code) code = teachers_load_public(teachers, teachers->request.public_path, &learning->queries, NULL);
  if (code) return code;
  learner_fit(&teachers->learner, &learning->queries, teachers->learner.classes);
  /* If only labels are private, the number of records is public; one half teaches. */
  if (learning->label_private && !training->budget.about) training->budget.about = learning->queries.count;
  if (learning->label_private) training->budget.about /= 2;
  learn_tell_data(learn);
  return EXIT_OK;
}

static const double learn_dry_shares[] = {1, 0.95, 0.9, 0.8, 0.7, 0.6};

static void learn_dry_expect(const struct learn *learn) {
  const struct plan_box *plan = &learn->training.budget.plan;
  uint32_t teachers = learn->training.teachers.count;
  struct plan_quota limit = plan_limit(plan);
  say_text("what to expect of a query, by the share of the %u teachers that agree, if all others vote for one class:\n",
           teachers);
  for (size_t i = 0; i < sizeof learn_dry_shares / sizeof *learn_dry_shares; i++) {
    double share = learn_dry_shares[i];
    uint32_t distance = plan_vote_distance(teachers, (uint32_t)(share * teachers + 0.5));
    say_text("  %3.0f %%", 100 * share);
    if (limit.silences) {
      /* Labels before the T-th silence, if every query were like this one. */
      double silence = plan_silence(plan, distance), all = (double)learn->learning.queries.count * (1 - silence);
      double paid = silence > 0 ? limit.silences * (1 - silence) / silence : all;
      say_text("   silent %5.1f %%; if all are like this: about %.0f labels for %u silences", 100 * silence,
               paid < all ? paid : all, limit.silences);
    }
    if (limit.answers)
      say_text("%s the toll's answer is their class in %5.1f %%", limit.silences ? ";" : "  ",
               100 * (1 - plan_miss(plan, PLAN_KIND_TOLL, distance)));
    say_text("\n");
  }
}

/* One teacher of public records with made-up labels: adds the seconds of its training and of its votes on `votes` records. */
static int learn_dry_teacher(const struct learn *learn, struct lesson *lesson, size_t votes, double *train,
                             double *vote) {
  const struct learner *learner = &learn->training.teachers.learner;
  struct learned learned = {0};
  struct ensemble single = {0};
  void *room = NULL;
  double start = clock_now(), middle;
  int code = learner_train(learner, lesson, &learned);
  middle = clock_now();
  if (!code) code = memory_take(&room, votes, sizeof(uint16_t));
  if (!code) code = ensemble_single(&single, learner, &learned);
  if (!code) code = ensemble_vote(&single, &learn->learning.queries, 0, votes, room);
  *train += middle - start;
  *vote += clock_now() - middle;
  ensemble_free(&single);
  learned_free(&learned);
  free(room);
  return code;
}

static int learn_dry_time(const struct learn *learn, double *seconds) {
  const struct teachers *teachers = &learn->training.teachers;
  uint64_t units = budget_teaching(&learn->training.budget, teachers);
  size_t rows = learn->learning.queries.count;
  size_t chunk = units ? (size_t)(units / teachers->count) + 1 : LEARN_DRY_CHUNK;
  size_t votes = rows < LEARN_DRY_VOTES ? rows : LEARN_DRY_VOTES, *row = NULL;
  struct lesson lesson = {.rows = &learn->learning.queries, .count = chunk < rows ? chunk : rows};
  double train = 0, vote = 0;
  int32_t *label = NULL;
  int code = memory_take(&row, lesson.count, sizeof *row);
  if (!code) code = memory_take(&label, lesson.count, sizeof *label);
  for (size_t i = 0; !code && i < lesson.count; i++) {
    row[i] = i;
    label[i] = (int32_t)(i % teachers->learner.classes);
  }
  lesson.row = row;
  lesson.label = label;
  for (unsigned t = 0; !code && t < LEARN_DRY_TRIES; t++)
    code = learn_dry_teacher(learn, &lesson, votes, &train, &vote);
  *seconds = (train + vote * (double)rows / (double)votes) / LEARN_DRY_TRIES * teachers->count / pool_width();
  free(row);
  free(label);
  return code;
}

/* If the number of units is not known: plans for several numbers. */
static int learn_dry_guess(struct learn *learn) {
  static const uint64_t numbers[] = {1000, 3000, 10000, 30000, 100000, 300000};
  struct teachers *teachers = &learn->training.teachers;
  struct budget *budget = &learn->training.budget;
  struct plan_target target = budget->target;
  char unsaid[256], limit[PLAN_QUOTA_TEXT];
  say_text(
      "the number of private %s is not known: give a public one by --about N; a run without it counts them with noise, "
      "for 1/50 of the budget. Plans for some N:\n",
      budget_noun(teachers));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int code;
    error_capture(unsaid, sizeof unsaid);
    code = budget_size(budget, teachers, numbers[i], learn->learning.queries.count);
    error_capture(NULL, 0);
    say_text("  %7" PRIu64 "  ", numbers[i]);
    plan_limit_print(&budget->plan, limit);
    if (code)
      say_text("%s\n", unsaid);
    else if (budget->is_poll)
      say_text("%u questions to about %u each, %s\n", budget->rule.questions, budget->rule.voters, limit);
    else
      say_text("%u teachers, %s\n", teachers->count, limit);
    plan_free(&budget->plan);
    teachers->count = 0;
    budget->target = target;
  }
  return EXIT_OK;
}

/* The line about a plan, for both kinds of voters. */
static void learn_dry_tell(const struct budget *budget) {
  const fumata_claim *claim = &budget->plan.claim;
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], limit[PLAN_QUOTA_TEXT];
  rational_print(claim->epsilon_num, claim->epsilon_den, epsilon);
  rational_print(claim->delta_num, claim->delta_den, delta);
  say_text("plan: %s, epsilon %s and delta %s pay for %s; the core certifies it\n",
           plan_mechanism_name(budget->plan.mechanism), epsilon, delta, plan_limit_print(&budget->plan, limit));
}

static void learn_dry_tell_time(double seconds, const char *what) {
  if (seconds < 60)
    say_text("time: about %.0f seconds for the %s on %u cores\n", seconds < 1 ? 1 : seconds, what, pool_width());
  else
    say_text("time: about %.0f minutes for the %s on %u cores\n", seconds / 60, what, pool_width());
}

/* ---- of a poll ---- */

/* How long all distances take, from those of one batch of public records. */
static int learn_dry_poll_time(const struct learn *learn, double *seconds) {
  const struct rows *rows = &learn->learning.queries;
  const struct budget *budget = &learn->training.budget;
  uint32_t size = rows->count < LEARN_DRY_CROWD ? (uint32_t)rows->count : LEARN_DRY_CROWD;
  struct crowd_question *questions = NULL;
  struct places places = {0};
  struct crowd crowd = {0};
  int16_t weight = 0;
  double start;
  int code =
      places_fit(&places, &learn->training.teachers.encoding.features, rows, learn->training.teachers.learner.classes);
  if (!code) code = crowd_init(&crowd, size, places.dimensions, 0);
  if (!code) code = memory_take(&questions, crowd.at_once, sizeof *questions);
  if (!code) code = neighbours_place(&places, rows, NULL, 1, &crowd.records);
  if (!code) code = crowd_settle(&crowd);
  for (uint32_t i = 0; !code && i < crowd.at_once; i++)
    questions[i] = (struct crowd_question){.centre = crowd.records.places + (size_t)(i % size) * places.dimensions,
                                           .weights = &weight};
  start = clock_now();
  if (!code) code = crowd_find(&crowd, questions, crowd.at_once);
  if (!code) *seconds = (clock_now() - start) * (double)budget->about / size * budget->rule.questions / crowd.at_once;
  free(questions);
  crowd_free(&crowd);
  places_free(&places);
  return code;
}

static int learn_dry_poll(struct learn *learn) {
  struct budget *budget = &learn->training.budget;
  struct teachers *teachers = &learn->training.teachers;
  const struct polling_rule *rule = &budget->rule;
  double seconds;
  int code = budget_size(budget, teachers, budget->about, learn->learning.queries.count);
  if (code) return code;
  learn_dry_tell(budget);
  say_text("%u questions, each to about %u of %" PRIu64
           " %s; for one added or removed (one that is changed: 2 epsilon)\n",
           rule->questions, rule->voters, budget->about, budget_noun(teachers));
  say_text("what to expect of a question, by the share of %u voters that agree:\n", rule->voters);
  for (size_t i = 0; i < sizeof learn_dry_shares / sizeof *learn_dry_shares; i++) {
    double share = learn_dry_shares[i];
    uint32_t lead = (uint32_t)((2 * share - 1) * rule->voters + 0.5);
    say_text("  %3.0f %%   answered as they vote in %5.1f %%\n", 100 * share,
             100 * (1 - plan_miss(&budget->plan, PLAN_KIND_POLL, lead)));
  }
  code = learn_dry_poll_time(learn, &seconds);
  if (!code) learn_dry_tell_time(seconds, "questions");
  return code;
}

/* ---- of teachers ---- */

static int learn_dry_plan(struct learn *learn) {
  struct teachers *teachers = &learn->training.teachers;
  struct budget *budget = &learn->training.budget;
  uint64_t units = budget_teaching(budget, teachers);
  double seconds;
  int code = budget_size(budget, teachers, units, learn->learning.queries.count);
  if (code) return code;
  learn_dry_tell(budget);
  say_text("%u teachers", teachers->count);
  if (units) say_text(", about %" PRIu64 " %s each", units / teachers->count, budget_noun(teachers));
  say_text("\n");
  learn_dry_expect(learn);
  code = learn_dry_time(learn, &seconds);
  if (!code) learn_dry_tell_time(seconds, "teachers");
  return code;
}

int learn_dry_run(struct learn *learn) {
  const struct budget *budget = &learn->training.budget;
  int code = learn_dry_load(learn);
  if (code) return code;
  if (!budget->plan_path && !learn->training.teachers.count && !budget->about)
    code = learn_dry_guess(learn);
  else
    code = budget->is_poll ? learn_dry_poll(learn) : learn_dry_plan(learn);
  if (!code) say_text("nothing was spent or written, and no private record was read\n");
  return code;
}
