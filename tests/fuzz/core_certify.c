/* The accountant against the theorems in long double: what it accepts keeps them, to the error of such numbers; what keeps
 * them with room to spare it accepts. (MECHANISM sections 2, 3, 7.) */
#include <math.h>

#include "core/budget.h"
#include "core/certify_noise.h"
#include "core/classic.h"
#include "core/count.h"
#include "fuzz/harness.h"

#define ENTRIES 24
#define CLOSE   1e-9L /* of logarithms: how wrong long doubles can be here */
#define SPARE   0.02L /* and how much the accountant's rounding may cost a plan, where its bound of e^x is sharp */
#define SHARP   200   /* up to this x */

struct numbers {
  long double epsilon, delta, alpha, v, u;
};

static long double share(uint64_t coins) {
  return ldexpl((long double)coins, -64);
}

/* ln of p and of 1 - p, to all digits. */
static long double log_of(uint64_t coins) {
  return logl(share(coins));
}
static long double log_other(uint64_t coins) {
  return coins >> 63 ? logl(share(0 - coins)) : log1pl(-share(coins));
}

/* Theorem M (a) from p to r. */
static int step_holds(uint64_t p, uint64_t r, const struct numbers *n, long double slack) {
  long double silent = n->alpha * log_of(p) + (1 - n->alpha) * log_of(r);
  long double room = -expm1l(n->alpha * log_other(p) + (1 - n->alpha) * log_other(r));
  if (p == r) return 1;
  if (slack < 0 && room < 1e-3L * share(r)) return 0; /* what is left of a difference: leave it to the accountant */
  return room > 0 && silent <= logl(room) + logl(n->v) + slack;
}

/* ln c(alpha) V^T U^L exp(-(alpha - 1) epsilon) <= ln (delta - T loss) */
static int total_holds(const struct numbers *n, long double moment, long double loss, long double slack) {
  long double peak = (n->alpha - 1) * log1pl(-1 / n->alpha) - logl(n->alpha);
  long double left = n->delta - loss;
  if (slack < 0 && left < 1e-3L * n->delta) return 0;
  return left > 0 && peak + moment - (n->alpha - 1) * n->epsilon <= logl(left) + slack;
}

static int meter_holds(const fumata_meter_plan *plan, const struct numbers *n, long double slack) {
  for (uint32_t i = 1; i < plan->size; i++)
    if (!step_holds(plan->silence[i - 1], plan->silence[i], n, slack) ||
        !step_holds(plan->silence[i], plan->silence[i - 1], n, slack))
      return 0;
  return (1 - n->alpha) * log_of(plan->silence[0]) <= logl(n->v) + slack;
}

/* Theorem T's line between neighbouring rows; row 0 is one half. */
static int toll_holds(const fumata_toll_plan *plan, const struct numbers *n, long double slack) {
  uint64_t before = UINT64_C(1) << 63;
  for (uint32_t i = 0; i < plan->size; before = plan->named[i++]) {
    uint64_t pair[2] = {before, plan->named[i]};
    for (int way = 0; way < 2 && pair[0] != pair[1]; way++) {
      uint64_t p = pair[way], r = pair[1 - way];
      long double winner = expl(n->alpha * log_of(p) + (1 - n->alpha) * log_of(r));
      long double loser = expl(n->alpha * log_other(p) + (1 - n->alpha) * log_other(r));
      if (logl(winner + loser) > logl(n->u) + slack) return 0;
    }
  }
  return 1;
}

/* The share of place j of a noise table, and of all places up to j. */
static long double below(const fumata_noise *noise, int64_t j) {
  return j < 0 ? 0 : j >= (int64_t)noise->size ? 1 : share(noise->cdf[j]);
}
static long double place(const fumata_noise *noise, int64_t j) {
  if (j < 0 || j > (int64_t)noise->size) return 0;
  if (j == (int64_t)noise->size) return share(0 - noise->cdf[j - 1]);
  return share(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0));
}

/* Theorem C. */
static int classic_holds(const fumata_classic_plan *plan, const struct numbers *n, long double slack) {
  const fumata_noise *first = &plan->threshold, *second = &plan->query;
  long double x1 = 1, x2 = 1, x, loss = place(first, 0), growth;
  for (int64_t j = 1; j <= (int64_t)first->size; j++) {
    if (!(place(first, j - 1) > 0)) return 0;
    x1 = fmaxl(x1, place(first, j) / place(first, j - 1));
  }
  if (!(below(second, 0) > 0)) return 0;
  for (int64_t j = 1; j <= (int64_t)second->size + 1; j++)
    x2 = fmaxl(x2, below(second, j) / below(second, j < 2 ? 0 : j - 2));
  for (int64_t j = 0; j <= (int64_t)first->size; j++) {
    int64_t t = plan->width + first->first + j - second->first;
    loss += place(first, j) * (1 - below(second, t < 0 ? 0 : t));
  }
  x = logl(x1) + logl(x2);
  growth = n->alpha * x + log1pl(expl((1 - 2 * n->alpha) * x)) - x - log1pl(expl(-x));
  return total_holds(n, plan->limit * growth, plan->limit * loss, slack);
}

/* (epsilon, delta) of noise on a count that moves by up to `sensitivity`. With room to spare (slack below 0) it is the
 * accountant's own rule: a place that is not covered counts with all its coins. */
static int noise_holds(const fumata_noise *noise, uint32_t sensitivity, const struct numbers *n, long double slack) {
  for (int64_t h = -(int64_t)sensitivity; h <= (int64_t)sensitivity; h++) {
    long double sum = 0;
    for (int64_t j = 0; h && j <= (int64_t)noise->size; j++) {
      long double bare = place(noise, j) - expl(n->epsilon + slack) * place(noise, j - h);
      if (bare > 0) sum += slack < 0 ? place(noise, j) : bare;
    }
    if (sum > n->delta * expl(slack) + 1e-17L) return 0;
  }
  return 1;
}

/* ---- plans out of bytes ---- */

enum direction { ANY, UP, DOWN };

/* Entries that go up or down from the one before by a part of what is left, or that are any numbers. */
static void table(struct fuzz *fuzz, uint64_t *entry, uint32_t size, enum direction way, uint64_t start) {
  for (uint32_t i = 0; i < size; start = entry[i++]) {
    uint8_t part = fuzz_byte(fuzz);
    if (way == ANY || part >= 128)
      entry[i] = fuzz_number(fuzz, 8);
    else
      entry[i] = way == UP ? start + ((UINT64_MAX - start) >> (part & 63)) : start - (start >> (part & 63));
  }
}

static fumata_claim claim_of(struct fuzz *fuzz) {
  fumata_claim claim = {0};
  claim.epsilon_num = (uint32_t)fuzz_number(fuzz, 2);
  claim.epsilon_den = fuzz_byte(fuzz);
  claim.delta_num = fuzz_number(fuzz, 2);
  claim.delta_den = fuzz_number(fuzz, 4);
  claim.alpha = (uint32_t)fuzz_number(fuzz, 2) % 512;
  claim.v = (UINT64_C(1) << 32) + fuzz_number(fuzz, 5) - (fuzz->left & 1);
  claim.u = (UINT64_C(1) << 32) + fuzz_number(fuzz, 5);
  return claim;
}

static struct numbers numbers_of(const fumata_claim *claim) {
  struct numbers n = {(long double)claim->epsilon_num / claim->epsilon_den,
                      (long double)claim->delta_num / (long double)claim->delta_den, claim->alpha,
                      ldexpl((long double)claim->v, -32), ldexpl((long double)claim->u, -32)};
  return n;
}

/* Accepted, refused, and refused as no plan at all. */
static void judge(fumata_status status, const fumata_fault *fault, fumata_status begun, int holds, int holds_easily) {
  FUZZ_MUST((status == FUMATA_OK) == (fault->kind == FUMATA_FAULT_NONE));
  FUZZ_MUST(begun == status);
  if (status == FUMATA_OK) FUZZ_MUST(holds);
  if (status == FUMATA_ERR_UNCERTIFIED) FUZZ_MUST(!holds_easily);
}

static void try_budget(const fumata_budget_plan *plan, const fumata_claim *claim, const struct numbers *n, int kind) {
  fumata_budget budget;
  fumata_fault fault;
  fumata_status status, begun;
  int is_sharp = (n->alpha - 1) * n->epsilon <= SHARP, holds[2];
  long double loss = kind == 1 ? 0 : plan->meter.limit * share(0 - plan->meter.silence[0]);
  long double moment =
      (kind == 1 ? 0 : plan->meter.limit * logl(n->v)) + (kind == 0 ? 0 : plan->toll.limit * logl(n->u));
  for (int i = 0; i < 2; i++) {
    long double slack = i ? -SPARE : CLOSE * (1 + moment + n->alpha * n->epsilon);
    holds[i] = (kind == 1 || meter_holds(&plan->meter, n, slack)) && (kind == 0 || toll_holds(&plan->toll, n, slack)) &&
               total_holds(n, moment, loss, slack);
  }
  status = kind == 0   ? fumata_certify_meter(&plan->meter, claim, &fault)
           : kind == 1 ? fumata_certify_toll(&plan->toll, claim, &fault)
                       : fumata_certify_budget(plan, claim, &fault);
  begun = kind == 0   ? fumata_meter_init(&budget.meter, &plan->meter, claim)
          : kind == 1 ? fumata_toll_init(&budget.toll, &plan->toll, claim)
                      : fumata_budget_init(&budget, plan, claim);
  judge(status, &fault, begun, holds[0], holds[1] && is_sharp);
}

static void try_classic(const fumata_classic_plan *plan, const fumata_claim *claim, const struct numbers *n) {
  fumata_classic machine;
  fumata_fault fault;
  fumata_status status = fumata_certify_classic(plan, claim, &fault);
  long double slack = CLOSE * (1 + n->alpha * (n->epsilon + 64.0L * plan->limit));
  int is_whole = status != FUMATA_ERR_TABLE && status != FUMATA_ERR_LIMIT;
  judge(status, &fault, fumata_classic_init(&machine, plan, claim), is_whole && classic_holds(plan, n, slack),
        is_whole && (n->alpha - 1) * n->epsilon <= SHARP && classic_holds(plan, n, -SPARE));
}

static void try_noise(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *claim,
                      const struct numbers *n) {
  fumata_counter counter;
  fumata_fault fault;
  fumata_status status = fumata_certify_noise(noise, sensitivity, claim, &fault);
  int is_whole = status == FUMATA_OK || status == FUMATA_ERR_UNCERTIFIED;
  judge(status, &fault, fumata_count_init(&counter, noise, sensitivity, claim),
        is_whole && noise_holds(noise, sensitivity, n, CLOSE * (1 + n->epsilon)),
        is_whole && n->epsilon <= SHARP && noise_holds(noise, sensitivity, n, -SPARE));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t kind = fuzz_byte(&fuzz), is_any = kind >> 7;
  fumata_claim claim = claim_of(&fuzz);
  struct numbers n = numbers_of(&claim);
  uint32_t limit = (uint32_t)fuzz_number(&fuzz, 2), other = (uint32_t)fuzz_number(&fuzz, 2);
  uint32_t sizes[2] = {1 + fuzz_byte(&fuzz) % ENTRIES, 1 + fuzz_byte(&fuzz) % ENTRIES};
  int64_t first = (int8_t)fuzz_byte(&fuzz), width = (int16_t)fuzz_number(&fuzz, 2);
  uint64_t *entry[2] = {malloc(sizes[0] * sizeof **entry), malloc(sizes[1] * sizeof **entry)};
  FUZZ_MUST(entry[0] && entry[1]);
  kind &= 3;
  if (kind == 3 && width < 0) {
    table(&fuzz, entry[0], sizes[0], is_any ? ANY : UP, 0);
    try_noise(&(fumata_noise){entry[0], sizes[0], first}, limit % 40, &claim, &n);
  } else if (kind == 3) {
    table(&fuzz, entry[0], sizes[0], is_any ? ANY : UP, 0);
    table(&fuzz, entry[1], sizes[1], is_any ? ANY : UP, 0);
    try_classic(&(fumata_classic_plan){{entry[0], sizes[0], first}, {entry[1], sizes[1], first}, width, limit}, &claim,
                &n);
  } else {
    table(&fuzz, entry[0], sizes[0], is_any ? ANY : DOWN, UINT64_MAX);
    table(&fuzz, entry[1], sizes[1], is_any ? ANY : UP, UINT64_C(1) << 63);
    try_budget(&(fumata_budget_plan){{entry[0], sizes[0], limit}, {entry[1], sizes[1], other}}, &claim, &n, kind);
  }
  free(entry[0]);
  free(entry[1]);
  return 0;
}
