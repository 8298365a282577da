#include "plan/plan_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "core/noise.h"

void plan_text_write(struct plan_text_writer *writer, const char *format, ...) {
  char line[128];
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  line[length++] = '\n';
  digest_add(&writer->digest, line, (size_t)length);
  fwrite(line, 1, (size_t)length, writer->stream);
}

void plan_text_write_table(struct plan_text_writer *writer, const char *name, int64_t first, const uint64_t *entry,
                           uint32_t size) {
  uint32_t i;
  plan_text_write(writer, "table %s %" PRIu32, name, size);
  for (i = 0; i < size; i++)
    plan_text_write(writer, "%" PRId64 " %" PRIu64, first + (int64_t)i, entry[i]);
}

int plan_text_bad(const struct plan_text_reader *reader, const char *cause) {
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": %s", reader->path, reader->number, cause);
}

int plan_text_next(struct plan_text_reader *reader, int is_last) {
  ssize_t length;
  reader->number++;
  errno = 0;
  length = getline(&reader->line, &reader->room, reader->stream);
  if (length < 0 && ferror(reader->stream))
    return error_report(errno == EISDIR ? EXIT_INPUT : EXIT_SYSTEM, "%s: cannot read: %s", reader->path,
                        strerror(errno));
  if (length < 0 && errno == ENOMEM) return memory_short();
  if (length < 0) return plan_text_bad(reader, "the file ends here without its 'end' line: it is cut short");
  if (reader->line[length - 1] != '\n') return plan_text_bad(reader, "the line does not end: the file is cut short");
  if (strlen(reader->line) != (size_t)length) return plan_text_bad(reader, "a zero byte: this is not a plan file");
  if (!is_last) digest_add(&reader->digest, reader->line, (size_t)length);
  reader->line[length - 1] = 0;
  return EXIT_OK;
}

/* A decimal integer in its one way of writing, at most `most`. */
static int plan_text_number(const char **text, uint64_t most, uint64_t *number) {
  const char *c = *text;
  if (!isdigit((unsigned char)*c) || (*c == '0' && isdigit((unsigned char)c[1]))) return -1;
  for (*number = 0; isdigit((unsigned char)*c); c++) {
    unsigned digit = (unsigned)(*c - '0');
    if (*number > (UINT64_MAX - digit) / 10) return -1;
    *number = *number * 10 + digit;
  }
  *text = c;
  return *number <= most ? 0 : -1;
}

static int plan_text_signed(const char **text, int64_t *number) {
  uint64_t size;
  int minus = **text == '-';
  *text += minus;
  if (plan_text_number(text, (uint64_t)FUMATA_NOISE_RANGE * 2, &size) || (minus && size == 0)) return -1;
  *number = minus ? -(int64_t)size : (int64_t)size;
  return 0;
}

const char *plan_text_after(const struct plan_text_reader *reader, const char *word) {
  size_t length = strlen(word);
  if (strncmp(reader->line, word, length) || reader->line[length] != ' ') return NULL;
  return reader->line + length + 1;
}

int plan_text_expected(const struct plan_text_reader *reader, const char *format, ...) {
  char seen[40], what[80];
  va_list arguments;
  size_t i;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  for (i = 0; i < sizeof seen - 1 && reader->line[i]; i++)
    seen[i] = isprint((unsigned char)reader->line[i]) ? reader->line[i] : '?';
  seen[i] = 0;
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": expected '%s', found '%s%s'", reader->path, reader->number, what,
                      seen, reader->line[i] ? "..." : "");
}

int plan_text_field(struct plan_text_reader *reader, const char *word, uint64_t most, uint64_t *number) {
  const char *text;
  int code = plan_text_next(reader, 0);
  if (code) return code;
  text = plan_text_after(reader, word);
  if (!text || plan_text_number(&text, most, number) || *text) return plan_text_expected(reader, "%s NUMBER", word);
  return EXIT_OK;
}

int plan_text_signed_field(struct plan_text_reader *reader, const char *word, int64_t *number) {
  const char *text;
  int code = plan_text_next(reader, 0);
  if (code) return code;
  text = plan_text_after(reader, word);
  if (!text || plan_text_signed(&text, number) || *text) return plan_text_expected(reader, "%s NUMBER", word);
  return EXIT_OK;
}

int plan_text_ratio(struct plan_text_reader *reader, const char *word, uint64_t most, uint64_t *num, uint64_t *den) {
  const char *text;
  int code = plan_text_next(reader, 0);
  if (code) return code;
  text = plan_text_after(reader, word);
  if (!text || plan_text_number(&text, most, num) || *text++ != '/' || plan_text_number(&text, most, den) || *text ||
      *den == 0)
    return plan_text_expected(reader, "%s NUMBER/NUMBER", word);
  return EXIT_OK;
}

int plan_text_table(struct plan_text_reader *reader, const char *name, uint32_t most, int64_t *first, uint64_t **entry,
                    uint32_t *size) {
  char word[32];
  uint64_t count = 0, i;
  int code;
  snprintf(word, sizeof word, "table %s", name);
  code = plan_text_field(reader, word, most, &count);
  if (code) return code;
  if (count == 0) return plan_text_bad(reader, "an empty table");
  code = memory_take(entry, (size_t)count, sizeof **entry);
  if (code) return code;
  for (i = 0; i < count; i++) {
    const char *text;
    int64_t place;
    code = plan_text_next(reader, 0);
    if (code) return code;
    text = reader->line;
    if (plan_text_signed(&text, &place) || *text++ != ' ' || plan_text_number(&text, UINT64_MAX, *entry + i) || *text)
      return plan_text_expected(reader, "NUMBER NUMBER");
    if (i == 0) *first = place;
    if (place != *first + (int64_t)i) return plan_text_bad(reader, "a line of the table is missing or out of order");
  }
  *size = (uint32_t)count;
  return EXIT_OK;
}

int plan_text_distances(struct plan_text_reader *reader, const char *name, uint32_t most, uint64_t **entry,
                        uint32_t *size) {
  char cause[64];
  int64_t first = 0;
  int code = plan_text_table(reader, name, most, &first, entry, size);
  if (code || first == 1) return code;
  reader->number -= *size - 1;
  snprintf(cause, sizeof cause, "the %s table must begin at distance 1", name);
  return plan_text_bad(reader, cause);
}
