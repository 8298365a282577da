/* fumata learn: which records are asked, in which order, and which ones teach. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/learn.h"

/* Fisher and Yates. */
static int learn_queries_shuffle(struct coins *coins, size_t *order, size_t count) {
  for (size_t i = count; i > 1; i--) {
    uint64_t word;
    size_t other, keep = order[i - 1];
    int code = coins_draw(coins, &word);
    if (code) return code;
    other = (size_t)(((unsigned __int128)word * i) >> 64);
    order[i - 1] = order[other];
    order[other] = keep;
  }
  return EXIT_OK;
}

/* Asks in random order: a file sorted by label would otherwise spend the budget on its first class. `mine` (or NULL:
 * all) says which rows are queries. */
static int learn_queries_make(struct learn *learn, const struct rows *rows, const unsigned char *mine) {
  size_t count = 0;
  int code = memory_take(&learn->id, rows->count, sizeof *learn->id);
  if (code) return code;
  for (size_t i = 0; i < rows->count; i++)
    if (!mine || mine[i]) learn->id[count++] = i;
  code = learn_queries_shuffle(&learn->training.coins, learn->id, count);
  if (!code) code = rows_gather(rows, learn->id, count, &learn->queries);
  if (!code && count == 0) code = error_report(EXIT_INPUT, "no public records to ask about");
  return code;
}

int learn_queries_halve(struct learn *learn, uint32_t half, unsigned char **mark) {
  const struct rows *rows = &learn->training.rows;
  int code = memory_take(mark, rows->count, 1);
  if (code) return code;
  for (size_t i = 0; i < rows->count; i++)
    (*mark)[i] = partition_half(&learn->training.partition, rows->unit[i]) == half;
  return EXIT_OK;
}

/* --label-private: one half teaches, the other one is asked about. */
static int learn_queries_split(struct learn *learn) {
  unsigned char *mine = NULL;
  int code = training_load(&learn->training);
  if (!code) code = learn_queries_halve(learn, 0, &learn->keep);
  if (!code) code = learn_queries_halve(learn, 1, &mine);
  if (!code) code = learn_queries_make(learn, &learn->training.rows, mine);
  free(mine);
  return code;
}

static int learn_queries_public(struct learn *learn) {
  struct training *training = &learn->training;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  struct rows all;
  int code = reader_load(&all, training->request.public_path, &training->encoding, &unlabelled);
  if (code) return code;
  code = learn_queries_make(learn, &all, NULL);
  rows_free(&all);
  if (!code) code = training_load(training);
  if (!code && learn->estimate.den) code = learn_queries_halve(learn, 0, &learn->keep);
  return code;
}

int learn_queries_load(struct learn *learn) {
  struct training *training = &learn->training;
  uint32_t classes = training->encoding.classes.count;
  int code = learn->label_private ? learn_queries_split(learn) : learn_queries_public(learn);
  if (code) return code;
  learner_fit(&training->learner, &learn->queries, classes);
  learner_fit(&learn->student, &learn->queries, classes);
  /* Where only labels are private, the number of records is public. */
  if (learn->label_private && !learn->about) learn->about = training->rows.count;
  say_text("%zu public records to ask about, %u classes, %u features\n", learn->queries.count, classes,
           training->encoding.columns);
  training_tell_columns(training);
  return EXIT_OK;
}
