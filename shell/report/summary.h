/* summary.json as `fumata learn` writes it: one object, whose values are looked up by their names. */
#ifndef REPORT_SUMMARY_H
#define REPORT_SUMMARY_H

#include <stddef.h>

struct summary_field {
  char *key, *value; /* a string without its quotes and escapes; anything else as it stands */
};

struct summary {
  struct summary_field *field;
  size_t count, room;
};

/* Exit code (error.h); what is not a JSON object is refused with its place. */
int summary_read(struct summary *summary, const char *path);
int summary_parse(struct summary *summary, const char *name, const char *bytes,
                  size_t size); /* the same of bytes at hand */
void summary_free(struct summary *summary);

/* NULL, and `otherwise`, where there is no such field. */
const char *summary_text(const struct summary *summary, const char *key);
double summary_number(const struct summary *summary, const char *key, double otherwise);

/* A list of two numbers; NANs where there is none. And the objects of a list, in their order, `count` of them, to be freed: none where
 * there is no such list. */
void summary_pair(const struct summary *summary, const char *key, double pair[2]);
int summary_list(const struct summary *summary, const char *key, struct summary **item, size_t *count);
void summary_list_free(struct summary *item, size_t count);

#endif
