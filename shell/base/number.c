#include "base/number.h"

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_LONGEST 1024                /* characters handed to strtod; a data file has no longer numbers */
#define NUMBER_DIGITS  18                  /* so many always fit 64 bits */
#define NUMBER_EXACT   (UINT64_C(1) << 53) /* whole numbers up to here are doubles */
#define NUMBER_POWER   100000 /* an exponent is counted up to here: strtod has the last word on such numbers */

#define NUMBER_EACH UINT64_C(0x0101010101010101) /* a byte, times this: that byte eight times */
#define NUMBER_TOPS (0x80 * NUMBER_EACH)         /* the highest bit of each byte */

/* Powers of ten that a double holds exactly. */
static const double number_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
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

/* The digit's value; above 9 if it is none. */
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

/* The power of ten after the e at *at, which then stands behind it; an e without digits is no exponent. */
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

/* Bits where eight bytes are not all of 0 .. 9. A carry out of a byte does no harm: that byte is marked already. */
static inline uint64_t number_strange(uint64_t bytes) {
  return (bytes | (bytes + 0x76 * NUMBER_EACH)) & NUMBER_TOPS;
}

/* The number that eight digits make, the first in the lowest byte: neighbours are joined, in pairs, fours and eights. */
static inline uint64_t number_join(uint64_t digits) {
  digits = (digits * (10 * 0x100 + 1)) >> 8 & UINT64_C(0x00ff00ff00ff00ff);
  digits = (digits * (100 * 0x10000 + 1)) >> 16 & UINT64_C(0x0000ffff0000ffff);
  return (digits * (10000 * UINT64_C(0x100000000) + 1)) >> 32;
}

/* Eight bytes, the first the lowest: in one load, which the compiler does not make of bytes.h here. */
static inline uint64_t number_eight(const char *text) {
  uint64_t bytes;
  memcpy(&bytes, text, sizeof bytes);
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? bytes : __builtin_bswap64(bytes);
}

/* The first `count` of eight bytes as digits, right-aligned behind zeros. */
static inline uint64_t number_aligned(uint64_t bytes, size_t count) {
  unsigned half = 4 * (8 - (unsigned)count);
  return (bytes ^ '0' * NUMBER_EACH) << half << half; /* in two steps: no shift by 64 */
}

/* Where the point is among eight bytes of a text, or where the text ends, or 8. */
static inline size_t number_point(uint64_t bytes, size_t length) {
  uint64_t differ = bytes ^ '.' * NUMBER_EACH;
  uint64_t marks = (differ - NUMBER_EACH) & ~differ & NUMBER_TOPS;
  if (length < 8) marks |= UINT64_C(0x80) << 8 * length;
  return marks ? (size_t)__builtin_ctzll(marks) / 8 : 8;
}

/* [-] 1 to 8 digits [. up to 8 digits], without a branch for a digit or for the sign: there data differ most, and a
 * wrong guess costs as much as the number. Anything else is for number_parse. */
enum number_status number_parse_ahead(const char *text, size_t length, double *value) {
  static const double signs[] = {1, -1};
  size_t sign, whole, behind;
  uint64_t first, left, right, mantissa;
  const char *at;
  if (length < 3) return number_parse(text, length, value); /* too short to gain */
  sign = text[0] == '-';
  first = number_eight(text + sign);
  whole = number_point(first, length - sign);
  at = text + sign + whole;
  behind = length - sign - whole;
  if (whole == 0 || behind > 9 || (behind && *at != '.')) return number_parse(text, length, value);
  left = number_aligned(first, whole);
  mantissa = number_join(left);
  if (behind < 2) { /* no digits behind a point: most columns have them always or never */
    if (number_strange(left)) return number_parse(text, length, value);
    *value = (double)(int64_t)mantissa * signs[sign];
    return NUMBER_OK;
  }
  behind--;
  right = number_aligned(number_eight(at + 1), behind);
  mantissa = mantissa * (uint64_t)(int64_t)number_tens[behind] + number_join(right);
  if (number_strange(left) | number_strange(right) || mantissa > NUMBER_EXACT) return number_parse(text, length, value);
  *value = (double)(int64_t)mantissa / (number_tens[behind] * signs[sign]);
  return NUMBER_OK;
}
