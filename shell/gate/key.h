/* The secret key that decides which units reach which teacher (partition.h): its hash, and its file, for processes that must
 * agree.
 *
 *   fumata key 1
 *   00112233445566778899aabbccddeeff
 *
 * Whoever reads it can tell which teacher a unit went to, so only its owner may: mode 0600. */
#ifndef GATE_KEY_H
#define GATE_KEY_H

#include <stddef.h>
#include <stdint.h>

#include "gate/coins.h"

/* SipHash-2-4 (Aumasson, Bernstein 2012): a keyed pseudo-random function with 64-bit output. */
uint64_t key_hash(const uint64_t key[2], const void *bytes, size_t length);

/* The file. Each returns an exit code (error.h). */
int key_make(const char *path, struct coins *coins);
int key_read(const char *path, uint64_t key[2]);

#endif
