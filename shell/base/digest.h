/* SHA-256 (FIPS 180-4), by libcrypto: names plans, chains the ledger's rows, follows the released answers. */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <openssl/sha.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_SIZE 32u
#define DIGEST_TEXT 65u /* as hexadecimal text, with its end */

/* A plain value: it may be copied, and nothing has to be freed. */
struct digest {
  SHA256_CTX state;
};

void digest_init(struct digest *digest);
void digest_add(struct digest *digest, const void *bytes, size_t size);

/* The digest of everything added; `digest` stays as it is and more may be added. */
void digest_read(const struct digest *digest, uint8_t result[DIGEST_SIZE]);

/* Integers enter a digest as eight bytes, lowest first, whatever the machine. */
void digest_add_u64(struct digest *digest, uint64_t value);

/* The bytes of a file. Returns an exit code (error.h) with its line printed. */
int digest_add_file(struct digest *digest, const char *file);

/* As 64 hexadecimal digits, small ones; and back: 0, or -1 if the text is something else. */
void digest_print(const uint8_t value[DIGEST_SIZE], char text[DIGEST_TEXT]);
int digest_parse(const char *text, uint8_t value[DIGEST_SIZE]);

#endif
