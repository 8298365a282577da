/* student.model: all that a prediction needs, in one file.
 *
 *   fumata-model 1
 *   learner logistic:C=100,tolerance=0.01
 *   scale 0x1.1p-2
 *   size 24644                    bytes of what was learned
 *   ...                           the encoding, in the form of a schema file, up to the line "end"
 *   <24644 bytes>
 *   sha256 <64 digits>            of every byte above
 */
#ifndef LEARN_MODEL_H
#define LEARN_MODEL_H

#include "base/digest.h"
#include "data/encoding.h"
#include "learn/learner.h"

struct student_model {
  struct encoding encoding;
  struct learner learner;
  struct learned learned;
  char digest[DIGEST_TEXT]; /* of the file, as its last line says */
};

/* Each returns an exit code (error.h). Reading checks the digest first; a damaged model is refused. */
int model_write(const char *path, const struct encoding *encoding, const struct learner *learner,
                const struct learned *learned);
int model_read(struct student_model *model, const char *path);
void model_free(struct student_model *model);

#endif
