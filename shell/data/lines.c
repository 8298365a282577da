#include "data/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#ifndef LINES_BLOCK                   /* tests/fuzz/run takes few, so that small files are read in pieces */
#define LINES_BLOCK ((size_t)1 << 18) /* bytes read at once: as many as stream.c has ready */
#endif

void lines_init(struct lines *lines, struct stream *stream) {
  memset(lines, 0, sizeof *lines);
  lines->stream = stream;
  lines->nul = SIZE_MAX;
  lines->begin = lines->finish = lines->next = lines->filled = AMID_MARGIN;
}

void lines_free(struct lines *lines) {
  free(lines->buffer);
  lines_init(lines, NULL);
}

/* Moves the current record to the front, behind the margin, and reads another block behind it. */
static int lines_fill(struct lines *lines) {
  size_t got, by = lines->begin - AMID_MARGIN, filled = lines->filled - by;
  const char *nul;
  int code;
  if (lines->filled - lines->begin > LINES_LONGEST)
    return error_report(EXIT_INPUT, "%s:%llu: a record of more than %zu MB", lines->stream->path,
                        (unsigned long long)lines->line, LINES_LONGEST >> 20);
  if (by) {
    memmove(lines->buffer + AMID_MARGIN, lines->buffer + lines->begin, lines->filled - lines->begin);
    if (lines->nul != SIZE_MAX) lines->nul -= by;
    lines->begin -= by;
    lines->finish -= by;
    lines->next -= by;
    lines->filled = filled;
  }
  code = memory_grow(&lines->buffer, &lines->capacity, filled + LINES_BLOCK + AMID_MARGIN, 1);
  if (!code) code = stream_some(lines->stream, lines->buffer + filled, lines->capacity - filled - AMID_MARGIN, &got);
  if (code) return code;
  lines->is_ended = got == 0;
  if (lines->nul == SIZE_MAX && (nul = memchr(lines->buffer + filled, '\0', got)) != NULL)
    lines->nul = (size_t)(nul - lines->buffer);
  lines->filled += got;
  memset(lines->buffer, '\n', AMID_MARGIN);
  memset(lines->buffer + lines->filled, '\n', AMID_MARGIN);
  return EXIT_OK;
}

int lines_extend(struct lines *lines, char **text, size_t *length) {
  size_t searched = lines->next;
  const char *end = NULL;
  int code;
  *text = NULL;
  for (;;) {
    if (searched < lines->filled) end = memchr(lines->buffer + searched, '\n', lines->filled - searched);
    if (end || lines->is_ended) break;
    searched = AMID_MARGIN + lines->filled - lines->begin;
    code = lines_fill(lines);
    if (code) return code;
  }
  if (!end && lines->next >= lines->filled) return EXIT_OK;
  lines->last_line++;
  lines->finish = end ? (size_t)(end - lines->buffer) : lines->filled;
  lines->passed -= lines->next;
  lines->next = end ? lines->finish + 1 : lines->filled;
  lines->passed += lines->next;
  if (lines->nul < lines->next)
    return error_report(EXIT_INPUT, "%s:%llu: a NUL byte: this is not a text file", lines->stream->path,
                        (unsigned long long)lines->last_line);
  if (lines->finish > lines->begin && lines->buffer[lines->finish - 1] == '\r') lines->finish--;
  *text = lines->buffer + lines->begin;
  *length = lines->finish - lines->begin;
  return EXIT_OK;
}

size_t lines_mark(const void *text, size_t length) {
  return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

int lines_next(struct lines *lines, char **text, size_t *length) {
  size_t mark;
  int code;
  lines->begin = lines->next;
  lines->line = lines->last_line + 1;
  *length = 0;
  code = lines_extend(lines, text, length);
  if (code || !*text || lines->line > 1) return code;
  if (*length >= 2 && (memcmp(*text, "\xff\xfe", 2) == 0 || memcmp(*text, "\xfe\xff", 2) == 0))
    return error_report(EXIT_INPUT, "%s:1: UTF-16 text: save it as UTF-8", lines->stream->path);
  mark = lines_mark(*text, *length);
  lines->begin += mark;
  *text += mark;
  *length -= mark;
  return EXIT_OK;
}
