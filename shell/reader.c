#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grow.h"
#include "idx.h"
#include "quote.h"
#include "say.h"
#include "svmlight.h"

#define FUMATA_READER_BLOCK  256 /* rows encoded before they are transformed */
#define FUMATA_READER_BATCH  16384
#define FUMATA_READER_ABSENT SIZE_MAX

static int fumata_reader_memory(void) {
  return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
}

static unsigned long long fumata_reader_line(const fumata_reader *reader) {
  return reader->source.lines.line;
}

/* "a, b, c and 7 more" */
static void fumata_reader_classes(const fumata_classes *classes, char *text, size_t size) {
  size_t used = 0;
  uint32_t i;
  text[0] = '\0';
  for (i = 0; i < classes->count && used < size - 1; i++) {
    fumata_quote quote;
    int n;
    if (i == 5 && classes->count > 6) {
      snprintf(text + used, size - used, " and %u more", classes->count - i);
      return;
    }
    n = snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 fumata_quote_name(&quote, classes->name[i], strlen(classes->name[i])));
    used += n > 0 ? (size_t)n : 0;
  }
}

/* The label that a text means. *is_wrong: it is none of the classes. */
static int32_t fumata_reader_label(const fumata_reader *reader, const char *text, size_t length, int *is_wrong) {
  int32_t label;
  if (reader->options.labels == FUMATA_LABELS_IGNORE) return FUMATA_ROWS_UNLABELLED;
  if (length == 0 && reader->options.labels == FUMATA_LABELS_OPTIONAL) return FUMATA_ROWS_UNLABELLED;
  label = fumata_classes_find(&reader->encoding->classes, text, length);
  *is_wrong = label < 0;
  return label;
}

static int fumata_reader_wrong_label(const fumata_reader *reader, const char *where, int is_empty) {
  char classes[512];
  if (is_empty) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the label is missing", where);
  fumata_reader_classes(&reader->encoding->classes, classes, sizeof classes);
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the label is none of the declared classes: %s", where, classes);
}

static int fumata_reader_column(const fumata_reader *reader, const char *name, size_t *cell) {
  const fumata_words *header = &reader->source.header;
  uint32_t number = fumata_words_find(header, name, strlen(name));
  fumata_quote quote;
  *cell = number;
  if (number != FUMATA_WORDS_NONE) return FUMATA_EXIT_OK;
  *cell = FUMATA_READER_ABSENT;
  return fumata_say_error(FUMATA_EXIT_INPUT, "%s:1: no column %s in the header", reader->source.stream.path,
                          fumata_quote_name(&quote, name, strlen(name)));
}

static int fumata_reader_open_csv(fumata_reader *reader) {
  const fumata_encoding *encoding = reader->encoding;
  const fumata_partition *partition = reader->options.partition;
  size_t c;
  int code;
  reader->label = reader->unit = FUMATA_READER_ABSENT;
  reader->place = malloc((encoding->column_count + 1) * sizeof *reader->place);
  if (!reader->place) return fumata_reader_memory();
  for (c = 0; c < encoding->column_count; c++) {
    reader->place[c] = 0;
    if (encoding->column[c].kind == FUMATA_COLUMN_SKIP) continue;
    if ((code = fumata_reader_column(reader, encoding->column[c].name, &reader->place[c]))) return code;
  }
  if (reader->options.labels == FUMATA_LABELS_REQUIRE) {
    if (!encoding->label)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: which column is the label? (--label COLUMN)",
                              reader->source.stream.path);
    if ((code = fumata_reader_column(reader, encoding->label, &reader->label))) return code;
  } else if (encoding->label && reader->options.labels == FUMATA_LABELS_OPTIONAL) {
    uint32_t number = fumata_words_find(&reader->source.header, encoding->label, strlen(encoding->label));
    if (number != FUMATA_WORDS_NONE) reader->label = number;
  }
  if (partition && encoding->unit && (code = fumata_reader_column(reader, encoding->unit, &reader->unit))) return code;
  reader->source.csv.keep_record = partition && !encoding->unit && partition->coins->seeded;
  return FUMATA_EXIT_OK;
}

/* The labels file that belongs to an images file by its name, or NULL. */
static char *fumata_reader_guess(const char *images) {
  static const char from[] = "images-idx3", to[] = "labels-idx1"; /* of the same length */
  char *path = fumata_grow_copy(images, strlen(images)), *at, *found = NULL;
  if (!path) return NULL;
  for (at = path; (at = strstr(at, from)) != NULL; at++)
    found = at;
  if (found) memcpy(found, to, sizeof to - 1);
  if (found && access(path, F_OK) == 0) return path;
  free(path);
  return NULL;
}

static int fumata_reader_open_labels(fumata_reader *reader, const char *path) {
  fumata_source *images = &reader->source;
  fumata_idx labels;
  uint64_t i;
  int code = fumata_stream_open(&reader->labels_stream, path);
  if (code != FUMATA_EXIT_OK) return code;
  reader->has_labels = 1;
  if ((code = fumata_idx_open(&labels, &reader->labels_stream)) != FUMATA_EXIT_OK) return code;
  if (labels.size != 1) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: an idx file of labels has one dimension", path);
  if (labels.count != images->idx.count)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: %llu labels for %llu images", path,
                            (unsigned long long)labels.count, (unsigned long long)images->idx.count);
  for (i = 0; i < images->first; i++) {
    unsigned char byte;
    size_t got;
    if ((code = fumata_stream_read(&reader->labels_stream, &byte, 1, &got)) != FUMATA_EXIT_OK) return code;
    if (!got) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cut off", path);
  }
  return FUMATA_EXIT_OK;
}

static int fumata_reader_open_idx(fumata_reader *reader) {
  fumata_source *images = &reader->source;
  char *guess;
  int code = FUMATA_EXIT_OK;
  if (images->idx.size != reader->encoding->raw_columns)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: images of %u bytes, but the encoding is for %u",
                            images->stream.path, images->idx.size, reader->encoding->raw_columns);
  reader->image = malloc((size_t)images->idx.size + 1);
  if (!reader->image) return fumata_reader_memory();
  if (reader->options.labels == FUMATA_LABELS_IGNORE) return FUMATA_EXIT_OK;
  if (reader->options.labels_path) return fumata_reader_open_labels(reader, reader->options.labels_path);
  guess = fumata_reader_guess(images->file);
  if (guess)
    code = fumata_reader_open_labels(reader, guess);
  else if (reader->options.labels == FUMATA_LABELS_REQUIRE)
    code = fumata_say_error(FUMATA_EXIT_INPUT,
                            "%s: no labels: name the images ...images-idx3... and the labels "
                            "...labels-idx1... in the same directory",
                            images->stream.path);
  free(guess);
  return code;
}

int fumata_reader_open(fumata_reader *reader, const char *path, const fumata_encoding *encoding,
                       const fumata_reader_options *options) {
  int code;
  memset(reader, 0, sizeof *reader);
  reader->encoding = encoding;
  if (options) reader->options = *options;
  if ((code = fumata_source_open(&reader->source, path, FUMATA_FORMAT_AUTO)) != FUMATA_EXIT_OK) return code;
  fumata_rows_init(&reader->raw, encoding->raw_columns, encoding->raw_is_dense);
  fumata_rows_init(&reader->line, encoding->raw_columns, 0);
  if (reader->source.format != encoding->format)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: this is %s, but the public file or schema is %s",
                            reader->source.stream.path, fumata_format_name(reader->source.format),
                            fumata_format_name(encoding->format));
  else if (reader->options.labels != FUMATA_LABELS_IGNORE && encoding->classes.count == 0)
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: the classes must be declared: --classes no,yes",
                            reader->source.stream.path);
  else if (encoding->format == FUMATA_FORMAT_CSV)
    code = fumata_reader_open_csv(reader);
  else if (encoding->format == FUMATA_FORMAT_IDX)
    code = fumata_reader_open_idx(reader);
  if (code != FUMATA_EXIT_OK) fumata_reader_close(reader);
  return code;
}

void fumata_reader_close(fumata_reader *reader) {
  fumata_source_close(&reader->source);
  fumata_stream_close(&reader->labels_stream);
  fumata_rows_free(&reader->raw);
  fumata_rows_free(&reader->line);
  free(reader->place);
  free(reader->image);
  memset(reader, 0, sizeof *reader);
}

/* The word of a record that is its own unit; 0 without a partition. */
static int fumata_reader_own_unit(fumata_reader *reader, const void *record, size_t length, uint64_t *unit) {
  *unit = 0;
  if (!reader->options.partition) return FUMATA_EXIT_OK;
  return fumata_partition_record(reader->options.partition, record, length, unit);
}

static int fumata_reader_cell_error(const fumata_reader *reader, size_t cell, const char *cause) {
  const fumata_words *header = &reader->source.header;
  fumata_quote quote;
  return fumata_say_error(
      FUMATA_EXIT_INPUT, "%s:%llu:%zu (%s): %s", reader->source.stream.path, fumata_reader_line(reader), cell + 1,
      fumata_quote_name(&quote, fumata_words_text(header, (uint32_t)cell), fumata_words_length(header, (uint32_t)cell)),
      cause);
}

static int fumata_reader_next_csv(fumata_reader *reader, fumata_rows *rows, int *more) {
  const fumata_csv *csv = &reader->source.csv;
  int32_t label = FUMATA_ROWS_UNLABELLED;
  uint64_t unit = 0;
  const char *cause;
  size_t fault;
  int code, is_wrong = 0;
  if ((code = fumata_source_next_csv(&reader->source, more)) != FUMATA_EXIT_OK || !*more) return code;
  if ((code = fumata_rows_reserve(rows, 1, fumata_encoding_room(reader->encoding))) != FUMATA_EXIT_OK) return code;
  if (reader->label != FUMATA_READER_ABSENT) {
    const fumata_cell *cell = &csv->cell[reader->label];
    label = fumata_reader_label(reader, cell->text, cell->length, &is_wrong);
    if (is_wrong) {
      char where[4096 + 128];
      fumata_quote quote;
      snprintf(where, sizeof where, "%.4000s:%llu:%zu (%s)", reader->source.stream.path, fumata_reader_line(reader),
               reader->label + 1, fumata_quote_name(&quote, reader->encoding->label, strlen(reader->encoding->label)));
      return fumata_reader_wrong_label(reader, where, cell->length == 0);
    }
  }
  if (reader->unit != FUMATA_READER_ABSENT) {
    const fumata_cell *cell = &csv->cell[reader->unit];
    if (cell->length == 0) return fumata_reader_cell_error(reader, reader->unit, "the unit is empty");
    unit = fumata_partition_name(reader->options.partition, cell->text, cell->length);
  } else if ((code = fumata_reader_own_unit(reader, csv->record, csv->record_length, &unit)) != FUMATA_EXIT_OK) {
    return code;
  }
  cause = fumata_encoding_cells(reader->encoding, csv->cell, reader->place, rows, label, unit,
                                reader->source.lines.line, &fault);
  return cause ? fumata_reader_cell_error(reader, reader->place[fault], cause) : FUMATA_EXIT_OK;
}

static int fumata_reader_next_libsvm(fumata_reader *reader, fumata_rows *rows, int *more) {
  fumata_rows *target = rows->is_dense ? &reader->line : rows;
  int32_t label;
  uint64_t unit;
  fumata_svmlight line;
  size_t length, begin, e;
  char *text, where[4096 + 128];
  int code, is_wrong = 0;
  if ((code = fumata_source_next_line(&reader->source, &text, &length)) != FUMATA_EXIT_OK) return code;
  *more = text != NULL;
  if (!text) return FUMATA_EXIT_OK;
  if (rows->is_dense) { /* the entries go through a sparse row of their own */
    fumata_rows_clear(target);
    if ((code = fumata_rows_reserve(rows, 1, 0)) != FUMATA_EXIT_OK) return code;
  }
  if ((code = fumata_rows_reserve(target, 1, fumata_svmlight_room(length))) != FUMATA_EXIT_OK) return code;
  begin = target->start[target->count];
  if (fumata_svmlight_parse(text, length, reader->encoding->raw_columns, target->index + begin, target->value + begin,
                            &line) != 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s:%llu:%zu: %s", reader->source.stream.path,
                            fumata_reader_line(reader), line.column, line.cause);
  label = fumata_reader_label(reader, line.label ? line.label : "", line.label_length, &is_wrong);
  if (is_wrong) {
    snprintf(where, sizeof where, "%.4000s:%llu", reader->source.stream.path, fumata_reader_line(reader));
    return fumata_reader_wrong_label(reader, where, line.label_length == 0);
  }
  if ((code = fumata_reader_own_unit(reader, text, length, &unit)) != FUMATA_EXIT_OK) return code;
  if (rows->is_dense) {
    float *row = fumata_rows_push_dense(rows, label, unit, reader->source.lines.line);
    for (e = 0; e < line.entries; e++)
      row[target->index[begin + e]] = target->value[begin + e];
  } else {
    fumata_rows_push_sparse(rows, begin + line.entries, label, unit, reader->source.lines.line);
  }
  return FUMATA_EXIT_OK;
}

static int fumata_reader_next_idx(fumata_reader *reader, fumata_rows *rows, int *more) {
  size_t size = reader->source.idx.size, got, j;
  int32_t label = FUMATA_ROWS_UNLABELLED;
  uint64_t unit;
  float *row;
  int code, is_wrong = 0;
  if ((code = fumata_source_next_image(&reader->source, reader->image, more)) != FUMATA_EXIT_OK) return code;
  if (!*more) {
    /* Past the last image the labels must be at their end too; a range may stop earlier. */
    if (reader->has_labels && reader->source.at == reader->source.idx.count)
      return fumata_idx_end(&reader->labels_stream);
    return FUMATA_EXIT_OK;
  }
  reader->image[size] = 0xff; /* the label belongs to the record */
  if (reader->has_labels) {
    char text[4];
    int length;
    if ((code = fumata_stream_read(&reader->labels_stream, &reader->image[size], 1, &got)) != FUMATA_EXIT_OK)
      return code;
    if (!got)
      return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cut off in label %llu", reader->labels_stream.path,
                              (unsigned long long)reader->source.at);
    length = snprintf(text, sizeof text, "%u", reader->image[size]);
    label = fumata_reader_label(reader, text, (size_t)length, &is_wrong);
    if (is_wrong) {
      char where[4096 + 128];
      snprintf(where, sizeof where, "%.4000s: item %llu", reader->labels_stream.path,
               (unsigned long long)reader->source.at);
      return fumata_reader_wrong_label(reader, where, 0);
    }
  }
  if ((code = fumata_reader_own_unit(reader, reader->image, size + 1, &unit)) != FUMATA_EXIT_OK ||
      (code = fumata_rows_reserve(rows, 1, 0)) != FUMATA_EXIT_OK)
    return code;
  row = fumata_rows_push_dense(rows, label, unit, reader->source.at);
  for (j = 0; j < size; j++)
    row[j] = (float)reader->image[j] / 255;
  return FUMATA_EXIT_OK;
}

/* Up to `max` records before their transform. */
static int fumata_reader_next_raw(fumata_reader *reader, fumata_rows *rows, size_t max) {
  int code = FUMATA_EXIT_OK;
  size_t i;
  for (i = 0; i < max && !reader->is_finished && code == FUMATA_EXIT_OK; i++) {
    int more = 0;
    if (reader->source.format == FUMATA_FORMAT_CSV)
      code = fumata_reader_next_csv(reader, rows, &more);
    else if (reader->source.format == FUMATA_FORMAT_LIBSVM)
      code = fumata_reader_next_libsvm(reader, rows, &more);
    else
      code = fumata_reader_next_idx(reader, rows, &more);
    if (!more) reader->is_finished = 1;
  }
  return code;
}

int fumata_reader_next(fumata_reader *reader, fumata_rows *rows, size_t max) {
  int code = FUMATA_EXIT_OK;
  if (reader->encoding->transform.kind == FUMATA_TRANSFORM_RAW) return fumata_reader_next_raw(reader, rows, max);
  while (max && !reader->is_finished && code == FUMATA_EXIT_OK) {
    size_t block = max < FUMATA_READER_BLOCK ? max : FUMATA_READER_BLOCK;
    fumata_rows_clear(&reader->raw);
    code = fumata_reader_next_raw(reader, &reader->raw, block);
    if (code == FUMATA_EXIT_OK) code = fumata_transform_apply(&reader->encoding->transform, &reader->raw, rows);
    max -= block;
  }
  return code;
}

int fumata_reader_load(fumata_rows *rows, const char *path, const fumata_encoding *encoding,
                       const fumata_reader_options *options) {
  fumata_reader reader;
  int code;
  fumata_rows_init(rows, encoding->columns, encoding->is_dense);
  if ((code = fumata_reader_open(&reader, path, encoding, options)) != FUMATA_EXIT_OK) return code;
  while (code == FUMATA_EXIT_OK && !reader.is_finished)
    code = fumata_reader_next(&reader, rows, FUMATA_READER_BATCH);
  fumata_reader_close(&reader);
  if (code == FUMATA_EXIT_OK && rows->count == 0) code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: no records", path);
  if (code != FUMATA_EXIT_OK) fumata_rows_free(rows);
  return code;
}
