/* Decimal numbers: correctly rounded, and quick for the short ones that data files are made of. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stddef.h>
#include <string.h>

#include "base/amid.h"

extern const double number_tens[23]; /* powers of ten that a double holds exactly */

enum number_status { NUMBER_OK, NUMBER_NONE, NUMBER_NOT_FINITE };

/* The whole text must be one number: [+-] digits [. digits] [e [+-] digits]. NOT_FINITE: nan, inf, or too large for a
 * double. No blanks, no hexadecimal, and the point is a point in every locale. */
enum number_status number_parse(const char *text, size_t length, double *value);

/* The same where a comma stands for the point: 1234,5 and 1.234,5, with points between groups of three digits. */
enum number_status number_parse_comma(const char *text, size_t length, double *value);

/* The number at the start of text[0 .. length - 1]; *used = its length (0: none). */
enum number_status number_scan(const char *text, size_t length, double *value, size_t *used);

/* ---- a cell of a data file, which stands amid a buffer (amid.h); here, because it is asked for every cell ---- */

#if AMID_WIDE

#define NUMBER_AMID_LONGEST 15 /* digits and point: whole numbers of this many digits are doubles */

/* Sixteen digits, the first in the lowest byte, become one number: neighbours are joined, in pairs, fours and eights. */
static inline uint64_t number_amid_join(__m128i digits) {
  __m128i tens = _mm_and_si128(digits, _mm_set1_epi16(0xff)), ones = _mm_srli_epi16(digits, 8);
  __m128i pairs = _mm_add_epi16(_mm_mullo_epi16(tens, _mm_set1_epi16(10)), ones);
  __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
  __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10000 | 1 << 16));
  uint64_t both = (uint64_t)_mm_cvtsi128_si64(eights);
  return (both & UINT32_MAX) * 100000000 + (both >> 32);
}

/* [-] digits [. digits] of up to fifteen characters, without a branch for what differs from cell to cell: a wrong guess
 * there costs as much as the number. Returns 0 where it is another text: number_parse knows. */
static inline int number_amid(const char *text, size_t length, double *value) {
  const __m128i zero = _mm_set1_epi8('0'), point = _mm_set1_epi8('.' - '0'), spoils = _mm_set1_epi8(0x80 - 10);
  size_t is_negative = text[0] == '-', used = length - is_negative, broken;
  __m128i digits, kept;
  unsigned points;
  uint64_t mantissa, bits;
  double size;
  if (used - 1 >= NUMBER_AMID_LONGEST) return 0; /* none at all, too */
  digits = _mm_and_si128(_mm_sub_epi8(amid_load(text + length - 16), zero), amid_last(used));
  points = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(digits, point));
  broken = (size_t)__builtin_clz(points << 1 | 1) - 15; /* digits after the point; 16 without a point */
  kept = amid_last(broken);
  digits = _mm_or_si128(_mm_and_si128(kept, digits), _mm_andnot_si128(kept, _mm_slli_si128(digits, 1)));
  mantissa = number_amid_join(digits);
  if (_mm_movemask_epi8(_mm_or_si128(digits, _mm_add_epi8(digits, spoils))) | (used == (points != 0))) return 0;
  size = (double)(int64_t)mantissa / number_tens[broken % 16]; /* exact by exact: rounded once */
  memcpy(&bits, &size, sizeof bits);
  bits |= (uint64_t)is_negative << 63;
  memcpy(value, &bits, sizeof bits);
  return 1;
}

#else

static inline int number_amid(const char *text, size_t length, double *value) {
  (void)text, (void)length, (void)value;
  return 0;
}

#endif
#endif
