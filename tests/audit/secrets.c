/* The core's functions on secrets: under valgrind, votes, counts, distances, winners and coins are marked as undefined, so
 * that every branch and every index that depends on one is reported. tests/audit/secrets compares the reports with the
 * list of those that are meant (tests/audit/allowed).
 *
 * Released are the answer and what a machine has reserved after it, which tells no more than the answer. */
#include <stdio.h>
#include <stdlib.h>
#include <valgrind/memcheck.h>

#include "core/fumata.h"

#define TEACHERS 1000u
#define MOST     17000u /* the tally counts 8064 in one go: two more */
#define ROWS     64u
#define ROUNDS   8u

#define SECRET(thing)   VALGRIND_MAKE_MEM_UNDEFINED(&(thing), sizeof(thing))
#define RELEASED(thing) VALGRIND_MAKE_MEM_DEFINED(&(thing), sizeof(thing))

static uint64_t silence[ROWS], named[ROWS], cdf[ROWS];
static uint8_t votes[MOST];
static uint16_t wide_votes[MOST];
static uint32_t counts[FUMATA_CLASSES_MAX];
static uint64_t seed = 1;

static uint64_t word(void) { /* splitmix64 */
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static uint64_t secret_coin(void) {
  uint64_t coin = word();
  SECRET(coin);
  return coin;
}

static void must(fumata_status status) {
  if (status == FUMATA_OK) return;
  fprintf(stderr, "secrets: %s\n", fumata_strerror(status));
  exit(1);
}

static void make_tables(void) {
  for (uint32_t i = 0; i < ROWS; i++) {
    silence[i] = UINT64_MAX / (i + 1);
    named[i] = UINT64_MAX / 2 + 1 + (UINT64_MAX / 2 / ROWS) * i;
    cdf[i] = UINT64_MAX / (ROWS + 1) * (i + 1);
  }
}

static void ask_meter(const fumata_verdict *verdict) {
  /* The state is made by hand: no certificate is asked for, and none looks at a secret. */
  fumata_meter meter = {{silence, ROWS, 2}, 0, 1};
  int32_t answer;
  must(fumata_meter_answer(&meter, verdict, secret_coin(), &answer));
  RELEASED(answer);
  RELEASED(meter.reserved);
}

static void ask_toll(uint32_t classes) {
  fumata_toll toll = {{named, ROWS, 2}, 0, 1};
  fumata_duel duel;
  int32_t answer;
  must(fumata_ballot_duel(counts, classes, 0, 1, &duel));
  SECRET(duel);
  must(fumata_toll_answer(&toll, &duel, secret_coin(), &answer));
  RELEASED(answer);
}

static void ask_classic(const fumata_verdict *verdict) {
  fumata_noise noise = {cdf, ROWS, -32};
  fumata_classic classic = {{noise, noise, 20, 2}, 0, 1, 0};
  int32_t answer;
  must(fumata_classic_reserve(&classic, secret_coin()));
  must(fumata_classic_answer(&classic, verdict, secret_coin(), &answer));
  RELEASED(answer);
  RELEASED(classic.reserved);
}

static void ask_count(void) {
  fumata_counter counter = {{cdf, ROWS, -32}, 1};
  uint64_t count = word() >> 40;
  int64_t noisy;
  SECRET(count);
  must(fumata_count_release(&counter, count, secret_coin(), &noisy));
}

/* Votes that include abstentions. */
static void cast(uint32_t teachers, uint32_t classes) {
  for (uint32_t i = 0; i < teachers; i++) {
    wide_votes[i] = (uint16_t)(word() % (classes + 1));
    votes[i] = (uint8_t)wide_votes[i];
  }
  SECRET(votes);
  SECRET(wide_votes);
}

static void ask(uint32_t teachers, uint32_t classes) {
  fumata_verdict verdict;
  cast(teachers, classes);
  must(fumata_ballot_tally_u16(wide_votes, teachers, classes, counts));
  must(fumata_ballot_tally_u8(votes, teachers, classes, counts));
  SECRET(counts); /* a table of counters, indexed by secrets, counts as defined */
  must(fumata_ballot_decide(counts, classes, &verdict));
  SECRET(verdict);
  ask_meter(&verdict);
  ask_classic(&verdict);
  ask_toll(classes);
}

int main(void) {
  const uint32_t classes[] = {2, 10, 100};
  make_tables();
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (uint32_t i = 0; i < 3; i++)
      ask(round ? TEACHERS : MOST, classes[i]);
  ask_count();
  puts("secrets: done");
  return 0;
}
