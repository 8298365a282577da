/* The crowd that a poll asks: where each private record lies, its class, and which records are one unit's. All of it is
 * private, and how long a question takes depends on how many records and units there are, on nothing that they say. */
#ifndef GATE_CROWD_H
#define GATE_CROWD_H

#include <stddef.h>

#include "core/crowd.h"

/* Who lies within the radius of questions: of question i units[start[i] .. start[i + 1] - 1], ascending, and the class of each. Private,
 * and so is how many there are. */
struct crowd_lists {
  size_t *start;
  uint32_t *units;
  uint16_t *labels;
  size_t start_room, units_room, labels_room;
};

/* A question is public: it depends on public data and released answers alone. */
struct crowd_question {
  uint64_t row;           /* the public record that it is about, for the journal */
  const int16_t *centre;  /* as many coordinates as the records have */
  const int16_t *weights; /* one a class, from -most to most */
  uint32_t most;
  uint32_t radius; /* squared */
};

/* Lists the units that `count` questions ask, wherever they are. Exit code (error.h). */
typedef int crowd_lister(void *context, const struct crowd_question *questions, size_t count,
                         struct crowd_lists *lists);

/* Whoever makes it fills in the first four; a place is computed from its own record alone, by a public rule, and is the same to
 * the bit whatever else is in the file. crowd_free wipes and frees all of it. */
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
  unsigned cores; /* that distances are found on; 0: those that the process may use, if it is worth it */
  /* Or its records are in several processes: then it has no records, but dimensions, units and `at_once`, and who lists them. */
  crowd_lister *lister;
  void *context;
};

/* Each int is an exit code (error.h). */

/* Room for `records` of them, to be filled in; `has_units`: several may be one unit's. */
int crowd_init(struct crowd *crowd, uint32_t records, uint32_t dimensions, int has_units);
void crowd_free(struct crowd *crowd);

/* Clips the places and notes their norms: once they are filled in, and again whenever they have changed. */
int crowd_settle(struct crowd *crowd);

/* How far the records are from the centres of the next questions, of which there are `count`, at most crowd->at_once. */
int crowd_find(struct crowd *crowd, const struct crowd_question *questions, size_t count);

/* What the units have to say to the i-th of them; good until the next call. */
int crowd_voices(struct crowd *crowd, size_t i, fumata_voices *voices);

/* The units of this crowd that `count` questions ask, however many these are; the first unit has the number `first`. How long it
 * takes depends on how many there are. */
int crowd_list(struct crowd *crowd, uint32_t first, const struct crowd_question *questions, size_t count,
               struct crowd_lists *lists);

/* Room for so many questions and units; wipes and frees. */
int crowd_lists_reserve(struct crowd_lists *lists, size_t questions, size_t units);
void crowd_lists_free(struct crowd_lists *lists);

#endif
