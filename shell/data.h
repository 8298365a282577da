/* Everything between a file and encoded records: one header for commands and learners. */
#ifndef FUMATA_DATA_H
#define FUMATA_DATA_H

#include "ballots.h"
#include "encode.h"
#include "partition.h"
#include "reader.h"
#include "rows.h"
#include "transform.h"

#endif
