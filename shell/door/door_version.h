/* The version of the library, for those who load it. */
#ifndef DOOR_DOOR_VERSION_H
#define DOOR_DOOR_VERSION_H

#include "door/door.h"

FUMATA_DOOR const char *fumata_door_version(void);

#endif
