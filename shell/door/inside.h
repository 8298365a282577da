/* What the files of this room share, and nobody outside sees. */
#ifndef DOOR_INSIDE_H
#define DOOR_INSIDE_H

#include "base/error.h"
#include "base/rational.h"
#include "door/door.h"
#include "plan/plan.h"

struct fumata_door_plan {
  struct plan_box box;
};

/* Errors of the shell speak into the door's text from here on, until door_leave, which returns the code. */
void door_enter(void);
int door_leave(int code);

/* C programs forget arguments; no door opens on nothing. */
int door_needs(const char *what, const void *argument);

/* A number, or nothing where there is no text. */
int door_ceiling(const char *what, const char *text, struct rational *ceiling);

int door_cost(const char *epsilon, const char *delta, struct plan_target *target);

/* Enters and takes memory for a plan, and the end of that: a finished plan goes out if the core certifies it, or everything is
 * taken back. */
int door_plan_new(fumata_door_plan **made);
int door_hand_out(fumata_door_plan *made, int code, fumata_door_plan **plan);

#endif
