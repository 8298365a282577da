#include "base/rational.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

static uint64_t rational_gcd(uint64_t a, uint64_t b) {
  while (b) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static int rational_push(uint64_t *number, unsigned digit) {
  if (*number > (UINT64_MAX - digit) / 10) return -1;
  *number = *number * 10 + digit;
  return 0;
}

static int rational_digits(const char **text, uint64_t *number) {
  const char *c = *text;
  if (!isdigit((unsigned char)*c)) return -1;
  for (*number = 0; isdigit((unsigned char)*c); c++)
    if (rational_push(number, (unsigned)(*c - '0'))) return -1;
  *text = c;
  return 0;
}

/* num / den * 10^tens, cancelling before multiplying so that every number that fits is read. */
static int rational_scale(uint64_t *num, uint64_t *den, long tens) {
  for (; tens > 0; tens--) {
    uint64_t common = rational_gcd(*den, 10);
    *den /= common;
    if (*num > UINT64_MAX / (10 / common)) return -1;
    *num *= 10 / common;
  }
  for (; tens < 0; tens++) {
    uint64_t common = rational_gcd(*num, 10);
    *num /= common;
    if (*den > UINT64_MAX / (10 / common)) return -1;
    *den *= 10 / common;
  }
  return 0;
}

int rational_parse(const char *text, struct rational *number) {
  uint64_t num = 0, den = 1, common;
  long tens = 0;
  int seen = 0;
  for (; isdigit((unsigned char)*text); text++, seen = 1)
    if (rational_push(&num, (unsigned)(*text - '0'))) return -1;
  if (seen && *text == '/') {
    text++;
    if (rational_digits(&text, &den)) return -1;
  } else {
    if (*text == '.')
      for (text++; isdigit((unsigned char)*text); text++, seen = 1, tens--)
        if (rational_push(&num, (unsigned)(*text - '0'))) return -1;
    if (seen && (*text == 'e' || *text == 'E')) {
      uint64_t exponent;
      int down = text[1] == '-';
      text += 1 + (text[1] == '-' || text[1] == '+');
      if (rational_digits(&text, &exponent) || exponent > 1000) return -1;
      tens += down ? -(long)exponent : (long)exponent;
    }
  }
  if (!seen || *text || num == 0 || den == 0) return -1;
  common = rational_gcd(num, den);
  num /= common;
  den /= common;
  if (rational_scale(&num, &den, tens)) return -1;
  number->num = num;
  number->den = den;
  return 0;
}

double rational_value(uint64_t num, uint64_t den) {
  return (double)((long double)num / (long double)den);
}

void rational_print(uint64_t num, uint64_t den, char text[RATIONAL_TEXT]) {
  uint64_t common = rational_gcd(num, den), rest, digits;
  unsigned places = 0;
  if (common > 1) num /= common, den /= common;
  snprintf(text, RATIONAL_TEXT, "%" PRIu64 "/%" PRIu64, num, den);
  for (rest = den; rest % 2 == 0; rest /= 2)
    continue;
  for (; rest % 5 == 0; rest /= 5)
    continue;
  if (rest != 1) return;
  for (digits = num; den > 1; places++) {
    uint64_t shared = rational_gcd(den, 10);
    den /= shared;
    if (digits > UINT64_MAX / (10 / shared)) return;
    digits *= 10 / shared;
  }
  if (places == 0)
    snprintf(text, RATIONAL_TEXT, "%" PRIu64, digits);
  else if (places > 4 && digits < 1000) {
    if (digits < 10)
      snprintf(text, RATIONAL_TEXT, "%" PRIu64 "e-%u", digits, places);
    else if (digits < 100)
      snprintf(text, RATIONAL_TEXT, "%" PRIu64 ".%" PRIu64 "e-%u", digits / 10, digits % 10, places - 1);
    else
      snprintf(text, RATIONAL_TEXT, "%" PRIu64 ".%02" PRIu64 "e-%u", digits / 100, digits % 100, places - 2);
  } else {
    char all[RATIONAL_TEXT];
    int length;
    if (places > 19) return;
    length = snprintf(all, sizeof all, "%0*" PRIu64, (int)places + 1, digits);
    snprintf(text, RATIONAL_TEXT, "%.*s.%s", length - (int)places, all, all + length - (int)places);
  }
}

const char *rational_text(struct rational x, const char *none, char text[RATIONAL_TEXT]) {
  if (x.den == 0) return none;
  rational_print(x.num, x.den, text);
  return text;
}
