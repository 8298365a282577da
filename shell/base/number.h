/* Decimal numbers: correctly rounded, and quick for the short ones that data files are made of. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>

extern const double number_tens[23]; /* powers of ten that a double holds exactly */

enum number_status { NUMBER_OK, NUMBER_NONE, NUMBER_NOT_FINITE };

/* The whole text must be one number: [+-] digits [. digits] [e [+-] digits]. NOT_FINITE: nan, inf, or too large for a
 * double. No blanks, no hexadecimal, and the point is a point in every locale. */
enum number_status number_parse(const char *text, size_t length, double *value);

/* The number at the start of text[0 .. length - 1]; *used = its length (0: none). */
enum number_status number_scan(const char *text, size_t length, double *value, size_t *used);

#endif
