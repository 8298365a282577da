/* The records of a poll in several processes (learn/ranks.h). Each rank has the places of its own part of the units: a
 * block of them, in the order in which units first appear in the file. It lists who is asked, by number and class; only
 * rank 0 counts uses, draws answers and writes. It does not matter which rank has a unit: a place is made from its own
 * record, and the lists are those of one crowd.
 *
 * Lists and their lengths are private; they are sent between the ranks. */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include "gate/crowd.h"
#include "learn/learner.h"
#include "run/teachers.h"

struct neighbours;

struct parts {
  uint32_t units, first, last; /* `units` of all ranks; this rank has units first .. last - 1 */
  struct crowd crowd;          /* of these units */
  uint32_t at_once;            /* questions that are sent together */
  unsigned char *questions;    /* room for them as they are sent: all radii, then all centres */
  struct crowd_question *asked;
  struct crowd_lists *heard; /* at rank 0 the lists of each rank; above it only its own, the first */
  struct rows tried;         /* records, spread over the file: all ranks must make the same rows and places of them */
  /* above rank 0: the student that sharpens places */
  struct learner student;
  struct learned learned;
};

void parts_free(struct parts *parts);

/* Each int is an exit code (error.h). */

/* Rank 0, in this order: loads what each rank has; makes places, after which the crowd of `neighbours` is one in other
 * processes; makes places again once a student has sharpened them. */
int parts_load(struct neighbours *neighbours, struct teachers *teachers);
int parts_place(struct neighbours *neighbours, struct teachers *teachers);
int parts_sharpen(struct neighbours *neighbours, struct teachers *teachers);

/* Above rank 0: does one of these, or answers a question. */
int parts_obey(struct neighbours *neighbours, struct teachers *teachers);

#endif
