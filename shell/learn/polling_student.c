/* The student of a poll: by the learner that was said, or by the one that foresees answers best. */
#include <string.h>

#include "learn/choosing.h"
#include "learn/polling.h"
#include "learn/student.h"

#define POLLING_STUDENT_TEXT 4200 /* of a learner: the command of an exec learner is the longest */

static const char *const polling_student_texts[] = {"logistic:C=1", "logistic:C=10", "trees:rounds=50,depth=4,rate=0.1",
                                                    "kernel:C=10"};
#define POLLING_STUDENT_COUNT (sizeof polling_student_texts / sizeof *polling_student_texts)

static int polling_student_choose(const struct polling *polling, const struct polling_lesson *heard,
                                  struct learner *student) {
  struct learner learner[POLLING_STUDENT_COUNT] = {0};
  struct lesson lesson = {.rows = polling->pool, .row = heard->row, .label = heard->label, .count = heard->count};
  size_t best = 0;
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < POLLING_STUDENT_COUNT; i++) {
    code = learner_parse(&learner[i], "--student", polling_student_texts[i]);
    if (!code) learner_fit(&learner[i], polling->pool, polling->classes);
  }
  if (!code) code = choosing_best(learner, POLLING_STUDENT_COUNT, &lesson, &best);
  if (!code) *student = learner[best]; /* none of them owns memory */
  return code;
}

int polling_student(const struct polling *polling, const struct learner *said, struct learner *student,
                    struct learned *learned) {
  struct polling_lesson lesson;
  char text[POLLING_STUDENT_TEXT];
  int code = polling_lesson_make(polling, &lesson);
  memset(student, 0, sizeof *student);
  if (code) return code;
  if (said) {
    learner_print(said, text, sizeof text);
    code = learner_parse(student, "--student", text);
    if (!code) learner_fit(student, polling->pool, polling->classes);
  } else {
    code = polling_student_choose(polling, &lesson, student);
  }
  if (!code)
    code = student_train(student, polling->pool, lesson.row, lesson.label, lesson.count, SILENT_DROP, NULL, learned);
  polling_lesson_free(&lesson);
  if (code) learner_free(student);
  return code;
}
