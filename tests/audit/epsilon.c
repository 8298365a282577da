/* A black-box audit of the compiled core: how much can be told from what it releases?
 *
 *   epsilon meter|toll|classic TRANSCRIPTS
 *
 * For each of some plans: the epsilon it was certified for, the exact one of the worst stream that theory suggests
 * (laws.h), and a lower bound measured on that many transcripts of the core itself, for two sets of votes that differ in
 * one teacher's. Votes go in and answers come out; nothing else is looked at. It fails when more is measured than was
 * certified, or than the exact law allows, or when more silences or answers come out than were paid for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bounds.h"
#include "audit/laws.h"
#include "base/coins.h"
#include "core/fumata.h"
#include "plan/mechanism.h"

#define CLASSES    3u
#define BYSTANDERS 7u   /* teachers who vote for the third class, and as many who abstain */
#define RISK       1e-7 /* of a false alarm, for each plan and direction */
#define PLACES     24   /* distances that are tried in search of the worst */
#define RARELY     0.03 /* silences rarer than this make transcripts too long to sample */

static const struct {
  enum plan_mechanism mechanism;
  const char *epsilon;
  uint32_t silences, answers;
} wanted[] = {
    {PLAN_MECHANISM_METER, "0.5", 5, 0}, {PLAN_MECHANISM_METER, "1", 5, 0},     {PLAN_MECHANISM_METER, "1", 20, 0},
    {PLAN_MECHANISM_METER, "2", 20, 0},  {PLAN_MECHANISM_METER, "4", 5, 0},     {PLAN_MECHANISM_TOLL, "0.5", 0, 50},
    {PLAN_MECHANISM_TOLL, "1", 0, 100},  {PLAN_MECHANISM_TOLL, "2", 0, 100},    {PLAN_MECHANISM_TOLL, "2", 0, 400},
    {PLAN_MECHANISM_TOLL, "4", 0, 100},  {PLAN_MECHANISM_CLASSIC, "0.5", 2, 0}, {PLAN_MECHANISM_CLASSIC, "1", 2, 0},
    {PLAN_MECHANISM_CLASSIC, "2", 4, 0}, {PLAN_MECHANISM_CLASSIC, "4", 4, 0},   {PLAN_MECHANISM_CLASSIC, "8", 6, 0}};

/* Votes of all teachers, with the first label ahead by `gap` (behind when it is negative). */
struct electorate {
  uint8_t *votes;
  uint32_t teachers;
};

static struct electorate electorate_make(uint32_t most, int64_t gap) {
  struct electorate e = {NULL, most + 2 + 2 * BYSTANDERS};
  uint32_t first = (uint32_t)(((int64_t)most + 2 + gap) / 2);
  e.votes = malloc(e.teachers);
  if (!e.votes) exit(3);
  memset(e.votes, 1, e.teachers);
  memset(e.votes, 0, first);
  memset(e.votes + most + 2, 2, BYSTANDERS);
  memset(e.votes + most + 2 + BYSTANDERS, 255, BYSTANDERS);
  return e;
}

static void electorate_count(const struct electorate *e, uint32_t counts[CLASSES]) {
  if (fumata_ballot_tally_u8(e->votes, e->teachers, CLASSES, counts) != FUMATA_OK) exit(3);
}

/* A machine of the core as it is on its first day, and what its transcripts are turned into. */
struct subject {
  const struct plan_box *plan;
  const struct laws *laws;
  fumata_meter meter;
  fumata_toll toll;
  fumata_classic classic;
  struct coins coins;
};

static uint64_t toss(struct subject *s) {
  uint64_t word;
  if (coins_draw(&s->coins, &word)) exit(3);
  return word;
}

static void too_many(const char *what, uint64_t number) {
  printf("AUDIT FAILED: %llu %s left the machine\n", (unsigned long long)number, what);
  exit(1);
}

static fumata_verdict decided(const struct electorate *e) {
  uint32_t counts[CLASSES];
  fumata_verdict verdict;
  electorate_count(e, counts);
  if (fumata_ballot_decide(counts, CLASSES, &verdict) != FUMATA_OK) exit(3);
  return verdict;
}

static size_t play_meter(struct subject *s, const struct electorate *e) {
  fumata_meter meter = s->meter;
  fumata_verdict verdict = decided(e);
  size_t labels = 0;
  uint32_t silences = 0;
  int32_t answer;
  while (meter.reserved || fumata_meter_reserve(&meter, 1) == FUMATA_OK) {
    if (fumata_meter_answer(&meter, &verdict, toss(s), &answer) != FUMATA_OK) exit(3);
    if (answer == FUMATA_SILENT)
      silences++;
    else
      labels++;
  }
  if (silences > s->plan->meter.limit) too_many("silences", silences);
  return labels;
}

static size_t play_toll(struct subject *s, const struct electorate *e) {
  fumata_toll toll = s->toll;
  uint32_t counts[CLASSES], answers = 0;
  size_t first = 0;
  fumata_duel duel;
  int32_t answer;
  electorate_count(e, counts);
  if (fumata_ballot_duel(counts, CLASSES, 0, 1, &duel) != FUMATA_OK) exit(3);
  while (toll.reserved || fumata_toll_reserve(&toll, 1) == FUMATA_OK) {
    if (fumata_toll_answer(&toll, &duel, toss(s), &answer) != FUMATA_OK) exit(3);
    first += answer == 0;
    answers++;
  }
  if (answers > s->plan->toll.limit) too_many("answers", answers);
  return first;
}

static size_t play_classic(struct subject *s, const struct electorate *e) {
  fumata_classic classic = s->classic;
  fumata_verdict verdict = decided(e);
  size_t score = 0;
  uint32_t silences = 0;
  int32_t answer;
  while (fumata_classic_reserve(&classic, toss(s)) == FUMATA_OK) {
    size_t labels = 0;
    for (; classic.reserved; labels += answer != FUMATA_SILENT)
      if (fumata_classic_answer(&classic, &verdict, toss(s), &answer) != FUMATA_OK) exit(3);
    score += laws_stretch(s->laws, labels);
    silences++;
  }
  if (silences > s->plan->classic.limit) too_many("silences", silences);
  return score;
}

static size_t play(struct subject *s, const struct electorate *e) {
  size_t outcome = s->plan->mechanism == PLAN_MECHANISM_METER  ? play_meter(s, e)
                   : s->plan->mechanism == PLAN_MECHANISM_TOLL ? play_toll(s, e)
                                                               : play_classic(s, e);
  return outcome < s->laws->size ? outcome : s->laws->size - 1;
}

static void begin(struct subject *s, const struct plan_box *plan, const struct laws *laws) {
  fumata_status status;
  memset(s, 0, sizeof *s);
  s->plan = plan;
  s->laws = laws;
  coins_init(&s->coins);
  if (plan->mechanism == PLAN_MECHANISM_METER)
    status = fumata_meter_init(&s->meter, &plan->meter, &plan->claim);
  else if (plan->mechanism == PLAN_MECHANISM_TOLL)
    status = fumata_toll_init(&s->toll, &plan->toll, &plan->claim);
  else
    status = fumata_classic_init(&s->classic, &plan->classic, &plan->claim);
  if (status != FUMATA_OK) exit(3);
}

/* Two halves of the transcripts: one to choose the event, one to judge it. */
static void sample(struct subject *s, const struct electorate *e, uint64_t trials, uint64_t *counts) {
  for (uint64_t i = 0; i < trials; i++)
    counts[play(s, e)]++;
}

/* The larger lower bound of the two directions. */
static double measure(struct subject *s, const struct electorate *here, const struct electorate *there, uint64_t trials,
                      double delta) {
  size_t size = s->laws->size;
  uint64_t *counts = calloc(4 * size, sizeof *counts);
  double shown, back;
  if (!counts) exit(3);
  for (size_t half = 0; half < 2; half++) {
    sample(s, here, trials / 2, counts + 2 * half * size);
    sample(s, there, trials / 2, counts + (2 * half + 1) * size);
  }
  {
    struct bounds_counts choose = {counts, counts + size, trials / 2};
    struct bounds_counts judge = {counts + 2 * size, counts + 3 * size, trials / 2};
    struct bounds_counts choose_back = {counts + size, counts, trials / 2};
    struct bounds_counts judge_back = {counts + 3 * size, counts + 2 * size, trials / 2};
    shown = bounds_epsilon(&choose, &judge, size, delta, RISK);
    back = bounds_epsilon(&choose_back, &judge_back, size, delta, RISK);
  }
  free(counts);
  return shown > back ? shown : back;
}

static double exact_of(const struct laws *laws, double delta) {
  double forth = laws_epsilon(laws->here, laws->there, laws->size, delta);
  double back = laws_epsilon(laws->there, laws->here, laws->size, delta);
  return forth > back ? forth : back;
}

/* Distances worth trying: up to where even the last row is reached, or classic's width and what its noise adds. */
static uint32_t farthest(const struct plan_box *plan) {
  if (plan->mechanism == PLAN_MECHANISM_METER) return plan->meter.size;
  if (plan->mechanism == PLAN_MECHANISM_TOLL) return plan->toll.size;
  return (uint32_t)(plan->classic.width > 0 ? 2 * plan->classic.width : 20);
}

static int is_short(const struct plan_box *plan, uint32_t distance) {
  return plan->mechanism == PLAN_MECHANISM_TOLL || plan_silence(plan, distance) > RARELY;
}

static uint32_t worst_distance(const struct plan_box *plan, double delta) {
  uint32_t most = farthest(plan), step = most / PLACES + 1, worst = 1;
  double largest = 0;
  for (uint32_t d = 1; d <= most && is_short(plan, d); d += step) {
    struct laws laws;
    double epsilon;
    if (laws_make(&laws, plan, d, d - 1)) exit(3);
    epsilon = exact_of(&laws, delta);
    if (epsilon > largest) largest = epsilon, worst = d;
    laws_free(&laws);
  }
  return worst;
}

/* The name of a stream, the gaps on its two sides, and the distances that they should be. */
struct stream {
  const char *name;
  int64_t gap_here, gap_there;
  uint32_t here, there;
};

static int audit_stream(const struct plan_box *plan, const struct stream *stream, uint64_t trials, int is_quiet) {
  double epsilon = (double)plan->claim.epsilon_num / plan->claim.epsilon_den;
  double delta = (double)plan->claim.delta_num / (double)plan->claim.delta_den;
  uint32_t most = 2 * farthest(plan) + 4;
  struct electorate here = electorate_make(most, stream->gap_here), there = electorate_make(most, stream->gap_there);
  struct subject subject;
  struct laws laws;
  double exact, measured;
  int failed;
  if (laws_make(&laws, plan, stream->here, stream->there)) exit(3);
  begin(&subject, plan, &laws);
  exact = exact_of(&laws, delta);
  measured = measure(&subject, &here, &there, trials, delta);
  failed = measured > epsilon || exact > epsilon || measured > exact + 1e-6;
  if (failed || !is_quiet)
    printf("%-8s %7.3g %6g %5u  %-24s %6.3f %9.3f  %3.0f %%%s\n", mechanism_of(plan->mechanism)->name, epsilon, delta,
           (unsigned)(plan_limit(plan).silences + plan_limit(plan).answers), stream->name, exact, measured,
           100 * exact / epsilon, failed ? "   AUDIT FAILED" : "");
  laws_free(&laws);
  free(here.votes);
  free(there.votes);
  return failed;
}

static struct stream stream_at(uint32_t distance, char name[40]) {
  struct stream stream = {name, 2 * (int64_t)distance + 1, 2 * (int64_t)distance - 1, distance, distance - 1};
  snprintf(name, 40, "distances %u and %u", distance, distance - 1);
  return stream;
}

static int audit_plan(const struct plan_box *plan, uint64_t trials) {
  double delta = (double)plan->claim.delta_num / (double)plan->claim.delta_den;
  char name[40];
  struct stream edge = {"distance 1, and a tie", 3, 1, 1, 0}, swap = {"a tie that changes hands", 1, -1, 0, 0};
  struct stream odd = stream_at(worst_distance(plan, delta), name), even = odd;
  int failed = audit_stream(plan, &odd, trials, 0);
  even.gap_here++, even.gap_there++; /* the same distances */
  failed |= audit_stream(plan, &even, trials / 4, 1);
  failed |= audit_stream(plan, &edge, trials / 4, 0);
  if (plan->mechanism == PLAN_MECHANISM_TOLL) failed |= audit_stream(plan, &swap, trials / 4, 0);
  return failed;
}

/* Every distance of one plan, so that a single wrong row is seen. */
static int audit_rows(const struct plan_box *plan, uint64_t trials) {
  uint32_t most = farthest(plan), d;
  int failed = 0;
  for (d = 1; d <= most && is_short(plan, d); d++) {
    char name[40];
    struct stream stream = stream_at(d, name);
    failed |= audit_stream(plan, &stream, trials, 1);
  }
  printf("%-8s the last plan again at each distance from 1 to %u\n", mechanism_of(plan->mechanism)->name,
         (unsigned)d - 1);
  return failed;
}

int main(int count, char **words) {
  enum plan_mechanism mechanism;
  uint64_t trials = count == 3 ? strtoull(words[2], NULL, 10) : 0;
  int failed = 0;
  if (trials < 1000 || mechanism_find(words[1], &mechanism)) {
    fputs("usage: epsilon meter|toll|classic TRANSCRIPTS\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    struct plan_target target = {0};
    struct plan_box box;
    int is_last = i + 1 == sizeof wanted / sizeof *wanted || wanted[i + 1].mechanism != mechanism;
    if (wanted[i].mechanism != mechanism) continue;
    plan_target_epsilon(&target, "epsilon", wanted[i].epsilon);
    plan_target_delta(&target, "delta", "1e-5");
    target.silences = wanted[i].silences;
    target.answers = wanted[i].answers;
    if (mechanism_of(mechanism)->make(&target, NULL, &box)) return 3;
    failed |= audit_plan(&box, trials);
    if (is_last) failed |= audit_rows(&box, trials / 10);
    fflush(stdout);
    plan_free(&box);
  }
  return failed;
}
