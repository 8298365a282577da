#include "data/label_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/quote.h"

#define LABEL_FILE_EXACT 9007199254740992.0 /* 2^53: whole numbers up to here have their own double */

static int label_file_open_csv(struct label_file *file, const char *label, const char *unit) {
  const struct source *source = &file->source;
  int code = EXIT_OK;
  if (label)
    code = source_column(source, label, &file->label);
  else if (source->header.count == 1)
    file->label = 0;
  else
    code = error_report(EXIT_INPUT, "%s: which column is the label? (--label COLUMN)", source->stream.path);
  if (!code && unit) code = source_column(source, unit, &file->unit);
  return code;
}

/* As many labels as records, where the header tells. */
static int label_file_open_items(const struct label_file *file, const struct source *records, const char *unit) {
  const struct source *source = &file->source;
  if (source->format == FORMAT_IDX ? source->idx.size != 1 : source->npy.columns != 1)
    return error_report(EXIT_INPUT, "%s: labels have one dimension", source->stream.path);
  if (source_items(source) != source_items(records))
    return error_report(EXIT_INPUT, "%s: %llu labels for %llu records", source->stream.path,
                        (unsigned long long)source_items(source), (unsigned long long)source_items(records));
  if (unit)
    return error_report(EXIT_INPUT, "%s: --unit names a CSV column: give labels and units as CSV", source->stream.path);
  return EXIT_OK;
}

int label_file_open(struct label_file *file, const char *path, const struct source *records, const char *label,
                    const char *unit) {
  int code;
  memset(file, 0, sizeof *file);
  code = source_open(&file->source, path, FORMAT_AUTO, NULL);
  if (code) return code;
  file->label = file->unit = LABEL_FILE_ABSENT;
  file->source.first = records->first;
  if (file->source.format == FORMAT_CSV)
    code = label_file_open_csv(file, label, unit);
  else if (file->source.format == FORMAT_LIBSVM)
    code = error_report(EXIT_INPUT, "%s: labels come as idx, .npy or CSV with a header", path);
  else
    code = label_file_open_items(file, records, unit);
  if (code) label_file_close(file);
  return code;
}

void label_file_close(struct label_file *file) {
  source_close(&file->source);
  memset(file, 0, sizeof *file);
}

/* The next one as it stands in the file; *more = 0 behind the last. */
static int label_file_read(struct label_file *file, int *more) {
  struct source *source = &file->source;
  if (source->format == FORMAT_CSV) return source_next_csv(source, more);
  return source_next_item(source, file->item, more);
}

void label_file_place(const struct label_file *file, char *text, size_t size) {
  const struct source *source = &file->source;
  struct quote quote;
  if (source->format == FORMAT_CSV)
    snprintf(text, size, "%.4000s:%llu:%zu (%s)", source->stream.path, (unsigned long long)source->lines.line,
             file->label + 1,
             quote_name(&quote, nameset_text(&source->header, (uint32_t)file->label),
                        nameset_length(&source->header, (uint32_t)file->label)));
  else
    snprintf(text, size, "%.4000s: item %llu", source->stream.path, (unsigned long long)source->at);
}

static int label_file_number(struct label_file *file) {
  char where[4096 + 128];
  double value = file->source.format == FORMAT_IDX ? file->item[0] : npy_number(file->source.npy.type, file->item);
  if (fabs(value) <= LABEL_FILE_EXACT && value == floor(value)) {
    snprintf(file->number, sizeof file->number, "%.0f", value + 0); /* no minus before a zero */
    return EXIT_OK;
  }
  label_file_place(file, where, sizeof where);
  return error_report(EXIT_INPUT, "%s: the label is not a whole number", where);
}

int label_file_next(struct label_file *file, const char **text, size_t *length) {
  int more = 0, code = label_file_read(file, &more);
  if (code) return code;
  if (!more)
    return error_report(EXIT_INPUT, "%s: only %llu labels, but there are more records", file->source.stream.path,
                        (unsigned long long)file->source.at);
  if (file->source.format == FORMAT_CSV) {
    *text = file->source.csv.cell[file->label].text;
    *length = file->source.csv.cell[file->label].length;
    return EXIT_OK;
  }
  code = label_file_number(file);
  *text = file->number;
  *length = strlen(file->number);
  return code;
}

void label_file_unit(const struct label_file *file, const char **text, size_t *length) {
  *text = "";
  *length = 0;
  if (file->unit == LABEL_FILE_ABSENT) return;
  *text = file->source.csv.cell[file->unit].text;
  *length = file->source.csv.cell[file->unit].length;
}

int label_file_end(struct label_file *file) {
  int more = 0, code = label_file_read(file, &more);
  if (code || !more) return code;
  return error_report(EXIT_INPUT, "%s: more labels than the %llu records", file->source.stream.path,
                      (unsigned long long)file->source.at - 1);
}
