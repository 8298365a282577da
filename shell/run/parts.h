/* The records of a poll in several processes (learn/ranks.h): each rank has the places of its own part of the units, a block of them in
 * the order in which each comes first in the file. It lists who is asked, by number and class; rank 0 alone counts uses, draws
 * answers and writes. Which rank has a unit changes nothing: a place is made from its own record, and lists are those of one crowd.
 *
 * Lists, and how long they are, are private; they travel between the ranks. */
#ifndef RUN_PARTS_H
#define RUN_PARTS_H

#include "gate/crowd.h"
#include "learn/learner.h"
#include "run/teachers.h"

struct neighbours;

struct parts {
  uint32_t units, first, last; /* of all ranks; this one has units first .. last - 1 */
  struct crowd crowd;          /* these */
  uint32_t at_once;            /* questions that go round together */
  unsigned char *questions;    /* room for them as they travel: all radii, then all centres */
  struct crowd_question *asked;
  struct crowd_lists *heard; /* rank 0: of each rank; above it: the first one is its own */
  struct rows tried;         /* records, spread over the file: they must become the same rows and places everywhere */
  /* above rank 0: who sharpens places */
  struct learner student;
  struct learned learned;
};

void parts_free(struct parts *parts);

/* Each int is an exit code (error.h). */

/* Rank 0, in this order: what each rank has is loaded; gets places, and the crowd of `neighbours` becomes one that is elsewhere; gets
 * places again once a student has sharpened them. */
int parts_load(struct neighbours *neighbours, struct teachers *teachers);
int parts_place(struct neighbours *neighbours, struct teachers *teachers);
int parts_sharpen(struct neighbours *neighbours, struct teachers *teachers);

/* Above rank 0: one of these, or a question. */
int parts_obey(struct neighbours *neighbours, struct teachers *teachers);

#endif
