#include "learn/student.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

struct student_entries {
  size_t *row;
  int32_t *label;
  uint32_t *times;
  size_t count;
};

/* Adds an entry to the lesson of the answers. */
static void student_add(struct student_entries *entries, size_t row, int32_t label, uint32_t times) {
  entries->row[entries->count] = row;
  entries->label[entries->count] = label;
  entries->times[entries->count++] = times;
}

/* A label counts `classes` times, each class of a soft silence once. A random label is each class with the same chance, to
 * within classes / 2^64. */
static int student_fill(struct student_entries *entries, const size_t *row, const int32_t *answers, size_t asked,
                        uint32_t classes, enum silent_as as, struct coins *coins) {
  for (size_t i = 0; i < asked; i++) {
    size_t at = row ? row[i] : i;
    uint64_t word;
    if (answers[i] != FUMATA_SILENT) {
      student_add(entries, at, answers[i], classes);
    } else if (as == SILENT_SOFT) {
      for (uint32_t c = 0; c < classes; c++)
        student_add(entries, at, (int32_t)c, 1);
    } else if (as == SILENT_RANDOM) {
      int code = coins_draw(coins, &word);
      if (code) return code;
      student_add(entries, at, (int32_t)(((unsigned __int128)word * classes) >> 64), classes);
    }
  }
  return EXIT_OK;
}

int student_train(const struct learner *learner, const struct rows *rows, const size_t *row, const int32_t *answers,
                  size_t asked, enum silent_as as, struct coins *coins, struct learned *learned) {
  uint32_t classes = learner->classes;
  struct student_entries own = {0};
  size_t room = asked;
  int code;
  for (size_t i = 0; as == SILENT_SOFT && i < asked; i++)
    room += answers[i] == FUMATA_SILENT ? classes - 1 : 0;
  code = memory_take(&own.row, room, sizeof *own.row);
  if (!code) code = memory_take(&own.label, room, sizeof *own.label);
  if (!code) code = memory_take(&own.times, room, sizeof *own.times);
  if (!code) code = student_fill(&own, row, answers, asked, classes, as, coins);
  if (!code) {
    struct lesson lesson = {.rows = rows, .row = own.row, .label = own.label, .share = classes, .count = own.count};
    if (as == SILENT_SOFT) lesson.times = own.times;
    code = learner_train(learner, &lesson, learned);
    if (!code && own.count && !learned->size)
      code = error_report(EXIT_SYSTEM, "the student could not be trained: its command failed");
  }
  free(own.row);
  free(own.label);
  free(own.times);
  return code;
}

int student_score(const struct learner *learner, const struct learned *learned, const struct rows *rows, size_t *right,
                  size_t *labelled) {
  struct ensemble single;
  int code = ensemble_single(&single, learner, learned);
  *right = *labelled = 0;
  if (code) return code;
  code = ensemble_score(&single, rows, right, labelled);
  ensemble_free(&single);
  return code;
}
