#include "data/advice.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/memory.h"
#include "base/quote.h"
#include "data/source.h"

#define ADVICE_NAMED  6   /* columns that a line names */
#define ADVICE_LIST   400 /* bytes of their names */
#define ADVICE_NEARLY 0.9 /* share of cells from which the others look like a mistake */
#define ADVICE_RARE   0.5 /* share of cells that count as one value: free text */
#define ADVICE_LEAST  20  /* records from which an id is told from a number */
#define ADVICE_DENSE                                                                                                   \
  10 /* different whole numbers within this many times their count are row numbers in another order ... */
#define ADVICE_MANY      200   /* ... in at least this many records: by chance they would repeat */
#define ADVICE_LABELS    10000 /* public labels that are compared with the classes */
#define ADVICE_STRANGERS 256   /* different ones among them that are not classes */
#define ADVICE_SHARE     10    /* a name that says id is believed from one value in this many records */

/* ---- one column ---- */

static uint64_t advice_cells(const struct column *column) {
  return column->seen.numbers + column->seen.texts;
}

/* As categories, or, where nearly all differ, not used at all. */
static int advice_has_commas(const struct column *column) {
  const struct column_seen *seen = &column->seen;
  return (column->kind == COLUMN_CATEGORY || column->kind == COLUMN_SKIP) && seen->commas &&
         (double)(seen->numbers + seen->commas) >= ADVICE_NEARLY * (double)advice_cells(column);
}

/* Does a name say so: id, patient_id, patientId, row number? */
static int advice_says_id(const char *name) {
  static const char *const whole[] = {"id", "uid", "uuid", "guid", "index", "key", "row", "nr", "unnamed: 0"};
  static const char *const ends[] = {"id", "uuid", "nr", "nbr", "key", "no", "num", "number", "index"};
  size_t length = strlen(name);
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (strcasecmp(name, whole[i]) == 0) return 1;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    size_t end = strlen(ends[i]);
    if (length > end && strchr("_-. ", name[length - end - 1]) && strcasecmp(name + length - end, ends[i]) == 0)
      return 1;
  }
  return length > 2 && (strcmp(name + length - 2, "Id") == 0 || strcmp(name + length - 2, "ID") == 0) &&
         islower((unsigned char)name[length - 3]);
}

static int advice_is_id(const struct column *column) {
  const struct column_seen *seen = &column->seen;
  uint64_t cells = advice_cells(column);
  int is_whole = !seen->texts && seen->is_whole, is_unique = seen->distinct == cells && !seen->is_crowded;
  if (column->kind == COLUMN_SKIP || column->kind == COLUMN_DATE || cells < ADVICE_LEAST) return 0;
  if (advice_has_commas(column)) return 0;
  if (is_whole && seen->is_rising) return 1;
  if (is_whole && is_unique && cells >= ADVICE_MANY && column->high - column->low < ADVICE_DENSE * (double)cells)
    return 1;
  if (seen->texts == cells && is_unique) return 1;
  return (is_whole || seen->texts == cells) && advice_says_id(column->name) &&
         seen->distinct > cells / ADVICE_SHARE + ADVICE_LEAST;
}

static int advice_is_text(const struct column *column) {
  const struct column_seen *seen = &column->seen;
  return column->kind == COLUMN_CATEGORY && !advice_has_commas(column) && !advice_is_id(column) &&
         seen->texts > seen->numbers && (double)seen->dates < ADVICE_NEARLY * (double)advice_cells(column) &&
         (double)seen->rare > ADVICE_RARE * (double)advice_cells(column);
}

static int advice_is_either(const struct column *column) {
  return column->seen.is_either_order;
}

/* ---- several of them ---- */

/* `column "a" has`, `columns "a", "b" have`: those that `is_so` is said of. Returns how many there are. */
static size_t advice_list(const struct encoding *encoding, int (*is_so)(const struct column *),
                          char list[ADVICE_LIST]) {
  size_t count = 0, used = 0;
  for (size_t c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    struct quote quote;
    if (!is_so(column)) continue;
    if (count++ < ADVICE_NAMED && used < ADVICE_LIST)
      used += (size_t)snprintf(list + used, ADVICE_LIST - used, "%s%s", count > 1 ? ", " : "",
                               quote_name(&quote, column->name, strlen(column->name)));
  }
  if (count > ADVICE_NAMED && used < ADVICE_LIST)
    snprintf(list + used, ADVICE_LIST - used, " and %zu more", count - ADVICE_NAMED);
  return count;
}

/* The same columns as --skip wants them. */
static const char *advice_skip(const struct encoding *encoding, int (*is_so)(const struct column *),
                               char list[ADVICE_LIST]) {
  size_t count = 0, used = 0;
  for (size_t c = 0; c < encoding->column_count; c++)
    if (is_so(&encoding->column[c]) && count++ < ADVICE_NAMED && used < ADVICE_LIST)
      used += (size_t)snprintf(list + used, ADVICE_LIST - used, "%s%s", count > 1 ? "," : "", encoding->column[c].name);
  if (count > ADVICE_NAMED && used < ADVICE_LIST) snprintf(list + used, ADVICE_LIST - used, ",...");
  return list;
}

/* Two categories that are the same but for upper and lower case. */
static void advice_case(const char *path, const struct column *column) {
  const struct nameset *set = &column->categories;
  for (uint32_t i = 0; i < set->count; i++)
    for (uint32_t j = i + 1; j < set->count; j++) {
      struct quote name, one, other;
      if (strcasecmp(nameset_text(set, i), nameset_text(set, j)) != 0) continue;
      error_warn("WARNING: %s: column %s has values that differ by upper and lower case only, and count as different "
                 "ones (%s and %s); make them alike in all files",
                 path, quote_name(&name, column->name, strlen(column->name)),
                 quote_name(&one, nameset_text(set, i), nameset_length(set, i)),
                 quote_name(&other, nameset_text(set, j), nameset_length(set, j)));
      return;
    }
}

/* A column that a few cells keep from being dates. */
static void advice_dates(const char *path, const struct column *column) {
  const struct column_seen *seen = &column->seen;
  uint64_t cells = advice_cells(column);
  struct quote name, text;
  if (column->kind == COLUMN_DATE || !seen->dates || (double)seen->dates < ADVICE_NEARLY * (double)cells) return;
  error_warn("WARNING: %s: column %s is dates but for %llu of %llu cells, so it was read as categories; the first of "
             "them is %s in line %llu; if that means missing: --missing %s",
             path, quote_name(&name, column->name, strlen(column->name)), (unsigned long long)(cells - seen->dates),
             (unsigned long long)cells,
             quote_name(&text, seen->text ? seen->text : "", strlen(seen->text ? seen->text : "")),
             (unsigned long long)seen->text_line, text.text);
}

void advice_columns(const char *path, const struct encoding *encoding) {
  char list[ADVICE_LIST], skip[ADVICE_LIST];
  size_t count = advice_list(encoding, advice_has_commas, list);
  if (count)
    error_warn("WARNING: %s: column%s %s ha%s numbers with a decimal comma, not read as numbers: --decimal ,", path,
               count > 1 ? "s" : "", list, count > 1 ? "ve" : "s");
  count = advice_list(encoding, advice_is_id, list);
  if (count)
    error_warn(
        "WARNING: %s: column%s %s look%s like %s and %s: --skip %s; or --unit COLUMN, where it says whose record "
        "it is",
        path, count > 1 ? "s" : "", list, count > 1 ? "" : "s", count > 1 ? "ids" : "an id",
        count > 1 ? "are features" : "is a feature", advice_skip(encoding, advice_is_id, skip));
  count = advice_list(encoding, advice_is_text, list);
  if (count)
    error_warn("WARNING: %s: column%s %s ha%s texts that hardly repeat, and most count as one value, which tells "
               "nothing: --skip %s",
               path, count > 1 ? "s" : "", list, count > 1 ? "ve" : "s", advice_skip(encoding, advice_is_text, skip));
  count = advice_list(encoding, advice_is_either, list);
  if (count)
    error_warn("WARNING: %s: column%s %s ha%s dates that may have the day or the month first; read as month first; a "
               "schema says otherwise: date dmy",
               path, count > 1 ? "s" : "", list, count > 1 ? "ve" : "s");
  for (size_t c = 0; c < encoding->column_count; c++) {
    advice_dates(path, &encoding->column[c]);
    if (encoding->column[c].kind == COLUMN_CATEGORY) advice_case(path, &encoding->column[c]);
  }
}

/* ---- the headers ---- */

/* Is a name the label, the unit or one of the encoding's columns? */
static int advice_is_known(const struct encoding *encoding, const char *name) {
  if (encoding_is_apart(encoding, name)) return 1;
  for (size_t c = 0; c < encoding->column_count; c++)
    if (strcmp(encoding->column[c].name, name) == 0) return 1;
  return 0;
}

/* Is it a header at all? A record in its place is not shown. */
static int advice_is_header(const struct encoding *encoding, const struct nameset *header) {
  if (encoding->label && nameset_find(header, encoding->label, strlen(encoding->label)) == NAMESET_NONE) return 0;
  for (size_t c = 0; c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    if (column->kind != COLUMN_SKIP && nameset_find(header, column->name, strlen(column->name)) == NAMESET_NONE)
      return 0;
  }
  return 1;
}

static void advice_headers(const char *path, const char *private_path, const struct encoding *encoding,
                           const struct nameset *header) {
  char list[ADVICE_LIST];
  size_t count = 0, used = 0;
  if (!advice_is_header(encoding, header)) return;
  for (uint32_t i = 0; i < header->count; i++) {
    struct quote quote;
    if (advice_is_known(encoding, nameset_text(header, i))) continue;
    if (count++ < ADVICE_NAMED && used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", count > 1 ? ", " : "",
                               quote_name(&quote, nameset_text(header, i), nameset_length(header, i)));
  }
  if (count > ADVICE_NAMED && used < sizeof list)
    snprintf(list + used, sizeof list - used, " and %zu more", count - ADVICE_NAMED);
  if (count)
    error_warn("WARNING: %s: column%s %s of %s %s not here, and %s not used", path, count > 1 ? "s" : "", list,
               private_path, count > 1 ? "are" : "is", count > 1 ? "are" : "is");
}

/* Opens a CSV file with a header that can be read again. Returns 0 if it is not such a file. */
static int advice_open(struct source *source, const char *path, const struct encoding *encoding) {
  struct stat about;
  char *file, *labels, unsaid[64];
  uint64_t first, last;
  int is_plain, code;
  if (encoding->format != &format_csv || encoding->style.no_header) return 0;
  if (source_range(path, &file, &labels, &first, &last)) return 0;
  is_plain = stat(file, &about) == 0 && S_ISREG(about.st_mode);
  free(file);
  free(labels);
  if (!is_plain) return 0;
  error_capture(unsaid, sizeof unsaid);
  code = source_open(source, path, &format_csv, &encoding->style);
  error_capture(NULL, 0);
  return !code;
}

/* ---- names that were typed ---- */

/* A column that an option names: the public file need not have it, but one that is called nearly so is a feature. */
static void advice_name(const char *path, const struct nameset *header, const char *option, const char *name) {
  struct quote quote, near;
  struct guess guess;
  if (!name || nameset_find(header, name, strlen(name)) != NAMESET_NONE) return;
  guess_begin(&guess, name, strlen(name));
  for (uint32_t i = 0; i < header->count; i++)
    guess_try(&guess, nameset_text(header, i));
  if (guess.best[0])
    error_warn("WARNING: %s: no column %s (%s), but %s, which is a feature; did you mean that?", path,
               quote_name(&quote, name, strlen(name)), option, quote_name(&near, guess.best, strlen(guess.best)));
}

/* Classes that no public label has, beside public labels that no class has. */
static void advice_classes(const char *path, const struct classes *classes, const unsigned char *is_seen,
                           const struct nameset *strangers) {
  struct quote quote, near;
  int is_said = !strangers->count;
  for (uint32_t c = 0; c < classes->count; c++) {
    struct guess guess;
    is_said |= is_seen[c];
    if (is_seen[c]) continue;
    guess_begin(&guess, classes->name[c], strlen(classes->name[c]));
    for (uint32_t i = 0; i < strangers->count; i++)
      guess_try(&guess, nameset_text(strangers, i));
    if (!guess.best[0]) continue;
    is_said = 1;
    error_warn("WARNING: %s: no label is %s (--classes), but one is %s; did you mean that?", path,
               quote_name(&quote, classes->name[c], strlen(classes->name[c])),
               quote_name(&near, guess.best, strlen(guess.best)));
  }
  if (!is_said)
    error_warn("WARNING: %s: no label is one of the classes (--classes): one is %s", path,
               quote_name(&near, nameset_text(strangers, 0), nameset_length(strangers, 0)));
}

void advice_names(const char *path, const struct encoding *encoding) {
  const struct classes *classes = &encoding->classes;
  struct source source;
  struct nameset strangers;
  unsigned char *is_seen = NULL;
  char unsaid[64];
  uint32_t number, unused;
  int more = 1, code;
  if (!advice_open(&source, path, encoding)) return;
  advice_name(path, &source.header, "--label", encoding->label);
  advice_name(path, &source.header, "--unit", encoding->unit);
  number = encoding->label ? nameset_find(&source.header, encoding->label, strlen(encoding->label)) : NAMESET_NONE;
  nameset_init(&strangers);
  code = memory_take(&is_seen, classes->count, 1);
  error_capture(unsaid, sizeof unsaid); /* whoever reads all of it says what is wrong with it */
  for (size_t i = 0; !code && more && number != NAMESET_NONE && i < ADVICE_LABELS; i++) {
    const struct cell *cell;
    int32_t label;
    code = source_next(&source, &more);
    if (code || !more) break;
    cell = &source.csv.cell[number];
    if (cell->length == 0) continue;
    label = classes_find(classes, cell->text, cell->length);
    if (label >= 0)
      is_seen[label] = 1;
    else if (strangers.count < ADVICE_STRANGERS)
      code = nameset_add(&strangers, cell->text, cell->length, &unused);
  }
  error_capture(NULL, 0);
  if (!code) advice_classes(path, classes, is_seen, &strangers);
  nameset_free(&strangers);
  free(is_seen);
  source_close(&source);
}

void advice_unused(const char *path, const char *private_path, const struct encoding *encoding) {
  struct source source;
  if (!advice_open(&source, private_path, encoding)) return;
  advice_headers(path, private_path, encoding, &source.header);
  source_close(&source);
}
