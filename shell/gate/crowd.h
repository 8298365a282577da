/* The crowd that a poll asks: where each private record lies, its class, and which records belong to one unit. All of this
 * is private. The time that a question takes depends on the number of records and units, not on what they contain. */
#ifndef GATE_CROWD_H
#define GATE_CROWD_H

#include <stddef.h>

#include "core/crowd.h"

/* The units within the radius of each question: for question i they are units[start[i] .. start[i + 1] - 1], ascending,
 * each with its class. Lists and their lengths are private. */
struct crowd_lists {
  size_t *start;
  uint32_t *units;
  uint16_t *labels;
  size_t start_room, units_room, labels_room;
};

/* A question is public: it depends only on public data and released answers. */
struct crowd_question {
  uint64_t row;           /* the public record that it is about, for the journal */
  const int16_t *centre;  /* has as many coordinates as the records */
  const int16_t *weights; /* one for each class, from -most to most */
  uint32_t most;
  uint32_t radius; /* squared */
};

/* Lists the units that `count` questions ask, in whichever process these units are. Exit code (error.h). */
typedef int crowd_lister(void *context, const struct crowd_question *questions, size_t count,
                         struct crowd_lists *lists);

/* The caller fills in the first four members. A place is computed from its own record alone, by a public rule, and is the
 * same to the bit whatever else is in the file. crowd_free wipes and frees all of it. */
struct crowd {
  fumata_points records; /* the crowd settles them */
  uint16_t *labels;      /* of each record */
  uint32_t units;
  uint32_t *first; /* records first[u] .. first[u + 1] - 1 are unit u's; NULL: each record is a unit */
  /* room for the questions at hand */
  uint32_t at_once; /* how many */
  uint32_t *distances;
  uint32_t *nearest;
  uint16_t *spoken;
  unsigned cores; /* cores that compute distances; 0: those that the process may use, if that is worth it */
  /* Or the records are in several processes: then this crowd has no records, but dimensions, units, `at_once` and a
   * lister. */
  crowd_lister *lister;
  void *context;
};

/* Each int is an exit code (error.h). */

/* Makes room for `records` records, to be filled in. `has_units`: several records may belong to one unit. */
int crowd_init(struct crowd *crowd, uint32_t records, uint32_t dimensions, int has_units);
void crowd_free(struct crowd *crowd);

/* Clips the places and computes their norms. Call it once they are filled in, and again whenever they have changed. */
int crowd_settle(struct crowd *crowd);

/* Computes how far the records are from the centres of the next `count` questions, at most crowd->at_once of them. */
int crowd_find(struct crowd *crowd, const struct crowd_question *questions, size_t count);

/* The distance and label of each unit for question i of these; valid until the next call. */
int crowd_voices(struct crowd *crowd, size_t i, fumata_voices *voices);

/* Lists the units of this crowd that `count` questions ask, for any `count`; the first unit has the number `first`. The
 * time depends on how many units are listed. */
int crowd_list(struct crowd *crowd, uint32_t first, const struct crowd_question *questions, size_t count,
               struct crowd_lists *lists);

/* The first makes room for this many questions and units; the second wipes and frees. */
int crowd_lists_reserve(struct crowd_lists *lists, size_t questions, size_t units);
void crowd_lists_free(struct crowd_lists *lists);

#endif
