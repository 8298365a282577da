#include "gate/ledger_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 ledger_sum_wide;

static ledger_sum_wide ledger_sum_gcd(ledger_sum_wide a, ledger_sum_wide b) {
  while (b) {
    ledger_sum_wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int ledger_sum_add(struct rational x, struct rational y, struct rational *sum) {
  ledger_sum_wide common, num, den, other;
  if (x.den == 0) x.num = 0, x.den = 1;
  if (y.den == 0) y.num = 0, y.den = 1;
  common = ledger_sum_gcd(x.den, y.den);
  den = x.den / common * y.den;
  num = (ledger_sum_wide)x.num * (y.den / common);
  other = (ledger_sum_wide)y.num * (x.den / common);
  if (__builtin_add_overflow(num, other, &num)) return -1;
  common = ledger_sum_gcd(num, den);
  num /= common;
  den /= common;
  if (num > UINT64_MAX || den > UINT64_MAX) return -1;
  sum->num = (uint64_t)num;
  sum->den = (uint64_t)den;
  return 0;
}

int ledger_sum_exceeds(struct rational x, struct rational ceiling) {
  if (ceiling.den == 0) return 0;
  return (ledger_sum_wide)x.num * ceiling.den > (ledger_sum_wide)ceiling.num * x.den;
}

int ledger_sum_same(struct rational x, struct rational y) {
  return (x.den == 0) == (y.den == 0) &&
         (x.den == 0 || (ledger_sum_wide)x.num * y.den == (ledger_sum_wide)y.num * x.den);
}

const char *ledger_sum_print(struct rational x, char text[LEDGER_SUM_TEXT]) {
  if (x.den == 0) return NULL;
  snprintf(text, LEDGER_SUM_TEXT, "%" PRIu64 "/%" PRIu64, x.num, x.den);
  return text;
}

int ledger_sum_read(const char *text, struct rational *x) {
  char again[LEDGER_SUM_TEXT];
  char *end;
  x->num = x->den = 0;
  if (!text) return 0;
  x->num = strtoull(text, &end, 10);
  if (*end != '/') return -1;
  x->den = strtoull(end + 1, &end, 10);
  return x->den == 0 || strcmp(ledger_sum_print(*x, again), text) != 0 ? -1 : 0;
}
