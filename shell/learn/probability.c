#include "learn/probability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/committee.h"
#include "learn/linear_score.h"
#include "learn/trees.h"

static int probability_open_members(struct probability *probability) {
  uint32_t members = probability->learner->members;
  struct learned *learned;
  int code = memory_take(&learned, members, sizeof *learned);
  if (!code) code = memory_take(&probability->member, members, sizeof *probability->member);
  if (!code) code = committee_open(probability->learned, members, learned);
  probability->member_learner = *probability->learner;
  probability->member_learner.members = 0;
  for (uint32_t m = 0; !code && m < members; m++)
    code = ensemble_single(&probability->member[m], &probability->member_learner, &learned[m]);
  for (uint32_t m = 0; learned && m < members; m++)
    learned_free(&learned[m]);
  free(learned);
  return code;
}

int probability_open(struct probability *probability, const struct learner *learner, const struct learned *learned,
                     const char *path) {
  int code = EXIT_OK;
  memset(probability, 0, sizeof *probability);
  probability->learner = learner;
  probability->learned = learned;
  if (learner->members)
    code = probability_open_members(probability);
  else if (learner->kind == LEARNER_TREES)
    code = trees_open(learned, &probability->trees);
  else if (learner->kind != LEARNER_LOGISTIC)
    code = error_report(EXIT_INPUT, "%s: --proba: %s; --student logistic, trees or committee has probabilities", path,
                        learner->kind == LEARNER_SVM ? "an svm has no probabilities" : "a command gives labels only");
  if (code) probability_close(probability);
  return code;
}

void probability_close(struct probability *probability) {
  for (uint32_t m = 0; probability->member && m < probability->learner->members; m++)
    ensemble_free(&probability->member[m]);
  free(probability->member);
  trees_close(probability->trees);
  memset(probability, 0, sizeof *probability);
}

static float probability_logistic(float score) {
  return (float)(1 / (1 + exp(-(double)score)));
}

/* Makes a row add up to 1; one that is nothing but zeros becomes even. */
static void probability_normalise(float *share, uint32_t classes) {
  double sum = 0;
  for (uint32_t c = 0; c < classes; c++)
    sum += (double)share[c];
  for (uint32_t c = 0; c < classes; c++)
    share[c] = sum > 0 ? (float)((double)share[c] / sum) : 1.0f / (float)classes;
}

/* Scores of each class against the rest; of two classes the second one's is all there is. */
static void probability_from_scores(float *share, size_t rows, uint32_t classes) {
  for (size_t i = 0; i < rows; i++, share += classes) {
    if (classes == 2) {
      share[1] = probability_logistic(share[1]);
      share[0] = 1 - share[1];
      continue;
    }
    for (uint32_t c = 0; c < classes; c++)
      share[c] = probability_logistic(share[c]);
    probability_normalise(share, classes);
  }
}

/* Margins of trees that compete with each other. */
static void probability_softmax(float *share, size_t rows, uint32_t classes) {
  for (size_t i = 0; i < rows; i++, share += classes) {
    float most = share[0];
    for (uint32_t c = 1; c < classes; c++)
      most = share[c] > most ? share[c] : most;
    for (uint32_t c = 0; c < classes; c++)
      share[c] = expf(share[c] - most);
    probability_normalise(share, classes);
  }
}

static int probability_of_members(const struct probability *probability, const struct rows *rows, float *share) {
  uint32_t classes = probability->learner->classes, members = probability->learner->members;
  void *votes;
  int code = memory_take(&votes, rows->count, sizeof(uint16_t));
  memset(share, 0, rows->count * classes * sizeof *share);
  for (uint32_t m = 0; !code && m < members; m++) {
    const struct ensemble *member = &probability->member[m];
    if (member->is_empty[0]) continue; /* its sample was empty: it has no say */
    code = ensemble_vote(member, rows, 0, rows->count, votes);
    for (size_t i = 0; !code && i < rows->count; i++)
      share[i * classes + ensemble_label(member, votes, i)]++;
  }
  for (size_t i = 0; i < rows->count; i++)
    probability_normalise(share + i * classes, classes);
  free(votes);
  return code;
}

int probability_of(const struct probability *probability, const struct rows *rows, float *share) {
  uint32_t classes = probability->learner->classes;
  int code;
  if (probability->member) return probability_of_members(probability, rows, share);
  if (probability->learner->kind == LEARNER_LOGISTIC) {
    linear_score(probability->learned, classes, rows, share);
    probability_from_scores(share, rows->count, classes);
    return EXIT_OK;
  }
  code = trees_margin(probability->trees, rows, classes, share);
  if (!code && classes == 2) probability_from_scores(share, rows->count, classes);
  if (!code && classes > 2) probability_softmax(share, rows->count, classes);
  return code;
}
