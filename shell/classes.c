#include "classes.h"

#include <stdlib.h>
#include <string.h>

#include "ballot.h"
#include "grow.h"
#include "number.h"
#include "quote.h"
#include "say.h"

void fumata_classes_init(fumata_classes *classes) {
  memset(classes, 0, sizeof *classes);
}

void fumata_classes_free(fumata_classes *classes) {
  size_t i;
  for (i = 0; i < classes->spellings; i++)
    free(classes->spelling[i].text);
  free(classes->spelling);
  free(classes->name); /* the names are spellings */
  fumata_classes_init(classes);
}

static int fumata_classes_compare(const char *a, const char *text, size_t length) {
  size_t n = strlen(a);
  int order = memcmp(a, text, n < length ? n : length);
  return order ? order : (n > length) - (n < length);
}

/* Where the text is, or where it would have to be put in. */
static size_t fumata_classes_seek(const fumata_classes *classes, const char *text, size_t length) {
  size_t low = 0, high = classes->spellings;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (fumata_classes_compare(classes->spelling[middle].text, text, length) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int32_t fumata_classes_find(const fumata_classes *classes, const char *text, size_t length) {
  size_t at = fumata_classes_seek(classes, text, length);
  double number;
  if (at < classes->spellings && fumata_classes_compare(classes->spelling[at].text, text, length) == 0)
    return (int32_t)classes->spelling[at].label;
  if (fumata_number_parse(text, length, &number) != FUMATA_NUMBER_OK) return -1;
  for (at = 0; at < classes->spellings; at++)
    if (classes->spelling[at].is_number && classes->spelling[at].number == number)
      return (int32_t)classes->spelling[at].label;
  return -1;
}

static int fumata_classes_insert(fumata_classes *classes, const char *where, const char *text, size_t length,
                                 uint32_t label, char **stored) {
  fumata_spelling new;
  fumata_quote quote;
  size_t at, capacity = classes->spellings;
  int code;
  if (length == 0) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: a class name is empty", where);
  if (fumata_classes_find(classes, text, length) >= 0)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: class %s is declared twice", where,
                            fumata_quote_name(&quote, text, length));
  if ((code = fumata_grow(&classes->spelling, &capacity, classes->spellings + 1, sizeof *classes->spelling)))
    return code;
  new.label = label;
  new.is_number = fumata_number_parse(text, length, &new.number) == FUMATA_NUMBER_OK;
  new.text = fumata_grow_copy(text, length);
  if (!new.text) return FUMATA_EXIT_SYSTEM;
  at = fumata_classes_seek(classes, text, length);
  memmove(classes->spelling + at + 1, classes->spelling + at, (classes->spellings - at) * sizeof *classes->spelling);
  classes->spelling[at] = new;
  classes->spellings++;
  *stored = new.text;
  return FUMATA_EXIT_OK;
}

int fumata_classes_add(fumata_classes *classes, const char *where, const char *text, size_t length) {
  size_t capacity = classes->count;
  int code;
  if (classes->count >= FUMATA_CLASSES_MAX)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: more than %u classes", where, FUMATA_CLASSES_MAX);
  if ((code = fumata_grow(&classes->name, &capacity, (size_t)classes->count + 1, sizeof *classes->name))) return code;
  code = fumata_classes_insert(classes, where, text, length, classes->count, &classes->name[classes->count]);
  if (code == FUMATA_EXIT_OK) classes->count++;
  return code;
}

int fumata_classes_alias(fumata_classes *classes, const char *where, const char *text, size_t length) {
  char *stored;
  if (classes->count == 0) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: a spelling before the first class", where);
  return fumata_classes_insert(classes, where, text, length, classes->count - 1, &stored);
}

int fumata_classes_parse(fumata_classes *classes, const char *list) {
  const char *at = list;
  int is_alias = 0, code;
  fumata_classes_init(classes);
  for (;;) {
    size_t n = strcspn(at, ",|");
    code =
        is_alias ? fumata_classes_alias(classes, "--classes", at, n) : fumata_classes_add(classes, "--classes", at, n);
    if (code != FUMATA_EXIT_OK) break;
    if (at[n] == '\0') {
      if (classes->count >= 2) return FUMATA_EXIT_OK;
      code = fumata_say_error(FUMATA_EXIT_INPUT, "--classes: at least two classes are needed, as in --classes no,yes");
      break;
    }
    is_alias = at[n] == '|';
    at += n + 1;
  }
  fumata_classes_free(classes);
  return code;
}
