/* Seconds for K logistic teachers: bench_teachers FILE.svm K. The best of five. */
#include <stdio.h>

#include "data/ballots.h"
#include "data/encoding.h"
#include "data/partition.h"
#include "data/reader.h"
#include "data/rows.h"
#include "data/transform.h"
#include "learn/ensemble.h"
#include "machine.h"

int main(int argc, char **argv) {
  struct encoding_request request = {.classes = "0,1"};
  struct reader_options options = {.labels = LABELS_REQUIRE};
  struct encoding encoding;
  struct partition partition;
  struct learner learner;
  struct coins coins;
  struct chunks chunks;
  struct rows rows;
  double best = 1e9;
  if (argc != 3) return 2;
  request.public_path = argv[1];
  coins_init(&coins);
  options.partition = &partition;
  if (partition_init(&partition, &coins) || encoding_make(&encoding, &request) ||
      reader_load(&rows, argv[1], &encoding, &options) || learner_parse(&learner, "", "logistic") ||
      chunks_make(&chunks, &rows, NULL, (uint32_t)atoi(argv[2])))
    return 1;
  learner_fit(&learner, &rows, 2);
  for (int i = 0; i < 5; i++) {
    struct ensemble ensemble;
    double started = machine_seconds(), took;
    if (ensemble_train(&ensemble, &learner, &rows, &chunks)) return 1;
    took = machine_seconds() - started;
    if (took < best) best = took;
    ensemble_free(&ensemble);
  }
  printf("%.6f\n", best);
  return 0;
}
