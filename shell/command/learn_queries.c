/* fumata learn: which records are asked, in which order, and which ones teach. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/say.h"
#include "command/learn.h"
#include "learn/ranks.h"

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

/* --label-private: one half teaches, the other one is asked about. Of several ranks each keeps what its teachers own, and
 * rank 0 the queries. */
static int learn_queries_split(struct learn *learn) {
  struct training *training = &learn->training;
  unsigned char *mine = NULL;
  int code = training_load(training);
  if (!code && ranks_count() > 1) code = training_load_whole(training);
  if (!code) code = training_half(training, 1, &mine);
  if (!code) code = learn_queries_make(learn, &training->rows, mine);
  /* Where only labels are private, the number of records is public. */
  if (!code && !learn->about) learn->about = training->rows.count;
  if (ranks_count() > 1) rows_free(&training->rows);
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
  return code ? code : training_load(training);
}

int learn_queries_load(struct learn *learn) {
  struct training *training = &learn->training;
  uint32_t classes = training->encoding.classes.count;
  int code;
  training->is_halved = learn->label_private || learn->estimate.den;
  code = learn->label_private ? learn_queries_split(learn) : learn_queries_public(learn);
  if (code) return code;
  learner_fit(&training->learner, &learn->queries, classes);
  learner_fit(&learn->student, &learn->queries, classes);
  say_text("%zu public records to ask about, %u classes, %u features\n", learn->queries.count, classes,
           training->encoding.columns);
  training_tell_columns(training);
  return EXIT_OK;
}
