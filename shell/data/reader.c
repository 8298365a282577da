#include "data/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/quote.h"
#include "data/idx.h"
#include "data/svmlight.h"

#define READER_BLOCK  256 /* rows encoded before they are transformed */
#define READER_BATCH  16384
#define READER_ABSENT SIZE_MAX

static int reader_memory(void) {
  return error_report(EXIT_SYSTEM, "out of memory");
}

static unsigned long long reader_line(const struct reader *reader) {
  return reader->source.lines.line;
}

/* "a, b, c and 7 more" */
static void reader_classes(const struct classes *classes, char *text, size_t size) {
  size_t used = 0;
  uint32_t i;
  text[0] = '\0';
  for (i = 0; i < classes->count && used < size - 1; i++) {
    struct quote quote;
    int n;
    if (i == 5 && classes->count > 6) {
      snprintf(text + used, size - used, " and %u more", classes->count - i);
      return;
    }
    n = snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 quote_name(&quote, classes->name[i], strlen(classes->name[i])));
    used += n > 0 ? (size_t)n : 0;
  }
}

/* The label that a text means. *is_wrong: it is none of the classes. */
static int32_t reader_label(const struct reader *reader, const char *text, size_t length, int *is_wrong) {
  int32_t label;
  if (reader->options.labels == LABELS_IGNORE) return ROWS_UNLABELLED;
  if (length == 0 && reader->options.labels == LABELS_OPTIONAL) return ROWS_UNLABELLED;
  label = classes_find(&reader->encoding->classes, text, length);
  *is_wrong = label < 0;
  return label;
}

static int reader_wrong_label(const struct reader *reader, const char *where, int is_empty) {
  char classes[512];
  if (is_empty) return error_report(EXIT_INPUT, "%s: the label is missing", where);
  reader_classes(&reader->encoding->classes, classes, sizeof classes);
  return error_report(EXIT_INPUT, "%s: the label is none of the declared classes: %s", where, classes);
}

static int reader_column(const struct reader *reader, const char *name, size_t *cell) {
  const struct nameset *header = &reader->source.header;
  uint32_t number = nameset_find(header, name, strlen(name));
  struct quote quote;
  *cell = number;
  if (number != NAMESET_NONE) return EXIT_OK;
  *cell = READER_ABSENT;
  return error_report(EXIT_INPUT, "%s:1: no column %s in the header", reader->source.stream.path,
                      quote_name(&quote, name, strlen(name)));
}

static int reader_open_csv(struct reader *reader) {
  const struct encoding *encoding = reader->encoding;
  const struct partition *partition = reader->options.partition;
  size_t c;
  int code;
  reader->label = reader->unit = READER_ABSENT;
  reader->place = malloc((encoding->column_count + 1) * sizeof *reader->place);
  if (!reader->place) return reader_memory();
  for (c = 0; c < encoding->column_count; c++) {
    reader->place[c] = 0;
    if (encoding->column[c].kind == COLUMN_SKIP) continue;
    if ((code = reader_column(reader, encoding->column[c].name, &reader->place[c]))) return code;
  }
  if (reader->options.labels == LABELS_REQUIRE) {
    if (!encoding->label)
      return error_report(EXIT_INPUT, "%s: which column is the label? (--label COLUMN)", reader->source.stream.path);
    if ((code = reader_column(reader, encoding->label, &reader->label))) return code;
  } else if (encoding->label && reader->options.labels == LABELS_OPTIONAL) {
    uint32_t number = nameset_find(&reader->source.header, encoding->label, strlen(encoding->label));
    if (number != NAMESET_NONE) reader->label = number;
  }
  if (partition && encoding->unit && (code = reader_column(reader, encoding->unit, &reader->unit))) return code;
  reader->source.csv.keep_record = partition && !encoding->unit && partition->coins->seeded;
  return EXIT_OK;
}

/* The labels file that belongs to an images file by its name, or NULL. */
static char *reader_guess(const char *images) {
  static const char from[] = "images-idx3", to[] = "labels-idx1"; /* of the same length */
  char *path = memory_copy(images, strlen(images)), *at, *found = NULL;
  if (!path) return NULL;
  for (at = path; (at = strstr(at, from)) != NULL; at++)
    found = at;
  if (found) memcpy(found, to, sizeof to - 1);
  if (found && access(path, F_OK) == 0) return path;
  free(path);
  return NULL;
}

static int reader_open_labels(struct reader *reader, const char *path) {
  struct source *images = &reader->source;
  struct idx labels;
  uint64_t i;
  int code = stream_open(&reader->labels_stream, path);
  if (code != EXIT_OK) return code;
  reader->has_labels = 1;
  if ((code = idx_open(&labels, &reader->labels_stream)) != EXIT_OK) return code;
  if (labels.size != 1) return error_report(EXIT_INPUT, "%s: an idx file of labels has one dimension", path);
  if (labels.count != images->idx.count)
    return error_report(EXIT_INPUT, "%s: %llu labels for %llu images", path, (unsigned long long)labels.count,
                        (unsigned long long)images->idx.count);
  for (i = 0; i < images->first; i++) {
    unsigned char byte;
    size_t got;
    if ((code = stream_read(&reader->labels_stream, &byte, 1, &got)) != EXIT_OK) return code;
    if (!got) return error_report(EXIT_INPUT, "%s: cut off", path);
  }
  return EXIT_OK;
}

static int reader_open_idx(struct reader *reader) {
  struct source *images = &reader->source;
  char *guess;
  int code = EXIT_OK;
  if (images->idx.size != reader->encoding->raw_columns)
    return error_report(EXIT_INPUT, "%s: images of %u bytes, but the encoding is for %u", images->stream.path,
                        images->idx.size, reader->encoding->raw_columns);
  reader->image = malloc((size_t)images->idx.size + 1);
  if (!reader->image) return reader_memory();
  if (reader->options.labels == LABELS_IGNORE) return EXIT_OK;
  if (reader->options.labels_path) return reader_open_labels(reader, reader->options.labels_path);
  guess = reader_guess(images->file);
  if (guess)
    code = reader_open_labels(reader, guess);
  else if (reader->options.labels == LABELS_REQUIRE)
    code = error_report(EXIT_INPUT,
                        "%s: no labels: name the images ...images-idx3... and the labels "
                        "...labels-idx1... in the same directory",
                        images->stream.path);
  free(guess);
  return code;
}

int reader_open(struct reader *reader, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  int code;
  memset(reader, 0, sizeof *reader);
  reader->encoding = encoding;
  if (options) reader->options = *options;
  if ((code = source_open(&reader->source, path, FORMAT_AUTO)) != EXIT_OK) return code;
  rows_init(&reader->raw, encoding->raw_columns, encoding->raw_is_dense);
  rows_init(&reader->line, encoding->raw_columns, 0);
  if (reader->source.format != encoding->format)
    code = error_report(EXIT_INPUT, "%s: this is %s, but the public file or schema is %s", reader->source.stream.path,
                        format_name(reader->source.format), format_name(encoding->format));
  else if (reader->options.labels != LABELS_IGNORE && encoding->classes.count == 0)
    code = error_report(EXIT_INPUT, "%s: the classes must be declared: --classes no,yes", reader->source.stream.path);
  else if (encoding->format == FORMAT_CSV)
    code = reader_open_csv(reader);
  else if (encoding->format == FORMAT_IDX)
    code = reader_open_idx(reader);
  if (code != EXIT_OK) reader_close(reader);
  return code;
}

void reader_close(struct reader *reader) {
  source_close(&reader->source);
  stream_close(&reader->labels_stream);
  rows_free(&reader->raw);
  rows_free(&reader->line);
  free(reader->place);
  free(reader->image);
  memset(reader, 0, sizeof *reader);
}

/* The word of a record that is its own unit; 0 without a partition. */
static int reader_own_unit(struct reader *reader, const void *record, size_t length, uint64_t *unit) {
  *unit = 0;
  if (!reader->options.partition) return EXIT_OK;
  return partition_record(reader->options.partition, record, length, unit);
}

static int reader_cell_error(const struct reader *reader, size_t cell, const char *cause) {
  const struct nameset *header = &reader->source.header;
  struct quote quote;
  return error_report(EXIT_INPUT, "%s:%llu:%zu (%s): %s", reader->source.stream.path, reader_line(reader), cell + 1,
                      quote_name(&quote, nameset_text(header, (uint32_t)cell), nameset_length(header, (uint32_t)cell)),
                      cause);
}

static int reader_next_csv(struct reader *reader, struct rows *rows, int *more) {
  const struct csv *csv = &reader->source.csv;
  int32_t label = ROWS_UNLABELLED;
  uint64_t unit = 0;
  const char *cause;
  size_t fault;
  int code, is_wrong = 0;
  if ((code = source_next_csv(&reader->source, more)) != EXIT_OK || !*more) return code;
  if ((code = rows_reserve(rows, 1, encoding_room(reader->encoding))) != EXIT_OK) return code;
  if (reader->label != READER_ABSENT) {
    const struct cell *cell = &csv->cell[reader->label];
    label = reader_label(reader, cell->text, cell->length, &is_wrong);
    if (is_wrong) {
      char where[4096 + 128];
      struct quote quote;
      snprintf(where, sizeof where, "%.4000s:%llu:%zu (%s)", reader->source.stream.path, reader_line(reader),
               reader->label + 1, quote_name(&quote, reader->encoding->label, strlen(reader->encoding->label)));
      return reader_wrong_label(reader, where, cell->length == 0);
    }
  }
  if (reader->unit != READER_ABSENT) {
    const struct cell *cell = &csv->cell[reader->unit];
    if (cell->length == 0) return reader_cell_error(reader, reader->unit, "the unit is empty");
    unit = partition_name(reader->options.partition, cell->text, cell->length);
  } else if ((code = reader_own_unit(reader, csv->record, csv->record_length, &unit)) != EXIT_OK) {
    return code;
  }
  cause =
      encoding_cells(reader->encoding, csv->cell, reader->place, rows, label, unit, reader->source.lines.line, &fault);
  return cause ? reader_cell_error(reader, reader->place[fault], cause) : EXIT_OK;
}

static int reader_next_libsvm(struct reader *reader, struct rows *rows, int *more) {
  struct rows *target = rows->is_dense ? &reader->line : rows;
  int32_t label;
  uint64_t unit;
  struct svmlight line;
  size_t length, begin, e;
  char *text, where[4096 + 128];
  int code, is_wrong = 0;
  if ((code = source_next_line(&reader->source, &text, &length)) != EXIT_OK) return code;
  *more = text != NULL;
  if (!text) return EXIT_OK;
  if (rows->is_dense) { /* the entries go through a sparse row of their own */
    rows_clear(target);
    if ((code = rows_reserve(rows, 1, 0)) != EXIT_OK) return code;
  }
  if ((code = rows_reserve(target, 1, svmlight_room(length))) != EXIT_OK) return code;
  begin = target->start[target->count];
  if (svmlight_parse(text, length, reader->encoding->raw_columns, target->index + begin, target->value + begin,
                     &line) != 0)
    return error_report(EXIT_INPUT, "%s:%llu:%zu: %s", reader->source.stream.path, reader_line(reader), line.column,
                        line.cause);
  label = reader_label(reader, line.label ? line.label : "", line.label_length, &is_wrong);
  if (is_wrong) {
    snprintf(where, sizeof where, "%.4000s:%llu", reader->source.stream.path, reader_line(reader));
    return reader_wrong_label(reader, where, line.label_length == 0);
  }
  if ((code = reader_own_unit(reader, text, length, &unit)) != EXIT_OK) return code;
  if (rows->is_dense) {
    float *row = rows_push_dense(rows, label, unit, reader->source.lines.line);
    for (e = 0; e < line.entries; e++)
      row[target->index[begin + e]] = target->value[begin + e];
  } else {
    rows_push_sparse(rows, begin + line.entries, label, unit, reader->source.lines.line);
  }
  return EXIT_OK;
}

static int reader_next_idx(struct reader *reader, struct rows *rows, int *more) {
  size_t size = reader->source.idx.size, got, j;
  int32_t label = ROWS_UNLABELLED;
  uint64_t unit;
  float *row;
  int code, is_wrong = 0;
  if ((code = source_next_image(&reader->source, reader->image, more)) != EXIT_OK) return code;
  if (!*more) {
    /* Past the last image the labels must be at their end too; a range may stop earlier. */
    if (reader->has_labels && reader->source.at == reader->source.idx.count) return idx_end(&reader->labels_stream);
    return EXIT_OK;
  }
  reader->image[size] = 0xff; /* the label belongs to the record */
  if (reader->has_labels) {
    char text[4];
    int length;
    if ((code = stream_read(&reader->labels_stream, &reader->image[size], 1, &got)) != EXIT_OK) return code;
    if (!got)
      return error_report(EXIT_INPUT, "%s: cut off in label %llu", reader->labels_stream.path,
                          (unsigned long long)reader->source.at);
    length = snprintf(text, sizeof text, "%u", reader->image[size]);
    label = reader_label(reader, text, (size_t)length, &is_wrong);
    if (is_wrong) {
      char where[4096 + 128];
      snprintf(where, sizeof where, "%.4000s: item %llu", reader->labels_stream.path,
               (unsigned long long)reader->source.at);
      return reader_wrong_label(reader, where, 0);
    }
  }
  if ((code = reader_own_unit(reader, reader->image, size + 1, &unit)) != EXIT_OK ||
      (code = rows_reserve(rows, 1, 0)) != EXIT_OK)
    return code;
  row = rows_push_dense(rows, label, unit, reader->source.at);
  for (j = 0; j < size; j++)
    row[j] = (float)reader->image[j] / 255;
  return EXIT_OK;
}

/* Up to `max` records before their transform. */
static int reader_next_raw(struct reader *reader, struct rows *rows, size_t max) {
  int code = EXIT_OK;
  size_t i;
  for (i = 0; i < max && !reader->is_finished && code == EXIT_OK; i++) {
    int more = 0;
    if (reader->source.format == FORMAT_CSV)
      code = reader_next_csv(reader, rows, &more);
    else if (reader->source.format == FORMAT_LIBSVM)
      code = reader_next_libsvm(reader, rows, &more);
    else
      code = reader_next_idx(reader, rows, &more);
    if (!more) reader->is_finished = 1;
  }
  return code;
}

int reader_next(struct reader *reader, struct rows *rows, size_t max) {
  int code = EXIT_OK;
  if (reader->encoding->transform.kind == TRANSFORM_RAW) return reader_next_raw(reader, rows, max);
  while (max && !reader->is_finished && code == EXIT_OK) {
    size_t block = max < READER_BLOCK ? max : READER_BLOCK;
    rows_clear(&reader->raw);
    code = reader_next_raw(reader, &reader->raw, block);
    if (code == EXIT_OK) code = transform_apply(&reader->encoding->transform, &reader->raw, rows);
    max -= block;
  }
  return code;
}

int reader_load(struct rows *rows, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  struct reader reader;
  int code;
  rows_init(rows, encoding->columns, encoding->is_dense);
  if ((code = reader_open(&reader, path, encoding, options)) != EXIT_OK) return code;
  while (code == EXIT_OK && !reader.is_finished)
    code = reader_next(&reader, rows, READER_BATCH);
  reader_close(&reader);
  if (code == EXIT_OK && rows->count == 0) code = error_report(EXIT_INPUT, "%s: no records", path);
  if (code != EXIT_OK) rows_free(rows);
  return code;
}
