/* Plans (what a budget machine does) and claims (what it is said to cost). Either may come from anywhere. */
#ifndef FUMATA_PLAN_H
#define FUMATA_PLAN_H

#include <stdint.h>

#include "noise.h"
#include "round.h"

#define FUMATA_SILENCES_MAX 1000000u
#define FUMATA_ANSWERS_MAX  1000000u
#define FUMATA_TABLE_MAX    262144u /* entries of a silence or a toll table */
#define FUMATA_ALPHA_MAX    4096u   /* order of the moment in a claim */

/* Meter: at distance d >= 1 a coin below silence[min(d, size) - 1] means silence; at distance 0 always. */
typedef struct {
  const uint64_t *silence;
  uint32_t size;  /* D, the distances told apart */
  uint32_t limit; /* T, the silences of a life */
} fumata_meter_plan;

/* Toll: at distance d >= 1 a coin below named[min(d, size) - 1] names the winner, else the other candidate is named; at
 * distance 0 half of the coins name each. */
typedef struct {
  const uint64_t *named;
  uint32_t size;  /* D */
  uint32_t limit; /* L, the answers of a life */
} fumata_toll_plan;

/* Both in one life, under one claim. */
typedef struct {
  fumata_meter_plan meter;
  fumata_toll_plan toll;
} fumata_budget_plan;

/* Classic: a label iff distance + query noise > width + threshold noise. The lowest outcome of the
 * query noise stands for minus infinity. */
typedef struct {
  fumata_noise threshold;
  fumata_noise query;
  int64_t width;  /* w */
  uint32_t limit; /* T */
} fumata_classic_plan;

/* (epsilon, delta) as rationals, and the numbers that make the certificate a matter of arithmetic: the order alpha, for
 * the meter the price V = v / 2^32 of one silence, and for the toll the price U = u / 2^32 of one answer. */
typedef struct {
  uint32_t epsilon_num, epsilon_den;
  uint64_t delta_num, delta_den;
  uint32_t alpha;
  uint64_t v;
  uint64_t u;
} fumata_claim;

#ifdef __FRAMAC__
#include "plan.acsl"
#endif

#endif
