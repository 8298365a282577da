#include "data/column_report.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/quote.h"
#include "data/column_survey.h"

#define COLUMN_REPORT_VALUES  4   /* categories that are named */
#define COLUMN_REPORT_NUMERIC 0.9 /* share of numbers from which texts in a column look like a mistake */

/* Is it nearly all numbers, more different ones than codes have, and yet no number? */
static int column_report_is_odd(const struct column *column) {
  const struct column_seen *seen = &column->seen;
  double all = (double)(seen->numbers + seen->texts);
  return seen->texts && !column_is_numeric(column) && seen->distinct > COLUMN_SURVEY_CODES &&
         (double)seen->numbers >= COLUMN_REPORT_NUMERIC * all;
}

static void column_report_categories(FILE *stream, const struct column *column) {
  const struct nameset *set = &column->categories;
  fprintf(stream, "category, %u values: ", set->count);
  for (uint32_t i = 0; i < set->count && i < COLUMN_REPORT_VALUES; i++) {
    struct quote quote;
    fprintf(stream, "%s%s", i ? ", " : "", quote_name(&quote, nameset_text(set, i), nameset_length(set, i)));
  }
  if (set->count > COLUMN_REPORT_VALUES) fputs(", ...", stream);
  if (column->seen.distinct > set->count)
    fprintf(stream, " (%u rarer ones count as one)", column->seen.distinct - set->count);
}

static void column_report_skipped(FILE *stream, const struct column *column) {
  fputs("not used", stream);
  if (column->seen.texts)
    fputs(": nearly every text is different", stream);
  else if (column->seen.missing)
    fputs(": every cell is missing", stream);
}

static void column_report_kind(FILE *stream, const struct column *column) {
  if (column->kind == COLUMN_CATEGORY)
    column_report_categories(stream, column);
  else if (column_is_numeric(column))
    fprintf(stream, "number, %g to %g%s", column->low, column->high,
            column->kind == COLUMN_LOG ? ", by its logarithm (a long tail)" : "");
  else
    column_report_skipped(stream, column);
  if (column->seen.missing) fprintf(stream, "; %" PRIu64 " missing", column->seen.missing);
  if (column_report_is_odd(column)) fputs("; LOOK: nearly all of it are numbers", stream);
}

static void column_report_rest(FILE *stream, const struct column *column, size_t count) {
  size_t numbers = 0, categories = 0;
  for (size_t i = 0; i < count; i++) {
    numbers += (size_t)column_is_numeric(&column[i]);
    categories += column[i].kind == COLUMN_CATEGORY;
  }
  fprintf(stream, "  ... and %zu more: %zu numbers, %zu categories, %zu not used (--verbose shows them)\n", count,
          numbers, categories, count - numbers - categories);
}

void column_report_print(FILE *stream, const struct column *column, size_t count, size_t most) {
  size_t shown = count > most ? most : count;
  int width = 0;
  for (size_t i = 0; i < shown; i++) {
    size_t length = strlen(column[i].name);
    if ((int)length > width) width = length > 24 ? 24 : (int)length;
  }
  for (size_t i = 0; i < shown; i++) {
    struct quote quote;
    const char *name = quote_name(&quote, column[i].name, strlen(column[i].name));
    fprintf(stream, "  %-*s  ", width + 2, name);
    column_report_kind(stream, &column[i]);
    fputc('\n', stream);
  }
  if (shown < count) column_report_rest(stream, column + shown, count - shown);
}

void column_report_warn(const char *path, const struct column *column, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct column_seen *seen = &column[i].seen;
    struct quote name, text;
    if (!column_report_is_odd(&column[i])) continue;
    error_warn("WARNING: %s: column %s is numbers but for %" PRIu64 " of %" PRIu64
               " cells, so it was read as categories; the first of them is %s in line %" PRIu64
               "; if that means missing: --missing %s",
               path, quote_name(&name, column[i].name, strlen(column[i].name)), seen->texts,
               seen->numbers + seen->texts, seen->text ? quote_name(&text, seen->text, strlen(seen->text)) : "a text",
               seen->text_line, seen->text ? text.text : "TEXT");
  }
}
