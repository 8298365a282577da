/* SHA-256 (FIPS 180-4): names plans, chains the ledger's rows, follows the released answers. */
#ifndef FUMATA_DIGEST_H
#define FUMATA_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define FUMATA_DIGEST_SIZE 32u
#define FUMATA_DIGEST_TEXT 65u /* as hexadecimal text, with its end */

typedef struct {
  uint32_t state[8];
  uint64_t length; /* bytes taken so far */
  uint8_t block[64];
} fumata_digest;

void fumata_digest_init(fumata_digest *digest);
void fumata_digest_add(fumata_digest *digest, const void *bytes, size_t size);

/* The digest of everything added; `digest` stays as it is and more may be added. */
void fumata_digest_read(const fumata_digest *digest, uint8_t result[FUMATA_DIGEST_SIZE]);

/* Integers enter a digest as eight bytes, lowest first, whatever the machine. */
void fumata_digest_add_u64(fumata_digest *digest, uint64_t value);

void fumata_digest_print(const uint8_t value[FUMATA_DIGEST_SIZE], char text[FUMATA_DIGEST_TEXT]);

#endif
