/* Schema files: what is read, written and read again is the same; and a complete one reads records. */
#include "data/schema.h"
#include "data/reader.h"
#include "fuzz/harness.h"

struct text {
  char *bytes;
  size_t size;
};

static struct text written(const struct encoding *encoding) {
  struct text text = {0};
  FILE *stream = open_memstream(&text.bytes, &text.size);
  FUZZ_MUST(stream && schema_write(encoding, stream) == EXIT_OK && fclose(stream) == 0);
  return text;
}

static int read_text(struct encoding *encoding, const void *bytes, size_t size, int must_end) {
  FILE *stream = fopen(fuzz_file(0, bytes, size), "r");
  int code;
  FUZZ_MUST(stream != NULL);
  code = schema_read(encoding, stream, "schema", must_end);
  fclose(stream);
  return code;
}

static void check_again(const struct encoding *encoding) {
  struct text once = written(encoding), twice;
  struct encoding again;
  FUZZ_MUST(fuzz_judge(read_text(&again, once.bytes, once.size, 1)) == EXIT_OK);
  twice = written(&again);
  FUZZ_MUST(once.size == twice.size && !memcmp(once.bytes, twice.bytes, once.size));
  encoding_free(&again);
  free(once.bytes);
  free(twice.bytes);
}

/* The records beside it, read by what a schema says. */
static void check_use(const char *schema_path, const char *data_path) {
  struct encoding_request request = {.schema_path = schema_path};
  struct encoding encoding;
  struct rows rows;
  fuzz_listen();
  if (fuzz_judge_input(encoding_make(&encoding, &request)) != EXIT_OK) return;
  if (encoding.raw_columns <= 4096 && encoding.columns <= 4096 &&
      fuzz_judge_input(reader_load(&rows, data_path, &encoding, NULL)) == EXIT_OK)
    rows_free(&rows);
  encoding_free(&encoding);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size}, data = fuzz_cut(&fuzz, fuzz_byte(&fuzz));
  struct encoding encoding;
  fuzz_listen();
  if (fuzz_judge_input(read_text(&encoding, fuzz.at, fuzz.left, 0)) != EXIT_OK) return 0;
  check_again(&encoding);
  encoding_free(&encoding);
  check_use(fuzz_file(1, fuzz.at, fuzz.left), fuzz_file(2, data.at, data.left));
  return 0;
}
