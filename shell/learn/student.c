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

/* A label below `classes`, each equally likely to within classes / 2^64. */
static int student_guess(struct coins *coins, uint32_t classes, int32_t *label) {
  uint64_t word;
  int code = coins_draw(coins, &word);
  if (!code) *label = (int32_t)(((unsigned __int128)word * classes) >> 64);
  return code;
}

/* The lesson that the answers are: its entries belong to the student. */
struct student_lesson {
  size_t *row;
  int32_t *label;
  uint32_t *times;
  size_t count;
};

static int student_lesson_init(struct student_lesson *lesson, size_t room) {
  int code = memory_take(&lesson->row, room, sizeof *lesson->row);
  if (!code) code = memory_take(&lesson->label, room, sizeof *lesson->label);
  if (!code) code = memory_take(&lesson->times, room, sizeof *lesson->times);
  return code;
}

static void student_lesson_free(struct student_lesson *lesson) {
  free(lesson->row);
  free(lesson->label);
  free(lesson->times);
}

/* A label counts `classes` times, each class of a soft silence once. */
static void student_lesson_add(struct student_lesson *lesson, size_t row, int32_t label, uint32_t times) {
  lesson->row[lesson->count] = row;
  lesson->label[lesson->count] = label;
  lesson->times[lesson->count++] = times;
}

static int student_lesson_fill(struct student_lesson *lesson, const size_t *row, const int32_t *answers, size_t asked,
                               uint32_t classes, enum silent_as as, struct coins *coins) {
  for (size_t i = 0; i < asked; i++) {
    size_t at = row ? row[i] : i;
    int32_t answer = answers[i];
    if (answer == FUMATA_SILENT && as == SILENT_DROP) continue;
    if (answer == FUMATA_SILENT && as == SILENT_SOFT) {
      for (uint32_t c = 0; c < classes; c++)
        student_lesson_add(lesson, at, (int32_t)c, 1);
      continue;
    }
    if (answer == FUMATA_SILENT) {
      int code = student_guess(coins, classes, &answer);
      if (code) return code;
    }
    student_lesson_add(lesson, at, answer, classes);
  }
  return EXIT_OK;
}

int student_train(const struct learner *learner, const struct rows *rows, const size_t *row, const int32_t *answers,
                  size_t asked, enum silent_as as, struct coins *coins, struct learned *learned) {
  uint32_t classes = learner->classes;
  struct student_lesson own = {0};
  size_t silences = 0;
  int code;
  for (size_t i = 0; i < asked; i++)
    silences += answers[i] == FUMATA_SILENT;
  code = student_lesson_init(&own, asked + (as == SILENT_SOFT ? silences * (classes - 1) : 0));
  if (!code) code = student_lesson_fill(&own, row, answers, asked, classes, as, coins);
  if (!code) {
    struct lesson lesson = {.rows = rows, .row = own.row, .label = own.label, .share = classes, .count = own.count};
    if (as == SILENT_SOFT) lesson.times = own.times;
    code = learner_train(learner, &lesson, learned);
    if (!code && own.count && !learned->size)
      code = error_report(EXIT_SYSTEM, "the student could not be trained: its command failed");
  }
  student_lesson_free(&own);
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
