/* Whole lives of a program that releases counts, for the prover only: nothing here is compiled into anything.
 *
 * A script says, step by step and in any order, what the program does and what happens to it: it starts a counter, stores that
 * the counter is paid for, asks for the count, crashes. A crash may come between any two steps; after it nothing is known of
 * the memory the counter was in. The one rule that the program keeps (A-STORE): it asks a counter only when it has stored
 * what this counter costs. How often it asks then is its own affair.
 *
 * Claim:    T-COUNT-2 and T-COUNT-1 for all that the world can see: at most one count for each time that was paid, under noise
 *           that was certified for the sensitivity asked for, each the number with the noise of its own coin.
 * Not here: two programs at once, a store that loses or repeats writes (A-STORE). */
#include "count.h"
#include "history.h"

/* A step at which the world saw no count: less than any. */
#define FUMATA_UNSEEN (-9223372036854775807)

/* No script is longer. */
#define FUMATA_SCRIPT 2147483647u

/* What there is besides the counter, and what the world saw last. */
typedef struct {
  uint32_t alive; /* the program runs and the counter's memory means something */
  uint32_t paid;  /* what this counter costs is stored */
  int64_t seen;
} fumata_counting;

/*@
  // Entry i of a transcript: what is paid is added to `unspent`, what is seen is taken away.
  predicate FumataCountsOn{L}(int32_t *unspent, int64_t *seen, uint8_t *steps, integer i) =
    unspent[i + 1] == unspent[i] + (steps[i] == FUMATA_STEP_STORE ? 1 : 0) - (seen[i] != FUMATA_UNSEEN ? 1 : 0);

  // So `unspent` is what was paid and not seen, all along a transcript of n entries.
  predicate FumataCounts{L}(int32_t *unspent, int64_t *seen, uint8_t *steps, integer n) =
    unspent[0] == 0 && (\forall integer i; 0 <= i < n ==> FumataCountsOn(unspent, seen, steps, i));

  // Nothing, or this number with the noise of this coin.
  predicate FumataCountTells{L}(fumata_noise *noise, integer seen, integer number, integer coin) =
    seen == FUMATA_UNSEEN || FumataIsNoisyCount(noise, number, coin, seen);

  // There is nothing that a paid counter may still show and nobody paid.
  predicate FumataIsPaid{L}(fumata_counter *counter, integer alive, integer paid, integer unspent) =
    0 <= unspent && (alive != 0 ==> FumataCounterInvariant(counter) && (paid != 0 ==> counter->reserved <= unspent));

  // The counter that runs draws from the noise that was certified.
  predicate FumataCounterIsOf{L}(fumata_counter *counter, integer alive, fumata_noise *noise) =
    alive != 0 ==> FumataCounterRuns(counter, noise);

  // Nobody writes into the noise.
  predicate FumataNoiseStays{K, L}(fumata_noise *noise) =
    \at(noise->cdf, K) == \at(noise->cdf, L) && \at(noise->size, K) == \at(noise->size, L) &&
    \at(noise->first, K) == \at(noise->first, L);

  // Nor into the claim.
  predicate FumataClaimStays{K, L}(fumata_claim *claim) =
    \at(claim->epsilon_num, K) == \at(claim->epsilon_num, L) &&
    \at(claim->epsilon_den, K) == \at(claim->epsilon_den, L) &&
    \at(claim->delta_num, K) == \at(claim->delta_num, L) && \at(claim->delta_den, K) == \at(claim->delta_den, L);
*/

/* A count is asked for. */
/*@
  requires counter:    \valid(counter);
  requires noise:      FumataNoiseReadable(noise) && FumataCounterApart(counter, noise);
  requires paid:       FumataIsPaid(counter, 1, 1, unspent);
  requires running:    FumataCounterRuns(counter, noise);

  terminates           \true;
  exits                \false;
  assigns              counter->reserved;
  ensures noise:       FumataNoiseStays{Pre, Post}(noise);
  ensures paid:        FumataIsPaid(counter, 1, 1, unspent - (\result != FUMATA_UNSEEN ? 1 : 0));
  ensures running:     FumataCounterRuns(counter, noise);
  ensures told:        FumataCountTells{Pre}(noise, \result, number, coin);
*/
static int64_t fumata_life_tells(fumata_counter *counter, const fumata_noise *noise, int32_t unspent, uint64_t number,
                                 uint64_t coin) {
  int64_t seen = FUMATA_UNSEEN;

  if (fumata_count_release(counter, number, coin, &seen) == FUMATA_OK) {
    /*@ assert told: FumataIsNoisyCount(noise, number, coin, seen); */
    /*@ assert same: \at(FumataIsNoisyCount(noise, number, coin, \at(seen, Here)), Pre); */
    /*@ assert more: seen != FUMATA_UNSEEN; */
  }
  return seen;
}

/* One step of a life. */
/*@
  requires counter:    \valid(counter);
  requires noise:      FumataNoiseReadable(noise) && FumataCounterApart(counter, noise);
  requires claim:      \valid_read(claim) && \separated(counter, claim);
  requires paid:       FumataIsPaid(counter, life.alive, life.paid, unspent);
  requires running:    FumataCounterIsOf(counter, life.alive, noise);
  requires certified:  life.alive != 0 ==> FumataNoiseIsCertified(noise, sensitivity, claim);

  terminates           \true;
  exits                \false;
  assigns              *counter;
  ensures noise:       FumataNoiseStays{Pre, Post}(noise);
  ensures claim:       FumataClaimStays{Pre, Post}(claim);
  ensures paid:        FumataIsPaid(counter, \result.alive, \result.paid, unspent +
                         (step == FUMATA_STEP_STORE ? 1 : 0) - (\result.seen != FUMATA_UNSEEN ? 1 : 0));
  ensures running:     FumataCounterIsOf(counter, \result.alive, noise);
  ensures certified:   \result.alive != 0 ==> FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
  ensures told:        FumataCountTells{Pre}(noise, \result.seen, number, coin);
  ensures asked:       \result.seen != FUMATA_UNSEEN ==> \result.alive != 0;
*/
static fumata_counting fumata_life_step(fumata_counter *counter, fumata_counting life, const fumata_noise *noise,
                                        uint32_t sensitivity, const fumata_claim *claim, int32_t unspent, uint8_t step,
                                        uint64_t number, uint64_t coin) {
  life.seen = FUMATA_UNSEEN;
  if (step == FUMATA_STEP_CRASH) {
    life.alive = 0;
  } else if (step == FUMATA_STEP_START) {
    life.alive = fumata_count_init(counter, noise, sensitivity, claim) == FUMATA_OK;
    life.paid = 0;
  } else if (step == FUMATA_STEP_STORE) {
    life.paid = 1;
  } else if (step == FUMATA_STEP_ANSWER && life.alive && life.paid) {
    life.seen = fumata_life_tells(counter, noise, unspent, number, coin);
  }
  return life;
}

/* Entry i is written down and counted. */
/*@
  requires writable:   \valid(seen + (0 .. i)) && \valid(unspent + (0 .. i + 1));
  requires script:     \valid_read(steps + (0 .. i));
  requires counted:    FumataCounts(unspent, seen, steps, i);
  requires place:      i < FUMATA_SCRIPT;
  requires range:      0 <= unspent[i] <= i;

  terminates           \true;
  exits                \false;
  assigns              seen[i], unspent[i + 1];
  ensures counted:     FumataCounts(unspent, seen, steps, i + 1);
  ensures unspent:     unspent[i + 1] == \old(unspent[i]) + (steps[i] == FUMATA_STEP_STORE ? 1 : 0) -
                                         (told != FUMATA_UNSEEN ? 1 : 0);
  ensures seen:        seen[i] == told;
*/
static void fumata_life_writes(uint32_t i, int64_t told, const uint8_t *steps, int64_t *seen, int32_t *unspent) {
  seen[i] = told;
  unspent[i + 1u] = unspent[i] + (steps[i] == FUMATA_STEP_STORE) - (told != FUMATA_UNSEEN);
  /*@ assert past: \forall integer j; 0 <= j < i ==>
                     \at(FumataCountsOn(unspent, seen, steps, j), Pre) && FumataCountsOn(unspent, seen, steps, j); */
  /*@ assert now:  FumataCountsOn(unspent, seen, steps, i); */
}

/*@
  requires noise:      FumataNoiseReadable(noise);
  requires claim:      \valid_read(claim);
  requires length:     length <= FUMATA_SCRIPT;
  requires script:     \valid_read(steps + (0 .. length - 1)) && \valid_read(coins + (0 .. length - 1)) &&
                       \valid_read(numbers + (0 .. length - 1));
  requires writable:   \valid(seen + (0 .. length - 1)) && \valid(unspent + (0 .. length));
  requires apart:      \separated(noise, seen + (0 .. length - 1));

  terminates           \true;
  exits                \false;
  assigns              seen[0 .. length - 1], unspent[0 .. length];
  ensures counted:     FumataCounts(unspent, seen, steps, length);
  ensures once:        \forall integer i; 0 <= i <= length ==> 0 <= unspent[i];
  ensures told:        \forall integer i; 0 <= i < length ==>
                         FumataCountTells{Pre}(noise, seen[i], numbers[i], coins[i]);
  ensures certified:   (\exists integer i; 0 <= i < length && seen[i] != FUMATA_UNSEEN) ==>
                       FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
*/
void fumata_history_count(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *claim, uint32_t length,
                          const uint8_t *steps, const uint64_t *numbers, const uint64_t *coins, int64_t *seen,
                          int32_t *unspent) {
  fumata_counter counter;
  fumata_counting life;
  uint32_t i;

  /*@ assert apart: \forall integer j; 0 <= j < length ==> \separated(&counter, seen + j); */
  life.alive = 0;
  life.paid = 0;
  life.seen = FUMATA_UNSEEN;
  unspent[0] = 0;
  /*@
    loop invariant range:     0 <= i <= length;
    loop invariant many:      unspent[i] <= i;
    loop invariant noise:     FumataNoiseStays{Pre, Here}(noise);
    loop invariant claim:     FumataClaimStays{Pre, Here}(claim);
    loop invariant readable:  FumataNoiseReadable(noise);
    loop invariant apart:     FumataCounterApart(&counter, noise);
    loop invariant paid:      FumataIsPaid(&counter, life.alive, life.paid, unspent[i]);
    loop invariant running:   FumataCounterIsOf(&counter, life.alive, noise);
    loop invariant certified: life.alive != 0 ==> FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
    loop invariant before:    (\exists integer j; 0 <= j < i && seen[j] != FUMATA_UNSEEN) ==>
                              FumataNoiseIsCertified{Pre}(noise, sensitivity, claim);
    loop invariant counted:   FumataCounts(unspent, seen, steps, i);
    loop invariant once:      \forall integer j; 0 <= j <= i ==> 0 <= unspent[j];
    loop invariant told:      \forall integer j; 0 <= j < i ==>
                                FumataCountTells{Pre}(noise, seen[j], numbers[j], coins[j]);
    loop assigns              i, life, counter, seen[0 .. length - 1], unspent[0 .. length];
    loop variant              length - i;
  */
  for (i = 0; i < length; i++) {
    /*@ assert low:  \forall integer j; FumataNoiseLow(noise, j) == FumataNoiseLow{Pre}(noise, j); */
    /*@ assert high: \forall integer j; FumataNoiseHigh(noise, j) == FumataNoiseHigh{Pre}(noise, j); */
    life = fumata_life_step(&counter, life, noise, sensitivity, claim, unspent[i], steps[i], numbers[i], coins[i]);
    /*@ assert now:  FumataCountTells{Pre}(noise, life.seen, numbers[i], coins[i]); */
    /*@ assert seen: \forall integer j; 0 <= j < i ==> seen[j] == \at(seen[j], LoopCurrent); */
    /*@ assert kept: \forall integer j; 0 <= j < i ==>
                       \at(FumataCountsOn(unspent, seen, steps, j), LoopCurrent) &&
                       FumataCountsOn(unspent, seen, steps, j); */
    fumata_life_writes(i, life.seen, steps, seen, unspent);
    /*@ assert past: \forall integer j; 0 <= j < i ==> seen[j] == \at(seen[j], LoopCurrent); */
    /*@ assert told: \forall integer j; 0 <= j < i ==>
                       FumataCountTells{Pre}(noise, seen[j], \at(numbers[j], Pre), \at(coins[j], Pre)); */
    /*@ assert last: seen[i] == life.seen; */
  }
}
