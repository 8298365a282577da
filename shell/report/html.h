/* Text and style of a page that is complete in itself: it loads no script, font or picture. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

/* Text escaped for HTML, also between quotes; control characters become '?'. */
void html_text(FILE *out, const char *text);

/* printf for markup: the text of %s is escaped as above. It has %s, %u, %d, %f and %g, with their lengths and precisions. */
void html_print(FILE *out, const char *format, ...) ERROR_PRINTF(2, 3);

/* A section up to its heading; a row of a table of two columns: a name, then `value`; a box: `value`, then its name; a cell
 * that says its name where a table is too narrow for a heading (.stack). */
#define HTML_SECTION(id, heading) "<section id='" id "'>\n<h2>" heading "</h2>\n"
#define HTML_ROW(value)           "<tr><th>%s</th><td>" value "</td></tr>\n"
#define HTML_CELL(name, value)    "<td class='n' data-name='" name "'>" value "</td>"
#define HTML_TILE(value)          "<div class='tile'><b>" value "</b><span>%s</span></div>\n"

/* A name cut to `most` characters: a longer one keeps its beginning and its end. */
#define HTML_NAME_MOST 64
void html_name(FILE *out, const char *name, size_t most);

/* Everything up to <main>, and from </main> on. */
void html_open(FILE *out, const char *title);
void html_close(FILE *out);

#endif
