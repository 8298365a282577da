/* The twenty cells of MECHANISM section 3, made by the planner and certified by the core at exactly that epsilon
 * and delta; fails when a distance is missed, a limit of time is passed or the certificate costs too much. */
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/rational.h"
#include "plan/plan_classic.h"
#include "plan/plan_meter.h"

#define SILENCE      0.05
#define PLANNER_MS   2000.0
#define CERTIFY_MS   100.0
#define COST_PERCENT 1.0

static const char *const epsilons[] = {"0.5", "1", "2", "4", "8"};
static const uint32_t silences[] = {5, 20, 100, 400};
static const uint32_t targets[5][4] = {
    {165, 241, 439, 787}, {88, 130, 234, 415}, {50, 71, 127, 224}, {28, 40, 69, 122}, {17, 23, 40, 70}};

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Between two entries the silence is interpolated in its log-odds, as the planner's own distance is. */
static double fraction(const struct plan_box *box, double silence) {
  uint32_t d = plan_distance(box, silence);
  double p = plan_silence(box, d - 1), r = plan_silence(box, d);
  double from = log(p / (1 - p)), to = log(r / (1 - r)), at = log(silence / (1 - silence));
  return d - 1 + (from - at) / (from - to);
}

/* By how many percent epsilon could be smaller if floating point were believed. */
static double cost(const struct plan_target *target, double distance) {
  const double epsilon = rational_value(target->epsilon_num, target->epsilon_den);
  double low = 0.97, high = 1;
  int turn;
  for (turn = 0; turn < 20; turn++) {
    struct plan_target trial = *target;
    double middle = (low + high) / 2;
    trial.epsilon_den = 100000000;
    trial.epsilon_num = (uint32_t)(middle * epsilon * trial.epsilon_den);
    if (plan_meter_reach(&trial, SILENCE) <= distance)
      high = middle;
    else
      low = middle;
  }
  return 100 * (1 - high);
}

int main(void) {
  int failed = 0;
  size_t i, j;
  printf("distance at which silence falls to 5 %%, delta = 1e-5; each plan certified by the core\n");
  printf("epsilon    T  target  reached  alpha            V   entries  planner ms  certify ms  cost in epsilon\n");
  for (i = 0; i < 5; i++)
    for (j = 0; j < 4; j++) {
      struct plan_target target;
      struct plan_box box;
      fumata_fault fault;
      double start, planner, certify, paid;
      uint32_t reached;
      int certified, good;
      memset(&target, 0, sizeof target);
      plan_target_epsilon(&target, "epsilon", epsilons[i]);
      plan_target_delta(&target, "delta", "1e-5");
      target.silences = silences[j];
      start = milliseconds();
      if (plan_meter_make(&target, NULL, &box)) return 1;
      planner = milliseconds() - start;
      start = milliseconds();
      certified = fumata_certify_meter(&box.meter, &box.claim, &fault) == FUMATA_OK &&
                  box.claim.epsilon_num == target.epsilon_num && box.claim.epsilon_den == target.epsilon_den &&
                  box.claim.delta_num == 1 && box.claim.delta_den == 100000;
      certify = milliseconds() - start;
      reached = plan_distance(&box, SILENCE);
      paid = cost(&target, fraction(&box, SILENCE));
      good =
          certified && reached <= targets[i][j] && planner < PLANNER_MS && certify < CERTIFY_MS && paid <= COST_PERCENT;
      printf("%7s %4" PRIu32 " %7" PRIu32 " %8" PRIu32 " %6" PRIu32 " %12.9f %9" PRIu32 " %11.1f %11.2f %14.5f %%%s\n",
             epsilons[i], silences[j], targets[i][j], reached, box.claim.alpha, ldexp((double)box.claim.v, -32),
             box.meter.size, planner, certify, paid, good ? "" : "   MISSED");
      failed |= !good;
      plan_free(&box);
    }
  {
    struct plan_target target;
    struct plan_box box;
    struct plan_paper constants;
    char epsilon[RATIONAL_TEXT];
    memset(&target, 0, sizeof target);
    plan_target_epsilon(&target, "epsilon", "1");
    plan_target_delta(&target, "delta", "1e-5");
    target.silences = 20;
    plan_classic_constants(&target, 1000, PLAN_PAPER_BETA, &constants);
    if (plan_classic_paper(&target, &constants, &box)) return 1;
    rational_print(box.claim.epsilon_num, box.claim.epsilon_den, epsilon);
    printf("\nthe paper's constants for epsilon 1, delta 1e-5, T 20, m 1000: the core certifies them at epsilon %s\n"
           "(distance of 5 %% silence: %" PRIu32 ", width %" PRId64 ", alpha %" PRIu32 ")\n",
           epsilon, plan_distance(&box, SILENCE), box.classic.width, box.claim.alpha);
    plan_free(&box);
    if (plan_classic_make(&target, NULL, &box)) return 1;
    printf("the tightest classic noise found for the same epsilon, delta and T: distance %" PRIu32 "\n",
           plan_distance(&box, SILENCE));
    plan_free(&box);
  }
  if (failed) fprintf(stderr, "plan_table: a cell is missed\n");
  return failed;
}
