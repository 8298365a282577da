#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grow.h"
#include "number.h"
#include "quote.h"
#include "say.h"

const char *fumata_format_name(fumata_format format) {
  switch (format) {
  case FUMATA_FORMAT_CSV:
    return "CSV";
  case FUMATA_FORMAT_LIBSVM:
    return "LIBSVM";
  case FUMATA_FORMAT_IDX:
    return "idx";
  case FUMATA_FORMAT_AUTO:
    break;
  }
  return "unknown";
}

/* A number of at most 18 digits; `otherwise` if there is none. Returns where it ends. */
static const char *fumata_source_whole(const char *at, uint64_t otherwise, uint64_t *number) {
  const char *begin = at;
  for (*number = 0; *at >= '0' && *at <= '9' && at - begin < 18; at++)
    *number = *number * 10 + (uint64_t)(*at - '0');
  if (at == begin) *number = otherwise;
  return at;
}

int fumata_source_range(const char *path, char **file, uint64_t *first, uint64_t *last) {
  const char *mark = strrchr(path, '@'), *at;
  size_t length = strlen(path);
  *first = 0;
  *last = UINT64_MAX;
  if (mark && access(path, F_OK) != 0) {
    uint64_t from, to;
    at = fumata_source_whole(mark + 1, 0, &from);
    if (*at == ':' && *(at = fumata_source_whole(at + 1, UINT64_MAX, &to)) == '\0') {
      if (from >= to)
        return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the range after @ is empty; write FILE@FIRST:LAST", path);
      *first = from;
      *last = to;
      length = (size_t)(mark - path);
    }
  }
  *file = fumata_grow_copy(path, length);
  return *file ? FUMATA_EXIT_OK : FUMATA_EXIT_SYSTEM;
}

/* Is the first line of the form "label index:..." or "index:..."? */
static int fumata_source_is_libsvm(const unsigned char *bytes, size_t length) {
  const char *text = (const char *)bytes;
  size_t at = 0, used, end;
  double number;
  while (at < length && (text[at] == '#' || text[at] == '\n')) { /* remarks first */
    const char *next = memchr(text + at, '\n', length - at);
    if (!next) return 0;
    at = (size_t)(next - text) + 1;
  }
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  if (fumata_number_scan(text + at, length - at, &number, &used) == FUMATA_NUMBER_NONE) return 0;
  at += used;
  if (at < length && text[at] == ':') return 1;
  end = at;
  while (at < length && (text[at] == ' ' || text[at] == '\t'))
    at++;
  if (at == length || text[at] == '\n' || text[at] == '\r' || text[at] == '#') return 1; /* a label without entries */
  if (at == end) return 0;
  while (at < length && text[at] >= '0' && text[at] <= '9')
    at++;
  return at < length && text[at] == ':';
}

static int fumata_source_recognise(fumata_source *source) {
  const unsigned char *bytes;
  size_t length;
  int code = fumata_stream_peek(&source->stream, &bytes, &length);
  if (code != FUMATA_EXIT_OK) return code;
  if (length == 0) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the file is empty", source->stream.path);
  if (source->format != FUMATA_FORMAT_AUTO) return FUMATA_EXIT_OK;
  if (length >= 6 && memcmp(bytes, "\x93NUMPY", 6) == 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: a .npy file holds votes, not records", source->stream.path);
  if (length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
    bytes += 3;
    length -= 3;
  }
  if (fumata_idx_recognise(bytes, length))
    source->format = FUMATA_FORMAT_IDX;
  else if (fumata_source_is_libsvm(bytes, length))
    source->format = FUMATA_FORMAT_LIBSVM;
  else
    source->format = FUMATA_FORMAT_CSV;
  return FUMATA_EXIT_OK;
}

static int fumata_source_header(fumata_source *source) {
  fumata_csv *csv = &source->csv;
  fumata_quote quote;
  size_t i;
  int more, code;
  if ((code = fumata_csv_next(csv, &more)) != FUMATA_EXIT_OK) return code;
  if (!more) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: no header line", source->stream.path);
  for (i = 0; i < csv->cells; i++) {
    uint32_t number;
    if (csv->cell[i].length == 0)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s:1:%zu: a column without a name in the header", source->stream.path,
                              i + 1);
    if ((code = fumata_words_add(&source->header, csv->cell[i].text, csv->cell[i].length, &number))) return code;
    if (number != i)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s:1:%zu (%s): two columns have this name", source->stream.path,
                              i + 1, fumata_quote_name(&quote, csv->cell[i].text, csv->cell[i].length));
  }
  csv->expected = csv->cells;
  return FUMATA_EXIT_OK;
}

int fumata_source_open(fumata_source *source, const char *path, fumata_format format) {
  int code;
  memset(source, 0, sizeof *source);
  source->format = format;
  if ((code = fumata_source_range(path, &source->file, &source->first, &source->last)) != FUMATA_EXIT_OK) return code;
  if ((code = fumata_stream_open(&source->stream, source->file)) == FUMATA_EXIT_OK) {
    fumata_lines_init(&source->lines, &source->stream);
    fumata_csv_init(&source->csv, &source->lines);
    if ((code = fumata_source_recognise(source)) == FUMATA_EXIT_OK) {
      if (source->format == FUMATA_FORMAT_CSV) code = fumata_source_header(source);
      if (source->format == FUMATA_FORMAT_IDX) code = fumata_idx_open(&source->idx, &source->stream);
    }
  }
  if (code != FUMATA_EXIT_OK) fumata_source_close(source);
  return code;
}

void fumata_source_close(fumata_source *source) {
  fumata_words_free(&source->header);
  fumata_csv_free(&source->csv);
  fumata_lines_free(&source->lines);
  fumata_stream_close(&source->stream);
  free(source->file);
  memset(source, 0, sizeof *source);
}

/* Passes over the records before the range, once. */
static int fumata_source_place(fumata_source *source) {
  uint64_t wanted = source->first, end = source->last;
  unsigned char *image = NULL;
  size_t length;
  char *text;
  int more = 1, code = FUMATA_EXIT_OK;
  if (source->is_placed) return FUMATA_EXIT_OK;
  source->is_placed = 1;
  if (wanted == 0) return FUMATA_EXIT_OK;
  if (source->format == FUMATA_FORMAT_IDX && !(image = malloc(source->idx.size)))
    return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  source->last = wanted;
  while (code == FUMATA_EXIT_OK && more) {
    if (source->format == FUMATA_FORMAT_CSV) {
      code = fumata_source_next_csv(source, &more);
    } else if (source->format == FUMATA_FORMAT_IDX) {
      code = fumata_source_next_image(source, image, &more);
    } else {
      code = fumata_source_next_line(source, &text, &length);
      more = text != NULL;
    }
  }
  free(image);
  source->last = end;
  if (code == FUMATA_EXIT_OK && source->at < wanted)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: %llu records, but the range starts at %llu", source->stream.path,
                            (unsigned long long)source->at, (unsigned long long)wanted);
  return code;
}

int fumata_source_next_csv(fumata_source *source, int *more) {
  int code;
  *more = 0;
  if ((code = fumata_source_place(source)) != FUMATA_EXIT_OK || source->at >= source->last) return code;
  code = fumata_csv_next(&source->csv, more);
  source->at += (uint64_t)*more;
  return code;
}

int fumata_source_next_line(fumata_source *source, char **text, size_t *length) {
  int code;
  *text = NULL;
  *length = 0;
  if ((code = fumata_source_place(source)) != FUMATA_EXIT_OK || source->at >= source->last) return code;
  for (;;) {
    size_t i = 0;
    code = fumata_lines_next(&source->lines, text, length);
    if (code != FUMATA_EXIT_OK || !*text) return code;
    while (i < *length && ((*text)[i] == ' ' || (*text)[i] == '\t'))
      i++;
    if (i < *length && (*text)[i] != '#') break;
  }
  source->at++;
  return FUMATA_EXIT_OK;
}

int fumata_source_next_image(fumata_source *source, unsigned char *image, int *more) {
  size_t got;
  int code;
  *more = 0;
  if ((code = fumata_source_place(source)) != FUMATA_EXIT_OK || source->at >= source->last) return code;
  if (source->at >= source->idx.count) return fumata_idx_end(&source->stream);
  if ((code = fumata_stream_read(&source->stream, image, source->idx.size, &got)) != FUMATA_EXIT_OK) return code;
  if (got < source->idx.size)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cut off in item %llu of %llu", source->stream.path,
                            (unsigned long long)source->at + 1, (unsigned long long)source->idx.count);
  source->at++;
  *more = 1;
  return FUMATA_EXIT_OK;
}
