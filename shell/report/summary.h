/* summary.json as `fumata learn` writes it: one object, whose values are found by their keys. */
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

/* Exit codes (error.h); the line about bad JSON says where it is. `name` is for that line. */
int summary_read(struct summary *summary, const char *path);
int summary_parse(struct summary *summary, const char *name, const char *bytes, size_t size);
void summary_free(struct summary *summary);

/* The value of a key; NULL or `otherwise` if it is missing. */
const char *summary_text(const struct summary *summary, const char *key);
double summary_number(const struct summary *summary, const char *key, double otherwise);

/* The two numbers of a list, or NANs; the objects of a list in their order, to be freed: a missing list has none. */
void summary_pair(const struct summary *summary, const char *key, double pair[2]);
int summary_list(const struct summary *summary, const char *key, struct summary **item, size_t *count);
void summary_list_free(struct summary *item, size_t count);

#endif
