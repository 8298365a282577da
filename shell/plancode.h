/* A plan as a C header, for programs that carry it inside. */
#ifndef FUMATA_PLANCODE_H
#define FUMATA_PLANCODE_H

#include <stdio.h>

#include "planner.h"

/* Defines `plan` and `claim` as constants that fumata_meter_init (or _classic_init) takes. 0, or -1 when the stream
 * failed. */
int fumata_plancode_print(FILE *stream, const fumata_plan_box *box);

#endif
