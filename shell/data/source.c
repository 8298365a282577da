#include "data/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quote.h"
#include "data/npy.h"
#include "data/svmlight.h"

/* A number of at most 18 digits; `otherwise` if there is none. Returns where it ends. */
static const char *source_whole(const char *at, uint64_t otherwise, uint64_t *number) {
  const char *begin = at;
  for (*number = 0; *at >= '0' && *at <= '9' && at - begin < 18; at++)
    *number = *number * 10 + (uint64_t)(*at - '0');
  if (at == begin) *number = otherwise;
  return at;
}

/* Cuts FILE,LABELS at its last comma, unless there is a file of that name. */
static int source_cut(char *file, char **labels) {
  char *comma = strrchr(file, ',');
  *labels = NULL;
  if (!comma || !comma[1] || comma == file || access(file, F_OK) == 0) return EXIT_OK;
  *comma = '\0';
  *labels = memory_copy(comma + 1, strlen(comma + 1));
  return *labels ? EXIT_OK : EXIT_SYSTEM;
}

int source_range(const char *path, char **file, char **labels, uint64_t *first, uint64_t *last) {
  const char *mark = strrchr(path, '@');
  size_t length = strlen(path);
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
  return *file ? source_cut(*file, labels) : EXIT_SYSTEM;
}

static int source_recognise(struct source *source) {
  const unsigned char *bytes;
  size_t length, mark;
  int code = stream_peek(&source->stream, &bytes, &length);
  if (code) return code;
  if (length == 0) return error_report(EXIT_INPUT, "%s: the file is empty", source->stream.path);
  if (source->format != FORMAT_AUTO) return EXIT_OK;
  mark = lines_mark(bytes, length);
  bytes += mark;
  length -= mark;
  if (npy_recognise(bytes, length))
    source->format = FORMAT_NPY;
  else if (idx_recognise(bytes, length))
    source->format = FORMAT_IDX;
  else if (svmlight_recognise(bytes, length))
    source->format = FORMAT_LIBSVM;
  else
    source->format = FORMAT_CSV;
  return EXIT_OK;
}

/* Does the line look like records where a header should be: nothing but numbers, which do not count up by one? */
static int source_is_record(const struct csv *csv) {
  int is_counting = 1;
  double x, before = 0;
  for (size_t i = 0; i < csv->cells; i++) {
    if (number_parse(csv->cell[i].text, csv->cell[i].length, &x) != NUMBER_OK) return 0;
    is_counting = is_counting && (i == 0 || x == before + 1);
    before = x;
  }
  return !is_counting;
}

/* One column, but another delimiter than ours in its name: 0, or that delimiter. */
static char source_other_delimiter(const struct csv *csv) {
  for (const char *other = ";\t|,"; csv->cells == 1 && *other; other++)
    if (*other != csv->delimiter && memchr(csv->cell[0].text, *other, csv->cell[0].length)) return *other;
  return 0;
}

static int source_check_header(const struct source *source) {
  const struct csv *csv = &source->csv;
  char other = source_other_delimiter(csv);
  if (other)
    return error_report(EXIT_INPUT, "%s:1: one column only; is the delimiter another one? (--delimiter %s)",
                        source->stream.path, other == '\t' ? "tab" : (char[]){'\'', other, '\'', '\0'});
  if (source_is_record(csv) && csv->cells > 1)
    return error_report(EXIT_INPUT,
                        "%s:1: nothing but numbers where the header should be; --no-header if there is none",
                        source->stream.path);
  return EXIT_OK;
}

/* Columns of a file without a header are called 1, 2, ... */
static int source_number_columns(struct source *source) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < source->csv.cells; i++) {
    char name[24];
    uint32_t number;
    int length = snprintf(name, sizeof name, "%zu", i + 1);
    code = nameset_add(&source->header, name, (size_t)length, &number);
  }
  source->csv.expected = source->csv.cells;
  source->has_record = 1;
  return code;
}

static int source_header(struct source *source, int is_there) {
  struct csv *csv = &source->csv;
  struct quote quote;
  size_t i;
  int more, code;
  csv->keep_record = !is_there; /* it is a record, and a reader may want its bytes */
  code = csv_next(csv, &more);
  if (code) return code;
  if (!more) return error_report(EXIT_INPUT, "%s: no header line", source->stream.path);
  if (!is_there) return source_number_columns(source);
  code = source_check_header(source);
  if (code) return code;
  for (i = 0; i < csv->cells; i++) {
    uint32_t number;
    if (csv->cell[i].length == 0)
      return error_report(EXIT_INPUT, "%s:1:%zu: a column without a name in the header", source->stream.path, i + 1);
    code = nameset_add(&source->header, csv->cell[i].text, csv->cell[i].length, &number);
    if (code) return code;
    if (number != i)
      return error_report(EXIT_INPUT, "%s:1:%zu (%s): two columns have this name", source->stream.path, i + 1,
                          quote_name(&quote, csv->cell[i].text, csv->cell[i].length));
  }
  csv->expected = csv->cells;
  return EXIT_OK;
}

int source_column(const struct source *source, const char *name, size_t *cell) {
  uint32_t number = nameset_find(&source->header, name, strlen(name));
  struct quote quote;
  *cell = number;
  if (number != NAMESET_NONE) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s:1: no column %s in the header", source->stream.path,
                      quote_name(&quote, name, strlen(name)));
}

static int source_begin(struct source *source, int has_header) {
  int code = source_recognise(source);
  if (!code && source->format == FORMAT_CSV) code = source_header(source, has_header);
  if (!code && source->format == FORMAT_IDX) code = idx_open(&source->idx, &source->stream);
  if (!code && source->format == FORMAT_NPY) code = npy_open(&source->npy, &source->stream);
  if (!code && source->labels && source->format != FORMAT_IDX && source->format != FORMAT_NPY)
    code = error_report(EXIT_INPUT, "%s: labels in a second file are for .npy and idx; this is %s", source->stream.path,
                        format_name(source->format));
  return code;
}

int source_open(struct source *source, const char *path, enum format format, const struct csv_style *style) {
  int code;
  memset(source, 0, sizeof *source);
  source->format = format;
  if (format == FORMAT_AUTO && style && (style->delimiter || style->no_header)) source->format = FORMAT_CSV;
  code = source_range(path, &source->file, &source->labels, &source->first, &source->last);
  if (!code) code = stream_open(&source->stream, source->file);
  if (!code) {
    lines_init(&source->lines, &source->stream);
    csv_init(&source->csv, &source->lines, style ? style->delimiter : 0);
    code = source_begin(source, !(style && style->no_header));
  }
  if (code) source_close(source);
  return code;
}

void source_close(struct source *source) {
  nameset_free(&source->header);
  csv_free(&source->csv);
  lines_free(&source->lines);
  stream_close(&source->stream);
  free(source->file);
  free(source->labels);
  memset(source, 0, sizeof *source);
}

uint64_t source_items(const struct source *source) {
  return source->format == FORMAT_IDX ? source->idx.count : source->npy.rows;
}

size_t source_item(const struct source *source) {
  if (source->format == FORMAT_IDX) return source->idx.size;
  return source->format == FORMAT_NPY ? (size_t)source->npy.columns * source->npy.item : 0;
}

/* Passes over the records before the range, once. */
static int source_place(struct source *source) {
  uint64_t wanted = source->first, end = source->last;
  unsigned char *item = NULL;
  size_t length;
  char *text;
  int more = 1, code = EXIT_OK;
  if (source->is_placed) return EXIT_OK;
  source->is_placed = 1;
  if (wanted == 0) return EXIT_OK;
  if (source_item(source)) code = memory_take(&item, source_item(source), 1);
  if (code) return code;
  source->last = wanted;
  while (!code && more) {
    if (source->format == FORMAT_CSV) {
      code = source_next_csv(source, &more);
    } else if (item) {
      code = source_next_item(source, item, &more);
    } else {
      code = source_next_line(source, &text, &length);
      more = text != NULL;
    }
  }
  free(item);
  source->last = end;
  if (!code && source->at < wanted)
    code = error_report(EXIT_INPUT, "%s: %llu records, but the range starts at %llu", source->stream.path,
                        (unsigned long long)source->at, (unsigned long long)wanted);
  return code;
}

int source_next_csv(struct source *source, int *more) {
  int code;
  *more = 0;
  code = source_place(source);
  if (code || source->at >= source->last) return code;
  if (source->has_record) {
    source->has_record = 0;
    *more = 1;
  } else {
    code = csv_next(&source->csv, more);
  }
  source->at += (uint64_t)*more;
  return code;
}

int source_next_line(struct source *source, char **text, size_t *length) {
  int code;
  *text = NULL;
  *length = 0;
  code = source_place(source);
  if (code || source->at >= source->last) return code;
  for (;;) {
    size_t i = 0;
    code = lines_next(&source->lines, text, length);
    if (code || !*text) return code;
    while (i < *length && ((*text)[i] == ' ' || (*text)[i] == '\t'))
      i++;
    if (i < *length && (*text)[i] != '#') break;
  }
  source->at++;
  return EXIT_OK;
}

int source_next_item(struct source *source, unsigned char *item, int *more) {
  size_t got;
  int code;
  *more = 0;
  code = source_place(source);
  if (code || source->at >= source->last) return code;
  if (source->at >= source_items(source)) return idx_end(&source->stream);
  code = stream_read(&source->stream, item, source_item(source), &got);
  if (code) return code;
  if (got < source_item(source))
    return error_report(EXIT_INPUT, "%s: cut off in item %llu of %llu", source->stream.path,
                        (unsigned long long)source->at + 1, (unsigned long long)source_items(source));
  source->at++;
  *more = 1;
  return EXIT_OK;
}
