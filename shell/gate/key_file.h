/* The file of a secret key: which units reach which teacher (partition.h), the same for every process that has it.
 *
 *   fumata key 1
 *   00112233445566778899aabbccddeeff
 *
 * Whoever reads it can tell which teacher a unit went to, so nobody but its owner may: mode 0600. */
#ifndef GATE_KEY_FILE_H
#define GATE_KEY_FILE_H

#include <stdint.h>

#include "gate/coins.h"

/* Each returns an exit code (error.h). */
int key_file_make(const char *path, struct coins *coins);
int key_file_read(const char *path, uint64_t key[2]);

#endif
