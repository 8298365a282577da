#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_LONGEST 1024                /* characters handed to strtod; a data file has no longer numbers */
#define NUMBER_COMMA   64                  /* characters of a number with a decimal comma */
#define NUMBER_DIGITS  18                  /* this many always fit 64 bits */
#define NUMBER_EXACT   (UINT64_C(1) << 53) /* whole numbers up to here are doubles */
#define NUMBER_POWER   100000 /* an exponent is counted up to here: strtod has the last word on such numbers */

const double number_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* nan, inf, infinity in any case, after an optional sign. */
static size_t number_special(const char *text, size_t length) {
  static const char *const names[] = {"infinity", "inf", "nan"};
  size_t sign = length > 0 && (text[0] == '+' || text[0] == '-'), i;
  for (i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(names[i]);
    if (length - sign >= n && strncasecmp(text + sign, names[i], n) == 0) return sign + n;
  }
  return 0;
}

/* The digit's value; above 9 if it is not a digit. */
static inline unsigned number_digit(char c) {
  return (unsigned char)(c - '0');
}

/* From the first digit or point on; zeros in front, however many, say nothing. */
static enum number_status number_slow(const char *text, const char *end, double *value) {
  char copy[NUMBER_LONGEST + 1];
  size_t used;
  locale_t plain;
  while (end - text > 1 && text[0] == '0' && number_digit(text[1]) < 10)
    text++;
  used = (size_t)(end - text);
  if (used > NUMBER_LONGEST) return NUMBER_NONE;
  memcpy(copy, text, used);
  copy[used] = '\0';
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return NUMBER_NONE;
  *value = strtod_l(copy, NULL, plain);
  freelocale(plain);
  return isfinite(*value) ? NUMBER_OK : NUMBER_NOT_FINITE;
}

/* The power of ten after the e at *at, which then stands behind it; an e without digits is not an exponent. */
static int number_exponent(const char **at, const char *end) {
  const char *here = *at + 1;
  int power = 0, is_down = 0;
  if (here < end && (*here == '+' || *here == '-')) is_down = *here++ == '-';
  if (here == end || number_digit(*here) > 9) return 0;
  for (; here < end && number_digit(*here) < 10; here++)
    if (power < NUMBER_POWER) power = power * 10 + (*here - '0');
  *at = here;
  return is_down ? -power : power;
}

/* The digits from `at` on, behind those of *mantissa, which is only right while they are few. */
static inline const char *number_digits(const char *at, const char *end, uint64_t *mantissa) {
  unsigned digit;
  for (; at < end && (digit = number_digit(*at)) < 10; at++)
    *mantissa = *mantissa * 10 + digit;
  return at;
}

enum number_status number_scan(const char *text, size_t length, double *value, size_t *used) {
  const char *at = text, *end = text + length, *first;
  enum number_status status;
  uint64_t mantissa = 0;
  ptrdiff_t digits, scale = 0;
  int is_negative = 0;
  *used = 0;
  if (at < end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
  first = at;
  at = number_digits(at, end, &mantissa);
  digits = at - first;
  if (at < end && *at == '.') {
    const char *point = at++;
    at = number_digits(at, end, &mantissa);
    scale = point + 1 - at;
    digits -= scale;
  }
  if (digits == 0) {
    *used = number_special(text, length);
    return *used ? NUMBER_NOT_FINITE : NUMBER_NONE;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *behind = at; /* a copy: `at` itself stays in a register */
    scale += number_exponent(&behind, end);
    at = behind;
  }
  *used = (size_t)(at - text);
  /* A whole number below 2^53 and a power of ten up to 10^22 are exact doubles, so one operation rounds once. */
  if (digits <= NUMBER_DIGITS && mantissa <= NUMBER_EXACT && scale >= -22 && scale <= 22) {
    double exact = (double)mantissa;
    *value = scale < 0 ? exact / number_tens[-scale] : exact * number_tens[scale];
    status = NUMBER_OK;
  } else {
    status = number_slow(first, at, value);
  }
  if (is_negative) *value = -*value;
  return status;
}

enum number_status number_parse(const char *text, size_t length, double *value) {
  size_t used;
  enum number_status status = number_scan(text, length, value, &used);
  return used == length && length > 0 ? status : NUMBER_NONE;
}

enum number_status number_parse_comma(const char *text, size_t length, double *value) {
  char copy[NUMBER_COMMA];
  size_t used = length > 0 && (text[0] == '+' || text[0] == '-'), i = used, group = 0;
  int has_points = 0, is_behind = 0;
  if (length > NUMBER_COMMA) return NUMBER_NONE;
  memcpy(copy, text, used);
  for (; i < length && (number_digit(text[i]) < 10 || text[i] == '.'); i++) {
    if (text[i] != '.') {
      copy[used++] = text[i];
      group++;
      continue;
    }
    /* The first group has one to three digits, each further one three. */
    if (has_points ? group != 3 : group < 1 || group > 3) return NUMBER_NONE;
    has_points = 1;
    group = 0;
  }
  if (has_points && group != 3) return NUMBER_NONE;
  for (; i < length; i++) {
    if (text[i] == '.' || (text[i] == ',' && is_behind++)) return NUMBER_NONE;
    copy[used++] = text[i] == ',' ? '.' : text[i];
  }
  return number_parse(copy, used, value);
}
