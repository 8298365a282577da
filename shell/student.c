#include "student.h"

#include <stdlib.h>
#include <string.h>

#include "ensemble.h"
#include "meter.h"
#include "say.h"

static const char *const fumata_student_names[] = {"soft", "drop", "random"};

int fumata_student_parse(fumata_silent_as *as, const char *text) {
  for (int i = 0; i < 3; i++)
    if (!strcmp(text, fumata_student_names[i])) return *as = (fumata_silent_as)i, FUMATA_EXIT_OK;
  return fumata_say_error(FUMATA_EXIT_INPUT, "--silent-as: '%.40s' is not soft, drop or random", text);
}

/* With many classes a silence says too little about which of them are near. */
fumata_silent_as fumata_student_default(uint32_t classes) {
  return classes == 2 ? FUMATA_SILENT_SOFT : FUMATA_SILENT_DROP;
}

const char *fumata_student_name(fumata_silent_as as) {
  return fumata_student_names[as];
}

/* A label below `classes`, each equally likely to within classes / 2^64. */
static int fumata_student_guess(fumata_coins *coins, uint32_t classes, int32_t *label) {
  uint64_t word;
  int code = fumata_coins_draw(coins, &word);
  if (!code) *label = (int32_t)(((unsigned __int128)word * classes) >> 64);
  return code;
}

int fumata_student_train(const fumata_learner *learner, const fumata_rows *rows, const int32_t *answers, size_t asked,
                         fumata_silent_as as, fumata_coins *coins, fumata_learned *learned) {
  uint32_t classes = learner->classes;
  size_t silences = 0, room, count = 0;
  size_t *row;
  int32_t *label;
  uint32_t *times;
  int code = FUMATA_EXIT_OK;
  for (size_t i = 0; i < asked; i++)
    silences += answers[i] == FUMATA_SILENT;
  room = asked + (as == FUMATA_SILENT_SOFT ? silences * (classes - 1) : 0) + 1;
  row = malloc(room * sizeof *row);
  label = malloc(room * sizeof *label);
  times = malloc(room * sizeof *times);
  if (!row || !label || !times) code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  for (size_t i = 0; !code && i < asked; i++) {
    uint32_t first = 0, last = 1;
    int32_t answer = answers[i];
    if (answer == FUMATA_SILENT) {
      if (as == FUMATA_SILENT_DROP) continue;
      if (as == FUMATA_SILENT_RANDOM)
        code = fumata_student_guess(coins, classes, &answer);
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
    fumata_lesson lesson = {.rows = rows, .row = row, .label = label, .share = classes, .count = count};
    if (as == FUMATA_SILENT_SOFT) lesson.times = times;
    code = fumata_learner_train(learner, &lesson, learned);
    if (!code && count && !learned->size)
      code = fumata_say_error(FUMATA_EXIT_SYSTEM, "the student could not be trained: its command failed");
  }
  free(row);
  free(label);
  free(times);
  return code;
}

int fumata_student_score(const fumata_learner *learner, const fumata_learned *learned, const fumata_rows *rows,
                         size_t *right, size_t *labelled) {
  fumata_ensemble single;
  unsigned char *votes = malloc(2 * rows->count + 1);
  int code =
      votes ? fumata_ensemble_single(&single, learner, learned) : fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  *right = *labelled = 0;
  if (code) {
    free(votes);
    return code;
  }
  code = fumata_ensemble_vote(&single, rows, 0, rows->count, votes);
  for (size_t i = 0; !code && i < rows->count; i++) {
    int32_t vote = fumata_ensemble_width(&single) == 1 ? votes[i] : ((const uint16_t *)votes)[i];
    if (rows->label[i] == FUMATA_ROWS_UNLABELLED) continue;
    ++*labelled;
    *right += rows->label[i] == vote;
  }
  free(votes);
  fumata_ensemble_free(&single);
  return code;
}
