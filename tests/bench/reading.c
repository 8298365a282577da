/* CPU seconds to read a CSV file into rows: bench_reading FILE PUBLIC LABEL CLASSES. The encoding is learned from PUBLIC
 * beforehand; then the file is read as `fumata learn` reads its private file, labels and partition included, once for
 * each line on standard input. */
#include <stdio.h>

#include "data/encoding.h"
#include "data/reader.h"
#include "gate/partition.h"
#include "machine.h"

int main(int argc, char **argv) {
  struct encoding_request request = {0};
  struct reader_options options = {.labels = LABELS_REQUIRE};
  struct encoding encoding;
  struct partition partition;
  struct coins coins;
  if (argc != 5) return 2;
  request.public_path = argv[2];
  request.label = argv[3];
  request.classes = argv[4];
  coins_init(&coins);
  options.partition = &partition;
  if (partition_init(&partition, &coins) || encoding_make(&encoding, &request)) return 1;
  while (getchar() != EOF) {
    struct rows rows;
    double started = machine_clock(CLOCK_PROCESS_CPUTIME_ID);
    if (reader_load(&rows, argv[1], &encoding, &options)) return 1;
    printf("%.6f %zu\n", machine_clock(CLOCK_PROCESS_CPUTIME_ID) - started, rows.count);
    fflush(stdout);
    rows_free(&rows);
  }
  encoding_free(&encoding);
  partition_free(&partition);
  return 0;
}
