/* Text and style of a page that needs nothing else: no script, no font, no picture from elsewhere. */
#ifndef COMMAND_REPORT_HTML_H
#define COMMAND_REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Text as it stands in HTML, also between quotes: nothing in it is markup; control characters become '?'. */
void report_html_text(FILE *out, const char *text);
void report_html_printf(FILE *out, const char *format, ...) ERROR_PRINTF(2, 3);

/* A name of at most so many characters: of a longer one its beginning and its end. */
void report_html_name(FILE *out, const char *name, size_t most);

/* Everything up to <main>, and from </main> on. */
void report_html_open(FILE *out, const char *title);
void report_html_close(FILE *out);

/* <section> with a heading; `what` is trusted. */
void report_html_section(FILE *out, const char *id, const char *what);

/* A row of a table of two columns: a name, and text that is escaped. */
void report_html_row(FILE *out, const char *name, const char *format, ...) ERROR_PRINTF(3, 4);

/* A box with a number in it. */
void report_html_tile(FILE *out, const char *name, const char *format, ...) ERROR_PRINTF(3, 4);

#endif
