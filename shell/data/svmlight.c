#include "data/svmlight.h"

#include <float.h>
#include <string.h>

#include "base/number.h"
#include "data/rows.h"

/* The shortest entry and what separates it from the next are four bytes, as in "1:1 ". */
size_t svmlight_room(size_t length) {
  return length / 4 + 1;
}

static int svmlight_fail(struct svmlight *line, size_t at, const char *cause) {
  line->cause = cause;
  line->column = at + 1;
  return -1;
}

static size_t svmlight_blanks(const char *text, size_t length, size_t at) {
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  return at;
}

int svmlight_recognise(const unsigned char *bytes, size_t length) {
  const char *text = (const char *)bytes;
  size_t at = 0, used, end;
  double number;
  while (at < length && (text[at] == '#' || text[at] == '\n')) { /* remarks first */
    const char *next = memchr(text + at, '\n', length - at);
    if (!next) return 0;
    at = (size_t)(next - text) + 1;
  }
  at = svmlight_blanks(text, length, at);
  if (number_scan(text + at, length - at, &number, &used) == NUMBER_NONE) return 0;
  at += used;
  if (at < length && text[at] == ':') return 1;
  end = at;
  at = svmlight_blanks(text, length, at);
  if (at == length || text[at] == '\n' || text[at] == '\r' || text[at] == '#') return 1; /* a label without entries */
  if (at == end) return 0;
  while (at < length && text[at] >= '0' && text[at] <= '9')
    at++;
  return at < length && text[at] == ':';
}

/* The token at text[*at] is the label unless it is the first index:value. */
static void svmlight_label(const char *text, size_t length, size_t *at, struct svmlight *line) {
  size_t end = *at;
  int has_colon = 0;
  for (; end < length && text[end] != ' ' && text[end] != '\t'; end++)
    has_colon |= text[end] == ':';
  if (has_colon) return;
  line->label = text + *at;
  line->label_length = end - *at;
  *at = end;
}

int svmlight_parse(const char *text, size_t length, uint32_t columns, uint32_t *index, float *value,
                   struct svmlight *line) {
  size_t at = svmlight_blanks(text, length, 0), used;
  memset(line, 0, sizeof *line);
  if (at < length && text[at] != '#') svmlight_label(text, length, &at, line);
  for (;;) {
    size_t token = at = svmlight_blanks(text, length, at);
    uint32_t number = 0;
    double parsed;
    enum number_status status;
    if (at >= length || text[at] == '#') return 0;
    for (; at < length && (unsigned char)(text[at] - '0') < 10; at++) {
      number = number * 10 + (uint32_t)(text[at] - '0');
      if (number > ROWS_COLUMNS_MAX) return svmlight_fail(line, token, "an index above 16777216");
    }
    if (at == token || at >= length || text[at] != ':')
      return svmlight_fail(line, token, "not of the form index:value");
    if (number == 0) return svmlight_fail(line, token, "index 0: indices count from 1");
    if (number <= line->largest) return svmlight_fail(line, token, "indices must ascend");
    line->largest = number;
    at++;
    status = number_scan(text + at, length - at, &parsed, &used);
    if (status == NUMBER_NONE || (at + used < length && text[at + used] != ' ' && text[at + used] != '\t'))
      return svmlight_fail(line, at, "the value is not a number");
    if (status == NUMBER_NOT_FINITE || parsed > FLT_MAX || parsed < -FLT_MAX)
      return svmlight_fail(line, at, "the value is not finite");
    at += used;
    if (number <= columns && (float)parsed != 0) {
      index[line->entries] = number - 1;
      value[line->entries++] = (float)parsed;
    }
  }
}
