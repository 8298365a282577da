/* A student as one JSON object: `fumata model show --json`. fumata-model(1) says what its members mean, and
 * examples/read_model.py reads it. */
#ifndef COMMAND_MODEL_JSON_H
#define COMMAND_MODEL_JSON_H

#include <stdio.h>

#include "learn/model.h"

/* Returns an exit code (error.h). */
int model_json_print(const struct student_model *model, FILE *out);

#endif
