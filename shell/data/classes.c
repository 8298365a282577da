#include "data/classes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/quote.h"
#include "core/ballot.h"

void classes_init(struct classes *classes) {
  memset(classes, 0, sizeof *classes);
}

void classes_free(struct classes *classes) {
  for (size_t i = 0; i < classes->spellings; i++)
    free(classes->spelling[i].text);
  free(classes->spelling);
  nameset_free(&classes->texts);
  free(classes->name); /* the names are spellings */
  classes_init(classes);
}

/* In the order of their bytes, a beginning before what goes on. */
static int classes_is_after(const struct spelling *x, const struct spelling *y) {
  int order = memcmp(x->text, y->text, x->length < y->length ? x->length : y->length);
  return order ? order > 0 : x->length > y->length;
}

int32_t classes_find(const struct classes *classes, const char *text, size_t length) {
  uint32_t found = nameset_find(&classes->texts, text, length);
  double number;
  if (found != NAMESET_NONE) return (int32_t)classes->texts.times[found];
  if (number_parse(text, length, &number) != NUMBER_OK) return -1;
  for (size_t at = 0; at < classes->spellings; at++)
    if (classes->spelling[at].is_number && classes->spelling[at].number == number)
      return (int32_t)classes->spelling[at].label;
  return -1;
}

int32_t classes_vote(const struct classes *classes, const char *text, size_t length) {
  int32_t label = classes_find(classes, text, length);
  double number;
  if (label >= 0 || number_parse(text, length, &number) != NUMBER_OK) return label;
  for (size_t i = 0; i < classes->spellings; i++)
    if (classes->spelling[i].is_number) return -1;
  return number >= 0 && number < classes->count && number == (double)(int32_t)number ? (int32_t)number : -1;
}

static int classes_insert(struct classes *classes, const char *where, const char *text, size_t length, uint32_t label,
                          char **stored) {
  struct spelling new = {.label = label, .length = length};
  struct quote quote;
  size_t capacity = classes->spellings, at;
  uint32_t number;
  int code;
  if (length == 0) return error_report(EXIT_INPUT, "%s: a class name is empty", where);
  if (classes_find(classes, text, length) >= 0)
    return error_report(EXIT_INPUT, "%s: class %s is declared twice", where, quote_name(&quote, text, length));
  code = memory_grow(&classes->spelling, &capacity, classes->spellings + 1, sizeof *classes->spelling);
  if (!code) code = nameset_add(&classes->texts, text, length, &number);
  if (code) return code;
  classes->texts.times[number] = label;
  new.is_number = number_parse(text, length, &new.number) == NUMBER_OK;
  new.text = *stored = memory_copy(text, length);
  if (!new.text) return EXIT_SYSTEM;
  for (at = classes->spellings++; at > 0 && classes_is_after(&classes->spelling[at - 1], &new); at--)
    classes->spelling[at] = classes->spelling[at - 1];
  classes->spelling[at] = new;
  return EXIT_OK;
}

int classes_add(struct classes *classes, const char *where, const char *text, size_t length) {
  size_t capacity = classes->count;
  int code;
  if (classes->count >= FUMATA_CLASSES_MAX)
    return error_report(EXIT_INPUT, "%s: more than %u classes", where, FUMATA_CLASSES_MAX);
  code = memory_grow(&classes->name, &capacity, (size_t)classes->count + 1, sizeof *classes->name);
  if (code) return code;
  code = classes_insert(classes, where, text, length, classes->count, &classes->name[classes->count]);
  if (!code) classes->count++;
  return code;
}

int classes_alias(struct classes *classes, const char *where, const char *text, size_t length) {
  char *stored;
  if (classes->count == 0) return error_report(EXIT_INPUT, "%s: a spelling before the first class", where);
  return classes_insert(classes, where, text, length, classes->count - 1, &stored);
}

/* The next name of a list, unquoted into `name` (room for all of the list); returns where it ends, NULL where a quote is
 * never closed or goes on behind its end. */
static const char *classes_cut(const char *at, char *name, size_t *length) {
  *length = 0;
  if (*at != '"') {
    *length = strcspn(at, ",|");
    memcpy(name, at, *length);
    return at + *length;
  }
  for (at++; *at; at++) {
    if (*at == '"' && *++at != '"') return strchr(",|", *at) ? at : NULL; /* strchr finds the end of the text too */
    name[(*length)++] = *at;
  }
  return NULL;
}

int classes_parse(struct classes *classes, const char *list) {
  const char *at = list;
  char *name;
  int is_alias = 0, code = memory_take(&name, strlen(list) + 1, 1);
  classes_init(classes);
  while (!code) {
    size_t length;
    at = classes_cut(at, name, &length);
    if (!at)
      code = error_report(EXIT_INPUT, "--classes: a quote that is never closed, or text after a closing quote");
    else if (is_alias)
      code = classes_alias(classes, "--classes", name, length);
    else
      code = classes_add(classes, "--classes", name, length);
    if (code || *at == '\0') break;
    is_alias = *at++ == '|';
  }
  free(name);
  if (!code && classes->count < 2)
    code = error_report(EXIT_INPUT, "--classes: at least two classes are needed, as in --classes no,yes");
  if (code) classes_free(classes);
  return code;
}
