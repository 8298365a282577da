#include "report/summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/rational.h"

#define SUMMARY_LONGEST ((size_t)1 << 24) /* bytes */
#define SUMMARY_PIECE   ((size_t)1 << 12) /* bytes read at once: most summaries whole */
#define SUMMARY_DEEPEST 64

/* Where the reading stands. */
struct summary_text {
  const char *path, *begin, *at, *end;
};

static int summary_bad(const struct summary_text *text, const char *cause) {
  return error_report(EXIT_INPUT, "%s: byte %zu: %s", text->path, (size_t)(text->at - text->begin), cause);
}

static void summary_blanks(struct summary_text *text) {
  while (text->at < text->end && strchr(" \t\r\n", *text->at))
    text->at++;
}

static int summary_take(struct summary_text *text, char wanted) {
  summary_blanks(text);
  if (text->at == text->end || *text->at != wanted) return 0;
  text->at++;
  return 1;
}

/* The four digits of \uXXXX as UTF-8; json_text escapes only characters below 0x20, and halves of pairs become '?'. */
static int summary_code(struct summary_text *text, char **out) {
  char digits[5] = {0};
  unsigned long code;
  if (text->end - text->at < 4) return summary_bad(text, "an escape is cut off");
  memcpy(digits, text->at, 4);
  if (strspn(digits, "0123456789abcdefABCDEF") != 4) return summary_bad(text, "a bad escape");
  code = strtoul(digits, NULL, 16);
  text->at += 4;
  if (code == 0 || (code >= 0xd800 && code < 0xe000)) code = '?';
  if (code < 0x80) {
    *(*out)++ = (char)code;
  } else if (code < 0x800) {
    *(*out)++ = (char)(0xc0 | code >> 6);
    *(*out)++ = (char)(0x80 | (code & 0x3f));
  } else {
    *(*out)++ = (char)(0xe0 | code >> 12);
    *(*out)++ = (char)(0x80 | (code >> 6 & 0x3f));
    *(*out)++ = (char)(0x80 | (code & 0x3f));
  }
  return EXIT_OK;
}

static int summary_escape(struct summary_text *text, char **out) {
  static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
  const char *found;
  char c;
  if (text->at == text->end) return summary_bad(text, "a string without end");
  c = *text->at++;
  if (c == 'u') return summary_code(text, out);
  found = c ? strchr(names, c) : NULL;
  if (!found) return summary_bad(text, "a bad escape");
  *(*out)++ = meant[found - names];
  return EXIT_OK;
}

/* A string, after its first quote. Every escape is at least as long as what it means. */
static int summary_string(struct summary_text *text, char **value) {
  size_t left = (size_t)(text->end - text->at), length = 0;
  char *out;
  int code;
  while (length < left && text->at[length] != '"')
    length += text->at[length] == '\\' ? 2 : 1;
  code = memory_take(value, (length < left ? length : left) + 1, 1);
  if (code) return code;
  out = *value;
  while (!code && text->at < text->end && *text->at != '"')
    if (*text->at == '\\') {
      text->at++;
      code = summary_escape(text, &out);
    } else
      *out++ = *text->at++;
  if (!code && text->at++ == text->end) code = summary_bad(text, "a string without end");
  return code;
}

/* Skips a number, a word, a list or an object. */
static int summary_skip(struct summary_text *text) {
  int depth = 0, code = EXIT_OK;
  for (; !code && text->at < text->end && (depth > 0 || !strchr(",}]", *text->at)); text->at++) {
    char *inner = NULL;
    if (*text->at == '[' || *text->at == '{')
      depth++;
    else if (*text->at == ']' || *text->at == '}')
      depth--;
    else if (*text->at == '"') {
      text->at++;
      code = summary_string(text, &inner);
      text->at--;
      free(inner);
    }
    if (depth > SUMMARY_DEEPEST) code = summary_bad(text, "too deep");
  }
  if (!code && depth) code = summary_bad(text, "a list or an object without end");
  return code;
}

static int summary_value(struct summary_text *text, char **value) {
  const char *begin;
  size_t length;
  int code;
  if (summary_take(text, '"')) return summary_string(text, value);
  begin = text->at;
  code = summary_skip(text);
  if (code) return code;
  for (length = (size_t)(text->at - begin); length && strchr(" \t\r\n", begin[length - 1]);)
    length--;
  if (!length) return summary_bad(text, "a value is missing");
  *value = memory_copy(begin, length);
  return *value ? EXIT_OK : EXIT_SYSTEM;
}

static int summary_field(struct summary *summary, struct summary_text *text) {
  struct summary_field *field;
  int code = memory_grow(&summary->field, &summary->room, summary->count + 1, sizeof *summary->field);
  if (code) return code;
  field = summary->field + summary->count++;
  memset(field, 0, sizeof *field);
  if (!summary_take(text, '"')) return summary_bad(text, "a name in quotes is expected");
  code = summary_string(text, &field->key);
  if (!code && !summary_take(text, ':')) code = summary_bad(text, "a colon is expected");
  return code ? code : summary_value(text, &field->value);
}

static int summary_fields(struct summary *summary, struct summary_text *text) {
  int code = EXIT_OK;
  if (!summary_take(text, '{')) return summary_bad(text, "not a JSON object");
  if (summary_take(text, '}')) return EXIT_OK;
  do
    code = summary_field(summary, text);
  while (!code && summary_take(text, ','));
  if (!code && !summary_take(text, '}')) code = summary_bad(text, "a comma or the end is expected");
  return code;
}

static int summary_object(struct summary *summary, struct summary_text *text) {
  int code = summary_fields(summary, text);
  summary_blanks(text);
  if (!code && text->at != text->end) code = summary_bad(text, "something after the end");
  return code;
}

/* All bytes; a file longer than SUMMARY_LONGEST is refused. */
static int summary_load(const char *path, char **bytes, size_t *size) {
  FILE *file = fopen(path, "rb");
  size_t room = 0, got = 1;
  int code = EXIT_OK;
  if (!file) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  while (!code && got && *size <= SUMMARY_LONGEST) {
    code = memory_grow(bytes, &room, *size + SUMMARY_PIECE, 1);
    got = code ? 0 : fread(*bytes + *size, 1, room - *size, file);
    *size += got;
  }
  if (!code && ferror(file)) code = error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  fclose(file);
  if (!code && *size > SUMMARY_LONGEST) code = error_report(EXIT_INPUT, "%s: too long for a summary", path);
  if (!code && memchr(*bytes, 0, *size)) code = error_report(EXIT_INPUT, "%s: not a text file", path);
  return code;
}

int summary_parse(struct summary *summary, const char *name, const char *bytes, size_t size) {
  struct summary_text text = {name, bytes, bytes, bytes + size};
  return summary_object(summary, &text);
}

int summary_read(struct summary *summary, const char *path) {
  char *bytes = NULL;
  size_t size = 0;
  int code = summary_load(path, &bytes, &size);
  if (!code) code = summary_parse(summary, path, bytes, size);
  free(bytes);
  return code;
}

void summary_free(struct summary *summary) {
  for (size_t i = 0; i < summary->count; i++) {
    free(summary->field[i].key);
    free(summary->field[i].value);
  }
  free(summary->field);
  memset(summary, 0, sizeof *summary);
}

const char *summary_text(const struct summary *summary, const char *key) {
  for (size_t i = 0; i < summary->count; i++)
    if (!strcmp(summary->field[i].key, key)) return summary->field[i].value;
  return NULL;
}

double summary_number(const struct summary *summary, const char *key, double otherwise) {
  const char *text = summary_text(summary, key);
  struct rational exact;
  double value;
  if (text && number_parse(text, strlen(text), &value) == NUMBER_OK) return value;
  return text && !rational_parse(text, &exact) ? rational_value(exact.num, exact.den) : otherwise;
}

void summary_pair(const struct summary *summary, const char *key, double pair[2]) {
  const char *text = summary_text(summary, key);
  if (!text || sscanf(text, "[%lf,%lf", &pair[0], &pair[1]) != 2) pair[0] = pair[1] = NAN;
}

int summary_list(const struct summary *summary, const char *key, struct summary **item, size_t *count) {
  const char *bytes = summary_text(summary, key);
  struct summary_text text = {key, bytes, bytes, bytes ? bytes + strlen(bytes) : NULL};
  size_t room = 0;
  int code = EXIT_OK;
  *item = NULL;
  *count = 0;
  if (!bytes || !summary_take(&text, '[') || summary_take(&text, ']')) return EXIT_OK;
  do {
    code = memory_grow(item, &room, *count + 1, sizeof **item);
    if (code) break;
    memset(*item + *count, 0, sizeof **item);
    code = summary_fields(*item + (*count)++, &text);
  } while (!code && summary_take(&text, ','));
  if (!code && !summary_take(&text, ']')) code = summary_bad(&text, "a list without end");
  if (!code) return EXIT_OK;
  summary_list_free(*item, *count);
  *item = NULL;
  *count = 0;
  return code;
}

void summary_list_free(struct summary *item, size_t count) {
  for (size_t i = 0; i < count; i++)
    summary_free(item + i);
  free(item);
}
