/* The student of a poll: by the requested learner, or by the one that foresees answers best. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/choosing.h"
#include "learn/judgement.h"
#include "learn/polling.h"
#include "learn/student.h"

#define POLLING_STUDENT_TREES 1200 /* columns times classes, as for askers; more, since it is trained only once */
#define POLLING_STUDENT_TEXT  4200 /* characters of a learner: the command of an exec learner is the longest */

static const char *const polling_student_texts[] = {"logistic:C=1", "logistic:C=10", "trees:rounds=50,depth=4,rate=0.1",
                                                    "kernel:C=10"};
#define POLLING_STUDENT_COUNT (sizeof polling_student_texts / sizeof *polling_student_texts)

/* Trees look at every value of every column for each class. */
int polling_student_is_quick(const struct learner *learner, uint64_t most) {
  return learner->kind != &learner_trees || (uint64_t)learner->classes * learner->columns <= most;
}

static int polling_student_choose(const struct polling *polling, const struct polling_lesson *heard,
                                  struct learner *student) {
  struct learner learner[POLLING_STUDENT_COUNT] = {0};
  struct lesson lesson = polling_lesson(polling, heard);
  size_t best = 0, count = 0;
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < POLLING_STUDENT_COUNT; i++) {
    code = learner_parse(&learner[count], "--student", polling_student_texts[i]);
    if (!code) learner_fit(&learner[count], polling->pool, polling->classes);
    count += (!heard->heard || learner[count].kind->traits & LEARNER_HEARS) &&
             polling_student_is_quick(&learner[count], POLLING_STUDENT_TREES);
  }
  if (!code) code = choosing_best(learner, count, &lesson, &best);
  if (!code) *student = learner[best]; /* none of them owns memory */
  return code;
}

/* If classes are to count alike: names the second class where it is likelier than on average over the public rows. */
static void polling_student_balance(const struct polling *polling, const struct learner *student,
                                    struct learned *learned) {
  const struct rows *pool = polling->pool;
  double sum = 0, share;
  float score[2];
  for (size_t i = 0; i < pool->count; i++) {
    student->kind->score_row(student, learned, pool, i, score);
    sum += 1 / (1 + exp((double)score[0] - (double)score[1]));
  }
  share = sum / (double)pool->count;
  if (share > 0 && share < 1) student->kind->shift(learned, (float)log((1 - share) / share));
}

/* Removes the rows of a fold from a lesson. */
static int polling_student_leave(struct polling_lesson *lesson, size_t fold) {
  size_t *entry;
  int code = memory_take(&entry, lesson->count, sizeof *entry);
  if (code) return code;
  lesson->count = judgement_entries(fold, 0, lesson->row, lesson->count, entry);
  for (size_t k = 0; k < lesson->count; k++) {
    lesson->row[k] = lesson->row[entry[k]]; /* entries only move forward */
    lesson->label[k] = lesson->label[entry[k]];
    if (lesson->heard) lesson->heard[k] = lesson->heard[entry[k]];
  }
  free(entry);
  return EXIT_OK;
}

/* Learns from all answers, or from labels alone. */
static int polling_student_train(const struct polling *polling, const struct learner *student,
                                 const struct polling_lesson *heard, struct learned *learned) {
  struct lesson lesson = polling_lesson(polling, heard);
  int code;
  if (!heard->heard)
    return student_train(student, polling->pool, heard->row, heard->label, heard->count, SILENT_DROP, NULL, learned);
  code = learner_train(student, &lesson, learned);
  if (!code && learned->size && polling->aim == POLLING_BALANCED) polling_student_balance(polling, student, learned);
  return code;
}

/* All answers, if the requested learner, if any, can learn from them. */
static int polling_student_lesson(const struct polling *polling, const struct learner *said,
                                  struct polling_lesson *lesson) {
  int can = !said || (said->kind->traits & LEARNER_HEARS && said->balance == 0);
  return can ? polling_lesson_hear(polling, lesson) : polling_lesson_make(polling, lesson);
}

int polling_student_fold(const struct polling *polling, const struct learner *student, size_t fold,
                         struct learned *learned) {
  struct polling_lesson lesson;
  int code = polling_student_lesson(polling, student, &lesson);
  if (code) return code;
  code = polling_student_leave(&lesson, fold);
  if (!code) code = polling_student_train(polling, student, &lesson, learned);
  polling_lesson_free(&lesson);
  return code;
}

int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned) {
  struct polling_lesson lesson;
  char text[POLLING_STUDENT_TEXT];
  int code = polling_student_lesson(polling, said, &lesson);
  memset(student, 0, sizeof *student);
  if (code) return code;
  if (said) {
    learner_print(said, text, sizeof text);
    code = learner_parse(student, "--student", text);
    if (!code) learner_fit(student, polling->pool, polling->classes);
  } else {
    code = polling_student_choose(polling, &lesson, student);
  }
  if (!code) code = polling_student_train(polling, student, &lesson, learned);
  polling_lesson_free(&lesson);
  if (code) learner_free(student);
  return code;
}
