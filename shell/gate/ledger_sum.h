/* Exact sums of costs: what was spent is never rounded, and the core decides (core/ceiling.h). A rational of den 0 is
 * absent. */
#ifndef GATE_LEDGER_SUM_H
#define GATE_LEDGER_SUM_H

#include "base/rational.h"

/* 0, or -1 when the sum over the least common denominator needs more than 64 bits above or below. Absent counts as zero. */
int ledger_sum_add(struct rational x, struct rational y, struct rational *sum);

/* Nothing exceeds an absent ceiling. */
int ledger_sum_exceeds(struct rational x, struct rational ceiling);
int ledger_sum_same(struct rational x, struct rational y);

/* x = part + rest, where part is one of `parts` equal parts of x. 0, or -1 when one of them needs more than 64 bits. */
int ledger_sum_split(struct rational x, uint32_t parts, struct rational *part, struct rational *rest);

#define LEDGER_SUM_TEXT 48 /* two 64-bit integers, a stroke, the end */

/* "num/den" as rows have it; NULL for an absent one. */
const char *ledger_sum_print(struct rational x, char text[LEDGER_SUM_TEXT]);

/* Only what ledger_sum_print writes is read: no signs, no spaces, no overflow. 0, or -1; NULL is absent. */
int ledger_sum_read(const char *text, struct rational *x);

#endif
