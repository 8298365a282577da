/* Asking by disagreement (RobustCAL with an ERM oracle): a record is asked about only if two hypotheses that are still
 * possible differ on it.
 *
 * The learner stands for empirical risk minimisation. One hypothesis is what it learns from the answers; the other is what it
 * learns when the record with its second likeliest label is among them at a large weight. That one is still possible if it
 * errs on no more than `tolerance` answers beyond the first's errors, about as many as chance alone accounts for; as stages
 * double, that is a smaller and smaller share of the answers. Otherwise all agree on the likeliest label, which is free. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "core/meter.h"
#include "learn/asking.h"
#include "learn/linear_score.h"
#include "learn/pool.h"

#define ASKING_DISAGREEMENT_BLOCK  64u /* records examined at a time, on all cores */
#define ASKING_DISAGREEMENT_TRIES  16u /* so many records a wanted one are examined; then the student's margin decides */
#define ASKING_DISAGREEMENT_CHANCE 3.0 /* standard deviations of the count of errors: chance accounts for them */

struct asking_examined {
  const struct asking *asking;
  size_t *row; /* answers, and one place more for the record that is forced */
  int32_t *label;
  uint32_t *times;
  size_t answers;
  size_t tolerance; /* errors that a hypothesis may make */
  size_t candidate[ASKING_DISAGREEMENT_BLOCK];
  unsigned char is_possible[ASKING_DISAGREEMENT_BLOCK];
};

/* Errors of a model on the answers. */
static size_t asking_disagreement_errors(const struct asking_examined *examined, const struct learned *learned) {
  const struct asking *asking = examined->asking;
  uint32_t classes = asking->asker.classes;
  size_t errors = 0;
  for (size_t i = 0; i < examined->answers; i++)
    errors += linear_score_label(learned, classes, asking->pool, examined->row[i]) != examined->label[i];
  return errors;
}

/* Learns with row `forced` as the second likeliest label; is what comes out still possible? */
static int asking_disagreement_force(void *context, size_t job, unsigned worker) {
  struct asking_examined *examined = context;
  const struct asking *asking = examined->asking;
  size_t count = examined->answers + 1;
  struct asking_examined own = *examined;
  struct learned learned = {0};
  int code = memory_take(&own.row, count, sizeof *own.row);
  (void)worker;
  own.label = NULL;
  if (!code) code = memory_take(&own.label, count, sizeof *own.label);
  if (!code) {
    struct lesson lesson = {
        .rows = asking->pool, .row = own.row, .label = own.label, .times = examined->times, .share = 1, .count = count};
    memcpy(own.row, examined->row, examined->answers * sizeof *own.row);
    memcpy(own.label, examined->label, examined->answers * sizeof *own.label);
    own.row[count - 1] = examined->candidate[job];
    own.label[count - 1] = (int32_t)asking_pair(asking, examined->candidate[job]).second;
    code = learner_train(&asking->asker, &lesson, &learned);
  }
  if (!code) examined->is_possible[job] = asking_disagreement_errors(&own, &learned) <= examined->tolerance;
  learned_free(&learned);
  free(own.row);
  free(own.label);
  return code;
}

static void asking_disagreement_free(struct asking_examined *examined) {
  free(examined->row);
  free(examined->label);
  free(examined->times);
}

/* The answers that are labels, and how many errors are still possible. */
static int asking_disagreement_make(struct asking_examined *examined, const struct asking *asking) {
  size_t errors;
  int code = memory_take(&examined->row, asking->count + 1, sizeof *examined->row);
  if (!code) code = memory_take(&examined->label, asking->count + 1, sizeof *examined->label);
  if (!code) code = memory_take(&examined->times, asking->count + 1, sizeof *examined->times);
  if (code) return code;
  examined->asking = asking;
  for (size_t i = 0; i < asking->count; i++) {
    if (asking->said[i].answer == FUMATA_SILENT) continue;
    examined->times[examined->answers] = 1;
    examined->row[examined->answers] = asking->said[i].row;
    examined->label[examined->answers++] = asking->said[i].answer;
  }
  examined->times[examined->answers] =
      (uint32_t)examined->answers + 1; /* the record that is forced outweighs all others */
  errors = asking_disagreement_errors(examined, &asking->learned);
  examined->tolerance = errors + (size_t)floor(ASKING_DISAGREEMENT_CHANCE * sqrt((double)errors + 1));
  return EXIT_OK;
}

/* The next block of rows that are open. */
static size_t asking_disagreement_block(struct asking *asking, struct asking_examined *examined, size_t most) {
  size_t count = 0;
  for (; count < most && count < ASKING_DISAGREEMENT_BLOCK && asking->next < asking->pool->count; asking->next++)
    if (asking_is_open(asking, asking->next)) examined->candidate[count++] = asking->next;
  return count;
}

int asking_disagreement(struct asking *asking, size_t wanted) {
  struct asking_examined examined = {0};
  size_t tries = wanted * ASKING_DISAGREEMENT_TRIES, count;
  int code = asking_disagreement_make(&examined, asking);
  for (; !code && asking->size < wanted && tries; tries -= count) {
    count = asking_disagreement_block(asking, &examined, tries);
    if (!count) break;
    code = pool_run(count, asking_disagreement_force, &examined, NULL);
    for (size_t i = 0; !code && i < count; i++) {
      size_t row = examined.candidate[i];
      if (!examined.is_possible[i])
        asking->agreed[row] = (int32_t)asking_pair(asking, row).likeliest;
      else if (asking->size < wanted)
        code = asking_put(asking, row);
    }
  }
  asking_disagreement_free(&examined);
  return code;
}
