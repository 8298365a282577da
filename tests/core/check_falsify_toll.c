/* Attempts to catch the certificates of the toll and of the joint budget out: plans with a little less privacy than
 * certified must be refused, and exact distributions of transcripts must never show more loss than was certified. */
#include <math.h>
#include <string.h>

#include "core/certify.h"
#include "support/suite.h"

#define TWO64     18446744073709551616.0L
#define HALF      (UINT64_C(1) << 63)
#define TABLE_MAX 6
#define ROWS_MAX  4096

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

static long double peak(long double alpha) {
  return powl(1 - 1 / alpha, alpha - 1) / alpha;
}

/* Theorem T's line from w to x. */
static long double line(long double w, long double x, long double alpha) {
  return w * powl(w / x, alpha - 1) + (1 - w) * powl((1 - w) / (1 - x), alpha - 1);
}

/* Tables with next to no slack, each next entry the largest that keeps the line both ways. */

static uint64_t named[ROWS_MAX];

static const struct {
  uint32_t epsilon, limit; /* epsilon in quarters */
} CELLS[] = {{1, 100}, {1, 1600}, {2, 400}, {4, 100}, {4, 400}, {4, 1600}, {8, 100}, {16, 400}};

static long double price(uint32_t alpha, const fumata_claim *claim, uint32_t limit) {
  long double epsilon = (long double)claim->epsilon_num / claim->epsilon_den;
  long double delta = (long double)claim->delta_num / (long double)claim->delta_den;
  return (logl(delta / peak(alpha)) + (alpha - 1) * epsilon - 1e-4L) / limit;
}

/* The order at which the price of an answer is worth most, as for a Gaussian. */
static uint32_t best_alpha(const fumata_claim *claim, uint32_t limit) {
  uint32_t alpha, best = 2;
  for (alpha = 2; alpha <= 400; alpha++)
    if (price(alpha, claim, limit) / ((long double)alpha * (alpha - 1)) >
        price(best, claim, limit) / ((long double)best * (best - 1)))
      best = alpha;
  return best;
}

static int keeps(uint64_t from, uint64_t to, const fumata_claim *claim, long double u) {
  return line((long double)from / TWO64, (long double)to / TWO64, claim->alpha) <= u &&
         line((long double)to / TWO64, (long double)from / TWO64, claim->alpha) <= u;
}

static fumata_toll_plan extremal(int cell, fumata_claim *claim) {
  fumata_toll_plan plan = {named, 0, CELLS[cell].limit};
  uint64_t last = HALF;
  long double u;
  *claim = (fumata_claim){CELLS[cell].epsilon, 4, 1, 100000, 2, 0, 0};
  claim->alpha = best_alpha(claim, plan.limit);
  claim->u = (uint64_t)ldexpl(expl(price(claim->alpha, claim, plan.limit)), 32);
  u = ldexpl((long double)claim->u, -32) - 2e-9L * claim->alpha; /* what the core's roundings take */
  while (plan.size < ROWS_MAX && last < UINT64_MAX - (UINT64_C(1) << 50)) {
    uint64_t low = last, high = UINT64_MAX;
    while (low < high) {
      uint64_t middle = high - (high - low) / 2;
      if (keeps(last, middle, claim, u))
        low = middle;
      else
        high = middle - 1;
    }
    ck_assert(low > last);
    last = named[plan.size++] = low;
  }
  return plan;
}

static void refuse(const fumata_toll_plan *plan, const fumata_claim *claim, fumata_fault_kind kind) {
  fumata_fault fault;
  ck_assert_int_eq(fumata_certify_toll(plan, claim, &fault), FUMATA_ERR_UNCERTIFIED);
  ck_assert_int_eq(fault.kind, kind);
}

START_TEST(test_toll_is_tight) {
  fumata_claim claim, worse;
  fumata_toll_plan plan = extremal(_i, &claim);
  fumata_fault fault;
  uint32_t i, tried = 0;
  ck_assert_int_eq(fumata_certify_toll(&plan, &claim, &fault), FUMATA_OK);
  /* The winner named, or the other candidate left out, by half a percent more. */
  for (i = 0; i < plan.size && UINT64_MAX - named[i] > UINT64_MAX / 100; i++) {
    uint64_t kept = named[i];
    named[i] += (UINT64_MAX - kept) / 200;
    ck_assert_int_eq(fumata_certify_toll(&plan, &claim, &fault),
                     i + 1 < plan.size && named[i] > named[i + 1] ? FUMATA_ERR_TABLE : FUMATA_ERR_UNCERTIFIED);
    ck_assert(fault.index == i || fault.kind == FUMATA_FAULT_NAMED);
    named[i] = kept;
    tried++;
  }
  ck_assert_uint_gt(tried, 10);
  plan.limit += plan.limit / 50;
  refuse(&plan, &claim, FUMATA_FAULT_TOTAL);
  plan.limit = CELLS[_i].limit;
  worse = claim;
  worse.alpha--;
  refuse(&plan, &worse, FUMATA_FAULT_TOTAL);
  worse = claim;
  worse.delta_num *= 95;
  worse.delta_den *= 100;
  refuse(&plan, &worse, FUMATA_FAULT_TOTAL);
  worse = claim;
  worse.epsilon_num *= 99;
  worse.epsilon_den *= 100;
  refuse(&plan, &worse, FUMATA_FAULT_TOTAL);
  worse = claim;
  worse.u -= 20 * worse.alpha;
  refuse(&plan, &worse, FUMATA_FAULT_ANSWER);
}
END_TEST

/* Exact transcripts. A stream is a tree: kind and distances of the next query may depend on everything released. */

typedef struct {
  long double silence[TABLE_MAX + 1], winner[TABLE_MAX + 1]; /* at distance 0, 1, ... */
  uint32_t last, rows;
  long double bound; /* e^epsilon */
} game;

static void play(const fumata_budget_plan *plan, const fumata_claim *claim, game *g) {
  uint32_t i;
  g->silence[0] = 1;
  g->winner[0] = 0.5L;
  for (i = 0; i < plan->meter.size; i++)
    g->silence[i + 1] = (long double)plan->meter.silence[i] / TWO64;
  for (i = 0; i < plan->toll.size; i++)
    g->winner[i + 1] = (long double)plan->toll.named[i] / TWO64;
  g->last = plan->meter.size;
  g->rows = plan->toll.size;
  g->bound = expl((long double)claim->epsilon_num / (long double)claim->epsilon_den);
}

/* A neighbour of d, at most `last`. */
static uint32_t beside(uint32_t d, uint32_t last) {
  uint32_t e = d + below(3);
  e = e > 0 ? e - 1 : 0;
  return e > last ? last : e;
}

/* The hockey-stick divergence of what follows, when this prefix has probabilities p and q, for one random strategy. */
static long double loss(const game *g, long double p, long double q, uint32_t silences, uint32_t answers,
                        uint32_t queries) {
  uint32_t d, e;
  long double a, b;
  if ((silences == 0 && answers == 0) || queries == 0 || p == 0) return p > g->bound * q ? p - g->bound * q : 0;
  if (silences == 0 || (answers > 0 && below(2))) {
    d = below(g->rows + 1);
    e = beside(d, g->rows);
    a = g->winner[d];
    b = g->winner[e];
    return loss(g, p * a, q * b, silences, answers - 1, queries - 1) +
           loss(g, p * (1 - a), q * (1 - b), silences, answers - 1, queries - 1);
  }
  d = below(g->last + 1);
  e = beside(d, g->last);
  a = g->silence[d];
  b = g->silence[e];
  if (d == 0 && e == 0) return loss(g, p, q, silences - 1, answers, queries - 1);
  return loss(g, p * a, q * b, silences - 1, answers, queries - 1) +
         loss(g, p * (1 - a), q * (1 - b), silences, answers, queries - 1);
}

/* The same for the worst strategy there is. */
static long double worst(const game *g, long double p, long double q, uint32_t silences, uint32_t answers,
                         uint32_t queries) {
  long double most = p > g->bound * q ? p - g->bound * q : 0, sum;
  uint32_t d, e;
  if (queries == 0 || p == 0) return most;
  for (d = 0; answers && d <= g->rows; d++)
    for (e = d ? d - 1 : 0; e <= d + 1 && e <= g->rows; e++) {
      long double a = g->winner[d], b = g->winner[e];
      if (d == e) continue;
      sum = worst(g, p * a, q * b, silences, answers - 1, queries - 1) +
            worst(g, p * (1 - a), q * (1 - b), silences, answers - 1, queries - 1);
      if (sum > most) most = sum;
    }
  for (d = 0; silences && d <= g->last; d++)
    for (e = d ? d - 1 : 0; e <= d + 1 && e <= g->last; e++) {
      long double a = g->silence[d], b = g->silence[e];
      if (d == 0 && e == 0) continue;
      sum = worst(g, p * a, q * b, silences - 1, answers, queries - 1) +
            worst(g, p * (1 - a), q * (1 - b), silences, answers, queries - 1);
      if (sum > most) most = sum;
    }
  return most;
}

static long double attack(const game *g, uint32_t silences, uint32_t answers) {
  long double most = worst(g, 1, 1, silences, answers, 3), seen;
  uint32_t turn;
  for (turn = 0; turn < 60; turn++) {
    seen = loss(g, 1, 1, silences, answers, 1 + below(9));
    if (seen > most) most = seen;
  }
  return most;
}

/* The smallest prices at this alpha, or 0 when one is out of reach. */
static int prices(const fumata_budget_plan *plan, fumata_claim *claim) {
  long double alpha = claim->alpha, v, u = 1, near = 0.5L, far;
  uint32_t i, turn;
  v = powl((long double)plan->meter.silence[0] / TWO64, 1 - alpha);
  for (i = 1; i < plan->meter.size; i++)
    for (turn = 0; turn < 2; turn++) {
      long double p = (long double)plan->meter.silence[i - turn] / TWO64;
      long double r = (long double)plan->meter.silence[i - 1 + turn] / TWO64;
      long double rest = 1 - powl(1 - p, alpha) * powl(1 - r, 1 - alpha);
      v = fmaxl(v, rest > 0 ? powl(p, alpha) * powl(r, 1 - alpha) / rest : 1e9L);
    }
  for (i = 0; i < plan->toll.size; i++, near = far) {
    far = (long double)plan->toll.named[i] / TWO64;
    u = fmaxl(u, fmaxl(line(near, far, alpha), line(far, near, alpha)));
  }
  if (v > 1e6L || u > 1e6L) return 0;
  claim->v = (uint64_t)ldexpl(v * (1 + 1e-6L), 32) + 1;
  claim->u = (uint64_t)ldexpl(u * (1 + 1e-6L), 32) + 1;
  return 1;
}

/* The claim with the smallest delta that Theorem J gives for this alpha, with a little on top so that the core's
 * roundings fit; 0 if that is no less than 1. */
static int cheapest(const fumata_budget_plan *plan, fumata_claim *claim) {
  long double alpha = claim->alpha, delta;
  if (!prices(plan, claim)) return 0;
  delta = peak(alpha) * powl(ldexpl((long double)claim->v, -32), plan->meter.limit) *
              powl(ldexpl((long double)claim->u, -32), plan->toll.limit) *
              expl((1 - alpha) * (long double)claim->epsilon_num / (long double)claim->epsilon_den) +
          plan->meter.limit * (1 - (long double)plan->meter.silence[0] / TWO64);
  delta *= (long double)claim->delta_den * (1 + 1e-4L);
  if (!(delta < (long double)claim->delta_den - 2)) return 0;
  claim->delta_num = (uint64_t)delta + 1;
  return 1;
}

/* A random table of each kind. */
static void tables(uint64_t *silence, uint64_t *named_rows, fumata_budget_plan *plan) {
  double odds = 2 + 7 * uniform(), rise = 0;
  uint32_t i;
  for (i = 0; i < plan->meter.size; i++, odds -= 2 * uniform())
    silence[i] = (uint64_t)ldexp(1 / (1 + exp(-odds)), 64);
  for (i = 0; i < plan->toll.size; i++) {
    rise += 1.5 * uniform();
    named_rows[i] = (uint64_t)ldexp(1 / (1 + exp(-rise)), 64);
  }
}

START_TEST(test_joint_transcripts) {
  uint32_t round, tested = 0, close = 0;
  seed = 3000 + (uint64_t)_i;
  for (round = 0; round < 250; round++) {
    uint64_t silence[TABLE_MAX], rows[TABLE_MAX];
    fumata_budget_plan plan = {{silence, 1 + below(3), 1 + below(2)}, {rows, 1 + below(3), 1 + below(3)}};
    fumata_claim claim = {1 + below(16), 4, 0, UINT64_C(1) << 40, 0, 0, 0}, best = claim;
    long double seen, delta;
    fumata_fault fault;
    game g;
    tables(silence, rows, &plan);
    best.delta_num = best.delta_den;
    for (claim.alpha = 2; claim.alpha <= 24; claim.alpha += 1 + claim.alpha / 8)
      if (cheapest(&plan, &claim) && claim.delta_num < best.delta_num) best = claim;
    if (best.delta_num == best.delta_den) continue;
    tested++;
    ck_assert_int_eq(fumata_certify_budget(&plan, &best, &fault), FUMATA_OK);
    play(&plan, &best, &g);
    delta = (long double)best.delta_num / (long double)best.delta_den;
    seen = attack(&g, plan.meter.limit, plan.toll.limit);
    ck_assert_msg(seen <= delta, "seed %d round %u: seen %Lg, certified %Lg", _i, round, seen, delta);
    close += seen > delta / 4;
    /* What was just refuted, the core must refuse, at this alpha and at others. */
    best.delta_num = (uint64_t)(seen * (long double)best.delta_den);
    for (claim = best; claim.alpha <= 24 && best.delta_num > 0; claim.alpha += 3) {
      fumata_claim other = claim;
      if (!prices(&plan, &other)) continue;
      ck_assert_int_ne(fumata_certify_budget(&plan, &other, &fault), FUMATA_OK);
    }
  }
  /* A test that never comes near the bound would not notice a wrong one. */
  ck_assert_uint_gt(tested, 60);
  ck_assert_uint_gt(close, tested / 20);
}
END_TEST

/* The attack finds what is there: one answer at 0.5 against 0.9 loses 0.5 - 0.1 e^(1/2), and a silence at 0.1 against
 * 0.9 adds to it. */
START_TEST(test_attack_has_teeth) {
  uint64_t silence[2] = {(uint64_t)ldexp(0.9, 64), (uint64_t)ldexp(0.1, 64)}, rows[1] = {(uint64_t)ldexp(0.9, 64)};
  fumata_budget_plan plan = {{silence, 2, 1}, {rows, 1, 1}};
  fumata_claim claim = {1, 2, 1, 10, 2, UINT64_C(1) << 34, UINT64_C(1) << 34};
  game g;
  seed = 5;
  play(&plan, &claim, &g);
  ck_assert(attack(&g, 0, 1) > 0.335L);
  ck_assert(attack(&g, 1, 0) > 0.735L);
  ck_assert(attack(&g, 1, 1) > 0.8L);
}
END_TEST

SUITE_LOOPS("falsify_toll", {test_toll_is_tight, 8}, {test_joint_transcripts, 4}, {test_attack_has_teeth, 1})
