#include "number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FUMATA_NUMBER_LONGEST 1024 /* characters handed to strtod; a data file has no longer numbers */

/* Powers of ten that a double holds exactly. */
static const double fumata_number_tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                            1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* nan, inf, infinity in any case, after an optional sign. */
static size_t fumata_number_special(const char *text, size_t length) {
  static const char *const names[] = {"infinity", "inf", "nan"};
  size_t sign = length > 0 && (text[0] == '+' || text[0] == '-'), i;
  for (i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strlen(names[i]);
    if (length - sign >= n && strncasecmp(text + sign, names[i], n) == 0) return sign + n;
  }
  return 0;
}

static fumata_number_status fumata_number_slow(const char *text, size_t used, double *value) {
  char copy[FUMATA_NUMBER_LONGEST + 1];
  locale_t plain;
  if (used > FUMATA_NUMBER_LONGEST) return FUMATA_NUMBER_NONE;
  memcpy(copy, text, used);
  copy[used] = '\0';
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0) return FUMATA_NUMBER_NONE;
  *value = strtod_l(copy, NULL, plain);
  freelocale(plain);
  return isfinite(*value) ? FUMATA_NUMBER_OK : FUMATA_NUMBER_NOT_FINITE;
}

fumata_number_status fumata_number_scan(const char *text, size_t length, double *value, size_t *used) {
  const char *at = text, *end = text + length;
  uint64_t mantissa = 0;
  int digits = 0, scale = 0, any = 0, is_negative = 0;
  *used = 0;
  if (at < end && (*at == '+' || *at == '-')) is_negative = *at++ == '-';
  for (; at < end && (unsigned char)(*at - '0') < 10; at++) {
    any = 1;
    mantissa = mantissa * 10 + (uint64_t)(*at - '0');
    digits += mantissa != 0;
    if (digits > 18) break; /* the sum may not fit: strtod decides */
  }
  if (digits <= 18 && at < end && *at == '.') {
    for (at++; at < end && (unsigned char)(*at - '0') < 10; at++) {
      any = 1;
      mantissa = mantissa * 10 + (uint64_t)(*at - '0');
      digits += mantissa != 0;
      scale--;
      if (digits > 18) break;
    }
  }
  if (digits > 18) {
    while (at < end && ((unsigned char)(*at - '0') < 10))
      at++;
    if (scale == 0 && at < end && *at == '.')
      for (at++; at < end && (unsigned char)(*at - '0') < 10; at++)
        continue;
  }
  if (!any) {
    *used = fumata_number_special(text, length);
    return *used ? FUMATA_NUMBER_NOT_FINITE : FUMATA_NUMBER_NONE;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *exponent = at + 1;
    int power = 0, is_down = 0;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) is_down = *exponent++ == '-';
    if (exponent < end && (unsigned char)(*exponent - '0') < 10) {
      for (; exponent < end && (unsigned char)(*exponent - '0') < 10; exponent++)
        if (power < 100000) power = power * 10 + (*exponent - '0');
      scale += is_down ? -power : power;
      at = exponent;
    }
  }
  *used = (size_t)(at - text);
  /* A whole number below 2^53 and a power of ten up to 10^22 are exact doubles, so one operation rounds once. */
  if (digits <= 18 && mantissa <= (UINT64_C(1) << 53) && scale >= -22 && scale <= 22) {
    double exact = (double)mantissa;
    exact = scale < 0 ? exact / fumata_number_tens[-scale] : exact * fumata_number_tens[scale];
    *value = is_negative ? -exact : exact;
    return FUMATA_NUMBER_OK;
  }
  return fumata_number_slow(text, *used, value);
}

fumata_number_status fumata_number_parse(const char *text, size_t length, double *value) {
  size_t used;
  fumata_number_status status = fumata_number_scan(text, length, value, &used);
  return used == length && length > 0 ? status : FUMATA_NUMBER_NONE;
}
