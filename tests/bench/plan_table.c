/* The cells of MECHANISM sections 3 and 7, made by the planner and certified by the core at exactly that epsilon and delta;
 * fails when a distance is missed, a limit of time is passed or the certificate costs too much. Then what the two papers'
 * own constants, and Gaussian noise at its best, give for the same budget. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/rational.h"
#include "plan/plan_classic.h"
#include "plan/plan_gauss.h"
#include "plan/plan_meter.h"
#include "plan/plan_toll.h"

#define SILENCE      0.05
#define PLANNER_MS   2000.0
#define CERTIFY_MS   100.0
#define COST_PERCENT 1.0

static const char *const meter_epsilons[] = {"0.5", "1", "2", "4", "8"};
static const uint32_t silences[] = {5, 20, 100, 400};
static const uint32_t meter_distances[5][4] = {
    {165, 241, 439, 787}, {88, 130, 234, 415}, {50, 71, 127, 224}, {28, 40, 69, 122}, {17, 23, 40, 70}};

static const char *const toll_epsilons[] = {"0.25", "0.5", "1", "2", "4"};
static const uint32_t answers[] = {100, 400, 1600};
static const uint32_t toll_distances[5][3][2] = {{{79, 179}, {156, 345}, {310, 674}},
                                                 {{42, 94}, {82, 180}, {162, 352}},
                                                 {{22, 50}, {44, 96}, {87, 187}},
                                                 {{12, 27}, {23, 51}, {46, 99}},
                                                 {{7, 15}, {13, 28}, {25, 54}}};
static const double losers[2] = {0.25, 0.05}; /* the winner is named 75 and 95 times in 100 */

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static struct plan_target budget(const char *epsilon, uint32_t silence_count, uint32_t answer_count) {
  struct plan_target target = {.silences = silence_count, .answers = answer_count};
  if (plan_target_epsilon(&target, "epsilon", epsilon) || plan_target_delta(&target, "delta", "1e-5")) exit(1);
  return target;
}

/* Between two entries the probability is interpolated in its log-odds, as the planner's own distance is. */
static double fraction(const struct plan_box *box, enum plan_kind kind, double miss) {
  uint32_t d = plan_miss_distance(box, kind, miss);
  double p = plan_miss(box, kind, d - 1), r = plan_miss(box, kind, d);
  double from = log(p / (1 - p)), to = log(r / (1 - r)), at = log(miss / (1 - miss));
  return p < 1 ? d - 1 + (from - at) / (from - to) : d;
}

/* By how many percent epsilon could be smaller if floating point were believed. */
static double cost(const struct plan_target *target, enum plan_kind kind, double distance) {
  const double epsilon = rational_value(target->epsilon_num, target->epsilon_den);
  double low = 0.97, high = 1;
  int turn;
  for (turn = 0; turn < 20; turn++) {
    struct plan_target trial = *target;
    double middle = (low + high) / 2, reach;
    trial.epsilon_den = 100000000;
    trial.epsilon_num = (uint32_t)(middle * epsilon * trial.epsilon_den);
    reach = kind == PLAN_KIND_METER ? plan_meter_reach(&trial, SILENCE) : plan_toll_reach(&trial, SILENCE);
    if (reach <= distance)
      high = middle;
    else
      low = middle;
  }
  return 100 * (1 - high);
}

/* A cell: the plan, how long it and its certificate took, and by how much the certificate is dearer than floats. */
struct cell {
  struct plan_box box;
  double planner, certify, paid;
  int is_good; /* certified for the target, in time, at hardly any cost */
};

static struct cell make(const struct plan_target *target, enum plan_kind kind) {
  struct cell cell;
  fumata_fault fault;
  double start = milliseconds();
  int is_certified;
  if (kind == PLAN_KIND_METER ? plan_meter_make(target, NULL, &cell.box) : plan_toll_make(target, NULL, &cell.box))
    exit(1);
  cell.planner = milliseconds() - start;
  start = milliseconds();
  is_certified = plan_certify(&cell.box, &cell.box.claim, &fault) == FUMATA_OK;
  cell.certify = milliseconds() - start;
  cell.paid = cost(target, kind, fraction(&cell.box, kind, SILENCE));
  cell.is_good = is_certified && cell.box.claim.epsilon_num == target->epsilon_num &&
                 cell.box.claim.epsilon_den == target->epsilon_den && cell.box.claim.delta_num == 1 &&
                 cell.box.claim.delta_den == 100000 && cell.planner < PLANNER_MS && cell.certify < CERTIFY_MS &&
                 cell.paid <= COST_PERCENT;
  return cell;
}

static int meter_cell(size_t i, size_t j) {
  struct plan_target target = budget(meter_epsilons[i], silences[j], 0);
  struct cell cell = make(&target, PLAN_KIND_METER);
  uint32_t reached = plan_distance(&cell.box, SILENCE);
  int is_good = cell.is_good && reached <= meter_distances[i][j];
  printf("%7s %4" PRIu32 " %7" PRIu32 " %8" PRIu32 " %6" PRIu32 " %12.9f %9" PRIu32 " %11.1f %11.2f %14.5f %%%s\n",
         meter_epsilons[i], silences[j], meter_distances[i][j], reached, cell.box.claim.alpha,
         ldexp((double)cell.box.claim.v, -32), cell.box.meter.size, cell.planner, cell.certify, cell.paid,
         is_good ? "" : "   MISSED");
  plan_free(&cell.box);
  return is_good;
}

static int toll_cell(size_t i, size_t j) {
  struct plan_target target = budget(toll_epsilons[i], 0, answers[j]);
  struct cell cell = make(&target, PLAN_KIND_TOLL);
  const uint32_t *wanted = toll_distances[i][j];
  uint32_t near = plan_miss_distance(&cell.box, PLAN_KIND_TOLL, losers[0]);
  uint32_t far = plan_miss_distance(&cell.box, PLAN_KIND_TOLL, losers[1]);
  int is_good = cell.is_good && near <= wanted[0] && far <= wanted[1];
  printf("%7s %4" PRIu32 " %3" PRIu32 " / %3" PRIu32 " %4" PRIu32 " / %3" PRIu32 " %6" PRIu32 " %12.9f %9" PRIu32
         " %11.1f %11.2f %14.5f %%%s\n",
         toll_epsilons[i], answers[j], wanted[0], wanted[1], near, far, cell.box.claim.alpha,
         ldexp((double)cell.box.claim.u, -32), cell.box.toll.size, cell.planner, cell.certify, cell.paid,
         is_good ? "" : "   MISSED");
  plan_free(&cell.box);
  return is_good;
}

/* A paper's Algorithm 2 for epsilon 1, delta 1e-5, T 20, m 1000. */
static void show_classic(const char *name, const struct plan_target *target, const struct plan_paper *constants) {
  struct plan_box box;
  char epsilon[RATIONAL_TEXT];
  if (plan_classic_paper(target, constants, &box)) exit(1);
  rational_print(box.claim.epsilon_num, box.claim.epsilon_den, epsilon);
  printf("  Algorithm 2 of %s: lambda %.1f, w %.0f; the core certifies epsilon %s (distance of 5 %% silence %" PRIu32
         ", alpha %" PRIu32 ")\n",
         name, constants->lambda, constants->width, epsilon, plan_distance(&box, SILENCE), box.claim.alpha);
  plan_free(&box);
}

static void show_silences(void) {
  struct plan_target target = budget("1", 20, 0);
  struct plan_paper constants;
  struct plan_box box;
  puts("\nepsilon 1, delta 1e-5, T = 20, m = 1000, by the papers' own constants:");
  plan_classic_constants(&target, 1000, PLAN_PAPER_BETA, &constants);
  show_classic("Bassily, Thakkar, Thakurta", &target, &constants);
  plan_classic_liu(&target, 1000, PLAN_PAPER_BETA, &constants);
  show_classic("Liu, Zhu, Chaudhuri, Wang", &target, &constants);
  if (plan_classic_make(&target, NULL, &box)) exit(1);
  printf("  the tightest classic noise found: distance of 5 %% silence %" PRIu32 "\n", plan_distance(&box, SILENCE));
  plan_free(&box);
}

static void show_distances(const char *name, struct plan_box *box) {
  char epsilon[RATIONAL_TEXT];
  rational_print(box->claim.epsilon_num, box->claim.epsilon_den, epsilon);
  printf("  %s: %" PRIu32 " / %" PRIu32 ", certified at epsilon %s\n", name,
         plan_miss_distance(box, PLAN_KIND_TOLL, losers[0]), plan_miss_distance(box, PLAN_KIND_TOLL, losers[1]),
         epsilon);
  plan_free(box);
}

/* Epsilon 1, delta 1e-5, L 400: ours, Gaussian noise at its best, and the second paper's. */
static void show_answers(void) {
  struct plan_target target = budget("1", 0, 400);
  struct plan_box box;
  char name[80];
  double sigma;
  puts("\nepsilon 1, delta 1e-5, L = 400: distances at which the winner is named 75 / 95 %:");
  if (plan_toll_make(&target, NULL, &box)) exit(1);
  show_distances("the extremal table", &box);
  if (plan_gauss_make(&target, &box, &sigma)) exit(1);
  snprintf(name, sizeof name, "the narrowest Gaussian table that is certified, sigma %.2f", sigma);
  show_distances(name, &box);
  sigma = plan_gauss_sigma(&target);
  if (plan_gauss_paper(&target, sigma, &box)) exit(1);
  snprintf(name, sizeof name, "Algorithm 1 of Liu, Zhu, Chaudhuri, Wang, sigma %.2f", sigma);
  show_distances(name, &box);
}

int main(void) {
  int missed = 0;
  puts("distance at which silence falls to 5 %, delta = 1e-5; each plan certified by the core");
  puts("epsilon    T  target  reached  alpha            V   entries  planner ms  certify ms  cost in epsilon");
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 4; j++)
      missed += !meter_cell(i, j);
  puts("\ndistances at which the winner is named 75 / 95 %, delta = 1e-5; each plan certified by the core");
  puts("epsilon    L    target    reached  alpha            U   entries  planner ms  certify ms  cost in epsilon");
  for (size_t i = 0; i < 5; i++)
    for (size_t j = 0; j < 3; j++)
      missed += !toll_cell(i, j);
  show_silences();
  show_answers();
  if (missed) fprintf(stderr, "plan_table: %d of 35 cells are missed\n", missed);
  return missed != 0;
}
