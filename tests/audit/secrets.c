/* The core's functions on secrets: under valgrind, votes, counts, distances, winners and coins, and a poll's places, labels, uses
 * and leads are marked as undefined, so that every branch and every index that depends on one is reported. tests/audit/secrets compares the reports with the
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
#define RECORDS  700u /* two tiles and a part, two blocks and a part */
#define UNITS    600u
#define CENTRES  5u /* a few and one more */
#define SPACE    48u

#define SECRET(thing)   VALGRIND_MAKE_MEM_UNDEFINED(&(thing), sizeof(thing))
#define RELEASED(thing) VALGRIND_MAKE_MEM_DEFINED(&(thing), sizeof(thing))

static uint64_t silence[ROWS], named[ROWS], cdf[ROWS];
static uint8_t votes[MOST];
static uint16_t wide_votes[MOST];
static uint32_t counts[FUMATA_CLASSES_MAX];
static int16_t places[RECORDS * SPACE], centres[CENTRES * SPACE], weights[FUMATA_CLASSES_MAX];
static uint32_t norms[RECORDS], centre_norms[CENTRES], distances[RECORDS * CENTRES], first[UNITS + 1], nearest[UNITS];
static uint16_t labels[RECORDS], spoken[UNITS], used[UNITS];
static int32_t leads[CENTRES + 1u];
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

/* Who is where and says what; the first units have two records or three. */
static void gather(uint32_t classes) {
  for (uint32_t i = 0; i < RECORDS * SPACE; i++)
    places[i] = (int16_t)(word() % 4096 - 2048);
  for (uint32_t i = 0; i < CENTRES * SPACE; i++)
    centres[i] = (int16_t)(word() % 2047 - 1023);
  for (uint32_t i = 0; i < RECORDS; i++)
    labels[i] = (uint16_t)(word() % (classes + 1));
  for (uint32_t i = 0; i < UNITS; i++) {
    first[i + 1] = i < 30 ? 3 * (i + 1) : i < 70 ? 90 + 2 * (i - 29) : RECORDS - (UNITS - 1 - i);
    used[i] = (uint16_t)(word() % 4);
  }
  for (uint32_t i = 0; i < classes; i++)
    weights[i] = (int16_t)(word() % 15 - 7);
  SECRET(places);
  SECRET(labels);
  SECRET(used);
}

static void ask_listed(fumata_poll *poll, const fumata_question *question) {
  static const uint32_t some[] = {1, 2, 300, UNITS - 1};
  fumata_list asked = {some, spoken, 4};
  must(fumata_poll_vote_listed(poll, question, &asked));
}

/* What a poll of secrets tells: its answers, and of them only that they are yes or no. */
static void ask_poll(uint32_t classes) {
  fumata_points records = {places, norms, RECORDS, SPACE}, questions = {centres, centre_norms, CENTRES, SPACE};
  fumata_poll poll = {{named, ROWS, 2}, {used, UNITS}, {leads, CENTRES + 1}, 0, 0, 0};
  uint32_t yes;
  gather(classes);
  must(fumata_crowd_settle(&records));
  must(fumata_crowd_settle(&questions));
  must(fumata_crowd_find(&records, &questions, distances));
  for (uint32_t i = 0; i < CENTRES; i++) {
    fumata_question question = {weights, classes, 7, 20000000u};
    fumata_voices voices = {nearest, spoken};
    must(fumata_crowd_speak(first, UNITS, distances + RECORDS * i, labels, nearest, spoken));
    must(fumata_poll_vote(&poll, &question, &voices));
    if (i == 0) ask_listed(&poll, &question);
  }
  must(fumata_poll_stored(&poll));
  SECRET(leads);
  for (uint32_t i = 0; i < CENTRES; i++)
    must(fumata_poll_answer(&poll, secret_coin(), &yes));
  must(fumata_poll_close(&poll));
  for (uint32_t i = 0; i < UNITS; i++)
    if (used[i]) must(FUMATA_ERR_UNSTORED);
}

int main(void) {
  const uint32_t classes[] = {2, 10, 100};
  make_tables();
  for (uint32_t round = 0; round < ROUNDS; round++)
    for (uint32_t i = 0; i < 3; i++)
      ask(round ? TEACHERS : MOST, classes[i]);
  for (uint32_t i = 0; i < 3; i++)
    ask_poll(classes[i]);
  ask_count();
  puts("secrets: done");
  return 0;
}
