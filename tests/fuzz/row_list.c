/* Lists of records: every number is a record's, and what is read, written and read again is the same. */
#include "fuzz/harness.h"
#include "run/casting.h"

static void check_again(const size_t *row, size_t count, size_t records) {
  char *text;
  size_t size, *twice, number;
  FILE *stream = open_memstream(&text, &size);
  FUZZ_MUST(stream != NULL);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "%zu\n", row[i]);
  fclose(stream);
  FUZZ_MUST(fuzz_judge(casting_read_rows(fuzz_file(1, text, size), records, &twice, &number)) == EXIT_OK);
  FUZZ_MUST(number == count && !memcmp(row, twice, count * sizeof *row));
  free(twice);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  size_t records = 1 + fuzz_number(&fuzz, 2), *row, count;
  fuzz_listen();
  if (fuzz_judge_input(casting_read_rows(fuzz_file(0, fuzz.at, fuzz.left), records, &row, &count)) == EXIT_OK) {
    FUZZ_MUST(count >= 1);
    for (size_t i = 0; i < count; i++)
      FUZZ_MUST(row[i] < records);
    check_again(row, count, records);
  }
  free(row);
  return 0;
}
