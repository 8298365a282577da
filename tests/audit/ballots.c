/* Random ballots and what the core makes of them, one line each, for tests/audit/compilers to compare.
 *
 *   ballots NUMBER SEED */
#include <stdio.h>
#include <stdlib.h>

#include "fumata.h"
#include "support/words.h"

#define TEACHERS 700u
#define MOST     17000u /* the tally counts 8064 in one go: two more */
#define CLASSES  40u

static void print_counts(const uint32_t *counts, uint32_t classes) {
  for (uint32_t y = 0; y < classes; y++)
    printf(" %u", (unsigned)counts[y]);
}

static void print_verdicts(const uint32_t *counts, uint32_t classes) {
  fumata_verdict verdict = {0, 0};
  fumata_duel duel = {0, 0, 0};
  uint32_t a = below(classes + 1), b = below(classes + 1);
  printf(" %d", (int)fumata_ballot_decide(counts, classes, &verdict));
  printf(" %u %u", (unsigned)verdict.winner, (unsigned)verdict.distance);
  printf(" %d", (int)fumata_ballot_duel(counts, classes, a, b, &duel));
  printf(" %u %u %u\n", (unsigned)duel.winner, (unsigned)duel.loser, (unsigned)duel.distance);
}

/* Mostly one label, so that there is a distance; some labels are not classes. */
static void ballot(void) {
  uint8_t narrow[MOST];
  uint16_t wide[MOST];
  uint32_t counts[CLASSES];
  uint32_t most = below(100) ? TEACHERS : MOST;
  uint32_t classes = below(CLASSES + 1), teachers = below(most + 1), favourite = below(CLASSES);
  for (uint32_t i = 0; i < teachers; i++) {
    wide[i] = (uint16_t)(below(3) ? favourite : below(classes + 2));
    narrow[i] = (uint8_t)wide[i];
  }
  for (uint32_t y = 0; y < CLASSES; y++)
    counts[y] = below(50) ? below(TEACHERS) : (uint32_t)word();
  printf("%u %u %d", (unsigned)classes, (unsigned)teachers,
         (int)fumata_ballot_tally_u8(narrow, teachers, classes, counts));
  print_counts(counts, classes);
  printf(" %d", (int)fumata_ballot_tally_u16(wide, teachers, classes, counts));
  print_counts(counts, classes);
  print_verdicts(counts, classes);
}

int main(int count, char **words) {
  uint32_t number = count > 1 ? (uint32_t)strtoul(words[1], NULL, 10) : 1000;
  seed = count > 2 ? strtoull(words[2], NULL, 10) : 1;
  while (number--)
    ballot();
  return 0;
}
