/* Many bytes at a time of a text that stands amid a larger buffer: AMID_MARGIN bytes before it and behind it may be read,
 * whatever they are, and nothing of them shows. By SSE2, which every x86-64 has; where it is not, AMID_WIDE is 0 and a
 * caller takes its plain way. In a header, because it is asked for every cell of a file. */
#ifndef BASE_AMID_H
#define BASE_AMID_H

#include <stddef.h>
#include <stdint.h>

#define AMID_MARGIN 64 /* bytes: a block */

#ifdef __SSE2__
#define AMID_WIDE 1
#include <immintrin.h>

/* Ones between zeros: where a load begins says which of its bytes are kept. */
static const unsigned char amid_ones[48] = {[16] = 255, 255, 255, 255, 255, 255, 255, 255,
                                            255,        255, 255, 255, 255, 255, 255, 255};

static inline __m128i amid_load(const void *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

/* All bits of the last `count` of sixteen bytes; of the first ones. */
static inline __m128i amid_last(size_t count) {
  return amid_load(amid_ones + count);
}

static inline __m128i amid_first(size_t count) {
  return amid_load(amid_ones + 32 - count);
}

/* A bit for each of sixteen bytes that is `byte`. */
static inline uint64_t amid_sixteen(const char *bytes, __m128i byte) {
  return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(amid_load(bytes), byte));
}

/* A bit for each of 64 bytes, the first the lowest, that is `byte`. */
static inline uint64_t amid_marks(const char *bytes, char byte) {
  __m128i wanted = _mm_set1_epi8(byte);
  return amid_sixteen(bytes, wanted) | amid_sixteen(bytes + 16, wanted) << 16 | amid_sixteen(bytes + 32, wanted) << 32 |
         amid_sixteen(bytes + 48, wanted) << 48;
}

#else
#define AMID_WIDE 0

static inline uint64_t amid_marks(const char *bytes, char byte) {
  uint64_t marks = 0;
  for (size_t i = 0; i < 64; i++)
    marks |= (uint64_t)(bytes[i] == byte) << i;
  return marks;
}

#endif
#endif
