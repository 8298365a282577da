#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nameset_amid.h"
#include "base/quote.h"
#include "core/partition.h"
#include "data/encoding_cells.h"
#include "data/svmlight.h"

#define READER_BLOCK  256   /* rows read before their features are made: they are still in cache then */
#define READER_FIRST  1024  /* rows from which the size of a whole file is guessed */
#define READER_BATCH  16384 /* rows between two looks for the end, where the whole file is loaded */
#define READER_MARGIN 1.1   /* room for so many times what is guessed: what is never written takes none */
#define READER_ABSENT SIZE_MAX

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

/* Where the label of the current record stands, for a message. */
static void reader_label_place(const struct reader *reader, char *text, size_t size) {
  const struct source *source = &reader->source;
  const char *name = reader->encoding->label;
  struct quote quote;
  if (reader->has_labels)
    label_file_place(&reader->labels, text, size);
  else if (source->format == FORMAT_CSV)
    snprintf(text, size, "%.4000s:%llu:%zu (%s)", source->stream.path, (unsigned long long)source->lines.line,
             reader->label + 1, quote_name(&quote, name, strlen(name)));
  else
    snprintf(text, size, "%.4000s:%llu", source->stream.path, (unsigned long long)source->lines.line);
}

/* The label that the text means. */
static int reader_label(const struct reader *reader, const char *text, size_t length, int32_t *label) {
  char where[4096 + 128], classes[512];
  *label = ROWS_UNLABELLED;
  if (reader->options.labels == LABELS_IGNORE) return EXIT_OK;
  if (length == 0 && reader->options.labels == LABELS_OPTIONAL) return EXIT_OK;
  *label = classes_find(&reader->encoding->classes, text, length);
  if (*label >= 0) return EXIT_OK;
  reader_label_place(reader, where, sizeof where);
  if (length == 0) return error_report(EXIT_INPUT, "%s: the label is missing", where);
  reader_classes(&reader->encoding->classes, classes, sizeof classes);
  return error_report(EXIT_INPUT, "%s: the label is none of the declared classes: %s", where, classes);
}

static int reader_open_csv(struct reader *reader) {
  const struct encoding *encoding = reader->encoding;
  const struct partition *partition = reader->options.partition;
  size_t c;
  int code = memory_take(&reader->place, encoding->column_count, sizeof *reader->place);
  if (code) return code;
  reader->label = reader->unit = READER_ABSENT;
  for (c = 0; c < encoding->column_count; c++) {
    if (encoding->column[c].kind == COLUMN_SKIP) continue;
    code = source_column(&reader->source, encoding->column[c].name, &reader->place[c]);
    if (code) return code;
  }
  if (reader->options.labels == LABELS_REQUIRE) {
    if (!encoding->label)
      return error_report(EXIT_INPUT, "%s: which column is the label? (--label COLUMN)", reader->source.stream.path);
    code = source_column(&reader->source, encoding->label, &reader->label);
    if (code) return code;
  } else if (encoding->label && reader->options.labels == LABELS_OPTIONAL) {
    uint32_t number = nameset_find(&reader->source.header, encoding->label, strlen(encoding->label));
    if (number != NAMESET_NONE) reader->label = number;
  }
  if (partition && encoding->unit) {
    code = source_column(&reader->source, encoding->unit, &reader->unit);
    if (code) return code;
  }
  reader->source.csv.keep_record = partition && !encoding->unit && partition->by_content;
  return EXIT_OK;
}

char *reader_guess(const char *images) {
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
  const struct encoding *encoding = reader->encoding;
  const char *unit = reader->options.partition ? encoding->unit : NULL;
  int code = label_file_open(&reader->labels, path, &reader->source, encoding->label, unit);
  reader->has_labels = !code;
  return code;
}

/* The labels that the path names, or those that belong to idx images by their name. */
static int reader_find_labels(struct reader *reader) {
  const struct source *source = &reader->source;
  char *guess;
  int code = EXIT_OK;
  if (reader->options.labels == LABELS_IGNORE) return EXIT_OK;
  if (source->labels) return reader_open_labels(reader, source->labels);
  guess = source->format == FORMAT_IDX ? reader_guess(source->file) : NULL;
  if (guess)
    code = reader_open_labels(reader, guess);
  else if (reader->options.labels == LABELS_REQUIRE)
    code = error_report(EXIT_INPUT, "%s: no labels: name their file after a comma, as in x.npy,y.npy%s",
                        source->stream.path,
                        source->format == FORMAT_IDX ? ", or name the images ...images-idx3... and the labels "
                                                       "...labels-idx1... in the same directory"
                                                     : "");
  free(guess);
  return code;
}

static int reader_open_items(struct reader *reader) {
  const struct source *source = &reader->source;
  uint64_t columns = source->format == FORMAT_IDX ? source->idx.size : source->npy.columns;
  int code = source->format == FORMAT_NPY ? npy_matrix(&source->npy, source->stream.path) : EXIT_OK;
  if (code) return code;
  if (columns != reader->encoding->raw_columns)
    return error_report(EXIT_INPUT, "%s: records of %llu numbers, but the encoding is for %u", source->stream.path,
                        (unsigned long long)columns, reader->encoding->raw_columns);
  code = memory_take(&reader->item, source_item(source) + sizeof(int32_t), 1);
  if (!code) code = reader_find_labels(reader);
  if (!code && reader->options.partition && reader->encoding->unit && !reader->has_labels)
    code = error_report(EXIT_INPUT, "%s: --unit needs a CSV of labels and units, named after a comma",
                        source->stream.path);
  return code;
}

int reader_open(struct reader *reader, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  int code;
  memset(reader, 0, sizeof *reader);
  reader->encoding = encoding;
  if (options) reader->options = *options;
  code = source_open(&reader->source, path, FORMAT_AUTO, &encoding->style);
  if (code) return code;
  rows_init(&reader->stage[0], encoding->raw_columns, encoding->raw_is_dense);
  rows_init(&reader->line, encoding->raw_columns, 0);
  if (reader->source.format != encoding->format)
    code = error_report(EXIT_INPUT, "%s: this is %s, but the public file or schema is %s", reader->source.stream.path,
                        format_name(reader->source.format), format_name(encoding->format));
  else if (reader->options.labels != LABELS_IGNORE && encoding->classes.count == 0)
    code = error_report(EXIT_INPUT, "%s: the classes must be declared: --classes no,yes", reader->source.stream.path);
  else if (encoding->format == FORMAT_CSV)
    code = reader_open_csv(reader);
  else if (encoding->format != FORMAT_LIBSVM)
    code = reader_open_items(reader);
  if (code) reader_close(reader);
  return code;
}

void reader_close(struct reader *reader) {
  source_close(&reader->source);
  if (reader->has_labels) label_file_close(&reader->labels);
  for (size_t s = 0; s < FEATURES_STEPS; s++)
    rows_free(&reader->stage[s]);
  rows_free(&reader->line);
  free(reader->place);
  free(reader->item);
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
  return error_report(EXIT_INPUT, "%s:%llu:%zu (%s): %s", reader->source.stream.path,
                      (unsigned long long)reader->source.lines.line, cell + 1,
                      quote_name(&quote, nameset_text(header, (uint32_t)cell), nameset_length(header, (uint32_t)cell)),
                      cause);
}

static int reader_csv_unit(struct reader *reader, uint64_t *unit) {
  const struct csv *csv = &reader->source.csv;
  const struct cell *cell;
  if (reader->unit == READER_ABSENT) return reader_own_unit(reader, csv->record, csv->record_length, unit);
  cell = &csv->cell[reader->unit];
  if (cell->length == 0) return reader_cell_error(reader, reader->unit, "the unit is empty");
  *unit = partition_name(reader->options.partition, cell->text, cell->length);
  return EXIT_OK;
}

/* The label in a cell, which stands amid a buffer: nearly always it is spelled as it was declared. */
static int reader_csv_label(const struct reader *reader, const struct cell *cell, int32_t *label) {
  const struct nameset *texts = &reader->encoding->classes.texts;
  uint32_t found = NAMESET_NONE;
  if (reader->options.labels != LABELS_IGNORE) found = nameset_amid(texts, cell->text, cell->length);
  if (found == NAMESET_NONE) return reader_label(reader, cell->text, cell->length, label);
  *label = (int32_t)texts->times[found];
  return EXIT_OK;
}

static int reader_next_csv(struct reader *reader, struct rows *rows, int *more) {
  const struct cell *cell;
  int32_t label = ROWS_UNLABELLED;
  uint64_t unit;
  const char *cause;
  size_t fault;
  int code = source_next_csv(&reader->source, more);
  if (code || !*more) return code;
  cell = reader->source.csv.cell;
  code = rows_reserve_one(rows, encoding_cells_room(reader->encoding));
  if (!code && reader->label != READER_ABSENT) code = reader_csv_label(reader, &cell[reader->label], &label);
  if (!code) code = reader_csv_unit(reader, &unit);
  if (code) return code;
  cause = encoding_cells(reader->encoding, cell, reader->place, rows, label, unit, reader->source.lines.line, &fault);
  return cause ? reader_cell_error(reader, reader->place[fault], cause) : EXIT_OK;
}

/* The entries of a line behind those of `rows`, which are sparse. */
static int reader_entries(struct reader *reader, struct rows *rows, const char *text, size_t length,
                          struct svmlight *line) {
  size_t begin;
  int code = rows_reserve_one(rows, svmlight_room(length));
  if (code) return code;
  begin = rows->start[rows->count];
  if (!svmlight_parse(text, length, reader->encoding->raw_columns, rows->index + begin, rows->value + begin, line))
    return EXIT_OK;
  return error_report(EXIT_INPUT, "%s:%llu:%zu: %s", reader->source.stream.path,
                      (unsigned long long)reader->source.lines.line, line->column, line->cause);
}

static int reader_next_libsvm(struct reader *reader, struct rows *rows, int *more) {
  struct rows *target = rows->is_dense ? &reader->line : rows; /* on their way into dense rows: a row of their own */
  int32_t label;
  uint64_t unit;
  struct svmlight line;
  size_t length, begin, e;
  char *text;
  int code = source_next_line(&reader->source, &text, &length);
  *more = !code && text;
  if (!*more) return code;
  if (rows->is_dense) {
    rows_clear(target);
    code = rows_reserve_one(rows, 0);
  }
  if (!code) code = reader_entries(reader, target, text, length, &line);
  if (!code) code = reader_label(reader, line.label ? line.label : "", line.label_length, &label);
  if (!code) code = reader_own_unit(reader, text, length, &unit);
  if (code) return code;
  begin = target->start[target->count];
  if (rows->is_dense) {
    float *row = rows_push_dense(rows, label, unit, reader->source.lines.line);
    for (e = 0; e < line.entries; e++)
      row[target->index[begin + e]] = target->value[begin + e];
  } else {
    rows_push_sparse(rows, begin + line.entries, label, unit, reader->source.lines.line);
  }
  return EXIT_OK;
}

/* The unit that the file of labels names, or the record itself: its bytes and its label. */
static int reader_item_unit(struct reader *reader, int32_t label, uint64_t *unit) {
  size_t size = source_item(&reader->source), length = 0;
  const char *text;
  if (reader->has_labels && reader->labels.unit != LABEL_FILE_ABSENT) {
    label_file_unit(&reader->labels, &text, &length);
    if (length) return *unit = partition_name(reader->options.partition, text, length), EXIT_OK;
    return error_report(EXIT_INPUT, "%s:%llu: the unit is empty", reader->labels.source.stream.path,
                        (unsigned long long)reader->labels.source.lines.line);
  }
  memcpy(reader->item + size, &label, sizeof label);
  return reader_own_unit(reader, reader->item, size + sizeof label, unit);
}

/* The item's numbers. */
static int reader_item_row(const struct reader *reader, float *row) {
  const struct source *source = &reader->source;
  const struct npy *npy = &source->npy;
  uint32_t columns = reader->encoding->raw_columns, j;
  if (source->format == FORMAT_IDX) {
    for (j = 0; j < columns; j++)
      row[j] = (float)reader->item[j] / 255;
    return EXIT_OK;
  }
  for (j = 0; j < columns; j++) {
    row[j] = (float)npy_number(npy->type, reader->item + j * npy->item);
    if (!isfinite(row[j]))
      return error_report(EXIT_INPUT, "%s[%llu, %u]: not a finite number, or too large for 32 bits",
                          source->stream.path, (unsigned long long)source->at - 1, j);
  }
  return EXIT_OK;
}

static int reader_next_item(struct reader *reader, struct rows *rows, int *more) {
  int32_t label = ROWS_UNLABELLED;
  uint64_t unit;
  const char *text;
  size_t length;
  int code = source_next_item(&reader->source, reader->item, more);
  if (code) return code;
  if (!*more) /* past the last record the labels must be at their end too; a range may stop earlier */
    return reader->has_labels && reader->source.at == source_items(&reader->source) ? label_file_end(&reader->labels)
                                                                                    : EXIT_OK;
  if (reader->has_labels) {
    code = label_file_next(&reader->labels, &text, &length);
    if (!code) code = reader_label(reader, text, length, &label);
  }
  if (!code) code = reader_item_unit(reader, label, &unit);
  if (!code) code = rows_reserve_one(rows, 0);
  if (code) return code;
  code = reader_item_row(reader, rows_push_dense(rows, label, unit, reader->source.at));
  if (code) rows->count--;
  return code;
}

/* Forgets the record that was read last if it belongs to a teacher elsewhere. */
static void reader_keep(struct reader *reader, struct rows *rows) {
  const struct reader_options *options = &reader->options;
  uint32_t teacher;
  reader->records++;
  if (!options->teachers) return;
  teacher = fumata_partition_teacher(rows->unit[rows->count - 1], options->teachers);
  if (teacher < options->first || teacher >= options->last) rows->count--;
}

/* Up to `max` records before the steps. */
static int reader_next_raw(struct reader *reader, struct rows *rows, size_t max) {
  int code = EXIT_OK;
  size_t i;
  for (i = 0; i < max && !reader->is_finished && !code; i++) {
    int more = 0;
    if (reader->source.format == FORMAT_CSV)
      code = reader_next_csv(reader, rows, &more);
    else if (reader->source.format == FORMAT_LIBSVM)
      code = reader_next_libsvm(reader, rows, &more);
    else
      code = reader_next_item(reader, rows, &more);
    if (!more) reader->is_finished = 1;
    if (!code && more) reader_keep(reader, rows);
  }
  return code;
}

int reader_next(struct reader *reader, struct rows *rows, size_t max) {
  int code = EXIT_OK;
  if (reader->encoding->features.count == 0) return reader_next_raw(reader, rows, max);
  while (max && !reader->is_finished && !code) {
    size_t block = max < READER_BLOCK ? max : READER_BLOCK;
    rows_clear(&reader->stage[0]);
    code = reader_next_raw(reader, &reader->stage[0], block);
    if (!code) code = features_apply(&reader->encoding->features, reader->stage, rows);
    max -= block;
  }
  return code;
}

/* Room for the whole of a text file, guessed from its first records once they are read: rows that grow step by step are
 * copied again and again, and need twice their memory while they are. */
static int reader_expect(struct reader *reader, struct rows *rows) {
  const struct source *source = &reader->source;
  uint64_t passed = source->lines.passed;
  double times;
  if (!source->stream.is_plain || source->last != UINT64_MAX || source->first || !passed || reader->is_finished)
    return EXIT_OK;
  times = (double)source->stream.size / (double)passed * READER_MARGIN - 1;
  if (times <= 0) return EXIT_OK;
  return rows_reserve(rows, (size_t)(times * (double)rows->count), (size_t)(times * (double)rows_entries(rows)));
}

int reader_load(struct rows *rows, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  struct reader reader;
  int code;
  rows_init(rows, encoding->columns, encoding->is_dense);
  code = reader_open(&reader, path, encoding, options);
  if (code) return code;
  code = reader_next(&reader, rows, READER_FIRST);
  if (!code) code = reader_expect(&reader, rows);
  while (!code && !reader.is_finished)
    code = reader_next(&reader, rows, READER_BATCH);
  if (!code && reader.records == 0) code = error_report(EXIT_INPUT, "%s: no records", path);
  reader_close(&reader);
  if (code) rows_free(rows);
  return code;
}
