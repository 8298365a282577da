/* Planner and ledger from C: a plan made here, votes answered, and what is left kept in a ledger that the next run takes
 * up.   cc kept_ledger.c $(pkg-config --cflags --libs fumata-door) -o kept_ledger && ./kept_ledger shop.ledger */
#include <fumata-door.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  uint8_t votes[2][500]; /* two queries, 500 teachers: the first is unanimous, the second is split in halves */
  int32_t answers[2];
  uint64_t done = 0;
  fumata_door_plan *plan;
  fumata_door_meter *meter;
  memset(votes[0], 1, 500);
  for (int t = 0; t < 500; t++)
    votes[1][t] = t % 2;
  if (fumata_door_plan_make("2", "1e-5", 20, "meter", &plan)) return fprintf(stderr, "%s\n", fumata_door_error()), 1;
  if (fumata_door_meter_open(plan, argc > 1 ? argv[1] : "shop.ledger", 2, NULL, NULL, 0, &meter))
    return fprintf(stderr, "%s\n", fumata_door_error()), 1;
  if (fumata_door_meter_answer(meter, votes, FUMATA_DOOR_LABELS8, 2, 500, answers, &done))
    fprintf(stderr, "%s\n", fumata_door_error());
  for (uint64_t q = 0; q < done; q++)
    printf("query %u: %d\n", (unsigned)q, (int)answers[q]); /* -1 is silence */
  printf("silences left: %u\n", fumata_door_meter_left(meter));
  fumata_door_meter_close(meter);
  fumata_door_plan_free(plan);
  return 0;
}
