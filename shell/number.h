/* Decimal numbers: correctly rounded, and quick for the short ones that data files are made of. */
#ifndef FUMATA_NUMBER_H
#define FUMATA_NUMBER_H

#include <stddef.h>

typedef enum { FUMATA_NUMBER_OK, FUMATA_NUMBER_NONE, FUMATA_NUMBER_NOT_FINITE } fumata_number_status;

/* The whole text must be one number: [+-] digits [. digits] [e [+-] digits]. NOT_FINITE: nan, inf, or too large for a
 * double. No blanks, no hexadecimal, and the point is a point in every locale. */
fumata_number_status fumata_number_parse(const char *text, size_t length, double *value);

/* The number at the start of text[0 .. length - 1]; *used = its length (0: none). */
fumata_number_status fumata_number_scan(const char *text, size_t length, double *value, size_t *used);

#endif
