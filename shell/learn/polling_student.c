/* The student of a poll: by the learner that was said, or by the one that foresees answers best. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "learn/choosing.h"
#include "learn/judgement.h"
#include "learn/polling.h"
#include "learn/student.h"

#define POLLING_STUDENT_TREES 1200 /* the same of the student, which is taught once */
#define POLLING_STUDENT_TEXT  4200 /* of a learner: the command of an exec learner is the longest */

static const char *const polling_student_texts[] = {"logistic:C=1", "logistic:C=10", "trees:rounds=50,depth=4,rate=0.1",
                                                    "kernel:C=10"};
#define POLLING_STUDENT_COUNT (sizeof polling_student_texts / sizeof *polling_student_texts)

/* Trees look at every value of every column for each class. */
int polling_student_is_quick(const struct learner *learner, uint64_t most) {
  return learner->kind != &learner_trees || (uint64_t)learner->classes * learner->columns <= most;
}

/* `is_shifted`: only among those whose threshold can be moved. */
static int polling_student_choose(const struct polling *polling, const struct polling_lesson *heard, int is_shifted,
                                  struct learner *student) {
  struct learner learner[POLLING_STUDENT_COUNT] = {0};
  struct lesson lesson = {.rows = polling->pool, .row = heard->row, .label = heard->label, .count = heard->count};
  size_t best = 0, count = 0;
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < POLLING_STUDENT_COUNT; i++) {
    code = learner_parse(&learner[count], "--student", polling_student_texts[i]);
    if (!code) learner_fit(&learner[count], polling->pool, polling->classes);
    count +=
        (!is_shifted || learner[count].kind->shift) && polling_student_is_quick(&learner[count], POLLING_STUDENT_TREES);
  }
  if (!code) code = choosing_best(learner, count, &lesson, &best);
  if (!code) *student = learner[best]; /* none of them owns memory */
  return code;
}

/* ---- where a class is rare: from a student that ranks well to one that names the likeliest class ---- */

struct polling_student_score {
  float score;
  int32_t label;
};

static int polling_student_lower(const void *a, const void *b) {
  const struct polling_student_score *x = a, *y = b;
  return x->score < y->score ? -1 : x->score > y->score;
}

/* The score above which the second class is named with the fewest errors on these answers: in the middle between two scores, or above
 * or below all. */
static int polling_student_threshold(const struct polling *polling, const struct learner *student,
                                     const struct learned *learned, const struct polling_lesson *lesson, float *above) {
  struct polling_student_score *all;
  size_t count = lesson->count, errors = 0, least, at = 0;
  float score[2];
  int code = memory_take(&all, count, sizeof *all);
  if (code) return code;
  for (size_t i = 0; i < count; i++) {
    student->kind->score_row(student, learned, polling->pool, lesson->row[i], score);
    all[i] = (struct polling_student_score){score[1] - score[0], lesson->label[i]};
    errors += lesson->label[i] == 0;
  }
  qsort(all, count, sizeof *all, polling_student_lower);
  least = errors; /* if all are named */
  for (size_t i = 0; i < count; i++) {
    errors += all[i].label ? 1 : (size_t)-1;
    if (errors > least || (i + 1 < count && all[i + 1].score == all[i].score)) continue;
    least = errors;
    at = i + 1;
  }
  *above = 0;
  if (count && at == 0) *above = all[0].score - 1;
  if (count && at == count) *above = all[count - 1].score + 1;
  if (at && at < count) *above = all[at - 1].score + (all[at].score - all[at - 1].score) / 2;
  free(all);
  return EXIT_OK;
}

#define POLLING_STUDENT_ALL SIZE_MAX /* no fold: nothing is left out */

/* Takes the rows of a fold out of a lesson. */
static void polling_student_leave(struct polling_lesson *lesson, size_t fold) {
  if (fold != POLLING_STUDENT_ALL)
    lesson->count = judgement_part(fold, 0, lesson->row, lesson->label, lesson->count, lesson->row, lesson->label);
}

/* Learns from the lesson that ranks, and moves the threshold to where the other one has it. */
static int polling_student_train(const struct polling *polling, const struct learner *student,
                                 const struct polling_lesson *lesson, int is_shifted, size_t fold,
                                 struct learned *learned) {
  struct polling_lesson even;
  float above = 0;
  int code =
      student_train(student, polling->pool, lesson->row, lesson->label, lesson->count, SILENT_DROP, NULL, learned);
  if (code || !is_shifted || !learned->size) return code;
  code = polling_lesson_make(polling, &even);
  if (!code) polling_student_leave(&even, fold);
  if (!code) code = polling_student_threshold(polling, student, learned, &even, &above);
  if (!code) student->kind->shift(learned, -above);
  polling_lesson_free(&even);
  return code;
}

/* The answers that rank, if the learner, where one was said, can have its threshold moved. */
static int polling_student_lesson(const struct polling *polling, const struct learner *said,
                                  struct polling_lesson *lesson, int *is_rare) {
  int code = polling_lesson_rank(polling, lesson, is_rare);
  if (code || !*is_rare || !said || said->kind->shift) return code;
  polling_lesson_free(lesson);
  *is_rare = 0;
  return polling_lesson_make(polling, lesson);
}

int polling_student_fold(const struct polling *polling, const struct learner *student, size_t fold,
                         struct learned *learned) {
  struct polling_lesson lesson;
  int is_rare = 0, code = polling_student_lesson(polling, student, &lesson, &is_rare);
  if (code) return code;
  polling_student_leave(&lesson, fold);
  code = polling_student_train(polling, student, &lesson, is_rare, fold, learned);
  polling_lesson_free(&lesson);
  return code;
}

int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned) {
  struct polling_lesson lesson;
  char text[POLLING_STUDENT_TEXT];
  int is_rare = 0, code = polling_student_lesson(polling, said, &lesson, &is_rare);
  memset(student, 0, sizeof *student);
  if (code) return code;
  if (said) {
    learner_print(said, text, sizeof text);
    code = learner_parse(student, "--student", text);
    if (!code) learner_fit(student, polling->pool, polling->classes);
  } else {
    code = polling_student_choose(polling, &lesson, is_rare, student);
  }
  if (!code) code = polling_student_train(polling, student, &lesson, is_rare, POLLING_STUDENT_ALL, learned);
  polling_lesson_free(&lesson);
  if (code) learner_free(student);
  return code;
}
