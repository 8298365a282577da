#include "version.h"

uint32_t fumata_version(void) {
  return 1000000u * FUMATA_VERSION_MAJOR + 1000u * FUMATA_VERSION_MINOR + FUMATA_VERSION_PATCH;
}
