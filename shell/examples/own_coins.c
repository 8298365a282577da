/* The core alone, with coins of your own: one ballot of 500 teachers, one answer.
 * my_plan.h is what `fumata plan --epsilon 2 --delta 1e-5 --silences 20 --c` prints. */
#include "fumata.h"
#include "my_plan.h"
#include <stdio.h>

int main(void) {
  uint8_t votes[500] = {1, 1, 0, 1};  /* three teachers vote for class 1, 497 for class 0 */
  uint64_t coin = 0x9e3779b97f4a7c15; /* yours: 64 uniform bits, used once */
  uint32_t counts[2];
  int32_t answer;
  fumata_verdict verdict;
  fumata_meter meter;
  fumata_status status = fumata_meter_init(&meter, &plan, &claim);   /* refuses a plan that is not certified */
  if (status == FUMATA_OK) status = fumata_meter_reserve(&meter, 1); /* now make meter.left durable, then look */
  if (status == FUMATA_OK) status = fumata_ballot_tally_u8(votes, 500, 2, counts);
  if (status == FUMATA_OK) status = fumata_ballot_decide(counts, 2, &verdict);
  if (status == FUMATA_OK) status = fumata_meter_answer(&meter, &verdict, coin, &answer);
  printf("%s: answer %d, %u silences left\n", fumata_strerror(status), (int)answer,
         (unsigned)(meter.left + meter.reserved));
  return status != FUMATA_OK;
}
