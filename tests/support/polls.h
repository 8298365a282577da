/* Votes for tests of sessions: ballots on which all teachers agree, and ties. */
#ifndef SUPPORT_POLLS_H
#define SUPPORT_POLLS_H

#include <stdint.h>
#include <string.h>

#include "base/votes.h"

#define POLLS_CLASSES  3u
#define POLLS_TEACHERS 400u
#define POLLS_MOST     16u

#define POLLS_TIE (-1) /* always met with silence */

/* The same ballots in each shape that a session takes. */
struct polls {
  uint8_t labels8[POLLS_MOST * POLLS_TEACHERS];
  uint16_t labels16[POLLS_MOST * POLLS_TEACHERS];
  uint32_t counts[POLLS_MOST * POLLS_CLASSES];
  size_t count;
};

/* Ballot i is unanimous for wanted[i], or a tie. */
static inline void polls_make(struct polls *made, const int *wanted, size_t count) {
  memset(made, 0, sizeof *made);
  made->count = count;
  for (size_t i = 0; i < count; i++)
    for (uint32_t t = 0; t < POLLS_TEACHERS; t++) {
      int label = wanted[i] == POLLS_TIE ? (int)(t % 2) : wanted[i];
      made->labels8[i * POLLS_TEACHERS + t] = (uint8_t)label;
      made->labels16[i * POLLS_TEACHERS + t] = (uint16_t)label;
      made->counts[i * POLLS_CLASSES + (size_t)label]++;
    }
}

static inline struct votes polls_labels8(const struct polls *made) {
  return (struct votes){.count = made->count, .teachers = POLLS_TEACHERS, .labels8 = made->labels8};
}

static inline struct votes polls_labels16(const struct polls *made) {
  return (struct votes){.count = made->count, .teachers = POLLS_TEACHERS, .labels16 = made->labels16};
}

static inline struct votes polls_counts(const struct polls *made) {
  return (struct votes){.count = made->count, .counts = made->counts};
}

#endif
