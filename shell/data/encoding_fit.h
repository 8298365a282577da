/* Steps of encoding_make: what is stated, and what is learned from the public file where nothing is stated. Each
 * returns an exit code (error.h). */
#ifndef DATA_ENCODING_FIT_H
#define DATA_ENCODING_FIT_H

#include "data/encoding.h"

/* What the schema file and then the command line say. */
int encoding_fit_stated(struct encoding *encoding, const struct encoding_request *request);

/* Format, columns, ranges and categories that are not stated. */
int encoding_fit_public(struct encoding *encoding, const char *path);

/* hog: the shape of an image, as it was said or as the idx file has it, and whether the records have so many pixels. */
int encoding_fit_image(struct encoding *encoding);

/* Step s, from what the steps before it make of the public rows. */
int encoding_fit_step(struct encoding *encoding, size_t s, const char *path);

#endif
