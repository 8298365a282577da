/* What the files of this room share, and other rooms and programs do not see. */
#ifndef DOOR_INSIDE_H
#define DOOR_INSIDE_H

#include "base/error.h"
#include "base/rational.h"
#include "door/door.h"
#include "plan/plan.h"

struct fumata_door_plan {
  struct plan_box box;
};

/* From here until door_leave, which returns the code, the shell's error lines go into the text of fumata_door_error. */
void door_enter(void);
int door_leave(int code);

/* Reports an argument that is NULL. */
int door_needs(const char *what, const void *argument);

/* A ceiling from its text; without a text there is no ceiling. */
int door_ceiling(const char *what, const char *text, struct rational *ceiling);

int door_cost(const char *epsilon, const char *delta, struct plan_target *target);

/* Enters and takes memory for a plan; door_hand_out ends that: it hands over a plan that the core certifies, or frees it. */
int door_plan_new(fumata_door_plan **made);
int door_hand_out(fumata_door_plan *made, int code, fumata_door_plan **plan);

#endif
