/* Steps of encoding_make: what is stated, and what is learned from the public file where nothing is stated. Each
 * returns an exit code (error.h). */
#ifndef DATA_ENCODING_FIT_H
#define DATA_ENCODING_FIT_H

#include "data/encoding.h"

/* What the schema file and then the command line say. */
int encoding_fit_stated(struct encoding *encoding, const struct encoding_request *request);

/* Format, columns, ranges and categories that are not stated. */
int encoding_fit_public(struct encoding *encoding, const char *path);

/* The transform, from the public rows as they are without one; the encoding is laid out. */
int encoding_fit_transform(struct encoding *encoding, const char *path);

#endif
