/* fumata learn: whether what came out is worth using, said from what was released. */
#include "command/learn.h"

int learn_judge(struct learn *learn) {
  struct asking_lesson lesson;
  int code = asking_lesson_make(&learn->asking, &lesson);
  if (!code)
    code = judgement_gather(&learn->facts, &learn->student, &learn->learned, &learn->queries, lesson.row, lesson.answer,
                            lesson.count);
  asking_lesson_free(&lesson);
  if (!code && learn->has_score) judgement_test(&learn->facts, &learn->test, learn->right);
  return code;
}
