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
#ifndef FUMATA_MODEL_H
#define FUMATA_MODEL_H

#include "encode.h"
#include "learner.h"

typedef struct {
  fumata_encoding encoding;
  fumata_learner learner;
  fumata_learned learned;
} fumata_model;

/* Each returns an exit code (say.h). Reading checks the digest first; a model that is not whole is not used. */
int fumata_model_write(const char *path, const fumata_encoding *encoding, const fumata_learner *learner,
                       const fumata_learned *learned);
int fumata_model_read(fumata_model *model, const char *path);
void fumata_model_free(fumata_model *model);

#endif
