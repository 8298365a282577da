/* Random scripts of calls on machines that were made by hand, for tests/audit/compilers to compare: what comes of every call
 * and the state after it go into a digest, one line a script. No certificate is asked for, which would be nearly all of the
 * time; proofs/tools/scripts/scripts.c has those.
 *
 *   lives NUMBER SEED */
#include <stdio.h>
#include <stdlib.h>

#include "fumata.h"
#include "support/words.h"

#define ROWS  6u
#define UNITS 9u

static uint64_t digest;
static uint64_t rising[ROWS], falling[ROWS];

static void keep(uint64_t value) {
  digest = (digest ^ value) * UINT64_C(0x100000001b3);
}

/* Often one of the words at which a table decides. */
static uint64_t coin(const uint64_t *table) {
  uint32_t kind = below(6), row = below(ROWS), beside = below(3); /* one by one: compilers differ in their order */
  return kind == 0 ? 0 : kind == 1 ? UINT64_MAX : kind < 5 ? table[row] + beside - 1 : word();
}

static fumata_verdict any_verdict(void) {
  fumata_verdict verdict;
  verdict.winner = below(16) ? below(4) : FUMATA_CLASSES_MAX - 1 + below(3);
  verdict.distance = below(16) ? below(ROWS + 3) : (uint32_t)word();
  return verdict;
}

static void make_tables(void) {
  uint64_t step = UINT64_MAX / 2 / ROWS;
  for (uint32_t i = 0; i < ROWS; i++) {
    rising[i] = UINT64_MAX / 2 + 1 + step * i + word() % step;
    falling[ROWS - 1 - i] = rising[i] - word() % 2 * (UINT64_MAX / 2);
  }
}

static void meter_script(uint32_t length) {
  uint32_t size = 1 + below(ROWS), left = below(10);
  fumata_meter meter = {{falling, size, 9}, left, 0};
  while (length--) {
    fumata_verdict verdict = any_verdict();
    uint32_t step = below(8);
    int32_t answer = -7;
    keep((uint64_t)(step == 0  ? fumata_meter_close(&meter)
                    : step < 3 ? fumata_meter_reserve(&meter, below(4))
                               : fumata_meter_answer(&meter, &verdict, coin(falling), &answer)));
    keep((uint64_t)answer), keep(meter.left), keep(meter.reserved);
  }
}

static void toll_script(uint32_t length) {
  uint32_t size = 1 + below(ROWS), left = below(10);
  fumata_toll toll = {{rising, size, 9}, left, 0};
  while (length--) {
    fumata_verdict ahead = any_verdict(), behind = any_verdict();
    fumata_duel duel = {ahead.winner, behind.winner, ahead.distance};
    uint32_t step = below(8);
    int32_t answer = -7;
    keep((uint64_t)(step == 0  ? fumata_toll_close(&toll)
                    : step < 3 ? fumata_toll_reserve(&toll, below(4))
                               : fumata_toll_answer(&toll, &duel, coin(rising), &answer)));
    keep((uint64_t)answer), keep(toll.left), keep(toll.reserved);
  }
}

static void classic_script(uint32_t length) {
  uint32_t size = 1 + below(ROWS), down = below(4), width = below(5), left = below(10);
  fumata_noise threshold = {rising, size, -(int64_t)down}, query = {rising, ROWS, -3};
  fumata_classic classic = {{threshold, query, width, 9}, 0, left, 0};
  while (length--) {
    fumata_verdict verdict = any_verdict();
    uint32_t step = below(8);
    int32_t answer = -7;
    keep((uint64_t)(step == 0  ? fumata_classic_close(&classic)
                    : step < 3 ? fumata_classic_reserve(&classic, coin(rising))
                               : fumata_classic_answer(&classic, &verdict, coin(rising), &answer)));
    keep((uint64_t)answer), keep(classic.left), keep(classic.reserved), keep((uint64_t)classic.threshold);
  }
}

static void count_script(uint32_t length) {
  fumata_counter counter = {{rising, ROWS, -3}, 1};
  while (length--) {
    uint64_t number = word() >> (seed % 40), toss = coin(rising);
    int64_t noisy = 0;
    keep((uint64_t)fumata_count_release(&counter, number, toss, &noisy));
    keep((uint64_t)noisy), keep(counter.reserved);
    counter.reserved = below(2);
  }
}

/* What a poll of a few units comes to, its uses and leads included. */
static void poll_script(uint32_t length) {
  uint16_t used[UNITS] = {0}, labels[UNITS];
  uint32_t distances[UNITS], units[UNITS];
  int32_t leads[3] = {0};
  int16_t weights[4];
  uint32_t size = 1 + below(ROWS), room = 1 + below(3), most = 1 + below(3), members = below(UNITS + 1);
  fumata_poll poll = {{rising, size, 2}, {used, members}, {leads, room}, 0, 0, 0};
  fumata_question question = {weights, 1 + below(4), most, below(8)};
  fumata_voices voices = {distances, labels};
  while (length--) {
    uint32_t step = below(8), yes = 7;
    fumata_list list = {units, labels, below(members + 1)};
    uint64_t toss = coin(rising);
    for (uint32_t i = 0; i < UNITS; i++) {
      labels[i] = (uint16_t)below(5);
      distances[i] = below(16);
      units[i] = i + (below(30) == 0);
    }
    for (uint32_t y = 0; y < 4; y++)
      weights[y] = (int16_t)((int32_t)below(2 * most + 1) - (int32_t)most);
    keep((uint64_t)(step < 3    ? fumata_poll_vote(&poll, &question, &voices)
                    : step == 3 ? fumata_poll_vote_listed(&poll, &question, &list)
                    : step == 4 ? fumata_poll_stored(&poll)
                    : step == 5 ? fumata_poll_answer(&poll, toss, &yes)
                                : fumata_poll_clear(&poll)));
    keep(yes), keep(poll.asked), keep(poll.stored), keep(poll.answered);
    for (uint32_t i = 0; i < UNITS; i++)
      keep(used[i]);
    for (uint32_t i = 0; i < 3; i++)
      keep((uint64_t)leads[i]);
  }
  keep((uint64_t)fumata_poll_close(&poll)), keep(poll.leads.size);
}

int main(int count, char **words) {
  void (*const scripts[])(uint32_t) = {meter_script, toll_script, classic_script, count_script, poll_script};
  uint32_t number = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1000;
  seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
  while (number--) {
    digest = UINT64_C(0xcbf29ce484222325);
    make_tables();
    uint32_t which = below(5), length = 1 + below(24); /* one by one, likewise */
    scripts[which](length);
    printf("%llx\n", (unsigned long long)digest);
  }
  return 0;
}
