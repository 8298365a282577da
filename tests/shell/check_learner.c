/* Learners: what they learn, and what they do with lessons that teach nothing. */
#include <time.h>

#include "base/error.h"
#include "learn/ensemble.h"
#include "learn/linear.h"
#include "learn/student.h"
#include "support/lessons.h"
#include "support/scratch.h"

START_TEST(texts) {
  static const struct {
    const char *text, *part;
  } wrong[] = {{"forest", "'forest' is not logistic, svm, trees, kernel, exec:COMMAND or committee:N,LEARNER"},
               {"committee", "a committee has 2 to 1000 members"},
               {"committee:", "a committee has 2 to 1000 members"},
               {"committee:1", "a committee has 2 to 1000 members"},
               {"committee:2.5,svm", "a committee has 2 to 1000 members"},
               {"committee:1001", "a committee has 2 to 1000 members"},
               {"committee:5,", "'' is not logistic"},
               {"committee:5,exec:./x", "a committee is of logistic, svm, trees or kernel"},
               {"committee:5,committee:5", "a committee is of logistic, svm, trees or kernel"},
               {"logistic:scale=0", "'scale=0' is not a parameter"},
               {"svm:balance=2", "'balance=2' is not a parameter"},
               {"trees:scale=1", "'scale=1' is not a parameter"},
               {"logistic:C=0", "'C=0' is not a parameter of logistic"},
               {"logistic:C=nan", "'C=nan' is not a parameter"},
               {"logistic:C", "'C' is not a parameter"},
               {"logistic:depth=3", "'depth=3' is not a parameter"},
               {"logistic:", "'' is not a parameter"},
               {"svm:C=1,", "'' is not a parameter"},
               {"trees:rounds=1.5", "'rounds=1.5' is not a parameter of trees"},
               {"trees:depth=0", "'depth=0' is not a parameter"},
               {"kernel:landmarks=0", "'landmarks=0' is not a parameter of kernel"},
               {"kernel:scale=1", "'scale=1' is not a parameter"},
               {"exec:", "exec needs a command"},
               {"exec", "exec needs a command"}};
  static const char *const right[] = {"logistic:C=0.5,tolerance=0.001",
                                      "svm:C=3,tolerance=0.01",
                                      "trees:rounds=7,depth=2,rate=0.125",
                                      "logistic:C=0.3,tolerance=0.001,scale=0.25,balance=1",
                                      "svm:C=0.1234567890123456,tolerance=0.01",
                                      "trees:rounds=7,depth=2,rate=0.125,balance=0.5",
                                      "kernel:C=3,width=0.5,landmarks=40",
                                      "kernel:C=1,width=1,landmarks=300,tolerance=0.001,balance=1",
                                      "committee:25,svm:C=3,tolerance=0.01,balance=0.5",
                                      "exec:./x --y \"a b\""};
  static const struct learner_parameter none[] = {{0}};
  static const struct learner_kind plain = {.name = "plain", .parameter = none};
  struct learner learner;
  char text[200];
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    scratch_expect(EXIT_INPUT, learner_parse(&learner, "--learner", wrong[i].text), wrong[i].part);
    learner_free(&learner);
  }
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    ck_assert_int_eq(learner_parse(&learner, "--learner", right[i]), 0);
    learner_print(&learner, text, sizeof text);
    ck_assert_str_eq(text, right[i]);
    learner_free(&learner);
  }
  learner = (struct learner){.kind = &plain}; /* nothing stands behind the name, so that the text can be read again */
  learner_print(&learner, text, sizeof text);
  ck_assert_str_eq(text, "plain");
}
END_TEST

/* What a table promises is there. */
START_TEST(tables) {
  static const char *const texts[] = {"logistic", "svm", "trees", "kernel", "exec:x", "committee:3"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct learner learner;
    const struct learner_kind *kind;
    ck_assert_int_eq(learner_parse(&learner, "--learner", texts[i]), 0);
    kind = learner.kind;
    ck_assert(kind->train && !kind->parse == !!kind->parameter && !kind->parse == !kind->print);
    ck_assert((kind->open && kind->label) != (kind->open_all && kind->vote_all && kind->close_all));
    ck_assert_int_eq(kind->traits & LEARNER_PROBABILITY ? kind->score != NULL : kind->unlikely != NULL, 1);
    learner_free(&learner);
  }
}
END_TEST

static double accuracy(const char *text, int is_dense, uint32_t classes) {
  struct learner learner;
  struct learned learned;
  struct rows rows, test;
  size_t *order, right, tested;
  struct lesson lesson;
  lessons_make(&rows, 300, 12, classes, is_dense, 1);
  lessons_make(&test, 500, 12, classes, is_dense, 2);
  lessons_learner(&learner, text, &rows, classes);
  order = lessons_order(rows.count);
  lesson = (struct lesson){.rows = &rows, .row = order, .count = rows.count};
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_int_eq(student_score(&learner, &learned, &test, &right, &tested), 0);
  ck_assert_uint_eq(tested, 500);
  free(order);
  learned_free(&learned);
  rows_free(&rows);
  rows_free(&test);
  learner_free(&learner);
  return (double)right / (double)tested;
}

START_TEST(learns) {
  static const char *const texts[] = {"logistic", "svm", "trees:rounds=10", "kernel:landmarks=50"};
  for (size_t i = 0; i < 4; i++)
    for (int dense = 0; dense < 2; dense++)
      for (uint32_t classes = 2; classes < 6; classes += 3)
        ck_assert_msg(accuracy(texts[i], dense, classes) > 0.9, "%s, dense %d, %u classes", texts[i], dense, classes);
}
END_TEST

/* All rows of one class: that class, whatever is asked, by teachers too. No row: a student says label 0, a teacher
 * abstains. */
START_TEST(poor_lessons) {
  static const char *const texts[] = {"logistic", "svm", "trees:rounds=3", "kernel"};
  for (size_t i = 0; i < 4; i++)
    for (uint32_t classes = 2; classes < 5; classes += 2) {
      struct learner learner;
      struct learned learned;
      struct ensemble single;
      struct rows rows;
      uint64_t state = 3;
      size_t *order = lessons_order(10);
      uint8_t votes[10];
      rows_init(&rows, 6, 1);
      for (int n = 0; n < 10; n++)
        lessons_push(&rows, 1, classes, 0, &state);
      lessons_learner(&learner, texts[i], &rows, classes);
      for (size_t count = 0; count < 3; count++) {
        struct lesson lesson = {.rows = &rows, .row = order, .count = count};
        ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
        ck_assert_int_eq(ensemble_single(&single, &learner, &learned), 0);
        ck_assert_int_eq(ensemble_vote(&single, &rows, 0, 10, votes), 0);
        for (int q = 0; q < 10; q++)
          ck_assert_uint_eq(votes[q], count ? 1 : 0);
        single.may_abstain = 1;
        ck_assert_int_eq(ensemble_vote(&single, &rows, 0, 10, votes), 0);
        for (int q = 0; q < 10; q++)
          ck_assert_uint_eq(votes[q], count ? 1 : 0xff);
        ck_assert(count || learned.size == 0);
        ensemble_free(&single);
        learned_free(&learned);
      }
      free(order);
      rows_free(&rows);
      learner_free(&learner);
    }
}
END_TEST

/* Two of three classes present: the third is never named. */
START_TEST(missing_class) {
  struct learner learner;
  struct learned learned;
  struct rows rows, test;
  struct ensemble single;
  uint8_t votes[300];
  size_t *order = lessons_order(40);
  uint64_t state = 5;
  struct lesson lesson;
  rows_init(&rows, 6, 1);
  for (int n = 0; n < 40; n++)
    lessons_push(&rows, n % 2 ? 2 : 1, 3, 0, &state);
  lessons_make(&test, 300, 6, 3, 1, 9);
  lessons_learner(&learner, "logistic", &rows, 3);
  lesson = (struct lesson){.rows = &rows, .row = order, .count = 40};
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_int_eq(ensemble_single(&single, &learner, &learned), 0);
  ck_assert_int_eq(ensemble_vote(&single, &test, 0, 300, votes), 0);
  for (int q = 0; q < 300; q++) {
    ck_assert_uint_ne(votes[q], 0);
    if (test.label[q] != 0) ck_assert_int_eq(votes[q], test.label[q]);
  }
  ensemble_free(&single);
  learned_free(&learned);
  rows_free(&rows);
  rows_free(&test);
  free(order);
}
END_TEST

/* A weight of 2 / 2 changes nothing; a row that counts twice is the row written twice. */
START_TEST(weights) {
  struct learner learner;
  struct learned plain, same, twice, repeated;
  struct rows rows;
  size_t order[41], doubled[82];
  uint32_t times[41];
  struct lesson lesson;
  lessons_make(&rows, 41, 5, 2, 1, 11);
  lessons_learner(&learner, "logistic:C=4,tolerance=1e-6", &rows, 2);
  for (size_t i = 0; i < 41; i++) {
    order[i] = doubled[2 * i] = doubled[2 * i + 1] = i;
    times[i] = 2;
  }
  lesson = (struct lesson){.rows = &rows, .row = order, .count = 41};
  ck_assert_int_eq(learner_train(&learner, &lesson, &plain), 0);
  lesson.times = times;
  lesson.share = 2;
  ck_assert_int_eq(learner_train(&learner, &lesson, &same), 0);
  lesson.share = 1;
  ck_assert_int_eq(learner_train(&learner, &lesson, &twice), 0);
  lesson = (struct lesson){.rows = &rows, .row = doubled, .count = 82};
  ck_assert_int_eq(learner_train(&learner, &lesson, &repeated), 0);
  ck_assert_uint_eq(plain.size, 6 * sizeof(float));
  for (int j = 0; j < 6; j++)
    ck_assert_float_eq_tol(((float *)plain.bytes)[j], ((float *)same.bytes)[j], 1e-3);
  ck_assert_mem_eq(twice.bytes, repeated.bytes, twice.size);
  ck_assert(memcmp(twice.bytes, plain.bytes, plain.size) != 0);
  learned_free(&plain);
  learned_free(&same);
  learned_free(&twice);
  learned_free(&repeated);
  rows_free(&rows);
}
END_TEST

/* Rows a thousand times as large, public ones too, give the same votes: the scale is taken out. */
START_TEST(scale) {
  struct learner learner;
  struct learned one, other;
  struct rows rows;
  size_t *order = lessons_order(60);
  struct lesson lesson;
  lessons_make(&rows, 60, 5, 2, 1, 13);
  lessons_learner(&learner, "logistic", &rows, 2);
  lesson = (struct lesson){.rows = &rows, .row = order, .count = 60};
  ck_assert_int_eq(learner_train(&learner, &lesson, &one), 0);
  for (size_t i = 0; i < 300; i++)
    rows.dense[i] *= 1024;
  learner_fit(&learner, &rows, 2);
  ck_assert_int_eq(learner_train(&learner, &lesson, &other), 0);
  for (int j = 0; j < 6; j++)
    ck_assert_float_eq_tol(((float *)one.bytes)[j], ((float *)other.bytes)[j] * (j < 5 ? 1024 : 1), 1e-3);
  learned_free(&one);
  learned_free(&other);
  rows_free(&rows);
  free(order);
}
END_TEST

/* A scale that is said is kept; C and the scale trade: rows twice as long are worth C / 4. */
START_TEST(said_scale) {
  struct learner learner;
  struct learned one, other;
  struct rows rows;
  size_t *order = lessons_order(60);
  struct lesson lesson;
  lessons_make(&rows, 60, 5, 2, 1, 13);
  lessons_learner(&learner, "logistic:C=8,scale=1,tolerance=1e-6", &rows, 2);
  ck_assert_float_eq(learner.scale, 1);
  lesson = (struct lesson){.rows = &rows, .row = order, .count = 60};
  ck_assert_int_eq(learner_train(&learner, &lesson, &one), 0);
  lessons_learner(&learner, "logistic:C=8,scale=4,tolerance=1e-6", &rows, 2);
  ck_assert_float_eq(learner.scale, 4);
  ck_assert_int_eq(learner_train(&learner, &lesson, &other), 0);
  ck_assert(memcmp(one.bytes, other.bytes, one.size) != 0);
  learned_free(&one);
  learned_free(&other);
  rows_free(&rows);
  free(order);
}
END_TEST

/* One row in twenty is of class 1, and the classes overlap: left to itself, a learner names it hardly ever; balanced, it
 * finds most of them. The labels' shares are weighted away, so a lesson in balance is learned as before. */
static size_t found(const char *text, int every) {
  struct learner learner;
  struct learned learned;
  struct ensemble single;
  struct rows rows;
  size_t order[800], named = 0;
  uint8_t votes[800];
  uint64_t state = 77;
  struct lesson lesson = {.rows = &rows, .row = order, .count = 800};
  rows_init(&rows, 1, 1);
  ck_assert_int_eq(rows_reserve(&rows, 800, 0), 0);
  for (int i = 0; i < 800; i++) {
    int32_t label = i % every == 0;
    *rows_push_dense(&rows, label, 0, 0) = lessons_unit(&state) + lessons_unit(&state) + (label ? 0.5f : 0);
    order[i] = (size_t)i;
  }
  lessons_learner(&learner, text, &rows, 2);
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_int_eq(ensemble_single(&single, &learner, &learned), 0);
  ck_assert_int_eq(ensemble_vote(&single, &rows, 0, 800, votes), 0);
  for (int i = 0; i < 800; i++)
    named += rows.label[i] == 1 && votes[i] == 1;
  ensemble_free(&single);
  learned_free(&learned);
  rows_free(&rows);
  return named;
}

START_TEST(minority) {
  static const char *const texts[][3] = {
      {"logistic", "logistic:balance=0.5", "logistic:balance=1"},
      {"svm", "svm:balance=0.5", "svm:balance=1"},
      {"trees:rounds=5,depth=1", "trees:rounds=5,depth=1,balance=0.5", "trees:rounds=5,depth=1,balance=1"}};
  for (size_t i = 0; i < 3; i++) {
    size_t plain = found(texts[i][0], 20), half = found(texts[i][1], 20), full = found(texts[i][2], 20);
    ck_assert_msg(plain < 10, "%s finds %zu of 40", texts[i][0], plain);
    ck_assert_msg(half > plain && half < full, "%s finds %zu of 40", texts[i][1], half);
    ck_assert_msg(full > 20, "%s finds %zu of 40", texts[i][2], full);
    ck_assert_uint_eq(found(texts[i][0], 2), found(texts[i][2], 2));
  }
}
END_TEST

static void run_exec(const char *command, uint32_t seconds, int learns, int answers) {
  struct learner learner;
  struct learned learned;
  struct rows rows;
  uint32_t labels[20];
  size_t *order = lessons_order(20);
  char text[200];
  int failed;
  struct lesson lesson;
  lessons_make(&rows, 20, 4, 2, 1, 17);
  snprintf(text, sizeof text, "exec:%s", command);
  lessons_learner(&learner, text, &rows, 2);
  learner.seconds = seconds;
  lesson = (struct lesson){.rows = &rows, .row = order, .count = 20};
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_msg((learned.size > 0) == learns, "%s: a model of %zu bytes", command, learned.size);
  ck_assert_int_eq(learner.kind->label(&learner, &learned, &rows, 0, 20, labels, &failed), 0);
  if (learns) ck_assert_msg(failed == !answers, "%s: failed %d", command, failed);
  for (int i = 0; i < 20; i++)
    ck_assert_int_eq((int)labels[i], learns && answers ? rows.label[0] : 0);
  learned_free(&learned);
  learner_free(&learner);
  rows_free(&rows);
  free(order);
}

START_TEST(exec) {
  scratch_text("good", lessons_script);
  run_exec("sh ./good", 20, 1, 1);
}
END_TEST

START_TEST(exec_fails) {
  time_t started;
  static const char *const commands[] = {
      "false", "/no/such/program", "true", "kill -9 $$;", "test -e /dev/null -a", "mkdir $4 #", "touch $4 #"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    run_exec(commands[i], 20, 0, 0);
  /* One that computes for ever is stopped by its CPU time, long before the guard against those that only wait. */
  started = time(NULL);
  run_exec("sh -c 'while :; do :; done'", 1, 0, 0);
  ck_assert_int_lt((int)(time(NULL) - started), 18);
}
END_TEST

START_TEST(exec_answers_wrongly) {
  scratch_text("base", lessons_script);
  scratch_text("short", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ] || { sed '$d' $4 > x; mv x $4; }\n");
  scratch_text("long", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ] || echo 0 >> $4\n");
  scratch_text("range", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ] || { sed 's/.*/2/' $4 > x; mv x $4; }\n");
  scratch_text("words", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ] || { sed 's/.*/yes/' $4 > x; mv x $4; }\n");
  scratch_text("zero", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ] || printf '\\0more' >> $4\n");
  scratch_text("status", "#!/bin/sh\nsh ./base \"$@\"\n[ $1 = train ]\n");
  run_exec("sh ./short", 20, 1, 0);
  run_exec("sh ./long", 20, 1, 0);
  run_exec("sh ./range", 20, 1, 0);
  run_exec("sh ./words", 20, 1, 0);
  run_exec("sh ./zero", 20, 1, 0);
  run_exec("sh ./status", 20, 1, 0);
}
END_TEST

START_TEST(exec_is_tried) {
  struct learner learner;
  struct rows rows;
  lessons_make(&rows, 4, 3, 2, 1, 1);
  scratch_text("good", lessons_script);
  lessons_learner(&learner, "exec:sh ./good", &rows, 2);
  ck_assert_int_eq(learner_try(&learner), 0);
  learner_free(&learner);
  lessons_learner(&learner, "exec:/no/such/program", &rows, 2);
  scratch_expect(EXIT_INPUT, learner_try(&learner), "'/no/such/program' writes no model");
  learner_free(&learner);
  lessons_learner(&learner, "exec:echo 1 > model; cp model $4 2>/dev/null #", &rows, 2);
  scratch_expect(EXIT_INPUT, learner_try(&learner), "does not predict");
  learner_free(&learner);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("learner", texts, tables, learns, poor_lessons, missing_class, weights, scale, said_scale, minority, exec,
             exec_fails, exec_answers_wrongly, exec_is_tried)
