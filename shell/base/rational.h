/* Exact numbers from what the operator typed: "3.16" is 79/25, never the nearest double. */
#ifndef BASE_RATIONAL_H
#define BASE_RATIONAL_H

#include <stdint.h>

struct rational {
  uint64_t num, den; /* lowest terms, den >= 1 */
};

/* Reads a positive decimal ("0.5", "1e-5", "2.5E-3") or a fraction ("1/3"); 0 when `text` is one that fits
 * 64 bits above and below, -1 otherwise and nothing is changed. */
int rational_parse(const char *text, struct rational *number);

double rational_value(uint64_t num, uint64_t den);

/* The shortest text this module reads back to the same number: a decimal if there is one, else a fraction. */
#define RATIONAL_TEXT 64
void rational_print(uint64_t num, uint64_t den, char text[RATIONAL_TEXT]);

/* The same text, or `none` for one of den 0, which stands for none. */
const char *rational_text(struct rational x, const char *none, char text[RATIONAL_TEXT]);

#endif
