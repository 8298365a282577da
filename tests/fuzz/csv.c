/* CSV: whatever is read, written again by our own rules and read once more, is the same. */
#include "data/csv.h"
#include "base/quote.h"
#include "fuzz/harness.h"

static const char delimiters[] = {',', ';', '\t', '|'};

struct table {
  char *text; /* cells and records as CSV, below a first line that takes a byte order mark's place */
  size_t size, records;
};

static void print_record(const struct csv *csv, FILE *stream) {
  for (size_t i = 0; i < csv->cells; i++) {
    struct fuzz cell = {(const uint8_t *)csv->cell[i].text, csv->cell[i].length};
    char *text = fuzz_text(&cell);
    FUZZ_MUST(strlen(text) == cell.left);
    if (i) putc(csv->delimiter, stream);
    quote_csv(stream, text, csv->delimiter);
    free(text);
  }
  putc('\n', stream);
}

/* `same`: all records have as many cells as the first one. */
static int read_table(const char *path, char delimiter, int same, int skip, struct table *table) {
  struct stream stream;
  struct lines lines;
  struct csv csv;
  FILE *out = open_memstream(&table->text, &table->size);
  int more = 1, code = stream_open(&stream, path);
  FUZZ_MUST(out != NULL);
  fputs("first\n", out);
  if (!code) {
    lines_init(&lines, &stream);
    csv_init(&csv, &lines, delimiter);
    csv.keep_record = 1;
    for (table->records = 0; !code && more; skip = 0) {
      code = csv_next(&csv, &more);
      if (code || !more || skip) continue;
      table->records++;
      FUZZ_MUST(csv.cells >= 1 && csv.cells <= CSV_COLUMNS_MAX);
      FUZZ_MUST(!csv.expected || csv.cells == csv.expected);
      FUZZ_MUST(csv.record_length >= csv.cells - 1);
      if (same) csv.expected = csv.cells;
      print_record(&csv, out);
    }
    csv_free(&csv);
    lines_free(&lines);
    stream_close(&stream);
  }
  fclose(out);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t style = fuzz_byte(&fuzz);
  char delimiter = delimiters[style % 4];
  struct table once = {0}, twice = {0};
  fuzz_listen();
  if (fuzz_judge_input(read_table(fuzz_file(0, fuzz.at, fuzz.left), delimiter, style & 4, 0, &once)) == EXIT_OK) {
    FUZZ_MUST(fuzz_judge(read_table(fuzz_file(1, once.text, once.size), delimiter, 0, 1, &twice)) == EXIT_OK);
    FUZZ_MUST(once.records == twice.records && once.size == twice.size && !memcmp(once.text, twice.text, once.size));
  }
  free(once.text);
  free(twice.text);
  return 0;
}
