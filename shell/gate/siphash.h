/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed pseudo-random function with 64-bit output. */
#ifndef GATE_SIPHASH_H
#define GATE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t length);

#endif
