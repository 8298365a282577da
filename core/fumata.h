/* Fumata's core: everything a program needs to release labels privately. */
#ifndef FUMATA_H
#define FUMATA_H

#ifdef __cplusplus
extern "C" {
#endif

#include "ballot.h"
#include "budget.h"
#include "ceiling.h"
#include "certify.h"
#include "certify_noise.h"
#include "certify_total.h"
#include "classic.h"
#include "count.h"
#include "crowd.h"
#include "meter.h"
#include "noise.h"
#include "partition.h"
#include "plan.h"
#include "poll.h"
#include "status.h"
#include "toll.h"
#include "version.h"

#ifdef __cplusplus
}
#endif

#endif
