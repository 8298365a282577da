#include "door/door_version.h"

const char *fumata_door_version(void) {
  return FUMATA_VERSION;
}
