/* The proved functions that most of the time goes into, compiled once for any x86-64 processor and again for wider vectors:
 * the same text of core/, another target (Makefile: WIDE). Which one is used is decided here and not in the core. */
#ifndef GATE_TARGET_H
#define GATE_TARGET_H

#include <stddef.h>

#include "core/crowd.h"
#include "core/meter.h"

struct target {
  const char *name;
  fumata_status (*tally_u8)(const uint8_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts);
  fumata_status (*meter_answer)(fumata_meter *meter, const fumata_verdict *verdict, uint64_t coin, int32_t *answer);
  fumata_status (*crowd_find)(const fumata_points *records, const fumata_points *centres, uint32_t *distances);
  fumata_status (*poll_vote)(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices);
};

/* What this processor runs, from the plain one to the widest; *count >= 1. */
const struct target *target_list(size_t *count);

/* The widest of them. */
const struct target *target_best(void);

#endif
