/* Numbers in files, whatever the machine's own byte order. In a header, so that a constant length becomes one load. */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Up to eight bytes, the lowest first. */
static inline uint64_t bytes_little(const unsigned char *bytes, size_t length) {
  uint64_t number = 0;
  for (size_t i = 0; i < length; i++)
    number |= (uint64_t)bytes[i] << (8 * i);
  return number;
}

/* Up to eight bytes, the highest first. */
static inline uint64_t bytes_big(const unsigned char *bytes, size_t length) {
  uint64_t number = 0;
  for (size_t i = 0; i < length; i++)
    number = number << 8 | bytes[i];
  return number;
}

#endif
