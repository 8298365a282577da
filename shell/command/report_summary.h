/* summary.json as `fumata learn` writes it: one object, whose values are looked up by their names. */
#ifndef COMMAND_REPORT_SUMMARY_H
#define COMMAND_REPORT_SUMMARY_H

#include <stddef.h>

struct report_summary_field {
  char *key, *value; /* a string without its quotes and escapes; anything else as it stands */
};

struct report_summary {
  struct report_summary_field *field;
  size_t count, room;
};

/* Exit code (error.h); what is no object of JSON is refused with its place. */
int report_summary_read(struct report_summary *summary, const char *path);
void report_summary_free(struct report_summary *summary);

/* NULL, and `otherwise`, where there is no such field. */
const char *report_summary_text(const struct report_summary *summary, const char *key);
double report_summary_number(const struct report_summary *summary, const char *key, double otherwise);

#endif
