/* What a feature is called, for people: by the column it came from where there is one. */
#ifndef DATA_FEATURE_NAME_H
#define DATA_FEATURE_NAME_H

#include "data/encoding.h"

/* Feature j of an encoded row, as a text to be freed: "age", "age is missing", "ward = north", "ward is another", or, where
 * a step mixes the columns, "component 3" (pca) or "feature 3"; counted from 1. Returns an exit code (error.h). */
int feature_name(const struct encoding *encoding, uint32_t j, char **name);

#endif
