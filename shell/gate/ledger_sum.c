#include "gate/ledger_sum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ceiling.h"

static fumata_cost ledger_sum_cost(struct rational x) {
  return (fumata_cost){x.num, x.den};
}

int ledger_sum_add(struct rational x, struct rational y, struct rational *sum) {
  fumata_cost both;
  if (fumata_ceiling_add(ledger_sum_cost(x), ledger_sum_cost(y), &both) != FUMATA_OK) return -1;
  *sum = (struct rational){both.num, both.den};
  return 0;
}

int ledger_sum_exceeds(struct rational x, struct rational ceiling) {
  return !fumata_ceiling_within(ledger_sum_cost(x), ledger_sum_cost(ceiling));
}

int ledger_sum_same(struct rational x, struct rational y) {
  return (x.den == 0) == (y.den == 0) && !ledger_sum_exceeds(x, y) && !ledger_sum_exceeds(y, x);
}

int ledger_sum_split(struct rational x, uint32_t parts, struct rational *part, struct rational *rest) {
  fumata_cost one, others;
  if (fumata_ceiling_split(ledger_sum_cost(x), parts, &one, &others) != FUMATA_OK) return -1;
  *part = (struct rational){one.num, one.den};
  *rest = (struct rational){others.num, others.den};
  return 0;
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
