/* A plan as a text that a person can read and diff.
 *
 *   fumata-plan 1
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
 * That is a meter's. A plan with answers is `fumata-plan 2`: its mechanism is `toll` or `both`, after `v` comes `u`, U times
 * 2^32, after `silences` comes `answers`, and after the silence table (a toll has none, and `v 0`, `silences 0`) a
 * `table named SIZE`, whose lines are a distance and the probability times 2^64 that the winner is named.
 * A poll is `fumata-plan 3` and `mechanism poll`: `alpha`, `u`, then `votes B`, the votes of one record, and `table named
 * SIZE`, whose lines are a lead and the probability times 2^64 that the answer is right.
 * A classic plan, `fumata-plan 1` like the meter's, has `v 0`, then `width W` and two tables, `table threshold SIZE` and `table query SIZE`, whose
 * lines are an outcome and its cumulated probability times 2^64. Numbers are plain decimal integers; nothing may be
 * left out, added or reordered, so one plan has one text.
 *
 * Reading does not certify: whoever reads a plan shows it to the core (plan_certify). */
#ifndef PLAN_PLAN_FILE_H
#define PLAN_PLAN_FILE_H

#include <stdio.h>

#include "plan/plan.h"

/* Exit codes (error.h); a bad file is named with its line and the cause, and the box is left empty. */
int plan_file_read(const char *path, struct plan_box *box);
int plan_file_write(const char *path, const struct plan_box *box);

/* The same text on an open stream; 0, or -1 when the stream failed. */
int plan_file_print(FILE *stream, const struct plan_box *box);

#endif
