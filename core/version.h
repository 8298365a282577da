/* The version of the core: in this text, and in the library that a program runs with. */
#ifndef FUMATA_VERSION_H
#define FUMATA_VERSION_H

#include <stdint.h>

#define FUMATA_VERSION_MAJOR 0u
#define FUMATA_VERSION_MINOR 1u
#define FUMATA_VERSION_PATCH 0u

/* The version of the library that is linked: 1000000 major + 1000 minor + patch. A program that was compiled with another
 * header compares it with its own three numbers.
 *
 * Claim:    the number is the one of this text.
 * Not here: that the program may be run with it (fumata(3) says when). */
/*@ terminates \true; exits \false;
    assigns              \nothing;
    ensures number:      \result == 1000000 * FUMATA_VERSION_MAJOR + 1000 * FUMATA_VERSION_MINOR + FUMATA_VERSION_PATCH; */
uint32_t fumata_version(void);

#endif
