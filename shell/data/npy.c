#include "data/npy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "data/reader.h"

#define NPY_HEADER_MAX 65536u /* NumPy's own headers of such arrays have 118 bytes */
#define NPY_LINE       64     /* the cells begin at a multiple of this many bytes */
#define NPY_FIXED      10     /* bytes before the header's text */

static const unsigned char npy_items[] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8}; /* bytes, in the order of enum npy_type */
static const unsigned char npy_magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

int npy_recognise(const unsigned char *bytes, size_t length) {
  return length >= sizeof npy_magic && memcmp(bytes, npy_magic, sizeof npy_magic) == 0;
}

struct npy_text {
  const char *at, *end;
};

static void npy_blanks(struct npy_text *text) {
  while (text->at < text->end && (*text->at == ' ' || *text->at == '\n' || *text->at == '\t'))
    text->at++;
}

/* Takes `literal` after blanks; 0 if something else stands there. */
static int npy_take(struct npy_text *text, const char *literal) {
  size_t n = strlen(literal);
  npy_blanks(text);
  if ((size_t)(text->end - text->at) < n || memcmp(text->at, literal, n) != 0) return 0;
  text->at += n;
  return 1;
}

/* A Python string in single or double quotes, without escapes. */
static int npy_string(struct npy_text *text, const char **string, size_t *length) {
  const char *close;
  npy_blanks(text);
  if (text->at >= text->end || (*text->at != '\'' && *text->at != '"')) return 0;
  close = memchr(text->at + 1, *text->at, (size_t)(text->end - text->at - 1));
  if (!close) return 0;
  *string = text->at + 1;
  *length = (size_t)(close - *string);
  text->at = close + 1;
  return 1;
}

static int npy_whole_text(struct npy_text *text, uint64_t *number) {
  const char *begin;
  npy_blanks(text);
  begin = text->at;
  for (*number = 0; text->at < text->end && (unsigned char)(*text->at - '0') < 10; text->at++) {
    if (*number > UINT64_MAX / 10 - 1) return 0;
    *number = *number * 10 + (uint64_t)(*text->at - '0');
  }
  return text->at > begin;
}

static int npy_descr(struct npy *npy, const char *string, size_t length) {
  static const struct {
    char name[4];
    enum npy_type type;
  } known[] = {{"|b1", NPY_U8},  {"|u1", NPY_U8},  {"<u1", NPY_U8},  {"|i1", NPY_I8},  {"<i1", NPY_I8},
               {"<u2", NPY_U16}, {"<i2", NPY_I16}, {"<u4", NPY_U32}, {"<i4", NPY_I32}, {"<u8", NPY_U64},
               {"<i8", NPY_I64}, {"<f4", NPY_F32}, {"<f8", NPY_F64}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (length == 3 && memcmp(string, known[i].name, 3) == 0) {
      npy->type = known[i].type;
      npy->item = npy_items[known[i].type];
      return 1;
    }
  return 0;
}

/* "(3, 4)", or "(3,)", which is one column. */
static int npy_shape(struct npy *npy, struct npy_text *text) {
  npy->dimensions = 1;
  npy->columns = 1;
  if (!npy_take(text, "(") || !npy_whole_text(text, &npy->rows) || !npy_take(text, ",")) return 0;
  if (npy_take(text, ")")) return 1;
  npy->dimensions = 2;
  if (!npy_whole_text(text, &npy->columns)) return 0;
  npy_take(text, ",");
  return npy_take(text, ")");
}

const char *npy_parse(struct npy *npy, const char *header, size_t length) {
  struct npy_text text = {header, header + length};
  int has_descr = 0, has_order = 0, has_shape = 0;
  const char *string;
  size_t n;
  if (!npy_take(&text, "{")) return "the .npy header is not a dictionary";
  while (!npy_take(&text, "}")) {
    if (!npy_string(&text, &string, &n) || !npy_take(&text, ":")) return "the .npy header is malformed";
    if (n == 5 && memcmp(string, "descr", 5) == 0 && !has_descr++) {
      if (!npy_string(&text, &string, &n)) return "the .npy array has a compound type";
      if (!npy_descr(npy, string, n)) return "the .npy array is not of little-endian integers or floats";
    } else if (n == 13 && memcmp(string, "fortran_order", 13) == 0 && !has_order++) {
      if (npy_take(&text, "True"))
        return "the .npy array is in Fortran order: save numpy.ascontiguousarray(it) instead";
      if (!npy_take(&text, "False")) return "the .npy header is malformed";
    } else if (n == 5 && memcmp(string, "shape", 5) == 0 && !has_shape++) {
      if (!npy_shape(npy, &text)) return "the .npy array does not have two dimensions";
    } else {
      return "the .npy header has an unknown or doubled key";
    }
    if (!npy_take(&text, ",")) {
      if (!npy_take(&text, "}")) return "the .npy header is malformed";
      break;
    }
  }
  npy_blanks(&text);
  if (text.at != text.end) return "the .npy header is malformed";
  if (!has_descr || !has_order || !has_shape) return "the .npy header lacks descr, fortran_order or shape";
  if (npy->columns == 0) return "the .npy array has no columns";
  if (npy->columns > UINT32_MAX || npy->rows > UINT64_MAX / 16 / npy->columns)
    return "the .npy array has an impossible shape";
  return NULL;
}

int npy_open(struct npy *npy, struct stream *stream) {
  unsigned char fixed[12];
  size_t got, size, before;
  const char *cause;
  char *header;
  int code = stream_read(stream, fixed, 10, &got);
  if (code) return code;
  if (got < 10 || !npy_recognise(fixed, got)) return error_report(EXIT_INPUT, "%s: not a .npy file", stream->path);
  if (fixed[6] < 1 || fixed[6] > 3 || fixed[7] != 0)
    return error_report(EXIT_INPUT, "%s: .npy format %d.%d is not known", stream->path, fixed[6], fixed[7]);
  before = 10;
  if (fixed[6] > 1) {
    code = stream_read(stream, fixed + 10, 2, &got);
    if (code) return code;
    if (got < 2) return error_report(EXIT_INPUT, "%s: the .npy header is cut off", stream->path);
    before = 12;
  }
  size = (size_t)bytes_little(fixed + 8, before - 8);
  if (size > NPY_HEADER_MAX) return error_report(EXIT_INPUT, "%s: a .npy header of %zu bytes", stream->path, size);
  code = memory_take(&header, size, 1);
  if (code) return code;
  code = stream_read(stream, header, size, &got);
  cause = got < size ? "the .npy header is cut off" : npy_parse(npy, header, size);
  free(header);
  if (code) return code;
  if (cause) return error_report(EXIT_INPUT, "%s: %s", stream->path, cause);
  if (stream->is_plain && stream->size != before + size + npy->rows * npy->columns * npy->item)
    return error_report(EXIT_INPUT, "%s: %llu bytes, but the .npy header asks for %llu", stream->path,
                        (unsigned long long)stream->size,
                        (unsigned long long)(before + size + npy->rows * npy->columns * npy->item));
  return EXIT_OK;
}

int npy_matrix(const struct npy *npy, const char *path) {
  if (npy->dimensions == 2) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: the .npy array does not have two dimensions", path);
}

double npy_number(enum npy_type type, const void *cell) {
  size_t item = npy_items[type];
  uint64_t bits = bytes_little(cell, item);
  if (type == NPY_F32) {
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return (double)value;
  }
  if (type == NPY_F64) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
  }
  if (type < NPY_I8) return (double)bits;
  if (bits >> (8 * item - 1)) bits |= ~(uint64_t)0 << (8 * item - 1); /* a sign that reaches to the top */
  return (double)(int64_t)bits;
}

int npy_whole(enum npy_type type, const void *cell, uint32_t *number) {
  size_t item = npy_items[type];
  uint64_t bits = bytes_little(cell, item);
  if (type == NPY_F32 || type == NPY_F64) {
    double value = npy_number(type, cell);
    if (!(value >= 0 && value <= (double)UINT32_MAX) || value != (double)(uint32_t)value) return -1;
    bits = (uint64_t)value;
  } else if (type >= NPY_I8 && bits >> (8 * item - 1)) {
    return -1; /* a negative number has its highest bit set */
  }
  *number = (uint32_t)bits;
  return bits > UINT32_MAX ? -1 : 0;
}

void npy_write_head(FILE *stream, const char *type, const char *shape) {
  char text[256];
  int length = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  int padded = (length + 1 + NPY_FIXED + NPY_LINE - 1) / NPY_LINE * NPY_LINE - NPY_FIXED;
  fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
  fputc(padded & 255, stream);
  fputc(padded >> 8, stream);
  fprintf(stream, "%-*s\n", padded - 1, text);
}

/* ---- as a format of records ---- */

static int npy_open_source(struct source *source) {
  struct npy *npy;
  int code = memory_take(&source->state, 1, sizeof *npy);
  if (code) return code;
  npy = source->state;
  code = npy_open(npy, &source->stream);
  source->items = npy->rows;
  source->numbers = npy->columns;
  source->size = (size_t)npy->columns * npy->item;
  return code;
}

/* Records are rows; labels may be a list. */
static int npy_check(const struct source *source) {
  return npy_matrix(source->state, source->stream.path);
}

static int npy_add(struct reader *reader, struct rows *rows, int32_t label, uint64_t unit) {
  const struct source *source = &reader->source;
  const struct npy *npy = source->state;
  int code = rows_reserve_one(rows, 0);
  float *row;
  if (code) return code;
  row = rows_push_dense(rows, label, unit, source->at);
  for (uint32_t j = 0; j < rows->columns; j++) {
    row[j] = (float)npy_number(npy->type, source->item + j * npy->item);
    if (isfinite(row[j])) continue;
    rows->count--;
    return error_report(EXIT_INPUT, "%s[%llu, %u]: not a finite number, or too large for 32 bits", source->stream.path,
                        (unsigned long long)source->at - 1, j);
  }
  return EXIT_OK;
}

static double npy_label_number(const struct source *source) {
  return npy_number(((const struct npy *)source->state)->type, source->item);
}

const struct format format_npy = {.name = ".npy",
                                  .keyword = "npy",
                                  .traits = FORMAT_NUMBERS | FORMAT_DENSE | FORMAT_LABELS_BESIDE | FORMAT_HOLDS_LABELS,
                                  .recognise = npy_recognise,
                                  .open = npy_open_source,
                                  .check = npy_check,
                                  .next = source_next_item,
                                  .add = npy_add,
                                  .label_number = npy_label_number};
