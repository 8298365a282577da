/* A plan as a C header, for programs that carry it inside. */
#ifndef PLAN_PLAN_CODE_H
#define PLAN_PLAN_CODE_H

#include <stdio.h>

#include "plan/plan.h"

/* Defines `plan` and `claim` as constants that fumata_meter_init (or _classic_init) takes. 0, or -1 when the stream
 * failed. */
int plan_code_print(FILE *stream, const struct plan_box *box);

#endif
