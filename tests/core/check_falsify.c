/* Attempts to catch the certificate out: plans with a little less privacy than certified must be refused, and exact
 * distributions of transcripts must never show more loss than was certified. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/certify.h"
#include "plan/plan_meter.h"
#include "support/suite.h"

static uint64_t seed = 1;

/* splitmix64 */
static uint64_t word(void) {
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint32_t below(uint32_t n) {
  return (uint32_t)(word() % n);
}

static double uniform(void) {
  return ldexp((double)(word() >> 11), -53);
}

/* The twenty plans of MECHANISM section 3. */
static const char *const epsilons[] = {"0.5", "1", "2", "4", "8"};
static const uint32_t limits[] = {5, 20, 100, 400};

static void make_plan(int cell, struct plan_box *box) {
  struct plan_target target;
  fumata_fault fault;
  memset(&target, 0, sizeof target);
  ck_assert_int_eq(plan_target_epsilon(&target, "epsilon", epsilons[cell / 4]), 0);
  ck_assert_int_eq(plan_target_delta(&target, "delta", "1e-5"), 0);
  target.silences = limits[cell % 4];
  ck_assert_int_eq(plan_meter_make(&target, NULL, box), 0);
  ck_assert_int_eq(fumata_certify_meter(&box->meter, &box->claim, &fault), FUMATA_OK);
}

START_TEST(test_one_entry_lowered) {
  struct plan_box box;
  fumata_fault fault;
  uint32_t i, tried = 0;
  make_plan(_i, &box);
  for (i = 0; i < box.meter.size && plan_silence(&box, i + 1) > 1e-4; i++) {
    uint64_t kept = box.memory[0][i];
    box.memory[0][i] = kept - kept / 200;
    ck_assert_msg(fumata_certify_meter(&box.meter, &box.claim, &fault) != FUMATA_OK, "entry %u of plan %d", i, _i);
    box.memory[0][i] = kept;
    tried++;
  }
  ck_assert_uint_gt(tried, 20);
  ck_assert_int_eq(fumata_certify_meter(&box.meter, &box.claim, &fault), FUMATA_OK);
  plan_free(&box);
}
END_TEST

START_TEST(test_claim_improved) {
  struct plan_box box;
  fumata_claim claim;
  fumata_meter_plan plan;
  fumata_fault fault;
  make_plan(_i, &box);
  plan = box.meter;
  plan.limit += plan.limit / 50 > 1 ? plan.limit / 50 : 1;
  ck_assert_int_ne(fumata_certify_meter(&plan, &box.claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  claim = box.claim;
  claim.delta_num *= 95;
  claim.delta_den *= 100;
  ck_assert_int_ne(fumata_certify_meter(&box.meter, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  claim = box.claim;
  claim.epsilon_num *= 99;
  claim.epsilon_den *= 100;
  ck_assert_int_ne(fumata_certify_meter(&box.meter, &claim, &fault), FUMATA_OK);
  ck_assert_int_eq(fault.kind, FUMATA_FAULT_TOTAL);
  plan_free(&box);
}
END_TEST

/* Exact transcripts. A stream is a tree: the distances of the next query may depend on everything released. */

#define STREAM_MAX 12
#define TABLE_MAX  8

typedef struct {
  long double silence[TABLE_MAX + 1]; /* meter: p at distance 0, 1, ...; the last stands for all beyond */
  uint32_t last;
  long double bound; /* e^epsilon */
  uint32_t way;      /* which adversary */
  uint32_t d, e;     /* its favourite pair */
} game;

/* A pair of neighbouring distances. At (0, 0) the two runs' labels differ. */
static void choose(const game *g, uint32_t *d, uint32_t *e) {
  if (g->way == 0 || (g->way == 1 && below(4))) {
    *d = g->d;
    *e = g->e;
    return;
  }
  *d = below(g->last + 1);
  *e = below(3) + *d;
  *e = *e > 0 ? *e - 1 : 0;
  if (*e > g->last) *e = g->last;
}

/* The hockey-stick divergence of what follows, when this prefix has probabilities p and q. */
static long double loss(const game *g, long double p, long double q, uint32_t left, uint32_t queries) {
  uint32_t d, e;
  long double sum, a, b;
  if (left == 0 || queries == 0 || p == 0) return p > g->bound * q ? p - g->bound * q : 0;
  choose(g, &d, &e);
  a = g->silence[d];
  b = g->silence[e];
  sum = loss(g, p * a, q * b, left - 1, queries - 1);
  if (d == 0 && e == 0) return sum + p * (1 - a);
  return sum + loss(g, p * (1 - a), q * (1 - b), left, queries - 1);
}

/* The same for the worst strategy there is. */
static long double worst(const game *g, long double p, long double q, uint32_t left, uint32_t queries) {
  long double most = p > g->bound * q ? p - g->bound * q : 0;
  uint32_t d, e;
  if (left == 0 || queries == 0 || p == 0) return most;
  for (d = 0; d <= g->last; d++)
    for (e = d ? d - 1 : 0; e <= d + 1 && e <= g->last; e++) {
      long double a = g->silence[d], b = g->silence[e];
      long double sum = worst(g, p * a, q * b, left - 1, queries - 1);
      sum += d == 0 && e == 0 ? p * (1 - a) : worst(g, p * (1 - a), q * (1 - b), left, queries - 1);
      if (sum > most) most = sum;
    }
  return most;
}

/* The adversaries' best try. */
static long double attack(game *g, uint32_t limit) {
  long double most = 0, seen;
  uint32_t d, e, turn;
  for (d = 0; d <= g->last; d++)
    for (e = d ? d - 1 : 0; e <= d + 1 && e <= g->last; e++) {
      g->d = d;
      g->e = e;
      for (g->way = 0; g->way < 2; g->way++)
        for (turn = 0; turn < (g->way ? 3 : 1); turn++) {
          seen = loss(g, 1, 1, limit, STREAM_MAX - below(3));
          if (seen > most) most = seen;
        }
    }
  g->way = 2;
  for (turn = 0; turn < 20; turn++) {
    seen = loss(g, 1, 1, limit, 1 + below(STREAM_MAX));
    if (seen > most) most = seen;
  }
  seen = worst(g, 1, 1, limit, g->last <= 3 ? 3 : 2);
  return seen > most ? seen : most;
}

static void play(const fumata_meter_plan *plan, const fumata_claim *claim, game *g) {
  uint32_t i;
  memset(g, 0, sizeof *g);
  g->silence[0] = 1;
  for (i = 0; i < plan->size; i++)
    g->silence[i + 1] = ldexpl((long double)plan->silence[i], -64);
  g->last = plan->size;
  g->bound = expl((long double)claim->epsilon_num / (long double)claim->epsilon_den);
}

static long double peak(long double alpha) {
  return powl(1 - 1 / alpha, alpha - 1) / alpha;
}

/* The claim with the smallest delta that Theorem M gives for this alpha, with a little on top so that the core's
 * roundings fit; 0 if that is no less than 1. */
static int cheapest(const fumata_meter_plan *plan, fumata_claim *claim) {
  long double alpha = claim->alpha, v = 1, delta, first = ldexpl((long double)plan->silence[0], -64);
  uint32_t i, turn;
  for (i = 1; i < plan->size; i++)
    for (turn = 0; turn < 2; turn++) {
      long double p = ldexpl((long double)plan->silence[i - turn], -64);
      long double r = ldexpl((long double)plan->silence[i - 1 + turn], -64);
      long double rest = 1 - powl(1 - p, alpha) * powl(1 - r, 1 - alpha);
      long double need = powl(p, alpha) * powl(r, 1 - alpha) / rest;
      if (rest <= 0 || need > 1e6L) return 0;
      if (need > v) v = need;
    }
  if (powl(first, 1 - alpha) > v) v = powl(first, 1 - alpha);
  claim->v = (uint64_t)ldexpl(v * (1 + 1e-6L), 32) + 1;
  v = ldexpl((long double)claim->v, -32);
  delta = peak(alpha) * powl(v, plan->limit) *
              expl((1 - alpha) * (long double)claim->epsilon_num / (long double)claim->epsilon_den) +
          plan->limit * (1 - first);
  delta *= (long double)claim->delta_den * (1 + 1e-4L);
  if (delta >= (long double)claim->delta_den - 2) return 0;
  claim->delta_num = (uint64_t)delta + 1;
  return 1;
}

START_TEST(test_transcripts_meter) {
  uint32_t round, tested = 0, close = 0;
  seed = 1000 + (uint64_t)_i;
  for (round = 0; round < 400; round++) {
    uint64_t table[TABLE_MAX];
    fumata_meter_plan plan = {table, 1 + below(4), 1 + below(3)};
    fumata_claim claim = {1 + below(16), 4, 0, UINT64_C(1) << 40, 0, 0, 0}, best = claim;
    long double seen, delta;
    double odds = 1 + 8 * uniform();
    fumata_fault fault;
    game g;
    uint32_t i;
    for (i = 0; i < plan.size; i++) {
      table[i] = (uint64_t)ldexp(1 / (1 + exp(-odds)), 64);
      odds -= 3 * uniform();
    }
    best.delta_num = best.delta_den;
    for (claim.alpha = 2; claim.alpha <= 24; claim.alpha += 1 + claim.alpha / 8)
      if (cheapest(&plan, &claim) && claim.delta_num < best.delta_num) best = claim;
    if (best.delta_num == best.delta_den) continue;
    tested++;
    ck_assert_int_eq(fumata_certify_meter(&plan, &best, &fault), FUMATA_OK);
    play(&plan, &best, &g);
    delta = (long double)best.delta_num / (long double)best.delta_den;
    seen = attack(&g, plan.limit);
    ck_assert_msg(seen <= delta, "seed %d round %u: seen %Lg, certified %Lg", _i, round, seen, delta);
    close += seen > delta / 4;
    /* What was just refuted, the core must refuse, whatever alpha and V come with it. */
    best.delta_num = (uint64_t)(seen * (long double)best.delta_den);
    for (i = 0; i < 6 && best.delta_num > 0; i++) {
      claim = best;
      if (i % 2) claim.alpha = 2 + below(20);
      if (i / 2 == 1) claim.v = (UINT64_C(1) << 32) + word() % (claim.v - (UINT64_C(1) << 32) + 1);
      if (i / 2 == 2) claim.v = UINT64_C(1) << 32;
      ck_assert_int_ne(fumata_certify_meter(&plan, &claim, &fault), FUMATA_OK);
    }
  }
  /* A test that never comes near the bound would not notice a wrong one. */
  ck_assert_uint_gt(tested, 100);
  ck_assert_uint_gt(close, tested / 10);
}
END_TEST

/* The planner's own plans, cut to the first entries: what is left of a certified table is certified. */
START_TEST(test_transcripts_planned) {
  static const char *const deltas[] = {"0.2", "0.05", "1e-2", "1e-3"};
  struct plan_target target;
  struct plan_box box;
  fumata_fault fault;
  game g;
  seed = 77 + (uint64_t)_i;
  memset(&target, 0, sizeof target);
  ck_assert_int_eq(plan_target_epsilon(&target, "epsilon", epsilons[1 + _i % 4]), 0);
  ck_assert_int_eq(plan_target_delta(&target, "delta", deltas[_i / 4 % 4]), 0);
  target.silences = 1 + (uint32_t)(_i / 16);
  ck_assert_int_eq(plan_meter_make(&target, NULL, &box), 0);
  if (box.meter.size > TABLE_MAX) box.meter.size = TABLE_MAX;
  ck_assert_int_eq(fumata_certify_meter(&box.meter, &box.claim, &fault), FUMATA_OK);
  play(&box.meter, &box.claim, &g);
  ck_assert(attack(&g, target.silences) <= (long double)box.claim.delta_num / (long double)box.claim.delta_den);
  plan_free(&box);
}
END_TEST

/* The attack finds what is there: a table that falls from 0.9 to 0.1 loses 0.9 - 0.1 e^(1/2) in one query. */
START_TEST(test_attack_has_teeth) {
  uint64_t table[2] = {(uint64_t)ldexp(0.9, 64), (uint64_t)ldexp(0.1, 64)};
  fumata_meter_plan plan = {table, 2, 1};
  fumata_claim claim = {1, 2, 1, 10, 2, UINT64_C(1) << 34, 0};
  game g;
  seed = 5;
  play(&plan, &claim, &g);
  ck_assert(attack(&g, 1) > 0.735L);
}
END_TEST

/* Classic: one threshold a stretch, hidden; a transcript's probability sums over it at every silence. */

typedef struct {
  long double one[TABLE_MAX + 1];
  uint32_t size; /* of the threshold's table: outcomes 0..size */
  long double bound;
  uint32_t d, e, last, way;
} classic_game;

static const fumata_classic_plan *classic_plan;

/* P(label) at distance d for threshold outcome j. */
static long double label(uint32_t j, uint32_t d) {
  const fumata_noise *query = &classic_plan->query;
  int64_t bar = classic_plan->width + classic_plan->threshold.first + (int64_t)j - (int64_t)d;
  if (bar < query->first) bar = query->first;
  if (bar - query->first >= query->size) return 0;
  return 1 - ldexpl((long double)query->cdf[bar - query->first], -64);
}

static long double classic_loss(const classic_game *g, const long double *p, const long double *q, long double at_p,
                                long double at_q, uint32_t left, uint32_t queries) {
  long double pl[TABLE_MAX + 1], ql[TABLE_MAX + 1], ps = 0, qs = 0, rest = 0, kept_p = 0, kept_q = 0;
  uint32_t d = g->d, e = g->e, j;
  if (left == 0 || queries == 0) {
    for (j = 0; left && j <= g->size; j++)
      kept_p += p[j], kept_q += q[j];
    if (left == 0) kept_p = at_p, kept_q = at_q;
    return kept_p > g->bound * kept_q ? kept_p - g->bound * kept_q : 0;
  }
  if (g->way == 2 || (g->way == 1 && below(3) == 0)) {
    d = below(g->last + 1);
    e = d + below(3);
    e = e > 0 ? e - 1 : 0;
  }
  for (j = 0; j <= g->size; j++) {
    long double a = label(j, d), b = label(j, e);
    pl[j] = p[j] * a;
    ql[j] = q[j] * b;
    ps += p[j] * (1 - a);
    qs += q[j] * (1 - b);
  }
  if (d == 0 && e == 0) {
    for (j = 0; j <= g->size; j++)
      rest += pl[j];
  } else
    rest = classic_loss(g, pl, ql, 0, 0, left, queries - 1);
  for (j = 0; j <= g->size; j++) {
    pl[j] = ps * g->one[j];
    ql[j] = qs * g->one[j];
  }
  return rest + classic_loss(g, pl, ql, ps, qs, left - 1, queries - 1);
}

static long double outcome(const fumata_noise *noise, uint32_t i) {
  uint64_t high = i < noise->size ? noise->cdf[i] : 0;
  return ldexpl((long double)(high - (i ? noise->cdf[i - 1] : 0)), -64);
}

/* As for the meter, with Theorem C. */
static int classic_cheapest(const fumata_classic_plan *plan, fumata_claim *claim) {
  long double alpha = claim->alpha, one = 1, two = 1, x, delta, slip = 0;
  uint32_t i;
  for (i = 1; i <= plan->threshold.size; i++) {
    long double ratio = outcome(&plan->threshold, i) / outcome(&plan->threshold, i - 1);
    if (ratio > one) one = ratio;
  }
  for (i = 1; i <= plan->query.size; i++) {
    long double top = i < plan->query.size ? (long double)plan->query.cdf[i] : 0x1p64L;
    long double ratio = top / (long double)plan->query.cdf[i < 2 ? 0 : i - 2];
    if (ratio > two) two = ratio;
  }
  for (i = 0; i <= plan->threshold.size; i++)
    slip += outcome(&plan->threshold, i) * label(i, 0);
  x = one * two;
  delta = peak(alpha) * powl((powl(x, alpha) + powl(x, 1 - alpha)) / (1 + x), plan->limit) *
              expl((1 - alpha) * (long double)claim->epsilon_num / (long double)claim->epsilon_den) +
          plan->limit * (outcome(&plan->threshold, 0) + slip);
  delta *= (long double)claim->delta_den * (1 + 1e-4L);
  if (!(delta < (long double)claim->delta_den - 2)) return 0;
  claim->delta_num = (uint64_t)delta + 1;
  return 1;
}

START_TEST(test_transcripts_classic) {
  uint32_t round, tested = 0;
  seed = 2000 + (uint64_t)_i;
  for (round = 0; round < 150; round++) {
    uint64_t one[TABLE_MAX], two[TABLE_MAX];
    fumata_classic_plan plan = {{one, 3 + below(5), 0}, {two, 3 + below(5), 0}, 0, 1 + below(3)};
    fumata_claim claim = {1 + below(24), 4, 0, UINT64_C(1) << 40, 0, 0, 0}, best = claim;
    fumata_fault fault;
    classic_game g;
    double sum = 0, mass[TABLE_MAX + 1], up = 0.3 + uniform(), rise = exp(0.2 + 0.6 * uniform());
    long double most = 0, delta;
    uint32_t i, turn, d;
    /* Rising and then falling weights, a small lowest outcome. */
    for (i = 0; i <= plan.threshold.size; i++) {
      mass[i] = i == 0 ? 1 : i * 2 <= plan.threshold.size ? mass[i - 1] * (1 + up) : mass[i - 1] * uniform();
      sum += mass[i];
    }
    for (i = 0; i < plan.threshold.size; i++)
      one[i] = (i ? one[i - 1] : 0) + (uint64_t)ldexp(mass[i] / sum * (i ? 1 : 0.2), 64);
    plan.threshold.first = -(int64_t)(plan.threshold.size / 2);
    for (i = 0; i < plan.query.size; i++)
      two[i] = (uint64_t)ldexp(pow(rise, (double)i - plan.query.size), 64);
    plan.query.first = -(int64_t)plan.query.size + (int64_t)below(2);
    plan.width = below(6);
    best.delta_num = best.delta_den;
    classic_plan = &plan;
    for (claim.alpha = 2; claim.alpha <= 16; claim.alpha++)
      if (classic_cheapest(&plan, &claim) && claim.delta_num < best.delta_num) best = claim;
    if (best.delta_num == best.delta_den) continue;
    tested++;
    ck_assert_int_eq(fumata_certify_classic(&plan, &best, &fault), FUMATA_OK);
    memset(&g, 0, sizeof g);
    g.size = plan.threshold.size;
    g.last = plan.threshold.size + plan.query.size;
    g.bound = expl((long double)best.epsilon_num / (long double)best.epsilon_den);
    for (i = 0; i <= g.size; i++) {
      uint64_t high = i < g.size ? one[i] : 0;
      g.one[i] = ldexpl((long double)(high - (i ? one[i - 1] : 0)), -64);
    }
    for (d = 0; d <= g.last; d++)
      for (turn = 0; turn < 6; turn++) {
        long double seen;
        g.d = d;
        g.e = d + turn % 3;
        g.e = g.e > 0 ? g.e - 1 : 0;
        g.way = turn / 3;
        seen = classic_loss(&g, g.one, g.one, 0, 0, plan.limit, turn < 3 ? STREAM_MAX : 1 + below(STREAM_MAX));
        if (seen > most) most = seen;
      }
    delta = (long double)best.delta_num / (long double)best.delta_den;
    ck_assert_msg(most <= delta, "seed %d round %u: seen %Lg, certified %Lg", _i, round, most, delta);
    best.delta_num = (uint64_t)(most * (long double)best.delta_den);
    for (best.alpha = 2; best.alpha <= 16 && best.delta_num > 0; best.alpha += 2)
      ck_assert_int_ne(fumata_certify_classic(&plan, &best, &fault), FUMATA_OK);
  }
  ck_assert_uint_gt(tested, 20);
}
END_TEST

SUITE_LOOPS("falsify", {test_one_entry_lowered, 20}, {test_claim_improved, 20}, {test_transcripts_meter, 4},
            {test_transcripts_planned, 48}, {test_transcripts_classic, 4}, {test_attack_has_teeth, 1})
