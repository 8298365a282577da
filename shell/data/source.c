#include "data/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/quote.h"

/* A number of at most 18 digits; `otherwise` if there is none. Returns where it ends. */
static const char *source_whole(const char *at, uint64_t otherwise, uint64_t *number) {
  const char *begin = at;
  for (*number = 0; *at >= '0' && *at <= '9' && at - begin < 18; at++)
    *number = *number * 10 + (uint64_t)(*at - '0');
  if (at == begin) *number = otherwise;
  return at;
}

int source_range(const char *path, char **file, char **labels, uint64_t *first, uint64_t *last) {
  const char *mark = strrchr(path, '@');
  size_t length = strlen(path);
  char *comma;
  *first = 0;
  *last = UINT64_MAX;
  *file = *labels = NULL;
  if (mark && access(path, F_OK) != 0) {
    uint64_t from, to;
    const char *at = source_whole(mark + 1, 0, &from);
    if (*at == ':' && *source_whole(at + 1, UINT64_MAX, &to) == '\0') {
      if (from >= to) return error_report(EXIT_INPUT, "%s: the range after @ is empty; write FILE@FIRST:LAST", path);
      *first = from;
      *last = to;
      length = (size_t)(mark - path);
    }
  }
  *file = memory_copy(path, length);
  if (!*file) return EXIT_SYSTEM;
  comma = strrchr(*file, ',');
  if (!comma || !comma[1] || comma == *file || access(*file, F_OK) == 0) return EXIT_OK;
  *comma = '\0';
  *labels = memory_copy(comma + 1, strlen(comma + 1));
  return *labels ? EXIT_OK : EXIT_SYSTEM;
}

/* Objects, alone or in a list: no CSV begins so. */
static int source_is_json(const unsigned char *bytes, size_t length) {
  size_t at = 0;
  if (at < length && bytes[at] == '[') at++;
  while (at < length && strchr(" \t\r\n", bytes[at]))
    at++;
  if (at == length || bytes[at++] != '{') return 0;
  while (at < length && strchr(" \t\r\n", bytes[at]))
    at++;
  return at < length && bytes[at] == '"';
}

static int source_begin(struct source *source, const struct csv_style *style) {
  const unsigned char *bytes;
  size_t length, mark;
  char names[FORMAT_NAMES];
  int code = stream_peek(&source->stream, &bytes, &length);
  if (code) return code;
  if (length == 0) return error_report(EXIT_INPUT, "%s: the file is empty", source->stream.path);
  mark = lines_mark(bytes, length);
  for (size_t i = 0; !source->format; i++)
    if (format_at(i)->recognise(bytes + mark, length - mark)) source->format = format_at(i);
  if (source->format == &format_csv && source_is_json(bytes + mark, length - mark))
    return error_report(EXIT_INPUT,
                        "%s: JSON, which is not read; convert it to CSV: python3 -c \"import pandas, sys; "
                        "pandas.read_json(sys.argv[1]).to_csv(sys.argv[2], index=False)\" FILE FILE.csv (a line a "
                        "record: lines=True)",
                        source->stream.path);
  lines_init(&source->lines, &source->stream);
  csv_init(&source->csv, &source->lines, style ? style->delimiter : 0);
  source->has_record = style && style->no_header;
  code = source->format->open ? source->format->open(source) : EXIT_OK;
  if (!code && source->size) code = memory_take(&source->item, source->size + sizeof(int32_t), 1);
  if (!code && source->labels && !(source->format->traits & FORMAT_LABELS_BESIDE))
    code = error_report(EXIT_INPUT, "%s: labels in a second file are for %s; this is %s", source->stream.path,
                        format_names(FORMAT_LABELS_BESIDE, names), source->format->name);
  return code;
}

int source_open(struct source *source, const char *path, const struct format *format, const struct csv_style *style) {
  int code;
  memset(source, 0, sizeof *source);
  source->format = format;
  source->label_cell = source->unit_cell = SOURCE_ABSENT;
  if (!format && style && (style->delimiter || style->no_header)) source->format = &format_csv;
  code = source_range(path, &source->file, &source->labels, &source->first, &source->last);
  if (!code) code = stream_open(&source->stream, source->file);
  if (!code) code = source_begin(source, style);
  if (code) source_close(source);
  return code;
}

void source_close(struct source *source) {
  nameset_free(&source->header);
  csv_free(&source->csv);
  lines_free(&source->lines);
  stream_close(&source->stream);
  free(source->item);
  free(source->state);
  free(source->file);
  free(source->labels);
  memset(source, 0, sizeof *source);
}

int source_lacks(const struct source *source, const char *name, const char *wanted) {
  struct quote quote;
  struct guess guess;
  char text[80];
  guess_begin(&guess, name, strlen(name));
  for (uint32_t i = 0; i < source->header.count; i++)
    guess_try(&guess, nameset_text(&source->header, i));
  return error_report(EXIT_INPUT, "%s:1: no column %s%s%s", source->stream.path, quote_name(&quote, name, strlen(name)),
                      wanted, guess_words(&guess, "", text));
}

int source_column(const struct source *source, const char *name, size_t *cell) {
  uint32_t number = nameset_find(&source->header, name, strlen(name));
  *cell = number;
  return number != NAMESET_NONE ? EXIT_OK : source_lacks(source, name, " in the header");
}

int source_refuse(const struct source *source, uint64_t line, size_t cell, const char *cause) {
  const struct nameset *header = &source->header;
  struct quote quote;
  return error_report(EXIT_INPUT, "%s:%llu:%zu (%s): %s", source->stream.path, (unsigned long long)line, cell + 1,
                      quote_name(&quote, nameset_text(header, (uint32_t)cell), nameset_length(header, (uint32_t)cell)),
                      cause);
}

const char *source_place(const struct source *source, char text[SOURCE_PLACE]) {
  unsigned long long line = source->lines.line;
  uint32_t cell = (uint32_t)source->label_cell;
  struct quote quote;
  if (source->size)
    snprintf(text, SOURCE_PLACE, "%.4000s: item %llu", source->stream.path, (unsigned long long)source->at);
  else if (source->label_cell == SOURCE_ABSENT)
    snprintf(text, SOURCE_PLACE, "%.4000s:%llu", source->stream.path, line);
  else
    snprintf(text, SOURCE_PLACE, "%.4000s:%llu:%u (%s)", source->stream.path, line, cell + 1,
             quote_name(&quote, nameset_text(&source->header, cell), nameset_length(&source->header, cell)));
  return text;
}

/* The first time, passes over the records before the range. */
int source_next(struct source *source, int *more) {
  int code = EXIT_OK;
  while (!source->is_placed && !code && source->at < source->first) {
    code = source->format->next(source, more);
    if (!code && !*more)
      code = error_report(EXIT_INPUT, "%s: %llu records, but the range starts at %llu", source->stream.path,
                          (unsigned long long)source->at, (unsigned long long)source->first);
    source->at++;
  }
  source->is_placed = 1;
  *more = 0;
  if (!code && source->at % 4096 == 0) code = interrupt_check(); /* a large file takes a while */
  if (code || source->at >= source->last) return code;
  code = source->format->next(source, more);
  source->at += (uint64_t)*more;
  return code;
}

int source_next_item(struct source *source, int *more) {
  size_t got;
  int code = stream_read(&source->stream, source->item, source->at < source->items ? source->size : 1, &got);
  *more = 0;
  if (code) return code;
  if (source->at >= source->items)
    return got ? error_report(EXIT_INPUT, "%s: bytes after the last item that the header counts", source->stream.path)
               : EXIT_OK;
  if (got < source->size)
    return error_report(EXIT_INPUT, "%s: cut off in item %llu of %llu", source->stream.path,
                        (unsigned long long)source->at + 1, (unsigned long long)source->items);
  source->record = (struct cell){(const char *)source->item, source->size};
  *more = 1;
  return EXIT_OK;
}
