/* Seconds for K logistic teachers: bench_teachers FILE.svm K. The best of five. */
#include <stdio.h>

#include "data.h"
#include "ensemble.h"
#include "machine.h"

int main(int argc, char **argv) {
  fumata_encoding_request request = {.classes = "0,1"};
  fumata_reader_options options = {.labels = FUMATA_LABELS_REQUIRE};
  fumata_encoding encoding;
  fumata_partition partition;
  fumata_learner learner;
  fumata_coins coins;
  fumata_chunks chunks;
  fumata_rows rows;
  double best = 1e9;
  if (argc != 3) return 2;
  request.public_path = argv[1];
  fumata_coins_init(&coins);
  options.partition = &partition;
  if (fumata_partition_init(&partition, &coins) || fumata_encoding_make(&encoding, &request) ||
      fumata_reader_load(&rows, argv[1], &encoding, &options) || fumata_learner_parse(&learner, "", "logistic") ||
      fumata_chunks_make(&chunks, &rows, NULL, (uint32_t)atoi(argv[2])))
    return 1;
  fumata_learner_fit(&learner, &rows, 2);
  for (int i = 0; i < 5; i++) {
    fumata_ensemble ensemble;
    double started = machine_seconds(), took;
    if (fumata_ensemble_train(&ensemble, &learner, &rows, &chunks)) return 1;
    took = machine_seconds() - started;
    if (took < best) best = took;
    fumata_ensemble_free(&ensemble);
  }
  printf("%.6f\n", best);
  return 0;
}
