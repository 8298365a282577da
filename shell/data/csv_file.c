/* CSV as a format of records: a header that names columns, and rules by which each column's cells become features. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nameset.h"
#include "base/number.h"
#include "base/quote.h"
#include "data/reader.h"

/* ---- the header ---- */

/* Does the first line look as a header should? One column whose name holds another delimiter than ours was cut wrongly;
 * nothing but numbers, which do not count up by one, is a record. */
static int csv_file_check_header(const struct source *source) {
  const struct csv *csv = &source->csv;
  int is_record = csv->cells > 1, is_counting = 1;
  double x, before = 0;
  for (const char *other = ";\t|,"; csv->cells == 1 && *other; other++)
    if (*other != csv->delimiter && memchr(csv->cell[0].text, *other, csv->cell[0].length))
      return error_report(EXIT_INPUT, "%s:1: one column only; is the delimiter another one? (--delimiter %s)",
                          source->stream.path, *other == '\t' ? "tab" : (char[]){'\'', *other, '\'', '\0'});
  for (size_t i = 0; i < csv->cells && is_record; i++) {
    is_record = number_parse(csv->cell[i].text, csv->cell[i].length, &x) == NUMBER_OK;
    is_counting = is_counting && (i == 0 || x == before + 1);
    before = x;
  }
  if (!is_record || is_counting) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s:1: nothing but numbers where the header should be; --no-header if there is none",
                      source->stream.path);
}

/* The names of the columns; in a file without a header they are called 1, 2, ... */
static int csv_file_open(struct source *source) {
  struct csv *csv = &source->csv;
  struct quote quote;
  int more, has_header = !source->has_record, code;
  csv->keep_record = !has_header; /* it is a record, and a reader may want its bytes */
  code = csv_next(csv, &more);
  if (code) return code;
  if (!more) return error_report(EXIT_INPUT, "%s: no header line", source->stream.path);
  code = has_header ? csv_file_check_header(source) : EXIT_OK;
  for (size_t i = 0; !code && i < csv->cells; i++) {
    struct cell name = csv->cell[i];
    char count[24];
    uint32_t number = 0;
    if (!has_header) name = (struct cell){count, (size_t)snprintf(count, sizeof count, "%zu", i + 1)};
    if (name.length == 0)
      return error_report(EXIT_INPUT,
                          "%s:1:%zu: a column without a name in the header; pandas writes its index so: to_csv(..., "
                          "index=False), or name it",
                          source->stream.path, i + 1);
    code = nameset_add(&source->header, name.text, name.length, &number);
    if (!code && number != i)
      return error_report(EXIT_INPUT, "%s:1:%zu (%s): two columns have this name", source->stream.path, i + 1,
                          quote_name(&quote, name.text, name.length));
  }
  csv->expected = csv->cells;
  return code;
}

static int csv_file_next(struct source *source, int *more) {
  struct csv *csv = &source->csv;
  int code = EXIT_OK;
  *more = 1;
  if (!source->has_record) code = csv_next(csv, more);
  source->has_record = 0;
  if (code || !*more) return code;
  source->record = (struct cell){csv->record, csv->record_length};
  if (source->label_cell != SOURCE_ABSENT) source->label = csv->cell[source->label_cell];
  if (source->unit_cell != SOURCE_ABSENT) source->unit = csv->cell[source->unit_cell];
  return EXIT_OK;
}

/* Whatever is not recognised as something else. */
static int csv_file_recognise(const unsigned char *bytes, size_t length) {
  (void)bytes;
  (void)length;
  return 1;
}

/* ---- the public file ---- */

/* The encoding's columns: those that a schema stated, which must be there unless they are not used, then the file's others.
 * place[c] is the cell of column c. */
static int csv_file_columns(struct encoding *encoding, const struct source *source, size_t **place) {
  size_t stated = encoding->column_count, capacity = stated;
  int code = memory_take(place, stated + source->header.count, sizeof **place);
  for (size_t c = 0; !code && c < stated; c++) {
    struct column *column = &encoding->column[c];
    uint32_t cell = nameset_find(&source->header, column->name, strlen(column->name));
    if (encoding_is_apart(encoding, column->name)) column->kind = COLUMN_SKIP;
    if (cell == NAMESET_NONE && (column->kind != COLUMN_SKIP || column->is_asked))
      return source_lacks(source, column->name, column->is_asked ? " in the header" : ", which the schema states");
    (*place)[c] = cell == NAMESET_NONE ? 0 : cell;
  }
  for (uint32_t cell = 0; !code && cell < source->header.count; cell++) {
    const char *name = nameset_text(&source->header, cell);
    struct column *column;
    size_t c = 0;
    while (c < stated && ((*place)[c] != cell || strcmp(encoding->column[c].name, name) != 0))
      c++;
    if (c < stated || encoding_is_apart(encoding, name)) continue;
    code = memory_grow(&encoding->column, &capacity, encoding->column_count + 1, sizeof *encoding->column);
    if (code) return code;
    column = &encoding->column[encoding->column_count];
    memset(column, 0, sizeof *column);
    code = memory_print(&column->name, "%s", name);
    if (!code) (*place)[encoding->column_count++] = cell;
  }
  return code;
}

/* Looks at the cells of one record whose columns are not known yet. */
static int csv_file_survey(const struct encoding *encoding, const struct source *source, const size_t *place,
                           struct column_survey *survey) {
  struct date date;
  int code = EXIT_OK;
  for (size_t c = 0; !code && c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    const struct cell *cell = &source->csv.cell[place[c]];
    if (!column_is_open(column)) continue;
    if (encoding_is_missing(encoding, cell->text, cell->length)) {
      survey[c].missing++;
      continue;
    }
    code = column_survey_add(&survey[c], cell->text, cell->length, source->lines.line);
    if (!code && column_is_numeric(column) && survey[c].texts)
      code = source_refuse(source, source->lines.line, place[c], "the cell is not a number");
    if (!code && column->kind == COLUMN_DATE && !date_parse(cell->text, cell->length, column->order, &date))
      code = source_refuse(source, source->lines.line, place[c], "the cell is not a date");
  }
  return code;
}

static int csv_file_fit(struct encoding *encoding, struct source *source) {
  size_t *place = NULL;
  struct column_survey *survey = NULL;
  int more = 1, code = csv_file_columns(encoding, source, &place);
  if (!code) code = memory_take(&survey, encoding->column_count, sizeof *survey);
  for (size_t c = 0; !code && c < encoding->column_count; c++)
    survey[c].decimal = encoding->style.decimal;
  while (!code && more) {
    code = source_next(source, &more);
    if (!code && more) code = csv_file_survey(encoding, source, place, survey);
  }
  for (size_t c = 0; survey && c < encoding->column_count; c++) {
    struct column *column = &encoding->column[c];
    if (!code && column_is_open(column)) {
      if (survey[c].not_finite && !survey[c].texts && column->kind != COLUMN_CATEGORY)
        code = source_refuse(source, survey[c].not_finite, place[c], "the cell is not a finite number");
      else
        code = column_survey_decide(&survey[c], column);
    }
    nameset_free(&survey[c].distinct);
  }
  free(survey);
  free(place);
  return code;
}

/* ---- cells to features ---- */

static int csv_file_begin(struct reader *reader) {
  const struct encoding *encoding = reader->encoding;
  struct source *source = &reader->source;
  const struct partition *partition = reader->options.partition;
  int code = memory_take(&reader->place, encoding->column_count, sizeof *reader->place);
  for (size_t c = 0; !code && c < encoding->column_count; c++)
    if (encoding->column[c].kind != COLUMN_SKIP)
      code = source_column(source, encoding->column[c].name, &reader->place[c]);
  if (code) return code;
  if (reader->options.labels == LABELS_REQUIRE) {
    if (!encoding->label)
      return error_report(EXIT_INPUT, "%s: which column is the label? (--label COLUMN)", source->stream.path);
    code = source_column(source, encoding->label, &source->label_cell);
  } else if (encoding->label && reader->options.labels == LABELS_OPTIONAL) {
    uint32_t number = nameset_find(&source->header, encoding->label, strlen(encoding->label));
    if (number != NAMESET_NONE) source->label_cell = number;
  }
  if (!code && partition && encoding->unit) code = source_column(source, encoding->unit, &source->unit_cell);
  source->csv.keep_record = partition && !encoding->unit && partition->by_content;
  return code;
}

/* The feature that a cell of a category column sets. */
static inline uint32_t csv_file_category(const struct encoding *encoding, const struct column *column,
                                         const struct cell *cell) {
  uint32_t found = nameset_amid(&column->categories, cell->text, cell->length), unseen = column->categories.count;
  if (found != NAMESET_NONE && !column->misses_category) return column->first + found;
  if (encoding_is_missing(encoding, cell->text, cell->length)) return column->first + unseen + 1;
  return column->first + (found == NAMESET_NONE ? unseen : found);
}

/* What a cell of a number column becomes. */
struct csv_file_number {
  float value;
  int is_missing; /* the next feature is 1 */
};

/* Of a cell that is long, has an exponent, is missing or is not a number. Returns NULL, or what is wrong with it. */
static const char *csv_file_unusual(const struct encoding *encoding, const struct column *column,
                                    const struct cell *cell, struct csv_file_number *number) {
  double x;
  number->is_missing = encoding_is_missing(encoding, cell->text, cell->length);
  number->value = (float)column->empty;
  if (number->is_missing) return NULL;
  switch ((encoding->style.decimal ? number_parse_comma : number_parse)(cell->text, cell->length, &x)) {
  case NUMBER_OK:
    number->value = column_scaled(column, x);
    return NULL;
  case NUMBER_NOT_FINITE:
    return "the cell is not a finite number";
  default:
    return "the cell is not a number";
  }
}

static inline const char *csv_file_number(const struct encoding *encoding, const struct column *column,
                                          const struct cell *cell, struct csv_file_number *number) {
  double x;
  if (encoding->misses_number || !number_amid(cell->text, cell->length, &x))
    return csv_file_unusual(encoding, column, cell, number);
  *number = (struct csv_file_number){column_scaled(column, x), 0};
  return NULL;
}

/* All features of a date. Returns NULL, or what is wrong with the cell. */
static const char *csv_file_date(const struct encoding *encoding, const struct column *column, const struct cell *cell,
                                 float feature[COLUMN_DATE_WIDTH]) {
  static const float empty[] = {0, 0.5, 0.5, 0, 1};
  struct date date;
  memcpy(feature, empty, sizeof empty);
  feature[0] = (float)column->empty;
  if (encoding_is_missing(encoding, cell->text, cell->length)) return NULL;
  if (!date_parse(cell->text, cell->length, column->order, &date)) return "the cell is not a date";
  column_place_date(column, &date, feature);
  feature[COLUMN_DATE_WIDTH - 1] = 0;
  return NULL;
}

/* Into a row of zeros. Returns NULL, or what is wrong with column *fault. */
static const char *csv_file_dense(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                                  float *row, size_t *fault) {
  const struct column *column = encoding->column, *end = column + encoding->column_count;
  for (; column < end; column++, place++) {
    struct csv_file_number number;
    const char *cause;
    if (column->kind == COLUMN_SKIP) continue;
    if (column->kind == COLUMN_CATEGORY) {
      row[csv_file_category(encoding, column, &cell[*place])] = 1;
      continue;
    }
    if (column->kind == COLUMN_DATE) {
      cause = csv_file_date(encoding, column, &cell[*place], row + column->first);
      if (cause) return *fault = *place, cause;
      continue;
    }
    cause = csv_file_number(encoding, column, &cell[*place], &number);
    if (cause) return *fault = *place, cause;
    row[column->first] = number.value;
    row[column->first + 1] = (float)number.is_missing;
  }
  return NULL;
}

/* Into index[] and value[], without zeros; *count of them. */
static const char *csv_file_sparse(const struct encoding *encoding, const struct cell *cell, const size_t *place,
                                   uint32_t *index, float *value, size_t *count, size_t *fault) {
  size_t used = 0;
  const struct column *column = encoding->column, *end = column + encoding->column_count;
  for (; column < end; column++, place++) {
    struct csv_file_number number;
    const char *cause;
    if (column->kind == COLUMN_SKIP) continue;
    if (column->kind == COLUMN_CATEGORY) {
      index[used] = csv_file_category(encoding, column, &cell[*place]);
      value[used++] = 1;
      continue;
    }
    if (column->kind == COLUMN_DATE) {
      float feature[COLUMN_DATE_WIDTH];
      cause = csv_file_date(encoding, column, &cell[*place], feature);
      if (cause) return *fault = *place, cause;
      for (uint32_t f = 0; f < COLUMN_DATE_WIDTH; f++) {
        index[used] = column->first + f;
        value[used] = feature[f];
        used += feature[f] != 0;
      }
      continue;
    }
    cause = csv_file_number(encoding, column, &cell[*place], &number);
    if (cause) return *fault = *place, cause;
    index[used] = column->first;
    value[used] = number.value;
    used += number.value != 0;
    if (!number.is_missing) continue;
    index[used] = column->first + 1;
    value[used++] = 1;
  }
  *count = used;
  return NULL;
}

/* The cells stand amid a buffer (amid.h). */
static int csv_file_add(struct reader *reader, struct rows *rows, int32_t label, uint64_t unit) {
  const struct encoding *encoding = reader->encoding;
  const struct cell *cell = reader->source.csv.cell;
  uint64_t line = reader->source.lines.line;
  size_t end, count = 0, fault;
  const char *cause;
  int code = rows_reserve_one(rows, COLUMN_DATE_WIDTH * encoding->column_count + 1);
  if (code) return code;
  if (rows->is_dense) {
    cause = csv_file_dense(encoding, cell, reader->place, rows_push_dense(rows, label, unit, line), &fault);
    if (cause) rows->count--;
  } else {
    end = rows->start[rows->count];
    cause = csv_file_sparse(encoding, cell, reader->place, rows->index + end, rows->value + end, &count, &fault);
    if (!cause) rows_push_sparse(rows, end + count, label, unit, line);
  }
  return cause ? source_refuse(&reader->source, line, fault, cause) : EXIT_OK;
}

/* Cells by what they mean: numbers by their value, what is missing alike, all else by its text. */
static uint64_t csv_file_word(const struct reader *reader) {
  const struct encoding *encoding = reader->encoding;
  uint64_t word = 0;
  for (size_t c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    const struct cell *cell = &reader->source.csv.cell[reader->place[c]];
    struct csv_file_number number;
    if (column->kind == COLUMN_SKIP) continue;
    if (!column_is_numeric(column)) {
      word = encoding_is_missing(encoding, cell->text, cell->length) ? overlap_mix(word, 1)
                                                                     : overlap_text(word, cell->text, cell->length);
    } else if (!csv_file_number(encoding, column, cell, &number)) {
      uint32_t bits;
      memcpy(&bits, &number.value, sizeof bits);
      word = overlap_mix(word, (uint64_t)bits << 1 | (uint64_t)number.is_missing);
    }
  }
  return word;
}

const struct format format_csv = {.name = "CSV",
                                  .keyword = "csv",
                                  .traits = FORMAT_HOLDS_LABELS,
                                  .recognise = csv_file_recognise,
                                  .open = csv_file_open,
                                  .next = csv_file_next,
                                  .fit = csv_file_fit,
                                  .begin = csv_file_begin,
                                  .add = csv_file_add,
                                  .word = csv_file_word};
