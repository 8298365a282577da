/* Ballots of the core against a count by hand: tallies, winners, distances, duels. */
#include "core/ballot.h"
#include "fuzz/harness.h"

#define TEACHERS 600

/* The smallest label with the largest count, and how many teachers stand between it and a tie. */
static void check_verdict(const uint32_t *counts, uint32_t classes) {
  fumata_verdict verdict = {77, 78};
  uint64_t winner = 0, second = 0, gap;
  fumata_status status = fumata_ballot_decide(counts, classes, &verdict);
  for (uint32_t i = 0; i < classes; i++)
    if (counts[i] > counts[winner]) winner = i;
  FUZZ_MUST(status == FUMATA_OK);
  for (uint32_t i = 0; i < classes; i++)
    if (i != winner && counts[i] > second) second = counts[i];
  gap = counts[winner] - second;
  FUZZ_MUST(verdict.winner == winner && verdict.distance == (gap <= 2 ? 0 : (gap - 1) / 2));
}

static void check_duel(const uint32_t *counts, uint32_t classes, uint32_t a, uint32_t b) {
  fumata_duel duel = {77, 78, 79};
  fumata_status status = fumata_ballot_duel(counts, classes, a, b, &duel);
  uint64_t gap;
  if (a >= b || b >= classes) {
    FUZZ_MUST(status != FUMATA_OK && duel.winner == 77 && duel.loser == 78 && duel.distance == 79);
    return;
  }
  gap = counts[a] > counts[b] ? counts[a] - counts[b] : counts[b] - counts[a];
  FUZZ_MUST(status == FUMATA_OK && duel.winner == (counts[b] > counts[a] ? b : a) && duel.winner + duel.loser == a + b);
  FUZZ_MUST(duel.distance == (gap <= 2 ? 0 : (gap - 1) / 2));
}

/* One byte a vote, or two. */
static void tally(struct fuzz *fuzz, int is_wide, uint32_t classes, uint32_t *counts) {
  uint32_t wanted[FUMATA_CLASSES_MAX] = {0}, teachers = (uint32_t)fuzz_number(fuzz, 2) % (TEACHERS + 1);
  uint16_t *wide = malloc((teachers + 1) * sizeof *wide);
  uint8_t *narrow = malloc(teachers + 1);
  fumata_status status;
  FUZZ_MUST(wide && narrow);
  for (uint32_t i = 0; i < teachers; i++) {
    wide[i] = (uint16_t)fuzz_number(fuzz, is_wide ? 2 : 1);
    narrow[i] = (uint8_t)wide[i];
    if (wide[i] < classes) wanted[wide[i]]++;
  }
  status = is_wide ? fumata_ballot_tally_u16(wide, teachers, classes, counts)
                   : fumata_ballot_tally_u8(narrow, teachers, classes, counts);
  FUZZ_MUST(status == (teachers ? FUMATA_OK : FUMATA_ERR_TEACHERS));
  if (teachers) FUZZ_MUST(!memcmp(counts, wanted, classes * sizeof *counts));
  free(wide);
  free(narrow);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz);
  uint32_t classes = 2 + (uint32_t)fuzz_number(&fuzz, 2) % (FUMATA_CLASSES_MAX - 1), a, b, *counts;
  a = (uint32_t)fuzz_number(&fuzz, how & 4 ? 1 : 2);
  b = (uint32_t)fuzz_number(&fuzz, how & 4 ? 1 : 2);
  counts = calloc(classes, sizeof *counts); /* no more than there are: a sanitizer sees what goes beyond */
  FUZZ_MUST(counts != NULL);
  if (how & 1)
    tally(&fuzz, how >> 1 & 1, classes, counts);
  else
    for (uint32_t i = 0; i < classes && fuzz.left; i++)
      counts[i] = (uint32_t)fuzz_number(&fuzz, how & 2 ? 4 : 2);
  check_verdict(counts, classes);
  check_duel(counts, classes, a, b);
  free(counts);
  return 0;
}
