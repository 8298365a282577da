#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/memory.h"
#include "base/nameset.h"
#include "base/progress.h"
#include "base/quote.h"
#include "core/partition.h"

#define READER_BLOCK  256    /* rows read before their features are made: they are still in cache then */
#define READER_FIRST  1024   /* rows from which the size of a whole file is guessed */
#define READER_BATCH  16384  /* rows between two looks for the end, where the whole file is loaded */
#define READER_MARGIN 1.1    /* room for this many times what is guessed: memory that is never written takes none */
#define READER_EXACT  0x1p53 /* whole numbers up to here have their own double */
#define READER_NUMBER 32     /* bytes of a label that is a number */
#define READER_NAMED  5      /* classes that a message names; one more if that is all */

/* ---- opening ---- */

char *reader_guess(const char *path) {
  char *found = NULL;
  for (size_t i = 0; !found && format_at(i); i++)
    if (format_at(i)->guess_labels) found = format_at(i)->guess_labels(path);
  return found;
}

/* Opens a file of labels that shares the records' range: which columns hold label and unit; of numbers, are there as many as
 * records? */
static int reader_open_labels(struct reader *reader, const char *path, const char *unit) {
  const struct source *records = &reader->source;
  const char *label = reader->encoding->label;
  struct source *source = &reader->labels;
  char names[FORMAT_NAMES];
  int code = source_open(source, path, NULL, NULL);
  if (code) return code;
  reader->has_labels = 1;
  source->first = records->first;
  path = source->stream.path;
  if (!(source->format->traits & FORMAT_HOLDS_LABELS))
    return error_report(EXIT_INPUT, "%s: labels come as %s", path, format_names(FORMAT_HOLDS_LABELS, names));
  if (source->format->traits & FORMAT_NUMBERS) {
    if (source->numbers != 1) return error_report(EXIT_INPUT, "%s: labels have one dimension", path);
    if (source->items != records->items)
      return error_report(EXIT_INPUT, "%s: %llu labels for %llu records", path, (unsigned long long)source->items,
                          (unsigned long long)records->items);
    return unit ? error_report(EXIT_INPUT, "%s: --unit names a CSV column: give labels and units as CSV", path)
                : EXIT_OK;
  }
  if (label)
    code = source_column(source, label, &source->label_cell);
  else if (source->header.count == 1)
    source->label_cell = 0;
  else
    code = error_report(EXIT_INPUT, "%s: which column is the label? (--label COLUMN)", path);
  if (!code && unit) code = source_column(source, unit, &source->unit_cell);
  return code;
}

/* The labels that the path names, or those that belong to the records by the file's name. */
static int reader_find_labels(struct reader *reader) {
  const struct source *source = &reader->source;
  const struct format *format = source->format;
  const char *unit = reader->options.partition ? reader->encoding->unit : NULL;
  char *guess = NULL;
  int code = EXIT_OK;
  if (reader->options.labels != LABELS_IGNORE) {
    if (!source->labels && format->guess_labels) guess = format->guess_labels(source->file);
    if (source->labels || guess)
      code = reader_open_labels(reader, guess ? guess : source->labels, unit);
    else if (reader->options.labels == LABELS_REQUIRE)
      code = error_report(EXIT_INPUT, "%s: no labels: name their file after a comma, as in x.npy,y.npy%s",
                          source->stream.path, format->guess_hint ? format->guess_hint : "");
    free(guess);
  }
  if (!code && unit && !reader->has_labels)
    code = error_report(EXIT_INPUT, "%s: --unit needs a CSV of labels and units, named after a comma",
                        source->stream.path);
  return code;
}

/* Are these records such as the encoding is for? */
static int reader_begin(struct reader *reader) {
  const struct encoding *encoding = reader->encoding;
  const struct source *source = &reader->source;
  const struct format *format = source->format;
  const char *path = source->stream.path;
  int code;
  if (format != encoding->format)
    return error_report(EXIT_INPUT, "%s: this is %s, but the public file or schema is %s", path, format->name,
                        encoding->format->name);
  if (reader->options.labels != LABELS_IGNORE && encoding->classes.count == 0)
    return error_report(EXIT_INPUT, "%s: the classes must be declared: --classes no,yes", path);
  code = format->check ? format->check(source) : EXIT_OK;
  if (!code && source->numbers && source->numbers != encoding->raw_columns)
    code = error_report(EXIT_INPUT, "%s: records of %llu numbers, but the encoding is for %u", path,
                        (unsigned long long)source->numbers, encoding->raw_columns);
  if (!code && format->begin) code = format->begin(reader);
  if (!code && format->traits & FORMAT_LABELS_BESIDE) code = reader_find_labels(reader);
  return code;
}

int reader_open(struct reader *reader, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  int code;
  memset(reader, 0, sizeof *reader);
  reader->encoding = encoding;
  if (options) reader->options = *options;
  code = source_open(&reader->source, path, NULL, &encoding->style);
  if (code) return code;
  rows_init(&reader->stage[0], encoding->raw_columns, encoding->raw_is_dense);
  rows_init(&reader->line, encoding->raw_columns, 0);
  code = reader_begin(reader);
  if (code) reader_close(reader);
  return code;
}

void reader_close(struct reader *reader) {
  source_close(&reader->source);
  if (reader->has_labels) source_close(&reader->labels);
  for (size_t s = 0; s < FEATURES_STEPS; s++)
    rows_free(&reader->stage[s]);
  rows_free(&reader->line);
  free(reader->place);
  memset(reader, 0, sizeof *reader);
}

/* ---- one record ---- */

/* The source in which the label and the named unit of a record stand. */
static const struct source *reader_labels(const struct reader *reader) {
  return reader->has_labels ? &reader->labels : &reader->source;
}

/* A label that is not a class: the line lists the classes, "a, b, c, d, e and 7 more", and, unless the file is private, which
 * one is spelt nearly so. */
static int reader_refuse_label(const struct reader *reader, const struct cell *cell) {
  const struct classes *classes = &reader->encoding->classes;
  char where[SOURCE_PLACE], names[512] = "", near[128] = "";
  struct guess guess;
  size_t used = 0;
  source_place(reader_labels(reader), where);
  if (cell->length == 0) return error_report(EXIT_INPUT, "%s: the label is missing", where);
  guess_begin(&guess, cell->text, cell->length);
  for (uint32_t i = 0; i < classes->count && used < sizeof names - 1; i++) {
    struct quote quote;
    int is_last = i == READER_NAMED && classes->count > READER_NAMED + 1;
    int n = is_last ? snprintf(names + used, sizeof names - used, " and %u more", classes->count - i)
                    : snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                               quote_name(&quote, classes->name[i], strlen(classes->name[i])));
    if (is_last) break;
    used += n > 0 ? (size_t)n : 0;
  }
  for (uint32_t i = 0; !error_is_private() && i < classes->count; i++)
    guess_try(&guess, classes->name[i]);
  if (guess.best[0]) snprintf(near, sizeof near, "; it is spelt nearly as '%s'", guess.best);
  return error_report(EXIT_INPUT, "%s: the label is not one of the declared classes: %s%s", where, names, near);
}

/* The next label of the file of them; `number` is room for one that is a number. */
static int reader_next_label(struct source *labels, struct cell *label, char number[READER_NUMBER]) {
  char where[SOURCE_PLACE];
  double value;
  int more = 0, code = source_next(labels, &more);
  if (code) return code;
  if (!more)
    return error_report(EXIT_INPUT, "%s: only %llu labels, but there are more records", labels->stream.path,
                        (unsigned long long)labels->at);
  *label = labels->label;
  if (!labels->format->label_number) return EXIT_OK;
  value = labels->format->label_number(labels);
  if (!(fabs(value) <= READER_EXACT) || value != floor(value))
    return error_report(EXIT_INPUT, "%s: the label is not a whole number", source_place(labels, where));
  label->length = (size_t)snprintf(number, READER_NUMBER, "%.0f", value + 0); /* no minus before a zero */
  label->text = number;
  return EXIT_OK;
}

/* The label of the current record. One amid a buffer is nearly always spelled as it was declared, which is found faster. */
static int reader_label(struct reader *reader, int32_t *label) {
  const struct classes *classes = &reader->encoding->classes;
  int is_beside = reader->source.format->traits & FORMAT_LABELS_BESIDE, code = EXIT_OK;
  struct cell cell = reader->source.label;
  uint32_t found = NAMESET_NONE;
  char number[READER_NUMBER];
  *label = ROWS_UNLABELLED;
  if (reader->has_labels) code = reader_next_label(&reader->labels, &cell, number);
  if (code || reader->options.labels == LABELS_IGNORE || (is_beside && !reader->has_labels)) return code;
  if (cell.length && !is_beside) found = nameset_amid(&classes->texts, cell.text, cell.length);
  if (found != NAMESET_NONE) return *label = (int32_t)classes->texts.times[found], EXIT_OK;
  if (cell.length == 0 && reader->options.labels == LABELS_OPTIONAL) return EXIT_OK;
  *label = cell.length ? classes_find(classes, cell.text, cell.length) : -1;
  return *label < 0 ? reader_refuse_label(reader, &cell) : EXIT_OK;
}

/* The partition word of the unit that the record names, or of the record itself: its bytes, and its label where that stands
 * beside it. */
static int reader_unit(struct reader *reader, int32_t label, uint64_t *unit) {
  struct source *source = &reader->source;
  const struct source *named = reader_labels(reader);
  struct cell record = source->record;
  *unit = 0;
  if (!reader->options.partition) return EXIT_OK;
  if (named->unit_cell != SOURCE_ABSENT) {
    if (named->unit.length == 0) return source_refuse(named, named->lines.line, named->unit_cell, "the unit is empty");
    *unit = partition_name(reader->options.partition, named->unit.text, named->unit.length);
    return EXIT_OK;
  }
  if (source->item) {
    memcpy(source->item + source->size, &label, sizeof label);
    record.length += sizeof label;
  }
  return partition_record(reader->options.partition, record.text, record.length, unit);
}

/* From here on error lines are kept, where records that cannot be read are taken in. */
static void reader_listen(const struct reader *reader) {
  struct reader_unread *unread = reader->options.unread;
  if (!unread) return;
  unread->last[0] = '\0';
  error_capture(unread->last, sizeof unread->last);
}

/* Ends that. A record of zeros takes the place of one that could not be read; what is wrong with more than the record is
 * said after all. */
static int reader_judge(const struct reader *reader, struct rows *rows, int code, int is_own) {
  struct reader_unread *unread = reader->options.unread;
  uint64_t line = reader->source.size ? reader->source.at : reader->source.lines.line;
  if (!unread) return code;
  error_capture(NULL, 0);
  if (!code) return code;
  if (code != EXIT_INPUT || !is_own) return unread->last[0] ? error_report(code, "%s", unread->last) : code;
  code = rows_reserve_one(rows, 0);
  if (code) return code;
  if (unread->count++ == 0) memcpy(unread->first, unread->last, sizeof unread->first);
  if (rows->is_dense)
    rows_push_dense(rows, ROWS_UNREAD, 0, line);
  else
    rows_push_sparse(rows, rows->start[rows->count], ROWS_UNREAD, 0, line);
  return EXIT_OK;
}

static int reader_next_record(struct reader *reader, struct rows *rows) {
  const struct reader_options *options = &reader->options;
  size_t before = rows->count;
  uint64_t unit = 0;
  int32_t label;
  int more, code;
  reader_listen(reader);
  code = source_next(&reader->source, &more);
  code = reader_judge(reader, rows, code, more && options->unread && !options->unread->needs_cells);
  if (!code && rows->count > before) return reader->records++, EXIT_OK;
  if (code || !more) {
    reader->is_finished = 1;
    /* Past the last record the labels must be at their end too; a range may stop earlier. */
    if (!code && reader->has_labels && reader->source.at == reader->source.items)
      code = source_next(&reader->labels, &more);
    if (!code && more)
      code = error_report(EXIT_INPUT, "%s: more labels than the %llu records", reader->labels.stream.path,
                          (unsigned long long)reader->labels.at - 1);
    return code;
  }
  code = reader_label(reader, &label);
  if (!code) code = reader_unit(reader, label, &unit);
  if (code) return code;
  reader_listen(reader);
  code = reader_judge(reader, rows, reader->source.format->add(reader, rows, label, unit), 1);
  if (!code && options->overlap) {
    const struct format *format = reader->source.format;
    code = overlap_add(options->overlap, format->word ? format->word(reader) : overlap_row(rows, rows->count - 1));
  }
  if (code) return code;
  reader->records++;
  if (options->teachers) { /* forgets a record that belongs to a teacher elsewhere */
    uint32_t teacher = fumata_partition_teacher(unit, options->teachers);
    if (teacher < options->first || teacher >= options->last) rows->count--;
  }
  return EXIT_OK;
}

/* Up to `max` records before the steps. */
static int reader_next_raw(struct reader *reader, struct rows *rows, size_t max) {
  int code = EXIT_OK;
  for (size_t i = 0; i < max && !reader->is_finished && !code; i++)
    code = reader_next_record(reader, rows);
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

/* ---- the whole file ---- */

/* Room for the whole of a text file is guessed from its first records once they are read: rows that grow step by step are
 * copied again and again, and need twice their memory while they are. */
int reader_load(struct rows *rows, const char *path, const struct encoding *encoding,
                const struct reader_options *options) {
  struct reader reader;
  const struct source *source = &reader.source;
  struct progress progress;
  uint64_t done, total;
  double times = 0;
  int code;
  rows_init(rows, encoding->columns, encoding->is_dense);
  code = reader_open(&reader, path, encoding, options);
  if (code) return code;
  code = reader_next(&reader, rows, READER_FIRST);
  if (source->stream.is_plain && source->last == UINT64_MAX && !source->first && source->lines.passed)
    times = (double)source->stream.size / (double)source->lines.passed * READER_MARGIN - 1;
  if (!code && !reader.is_finished && times > 0)
    code = rows_reserve(rows, (size_t)(times * (double)rows->count), (size_t)(times * (double)rows_entries(rows)));
  stream_position(&source->stream, &done, &total);
  progress_start(&progress, "reading records", total);
  while (!code && !reader.is_finished) {
    code = reader_next(&reader, rows, READER_BATCH);
    stream_position(&source->stream, &done, &total);
    progress_step(&progress, total ? done : reader.records);
  }
  progress_end(&progress);
  if (!code && reader.records == 0) code = error_report(EXIT_INPUT, "%s: no records", path);
  reader_close(&reader);
  if (code) rows_free(rows);
  return code;
}
