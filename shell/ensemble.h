/* Teachers: each learns from its own chunk, all vote on every query. */
#ifndef FUMATA_ENSEMBLE_H
#define FUMATA_ENSEMBLE_H

#include "learner.h"
#include "partition.h"
#include "vote_linear.h"

typedef struct {
  const fumata_learner *learner;
  uint32_t teachers;
  fumata_learned *learned;   /* one a teacher; empty for linear ones after fumata_ensemble_ready */
  fumata_vote_linear linear; /* linear learners */
  void **trees;              /* trees */
  int is_ready;
  int is_lenient; /* a command that fails votes for label 0 (teachers); otherwise it is an error (students) */
} fumata_ensemble;

/* Each returns an exit code (say.h). `learner` must outlive the ensemble. */
int fumata_ensemble_train(fumata_ensemble *ensemble, const fumata_learner *learner, const fumata_rows *rows,
                          const fumata_chunks *chunks);

/* Puts the models into the form in which they vote. An ensemble of one is how a student predicts. */
int fumata_ensemble_ready(fumata_ensemble *ensemble);
int fumata_ensemble_single(fumata_ensemble *ensemble, const fumata_learner *learner, const fumata_learned *learned);
void fumata_ensemble_free(fumata_ensemble *ensemble);

/* Bytes of one vote: 1 for up to 256 classes, else 2. */
size_t fumata_ensemble_width(const fumata_ensemble *ensemble);

/* Votes on rows first .. first + count - 1: count x teachers, query by query. */
int fumata_ensemble_vote(const fumata_ensemble *ensemble, const fumata_rows *rows, size_t first, size_t count,
                         void *votes);

#endif
