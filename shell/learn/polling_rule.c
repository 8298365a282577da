/* How a poll is run: one rule for all that follows from the number of units, the public pool, epsilon and the classes. */
#include <math.h>

#include "core/poll.h"
#include "learn/polling.h"

/* Chosen on a9a, dutch_census, hotel_bookings, mushrooms and Fashion-MNIST. */
#define POLLING_RULE_VOTERS        0.6  /* K: this times the root of the number of units over epsilon, ... */
#define POLLING_RULE_CLASSES       2.0  /* ... and times the root of this over the number of classes, ... */
#define POLLING_RULE_VOTERS_MIN    20   /* ... but at least this */
#define POLLING_RULE_QUESTIONS     8000 /* L: at most this, ... */
#define POLLING_RULE_QUESTIONS_MIN 20
#define POLLING_RULE_PER_ROW       0.5   /* ... at most this for each public row, ... */
#define POLLING_RULE_CLEAR         2.0   /* ... and a noise variance of at most this times a unanimous lead's square */
#define POLLING_RULE_SPARE         2.0   /* B: this many times the average number of votes of a unit */
#define POLLING_RULE_BLIND         0.25  /* share of the questions at random points */
#define POLLING_RULE_ROUNDS        6     /* for the other questions */
#define POLLING_RULE_CANDIDATES    20000 /* public rows that may be asked about, at most */
#define POLLING_RULE_MEASURES      8192  /* public rows that measure a radius: at least these, ... */
#define POLLING_RULE_RANK          10    /* ... and so many more that this many of them are within the radius */

/* The noise of a poll's table is about that of a Gaussian whose deviation is this times that of the simple bound, the root
 * of 2 B ln(1 / delta) over epsilon: the factor is 0.62 to 0.68 for epsilon from 0.25 to 2 and B from 10 to 90. */
#define POLLING_RULE_NOISE 0.65

void polling_rule_make(struct polling_rule *rule, const struct polling_facts *facts) {
  double n = facts->units > 1 ? (double)facts->units : 1, pool = (double)facts->pool;
  double voters = POLLING_RULE_VOTERS * sqrt(n / facts->epsilon * POLLING_RULE_CLASSES / facts->classes);
  double questions = POLLING_RULE_PER_ROW * pool, noise, measures, votes;
  if (voters < POLLING_RULE_VOTERS_MIN) voters = POLLING_RULE_VOTERS_MIN;
  if (voters > n) voters = n;
  if (questions > POLLING_RULE_QUESTIONS) questions = POLLING_RULE_QUESTIONS;
  noise = 2 * log(1 / facts->delta) / (facts->epsilon * facts->epsilon); /* the variance, for one vote of a unit */
  if (questions > POLLING_RULE_CLEAR * voters * n / (POLLING_RULE_SPARE * noise))
    questions = POLLING_RULE_CLEAR * voters * n / (POLLING_RULE_SPARE * noise);
  if (questions < POLLING_RULE_QUESTIONS_MIN) questions = POLLING_RULE_QUESTIONS_MIN;
  measures =
      POLLING_RULE_RANK * n / voters > POLLING_RULE_MEASURES ? POLLING_RULE_RANK * n / voters : POLLING_RULE_MEASURES;
  votes = ceil(POLLING_RULE_SPARE * questions * voters / n);
  rule->voters = (uint32_t)voters;
  rule->questions = (uint32_t)questions;
  rule->votes = votes < 1 ? 1 : votes > FUMATA_POLL_VOTES_MAX ? FUMATA_POLL_VOTES_MAX : (uint32_t)votes;
  rule->first = (uint32_t)ceil(POLLING_RULE_BLIND * questions);
  rule->rounds = POLLING_RULE_ROUNDS;
  rule->candidates = facts->pool < POLLING_RULE_CANDIDATES ? facts->pool : POLLING_RULE_CANDIDATES;
  rule->measures = measures < pool ? (size_t)measures : facts->pool;
  rule->noise = POLLING_RULE_NOISE * sqrt(2 * rule->votes * log(1 / facts->delta)) / facts->epsilon;
  rule->rank = voters * (double)rule->measures / n;
}
