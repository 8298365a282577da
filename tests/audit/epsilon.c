/* A black-box audit of the compiled core: how much can be told from what it releases?
 *
 *   epsilon meter|toll|both|classic|poll WORK
 *
 * For each of some plans: the epsilon it was certified for, the exact one of the worst streams that theory suggests
 * (laws.h, game.h), and a lower bound measured on transcripts of the core itself, for two sets of votes that differ in one
 * teacher's, or of a poll for two crowds of which one has a record more. It fails when more is measured than was certified,
 * or than the exact law allows, or when more silences, answers or votes come out than were paid for. WORK is about how many thousand rows of tables are read for one stream. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit/bounds.h"
#include "audit/crowd.h"
#include "audit/plans.h"
#include "audit/subject.h"
#include "plan/mechanism.h"

#define RISK    1e-7    /* of a false alarm, for each stream and direction */
#define PLACES  24      /* distances that are tried in search of the worst */
#define RARELY  0.05    /* silences rarer than this make transcripts too long to sample */
#define MOST    2000000 /* transcripts of a side */
#define FEWEST  2000
#define BESIDE  60   /* what a call of the core costs beside its table, in rows */
#define RESUMED 2000 /* times as much costs a call after which the process crashes: the plan is certified again */

static const struct plans_wish wishes[] = {
    {PLAN_MECHANISM_METER, "0.5", "1e-5", 2, 0}, {PLAN_MECHANISM_METER, "1", "1e-5", 5, 0},
    {PLAN_MECHANISM_METER, "1", "1e-5", 20, 0},  {PLAN_MECHANISM_METER, "2", "1e-3", 5, 0},
    {PLAN_MECHANISM_METER, "4", "1e-5", 5, 0},   {PLAN_MECHANISM_METER, "4", "1e-2", 2, 0},
    {PLAN_MECHANISM_TOLL, "0.5", "1e-5", 0, 20}, {PLAN_MECHANISM_TOLL, "1", "1e-5", 0, 100},
    {PLAN_MECHANISM_TOLL, "2", "1e-5", 0, 100},  {PLAN_MECHANISM_TOLL, "2", "1e-3", 0, 20},
    {PLAN_MECHANISM_TOLL, "1", "1e-2", 0, 10},   {PLAN_MECHANISM_TOLL, "4", "1e-2", 0, 10},
    {PLAN_MECHANISM_BOTH, "1", "1e-5", 5, 50},   {PLAN_MECHANISM_BOTH, "2", "1e-3", 3, 20},
    {PLAN_MECHANISM_BOTH, "4", "1e-2", 2, 10},   {PLAN_MECHANISM_CLASSIC, "0.5", "1e-5", 2, 0},
    {PLAN_MECHANISM_CLASSIC, "1", "1e-5", 2, 0}, {PLAN_MECHANISM_CLASSIC, "2", "1e-3", 3, 0},
    {PLAN_MECHANISM_CLASSIC, "4", "1e-2", 4, 0}, {PLAN_MECHANISM_CLASSIC, "8", "1e-2", 2, 0},
    {PLAN_MECHANISM_POLL, "0.5", "1e-5", 0, 10}, {PLAN_MECHANISM_POLL, "1", "1e-5", 0, 40},
    {PLAN_MECHANISM_POLL, "2", "1e-3", 0, 5},    {PLAN_MECHANISM_POLL, "4", "1e-5", 0, 10},
    {PLAN_MECHANISM_POLL, "2", "0.05", 0, 8},    {PLAN_MECHANISM_POLL, "1", "1e-2", 0, 2},
    {PLAN_MECHANISM_POLL, "4", "1e-2", 0, 2}};

static double work;          /* of one stream, in rows */
static uint64_t transcripts; /* played so far, both sides */

/* A stream: what an adversary asks, as a law for either side and a way to play it. */
struct stream {
  const char *name;
  const double *here, *there; /* the exact law of the outcome */
  size_t size;
  double calls; /* of the core, in a usual play */
  const struct laws *laws;
  struct subject_ballot ballots[2][2];  /* by side and kind: one ballot repeated ... */
  const struct game *game;              /* ... or an adversary that chooses, */
  const struct subject_ballot *by_game; /* with these ballots by distance */
  struct crowd *crowd;                  /* a poll of this crowd, */
  struct laws_place place;              /* at this lead if no game is played, */
  enum crowd_way way;                   /* by such questions */
};

static size_t play(struct subject *subject, const struct stream *stream, int side) {
  transcripts++;
  if (stream->crowd)
    return stream->game ? crowd_chased(stream->crowd, stream->game, side)
                        : crowd_repeat(stream->crowd, &stream->place, stream->way, side);
  return stream->game ? subject_chased(subject, stream->game, stream->by_game, side)
                      : subject_repeat(subject, stream->laws, stream->ballots[side]);
}

static uint64_t trials_of(const struct plan_box *plan, const struct stream *stream) {
  double rows = stream->crowd                               ? plan->toll.size + stream->crowd->sides[1].units / 2.0
                : plan->mechanism == PLAN_MECHANISM_TOLL    ? plan->toll.size
                : plan->mechanism == PLAN_MECHANISM_CLASSIC ? plan->classic.query.size
                : plan->mechanism == PLAN_MECHANISM_BOTH    ? fmax(plan->meter.size, plan->toll.size)
                                                            : plan->meter.size;
  double trials = work / (stream->calls * (rows + BESIDE)) / 2;
  return trials > MOST ? MOST : trials < FEWEST ? FEWEST : (uint64_t)trials;
}

/* A lower bound of epsilon, in the worse direction. One half of the transcripts chooses the event, the other judges it. */
static double measure(struct subject *subject, const struct stream *stream, double delta) {
  size_t size = stream->size;
  uint64_t trials = trials_of(subject->plan, stream), *counts = calloc(4 * size, sizeof *counts);
  double shown, back;
  if (!counts) exit(3);
  for (uint64_t i = 0; i < trials; i++)
    for (size_t side = 0; side < 2; side++)
      counts[(2 * (i % 2) + side) * size + play(subject, stream, (int)side)]++;
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

static int audit_stream(const struct plan_box *plan, const struct stream *stream, int is_quiet) {
  double epsilon = plans_epsilon(plan), delta = plans_delta(plan);
  double exact = plans_exact(stream->here, stream->there, stream->size, delta), measured;
  struct plan_quota limit = plan_limit(plan);
  struct subject subject = {.plan = plan};
  int failed;
  if (!stream->crowd) subject_begin(&subject, plan);
  measured = measure(&subject, stream, delta);
  failed = measured > epsilon || exact > epsilon || measured > exact + 1e-6;
  if (failed || !is_quiet)
    printf("%-8s %7.3g %6g %4u %4u  %-28s %7.3f %8.3f %5.0f %%%s\n", mechanism_of(plan->mechanism)->name, epsilon,
           delta, (unsigned)limit.silences, (unsigned)(limit.answers + plan_votes(plan)), stream->name, exact, measured,
           100 * exact / epsilon, failed ? "   AUDIT FAILED" : "");
  fflush(stdout);
  return failed;
}

/* Calls of the core until everything is paid for. */
static double calls_at(const struct plan_box *plan, uint32_t distance) {
  struct plan_quota limit = plan_limit(plan);
  return limit.answers + (limit.silences ? 2 * limit.silences / plan_silence(plan, distance) : 0);
}

/* Gaps on the two sides, of the meter's queries and the toll's. */
struct gaps {
  int64_t here, there, toll_here, toll_there;
};

static int audit_repeated(const struct plan_box *plan, const struct laws_place *place, const struct gaps *gaps,
                          const char *name, int is_quiet) {
  int is_toll = plan->mechanism == PLAN_MECHANISM_TOLL, failed;
  struct laws laws;
  struct stream stream = {.name = name, .laws = &laws, .calls = calls_at(plan, place->here)};
  int64_t sides[2] = {gaps->here, gaps->there}, toll_sides[2] = {gaps->toll_here, gaps->toll_there};
  if (laws_make(&laws, plan, place)) exit(3);
  stream.here = laws.here, stream.there = laws.there, stream.size = laws.size;
  for (int side = 0; side < 2; side++) {
    stream.ballots[side][0] = subject_ballot(sides[side]);
    stream.ballots[side][1] = subject_ballot(is_toll ? sides[side] : toll_sides[side]);
  }
  failed = audit_stream(plan, &stream, is_quiet);
  laws_free(&laws);
  return failed;
}

static int audit_place(const struct plan_box *plan, const struct laws_place *place, int64_t more, int is_quiet) {
  struct gaps gaps = {2 * (int64_t)place->here + 1 + more, 2 * (int64_t)place->there + 1 + more,
                      2 * (int64_t)place->toll_here + 1 + more, 2 * (int64_t)place->toll_there + 1 + more};
  char name[64];
  int at = snprintf(name, sizeof name, "distance %u or %u", (unsigned)place->here, (unsigned)place->there);
  if (plan->mechanism == PLAN_MECHANISM_BOTH)
    snprintf(name + at, sizeof name - (size_t)at, ", %u or %u", (unsigned)place->toll_here,
             (unsigned)place->toll_there);
  return audit_repeated(plan, place, &gaps, name, is_quiet);
}

/* The edge, where a label tells all; and a tie that changes hands, which must tell nothing. */
static int audit_edges(const struct plan_box *plan) {
  struct laws_place edge = {1, 0, 1, 0}, tie = {0, 0, 0, 0};
  struct gaps edge_gaps = {3, 1, 3, 1}, tie_gaps = {1, -1, 1, -1};
  int failed = audit_repeated(plan, &edge, &edge_gaps, "distance 1, or a tie", 0);
  return failed | audit_repeated(plan, &tie, &tie_gaps, "a tie that changes hands", 0);
}

/* An adversary with a policy, on the plan's distances up to `most`. */
static int audit_game(const struct plan_box *plan, struct game *game, uint32_t most, const char *name) {
  struct subject_ballot *ballots = malloc((most + 1) * sizeof *ballots);
  struct stream stream = {.name = name, .game = game, .by_game = ballots, .calls = 2 * calls_at(plan, most / 2 + 1)};
  int failed;
  if (!ballots || game_law(game)) exit(3);
  for (uint32_t d = 0; d <= most; d++)
    ballots[d] = subject_ballot(2 * (int64_t)d + 1);
  stream.here = game->here, stream.there = game->there, stream.size = game->size;
  failed = audit_stream(plan, &stream, 0);
  free(ballots);
  return failed;
}

/* A record that has voted more often than it may, whatever could be told from it. */
static int audit_votes(const struct crowd *crowd) {
  uint32_t votes = plan_votes(crowd->plan);
  if (crowd->most_votes <= votes) return 0;
  printf("AUDIT FAILED: a record voted %u times and had %u votes\n", (unsigned)crowd->most_votes, (unsigned)votes);
  return 1;
}

/* The same of a poll. */
static int audit_poll_game(const struct plan_box *plan, struct game *game, uint32_t most, const char *name) {
  struct crowd crowd;
  struct stream stream = {.name = name, .game = game, .calls = plan_votes(plan), .crowd = &crowd};
  int failed;
  if (game_law(game)) exit(3);
  stream.here = game->here, stream.there = game->there, stream.size = game->size;
  crowd_make(&crowd, plan, most);
  failed = audit_stream(plan, &stream, 0) | audit_votes(&crowd);
  crowd_free(&crowd);
  return failed;
}

static int audit_games(const struct plan_box *plan, uint32_t most, double exact) {
  struct game game;
  int failed;
  if (game_make(&game, plan, most, most / PLACES + 1, plans_epsilon(plan), GAME_GRID)) exit(3);
  game_climb(&game);
  failed = (plan_votes(plan) ? audit_poll_game : audit_game)(plan, &game, most, "a ladder");
  if (game_chase(&game, exact)) exit(3);
  failed |= plan_votes(plan) ? audit_poll_game(plan, &game, most, "chasing one record")
                             : audit_game(plan, &game, most, "chasing one teacher");
  game_free(&game);
  return failed;
}

static int audit_plan(const struct plan_box *plan) {
  uint32_t most = plans_farthest(plan, RARELY);
  struct laws_place place = plans_worst(plan, most, PLACES);
  int failed = audit_place(plan, &place, 0, 0);
  failed |= audit_place(plan, &place, 1, 1); /* even gaps, the same distances */
  failed |= audit_edges(plan);
  if (plan->mechanism == PLAN_MECHANISM_METER || plan->mechanism == PLAN_MECHANISM_TOLL)
    failed |= audit_games(plan, most, 0.9 * plans_epsilon(plan));
  return failed;
}

/* ---- a poll ---- */

static int audit_crowd(const struct plan_box *plan, const struct laws_place *place, enum crowd_way way,
                       const char *name, int is_quiet) {
  struct crowd crowd;
  struct laws laws;
  struct stream stream = {.name = name, .calls = plan_votes(plan), .crowd = &crowd, .place = *place, .way = way};
  int failed;
  if (way == CROWD_MORE ? crowd_more_law(&laws, plan, place) : laws_make(&laws, plan, place)) exit(3);
  stream.here = laws.here, stream.there = laws.there, stream.size = laws.size;
  if (way == CROWD_CRASH) stream.calls *= RESUMED;
  crowd_make(&crowd, plan, place->here > place->there ? place->here : place->there);
  failed = audit_stream(plan, &stream, is_quiet) | audit_votes(&crowd);
  crowd_free(&crowd);
  laws_free(&laws);
  return failed;
}

static int audit_lead(const struct plan_box *plan, uint32_t here, uint32_t there, int is_quiet) {
  struct laws_place place = {here, there, 0, 0};
  char name[64];
  snprintf(name, sizeof name, "a lead of %u or %u", (unsigned)here, (unsigned)there);
  return audit_crowd(plan, &place, CROWD_FAIR, name, is_quiet);
}

static int audit_poll(const struct plan_box *plan) {
  uint32_t most = plans_farthest(plan, RARELY);
  struct laws_place place = plans_worst(plan, most, PLACES), tie = {0, 0, 0, 0};
  struct laws_place level = {place.here, place.here, 0, 0};
  int failed = audit_lead(plan, place.here, place.there, 0);
  failed |= audit_lead(plan, place.there, place.here, 1); /* the record comes on the other side */
  failed |= audit_lead(plan, 1, 0, 0);
  failed |= audit_crowd(plan, &place, CROWD_MORE, "one question more than votes", 0);
  failed |= audit_crowd(plan, &place, CROWD_LISTED, "listed, twice if taken", 0);
  if (plan_votes(plan) <= 2) failed |= audit_crowd(plan, &place, CROWD_CRASH, "heard unpaid if possible", 0);
  failed |= audit_crowd(plan, &level, CROWD_ELSEWHERE, "asked elsewhere", 0);
  failed |= audit_crowd(plan, &tie, CROWD_PART, "a part of a vote", 0);
  return failed | audit_games(plan, most, 0.9 * plans_epsilon(plan));
}

/* Every distance of one plan, so that a single wrong row is seen. */
static int audit_rows(const struct plan_box *plan) {
  uint32_t most = plans_farthest(plan, RARELY), d;
  int failed = 0;
  for (d = 1; d <= most; d++) {
    struct laws_place place = {d, d - 1, d, d - 1};
    failed |= plan_votes(plan) ? audit_lead(plan, d, d - 1, 1) : audit_place(plan, &place, 0, 1);
  }
  printf("%-8s the last plan again at each distance from 1 to %u\n", mechanism_of(plan->mechanism)->name,
         (unsigned)d - 1);
  return failed;
}

int main(int count, char **words) {
  enum plan_mechanism mechanism;
  int failed = 0;
  work = count == 3 ? 1000 * strtod(words[2], NULL) : 0;
  if (!(work > 0) || mechanism_find(words[1], &mechanism)) {
    fputs("usage: epsilon meter|toll|both|classic|poll WORK\n", stderr);
    return 2;
  }
  for (size_t i = 0; i < sizeof wishes / sizeof *wishes; i++) {
    struct plan_box plan;
    int is_last = i + 1 == sizeof wishes / sizeof *wishes || wishes[i + 1].mechanism != mechanism;
    if (wishes[i].mechanism != mechanism) continue;
    plans_make(&wishes[i], &plan);
    failed |= plan_votes(&plan) ? audit_poll(&plan) : audit_plan(&plan);
    if (is_last) failed |= audit_rows(&plan);
    plan_free(&plan);
  }
  printf("%-8s %llu transcripts\n", words[1], (unsigned long long)transcripts);
  return failed;
}
