#include "learn/student.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "core/meter.h"
#include "learn/ensemble.h"

static const char *const student_names[] = {"soft", "drop", "random"};

int student_parse(enum silent_as *as, const char *text) {
  for (int i = 0; i < 3; i++)
    if (!strcmp(text, student_names[i])) return *as = (enum silent_as)i, EXIT_OK;
  return error_report(EXIT_INPUT, "--silent-as: '%.40s' is not soft, drop or random", text);
}

/* With many classes a silence says too little about which of them are near. */
enum silent_as student_default(uint32_t classes) {
  return classes == 2 ? SILENT_SOFT : SILENT_DROP;
}

const char *student_name(enum silent_as as) {
  return student_names[as];
}

/* A label below `classes`, each equally likely to within classes / 2^64. */
static int student_guess(struct coins *coins, uint32_t classes, int32_t *label) {
  uint64_t word;
  int code = coins_draw(coins, &word);
  if (!code) *label = (int32_t)(((unsigned __int128)word * classes) >> 64);
  return code;
}

int student_train(const struct learner *learner, const struct rows *rows, const int32_t *answers, size_t asked,
                  enum silent_as as, struct coins *coins, struct learned *learned) {
  uint32_t classes = learner->classes;
  size_t silences = 0, room, count = 0;
  size_t *row;
  int32_t *label;
  uint32_t *times;
  int code = EXIT_OK;
  for (size_t i = 0; i < asked; i++)
    silences += answers[i] == FUMATA_SILENT;
  room = asked + (as == SILENT_SOFT ? silences * (classes - 1) : 0) + 1;
  row = malloc(room * sizeof *row);
  label = malloc(room * sizeof *label);
  times = malloc(room * sizeof *times);
  if (!row || !label || !times) code = error_report(EXIT_SYSTEM, "out of memory");
  for (size_t i = 0; !code && i < asked; i++) {
    uint32_t first = 0, last = 1;
    int32_t answer = answers[i];
    if (answer == FUMATA_SILENT) {
      if (as == SILENT_DROP) continue;
      if (as == SILENT_RANDOM)
        code = student_guess(coins, classes, &answer);
      else
        last = classes;
    }
    for (; first < last; first++, count++) {
      row[count] = i;
      label[count] = last > 1 ? (int32_t)first : answer;
      times[count] = last > 1 ? 1 : classes;
    }
  }
  if (!code) {
    struct lesson lesson = {.rows = rows, .row = row, .label = label, .share = classes, .count = count};
    if (as == SILENT_SOFT) lesson.times = times;
    code = learner_train(learner, &lesson, learned);
    if (!code && count && !learned->size)
      code = error_report(EXIT_SYSTEM, "the student could not be trained: its command failed");
  }
  free(row);
  free(label);
  free(times);
  return code;
}

int student_score(const struct learner *learner, const struct learned *learned, const struct rows *rows, size_t *right,
                  size_t *labelled) {
  struct ensemble single;
  unsigned char *votes = malloc(2 * rows->count + 1);
  int code = votes ? ensemble_single(&single, learner, learned) : error_report(EXIT_SYSTEM, "out of memory");
  *right = *labelled = 0;
  if (code) {
    free(votes);
    return code;
  }
  code = ensemble_vote(&single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++) {
    int32_t vote = ensemble_width(&single) == 1 ? votes[i] : ((const uint16_t *)votes)[i];
    if (rows->label[i] == ROWS_UNLABELLED) continue;
    ++*labelled;
    *right += rows->label[i] == vote;
  }
  free(votes);
  ensemble_free(&single);
  return code;
}
