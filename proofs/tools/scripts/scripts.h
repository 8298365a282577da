/* What both programs of random scripts share: coins, tables, claims, and how a line says them. */
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fumata.h"

#define TENTH (UINT64_MAX / 10 + 1)
#define LONGEST 24

static uint64_t seed;

static inline uint64_t word(void) { /* splitmix64 */
  uint64_t z = (seed += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static inline uint32_t below(uint32_t n) { return (uint32_t)(word() % n); }

/* Often one of the words at which a table decides. */
static inline uint64_t coin_near(const uint64_t *table, uint32_t size) {
  uint32_t kind = below(8);
  if (kind == 0) return 0;
  if (kind == 1) return UINT64_MAX;
  if (kind < 5) return table[below(size)] + below(3) - 1;
  return word();
}

/* Tables of a toll, sound ones and unsound ones. */
static const uint64_t named[] = {6 * TENTH, 7 * TENTH, 8 * TENTH};
static const uint64_t fair[] = {UINT64_C(1) << 63};
static const uint64_t unfair[] = {(UINT64_C(1) << 63) - 1, 7 * TENTH};
static const uint64_t falling[] = {7 * TENTH, 6 * TENTH};

#define PRICE (UINT64_C(4) << 32)
static const fumata_claim claims[] = {
    {60, 1, 99, 100, 2, PRICE, PRICE},  {1, 100, 1, 1000, 2, PRICE, PRICE}, {60, 1, 100, 100, 2, PRICE, PRICE},
    {60, 1, 99, 100, 1, PRICE, PRICE},  {60, 1, 99, 100, 2, 1, PRICE},      {60, 1, 99, 100, 2, PRICE, 1},
    {13, 1, 99, 100, 2, PRICE, PRICE}};
#define PICK(array) (below(3) ? below(3) : below((uint32_t)(sizeof(array) / sizeof *(array))))

static inline const fumata_claim *any_claim(void) {
  return &claims[below(3) ? 0 : below((uint32_t)(sizeof claims / sizeof *claims))];
}

static inline void table_line(const uint64_t *table, uint32_t size) {
  uint32_t i;
  printf(" %u", (unsigned)size);
  for (i = 0; i < size; i++) printf(" %llx", (unsigned long long)table[i]);
}

static inline void claim_line(const fumata_claim *claim) {
  printf(" %x %x %llx %llx %x %llx %llx\n", (unsigned)claim->epsilon_num, (unsigned)claim->epsilon_den,
         (unsigned long long)claim->delta_num, (unsigned long long)claim->delta_den, (unsigned)claim->alpha,
         (unsigned long long)claim->v, (unsigned long long)claim->u);
}

#endif
