#include "data/label_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define LABEL_FILE_EXACT 9007199254740992.0 /* 2^53: whole numbers up to here have their own double */

/* Which columns hold label and unit; of numbers, are there as many as records? */
static int label_file_begin(struct source *source, const struct source *records, const char *label, const char *unit) {
  const char *path = source->stream.path;
  char names[FORMAT_NAMES];
  int code = EXIT_OK;
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

int label_file_open(struct label_file *file, const char *path, const struct source *records, const char *label,
                    const char *unit) {
  int code = source_open(&file->source, path, NULL, NULL);
  if (code) return code;
  file->source.first = records->first;
  code = label_file_begin(&file->source, records, label, unit);
  if (code) label_file_close(file);
  return code;
}

void label_file_close(struct label_file *file) {
  source_close(&file->source);
}

int label_file_next(struct label_file *file, struct cell *label) {
  struct source *source = &file->source;
  char where[SOURCE_PLACE];
  double value;
  int more = 0, code = source_next(source, &more);
  if (code) return code;
  if (!more)
    return error_report(EXIT_INPUT, "%s: only %llu labels, but there are more records", source->stream.path,
                        (unsigned long long)source->at);
  *label = source->label;
  if (!source->format->label_number) return EXIT_OK;
  value = source->format->label_number(source);
  if (!(fabs(value) <= LABEL_FILE_EXACT) || value != floor(value))
    return error_report(EXIT_INPUT, "%s: the label is not a whole number", source_place(source, where));
  label->length = (size_t)snprintf(file->number, sizeof file->number, "%.0f", value + 0); /* no minus before a zero */
  label->text = file->number;
  return EXIT_OK;
}

int label_file_end(struct label_file *file) {
  int more = 0, code = source_next(&file->source, &more);
  if (code || !more) return code;
  return error_report(EXIT_INPUT, "%s: more labels than the %llu records", file->source.stream.path,
                      (unsigned long long)file->source.at - 1);
}
