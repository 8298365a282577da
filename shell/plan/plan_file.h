/* A plan as a text that a person can read and diff.
 *
 *   fumata-plan 3
 *   mechanism meter
 *   epsilon 79/25
 *   delta 1/100000
 *   alpha 9
 *   v 4785073409                 V times 2^32
 *   silences 20
 *   table silence 57
 *   1 18446744069000000000       distance, and its probability of silence times 2^64
 *   ...
 *   57 17592186044416
 *   end 5d41...                  SHA-256 of every byte above this line
 *
 * That is a meter's. A plan has what its mechanism has, in this order:
 *   `v`, `silences`, `table silence SIZE`   the meter, and both
 *   `u`, `answers`, `table named SIZE`      the toll, and both: U times 2^32; a distance, and the probability times 2^64 that
 *                                           the winner is named. A number stands after the other kind's, a table likewise
 *   `u`, `votes`, `table named SIZE`        a poll: the votes of one record; a lead, and the probability that the answer is
 *                                           right
 *   `silences`, `width W`, `table threshold SIZE`, `table query SIZE`   classic: an outcome, and its cumulated probability
 * Numbers are plain decimal integers; nothing may be left out, added or reordered, so one plan has one text.
 *
 * Reading does not certify: whoever reads a plan shows it to the core (plan_certify). */
#ifndef PLAN_PLAN_FILE_H
#define PLAN_PLAN_FILE_H

#include <stdio.h>

#include "plan/plan.h"

/* Exit codes (error.h); a bad file is named with its line and the cause, and the box is left empty. */
int plan_file_read(const char *path, struct plan_box *box);
int plan_file_write(const char *path, const struct plan_box *box);

/* The same text on an open stream, and the plan as a C header that defines `plan` and `claim`, each after the prefix, as
 * fumata_meter_init (or _classic_init, ...) takes them. 0, or -1 when the stream failed. */
int plan_file_print(FILE *stream, const struct plan_box *box);
int plan_file_print_code(FILE *stream, const char *prefix, const struct plan_box *box);

#endif
