#include "audit/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 200000
#define GRID    400.0 /* steps in which a score of 1 is counted */
#define STRETCH 400   /* labels of a stretch of classic that are told apart */

static double laws_share(uint64_t coins) {
  return ldexp((double)coins, -64);
}

/* The probability of silence of a meter, straight from its table. */
static double laws_silence(const fumata_meter_plan *plan, uint32_t distance) {
  if (distance == 0) return 1;
  return laws_share(plan->silence[(distance < plan->size ? distance : plan->size) - 1]);
}

/* Labels before the T-th silence: a negative binomial law, by its recursion. */
static void laws_fill_meter(double *law, size_t size, double silence, double limit) {
  double logarithm = limit * log(silence);
  for (size_t n = 0; n < size; n++) {
    law[n] = exp(logarithm);
    logarithm += log((limit + (double)n) / ((double)n + 1)) + (silence < 1 ? log1p(-silence) : -INFINITY);
  }
}

static int laws_allocate(struct laws *laws, size_t size) {
  laws->size = size;
  laws->here = calloc(size, sizeof(double));
  laws->there = calloc(size, sizeof(double));
  return laws->here && laws->there ? 0 : -1;
}

static int laws_make_meter(struct laws *laws, const fumata_meter_plan *plan, uint32_t here, uint32_t there) {
  double p = laws_silence(plan, here), r = laws_silence(plan, there), least = p < r ? p : r;
  double mean = plan->limit / least, size = mean + 12 * sqrt(mean / least) + 40 / least;
  if (laws_allocate(laws, size < LONGEST ? (size_t)size : LONGEST)) return -1;
  laws_fill_meter(laws->here, laws->size, p, plan->limit);
  laws_fill_meter(laws->there, laws->size, r, plan->limit);
  return 0;
}

static double laws_named(const fumata_toll_plan *plan, uint32_t distance) {
  if (distance == 0) return 0.5;
  return laws_share(plan->named[(distance < plan->size ? distance : plan->size) - 1]);
}

static void laws_fill_toll(double *law, uint32_t limit, double named) {
  for (uint32_t n = 0; n <= limit; n++)
    law[n] = exp(lgamma(limit + 1.0) - lgamma(n + 1.0) - lgamma(limit - n + 1.0) + n * log(named) +
                 (limit - n) * log1p(-named));
}

static int laws_make_toll(struct laws *laws, const fumata_toll_plan *plan, uint32_t here, uint32_t there) {
  if (laws_allocate(laws, (size_t)plan->limit + 1)) return -1;
  laws_fill_toll(laws->here, plan->limit, laws_named(plan, here));
  laws_fill_toll(laws->there, plan->limit, laws_named(plan, there));
  return 0;
}

/* The coins of place j of a noise, and of all places up to j. */
static double laws_at(const fumata_noise *noise, uint32_t j) {
  if (j == noise->size) return 1 - laws_share(noise->cdf[j - 1]);
  return laws_share(noise->cdf[j] - (j ? noise->cdf[j - 1] : 0));
}

static double laws_up_to(const fumata_noise *noise, int64_t j) {
  if (j < 0) j = 0; /* the lowest place is minus infinity: always silent */
  return j >= (int64_t)noise->size ? 1 : laws_share(noise->cdf[j]);
}

/* One stretch of classic at one distance: n labels, then a silence, whatever the threshold was. */
static void laws_fill_stretch(const fumata_classic_plan *plan, uint32_t distance, double *law, size_t longest) {
  memset(law, 0, longest * sizeof *law);
  for (uint32_t j = 0; j <= plan->threshold.size; j++) {
    int64_t place = plan->width + plan->threshold.first + j - (int64_t)distance - plan->query.first;
    double silent = laws_up_to(&plan->query, place), weight = laws_at(&plan->threshold, j), n_labels = weight;
    for (size_t n = 0; n + 1 < longest; n++) {
      law[n] += n_labels * silent;
      n_labels *= 1 - silent;
    }
    law[longest - 1] += n_labels;
  }
}

static void laws_convolve(double *total, size_t size, const double *part, const size_t *place, size_t count,
                          double *room) {
  memset(room, 0, size * sizeof *room);
  for (size_t n = 0; n < count; n++)
    for (size_t i = 0; part[n] > 0 && i + place[n] < size; i++)
      room[i + place[n]] += total[i] * part[n];
  memcpy(total, room, size * sizeof *total);
}

/* Sums of T scores, each rounded to the grid: the law of what remains of a transcript when only that is kept. */
static int laws_sum(struct laws *laws, const double *here, const double *there, uint32_t limit) {
  size_t *place = calloc(laws->longest, sizeof *place), most = 0;
  double *room;
  for (size_t n = 0; place && n < laws->longest; n++) {
    place[n] = laws_stretch(laws, n);
    if (place[n] > most) most = place[n];
  }
  if (!place || laws_allocate(laws, most * limit + 1)) return free(place), -1;
  room = calloc(laws->size, sizeof *room);
  if (!room) return free(place), -1;
  laws->here[0] = laws->there[0] = 1;
  for (uint32_t t = 0; t < limit; t++) {
    laws_convolve(laws->here, laws->size, here, place, laws->longest, room);
    laws_convolve(laws->there, laws->size, there, place, laws->longest, room);
  }
  free(room);
  free(place);
  return 0;
}

/* ln of the ratio of two laws, from its least on; what never happens on a side adds nothing. */
static double *laws_scores(const double *here, const double *there, size_t size) {
  double *score = malloc(size * sizeof *score), least = INFINITY;
  for (size_t n = 0; score && n < size; n++) {
    score[n] = here[n] > 0 && there[n] > 0 ? log(here[n] / there[n]) : 0;
    if (score[n] < least) least = score[n];
  }
  for (size_t n = 0; score && n < size; n++)
    score[n] -= least;
  return score;
}

static double laws_most(const double *score, size_t size) {
  double most = 0;
  for (size_t n = 0; n < size; n++)
    most = fmax(most, score[n]);
  return most;
}

static int laws_make_classic(struct laws *laws, const fumata_classic_plan *plan, uint32_t here, uint32_t there) {
  double *p = malloc(STRETCH * sizeof *p), *q = malloc(STRETCH * sizeof *q);
  int code = -1;
  if (p && q) {
    laws_fill_stretch(plan, here, p, STRETCH);
    laws_fill_stretch(plan, there, q, STRETCH);
    laws->longest = STRETCH;
    laws->score = laws_scores(p, q, STRETCH);
    if (laws->score) code = laws_sum(laws, p, q, plan->limit);
  }
  free(p);
  free(q);
  return code;
}

static int laws_make_both(struct laws *laws, const struct plan_box *plan, const struct laws_place *place) {
  struct laws meter = {0}, toll = {0};
  int code = laws_make_meter(&meter, &plan->meter, place->here, place->there);
  if (!code) code = laws_make_toll(&toll, &plan->toll, place->toll_here, place->toll_there);
  if (!code) {
    laws->longest = meter.size;
    laws->score = laws_scores(meter.here, meter.there, meter.size);
    laws->named = laws_scores(toll.here, toll.there, toll.size);
    code = laws->score && laws->named ? 0 : -1;
  }
  if (!code)
    code = laws_allocate(laws,
                         (size_t)(GRID * (laws_most(laws->score, meter.size) + laws_most(laws->named, toll.size))) + 2);
  for (size_t n = 0; !code && n < meter.size; n++)
    for (size_t w = 0; w < toll.size; w++) {
      laws->here[laws_both(laws, n, w)] += meter.here[n] * toll.here[w];
      laws->there[laws_both(laws, n, w)] += meter.there[n] * toll.there[w];
    }
  laws_free(&meter);
  laws_free(&toll);
  return code;
}

int laws_make(struct laws *laws, const struct plan_box *plan, const struct laws_place *place) {
  int code = -1;
  memset(laws, 0, sizeof *laws);
  if (plan->mechanism == PLAN_MECHANISM_METER) code = laws_make_meter(laws, &plan->meter, place->here, place->there);
  if (plan->mechanism == PLAN_MECHANISM_TOLL || plan->mechanism == PLAN_MECHANISM_POLL)
    code = laws_make_toll(laws, &plan->toll, place->here, place->there);
  if (plan->mechanism == PLAN_MECHANISM_BOTH) code = laws_make_both(laws, plan, place);
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC)
    code = laws_make_classic(laws, &plan->classic, place->here, place->there);
  if (code) laws_free(laws);
  return code;
}

void laws_free(struct laws *laws) {
  free(laws->here);
  free(laws->there);
  free(laws->score);
  free(laws->named);
  memset(laws, 0, sizeof *laws);
}

size_t laws_stretch(const struct laws *laws, size_t labels) {
  return (size_t)(laws->score[labels < laws->longest ? labels : laws->longest - 1] * GRID + 0.5);
}

size_t laws_both(const struct laws *laws, size_t labels, size_t winners) {
  double score = laws->score[labels < laws->longest ? labels : laws->longest - 1] + laws->named[winners];
  size_t outcome = (size_t)(score * GRID + 0.5);
  return outcome < laws->size ? outcome : laws->size - 1;
}

/* delta at this epsilon: the most by which an event can be likelier than e^epsilon times as on the other side. */
static double laws_excess(const double *first, const double *second, size_t size, double epsilon) {
  double sum = 0, factor = exp(epsilon);
  for (size_t i = 0; i < size; i++)
    if (first[i] > factor * second[i]) sum += first[i] - factor * second[i];
  return sum;
}

double laws_epsilon(const double *first, const double *second, size_t size, double delta) {
  double low = 0, high = 64;
  if (laws_excess(first, second, size, 0) <= delta) return 0;
  for (int turn = 0; turn < 60; turn++) {
    double middle = (low + high) / 2;
    if (laws_excess(first, second, size, middle) <= delta)
      high = middle;
    else
      low = middle;
  }
  return low;
}
