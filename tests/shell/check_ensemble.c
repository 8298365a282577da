/* Teachers: every vote is the teacher's own, and one unit reaches one teacher's bytes. */
#include "base/error.h"
#include "learn/ensemble.h"
#include "learn/linear.h"
#include "support/lessons.h"
#include "support/scratch.h"

static void train(struct ensemble *ensemble, const struct learner *learner, const struct rows *rows,
                  uint32_t teachers) {
  struct chunks chunks;
  ck_assert_int_eq(chunks_make(&chunks, rows->unit, rows->count, NULL, teachers), 0);
  ck_assert_int_eq(ensemble_train(ensemble, learner, rows, &chunks), 0);
  chunks_free(&chunks);
}

/* The slow way: one teacher, one query, doubles. Returns the margin by which the label wins. */
static double by_hand(const float *model, const struct rows *rows, size_t i, uint32_t classes, uint32_t *label) {
  uint32_t scores = linear_scores(classes);
  double best = 0, second = -1e300;
  float row[64];
  rows_expand(rows, i, row);
  *label = 0;
  for (uint32_t s = 0; s < scores; s++) {
    double score = model[s * (rows->columns + 1) + rows->columns];
    for (uint32_t j = 0; j < rows->columns; j++)
      score += (double)model[s * (rows->columns + 1) + j] * row[j];
    if (scores == 1) return *label = score > 0, score < 0 ? -score : score;
    if (s == 0 || score > best) {
      if (s) second = best;
      best = score;
      *label = s;
    } else if (score > second)
      second = score;
  }
  return best - second;
}

static void compare_votes(uint32_t classes, uint32_t teachers, size_t queries, int is_dense) {
  struct learner learner;
  struct ensemble ensemble;
  struct learned *kept = calloc(teachers, sizeof *kept);
  struct rows rows, test;
  unsigned char *votes;
  size_t width, compared = 0;
  lessons_make(&rows, teachers * 6, 20, classes, is_dense, 21);
  lessons_make(&test, queries, 20, classes, is_dense, 22);
  lessons_learner(&learner, "logistic", &rows, classes);
  train(&ensemble, &learner, &rows, teachers);
  for (uint32_t t = 0; t < teachers; t++)
    if (ensemble.learned[t].size) {
      kept[t].bytes = malloc(ensemble.learned[t].size);
      memcpy(kept[t].bytes, ensemble.learned[t].bytes, ensemble.learned[t].size);
    }
  ck_assert_int_eq(ensemble_ready(&ensemble), 0);
  width = ensemble_width(&ensemble);
  votes = malloc(queries * teachers * width + 1);
  votes[queries * teachers * width] = 77;
  ck_assert_int_eq(ensemble_vote(&ensemble, &test, 0, queries, votes), 0);
  ck_assert_uint_eq(votes[queries * teachers * width], 77);
  for (size_t q = 0; q < queries; q++)
    for (uint32_t t = 0; t < teachers; t++) {
      uint32_t label, vote = width == 1 ? votes[q * teachers + t] : ((uint16_t *)votes)[q * teachers + t];
      if (!kept[t].bytes)
        label = width == 1 ? 0xff : 0xffff;
      else if (by_hand((float *)kept[t].bytes, &test, q, classes, &label) < 1e-4)
        continue;
      ck_assert_msg(vote == label, "query %zu, teacher %u: %u instead of %u", q, t, vote, label);
      compared++;
    }
  ck_assert_uint_gt(compared, queries * teachers * 9 / 10);
  /* A part of the queries, asked on its own, is answered as in the whole. */
  if (queries > 5) {
    unsigned char *part = malloc(3 * teachers * width);
    ck_assert_int_eq(ensemble_vote(&ensemble, &test, 2, 3, part), 0);
    size_t differ = 0;
    for (size_t i = 0; i < 3 * teachers * width; i++)
      differ += part[i] != votes[2 * teachers * width + i];
    ck_assert_uint_le(differ, teachers / 20); /* sums may be rounded otherwise in a smaller block */
    free(part);
  }
  for (uint32_t t = 0; t < teachers; t++)
    learned_free(&kept[t]);
  free(kept);
  free(votes);
  ensemble_free(&ensemble);
  rows_free(&rows);
  rows_free(&test);
}

START_TEST(votes) {
  for (int dense = 0; dense < 2; dense++) {
    compare_votes(2, 1, 1, dense);
    compare_votes(2, 7, 300, dense);
    compare_votes(2, 1100, 40, dense); /* more than one panel */
    compare_votes(3, 500, 40, dense);  /* a last panel that is not full */
    compare_votes(10, 150, 30, dense);
    compare_votes(255, 4, 10, dense); /* 255 is not a class */
    compare_votes(256, 4, 10, dense); /* two bytes a vote */
  }
}
END_TEST

/* Trains before and after a change of the rows and counts the teachers whose bytes changed. */
static uint32_t changed(const struct learner *learner, const struct rows *before, const struct rows *after,
                        uint32_t teachers) {
  struct ensemble a, b;
  uint32_t count = 0;
  train(&a, learner, before, teachers);
  train(&b, learner, after, teachers);
  for (uint32_t t = 0; t < teachers; t++)
    count += a.learned[t].size != b.learned[t].size ||
             (a.learned[t].size && memcmp(a.learned[t].bytes, b.learned[t].bytes, a.learned[t].size));
  ensemble_free(&a);
  ensemble_free(&b);
  return count;
}

/* The rows without row `skip`, or (skip = SIZE_MAX) with one more, or with the labels of row `flip` moved. */
static void variant(const struct rows *rows, size_t skip, size_t flip, int more, uint32_t classes, struct rows *out) {
  uint64_t state = 99;
  rows_init(out, rows->columns, rows->is_dense);
  for (size_t i = 0; i < rows->count; i++) {
    int32_t label = i == flip ? (rows->label[i] + 1) % (int32_t)classes : rows->label[i];
    if (i == skip) continue;
    ck_assert_int_eq(rows_reserve(out, 1, rows->columns), 0);
    if (rows->is_dense)
      memcpy(rows_push_dense(out, label, rows->unit[i], rows->line[i]), rows->dense + i * rows->columns,
             rows->columns * sizeof(float));
    else {
      size_t at = out->start[out->count], length = rows->start[i + 1] - rows->start[i];
      memcpy(out->index + at, rows->index + rows->start[i], length * sizeof *out->index);
      memcpy(out->value + at, rows->value + rows->start[i], length * sizeof *out->value);
      rows_push_sparse(out, at + length, label, rows->unit[i], rows->line[i]);
    }
  }
  if (more) lessons_push(out, 0, classes, UINT64_C(0x7123456789abcdef), &state);
}

static void locality(const char *text, int is_dense, uint32_t classes, uint32_t teachers, size_t tries) {
  struct learner learner;
  struct rows rows, other;
  lessons_make(&rows, teachers * 12, 9, classes, is_dense, 31);
  lessons_learner(&learner, text, &rows, classes);
  ck_assert_uint_eq(changed(&learner, &rows, &rows, teachers), 0);
  for (size_t i = 0; i < tries; i++) {
    size_t row = i * 37 % rows.count;
    variant(&rows, row, SIZE_MAX, 0, classes, &other);
    ck_assert_msg(changed(&learner, &rows, &other, teachers) <= 1, "%s: removing row %zu", text, row);
    rows_free(&other);
    variant(&rows, SIZE_MAX, row, 0, classes, &other);
    ck_assert_msg(changed(&learner, &rows, &other, teachers) == 1, "%s: changing row %zu", text, row);
    rows_free(&other);
  }
  variant(&rows, SIZE_MAX, SIZE_MAX, 1, classes, &other);
  ck_assert_msg(changed(&learner, &rows, &other, teachers) == 1, "%s: adding a row", text);
  rows_free(&other);
  rows_free(&rows);
  learner_free(&learner);
}

START_TEST(one_unit_one_teacher) {
  for (int dense = 0; dense < 2; dense++)
    for (uint32_t classes = 2; classes < 5; classes += 2) {
      locality("logistic", dense, classes, 40, 12);
      locality("svm", dense, classes, 40, 12);
      locality("trees:rounds=4", dense, classes, 10, 4);
      locality("kernel:landmarks=10", dense, classes, 10, 4);
      locality("committee:9,logistic:balance=0.5", dense, classes, 12, 6);
    }
}
END_TEST

START_TEST(one_unit_one_teacher_exec) {
  scratch_text("learn", lessons_script);
  locality("exec:sh ./learn", 1, 2, 6, 2);
}
END_TEST

/* A teacher without rows abstains, whatever the learner and the width of a vote; a student without rows says 0. */
static void nobody_there(const char *text, uint32_t classes) {
  const uint32_t abstention = classes < 256 ? 0xff : 0xffff;
  struct learner learner;
  struct ensemble ensemble, single;
  struct learned nothing = {0};
  struct rows rows;
  uint16_t votes[3 * 40];
  uint32_t absent = 0;
  lessons_make(&rows, 3, 4, classes, 1, 43);
  for (size_t i = 0; i < rows.count; i++)
    rows.label[i] = (int32_t)classes - 1;
  lessons_learner(&learner, text, &rows, classes);
  train(&ensemble, &learner, &rows, 40);
  ck_assert_int_eq(ensemble_ready(&ensemble), 0);
  ck_assert_int_eq(ensemble_vote(&ensemble, &rows, 0, 3, votes), 0);
  for (uint32_t t = 0; t < 40; t++) {
    uint32_t vote = ensemble_label(&ensemble, votes, t);
    ck_assert_msg(vote == classes - 1 || vote == abstention, "%s, %u classes: vote %u", text, classes, vote);
    absent += vote == abstention;
    for (uint32_t q = 1; q < 3; q++)
      ck_assert_uint_eq(ensemble_label(&ensemble, votes, q * 40 + t), vote);
  }
  ck_assert_uint_ge(absent, 37);
  ck_assert_uint_lt(absent, 40);
  ck_assert_int_eq(ensemble_single(&single, &learner, &nothing), 0);
  ck_assert_int_eq(ensemble_vote(&single, &rows, 0, 3, votes), 0);
  for (size_t q = 0; q < 3; q++)
    ck_assert_uint_eq(ensemble_label(&single, votes, q), 0);
  ensemble_free(&single);
  ensemble_free(&ensemble);
  learner_free(&learner);
  rows_free(&rows);
}

START_TEST(empty_chunks) {
  static const uint32_t classes[] = {2, 3, 255, 256, 257};
  scratch_text("learn", lessons_script);
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
    nobody_there("logistic", classes[i]);
    nobody_there("svm", classes[i]);
    nobody_there("trees:rounds=2", classes[i]);
    nobody_there("kernel", classes[i]);
    nobody_there("committee:9,logistic", classes[i]);
  }
  nobody_there("exec:sh ./learn", 2);
}
END_TEST

/* A teacher whose command fails abstains; the others do not notice. A student's command may not fail. */
static void one_fails(const char *script) {
  struct learner learner;
  struct ensemble ensemble;
  struct rows rows;
  uint8_t votes[3 * 8];
  scratch_text("base", lessons_script);
  scratch_text("learn", script);
  lessons_make(&rows, 80, 4, 2, 1, 41);
  for (size_t i = 0; i < rows.count; i++)
    rows.label[i] = 1;
  lessons_learner(&learner, "exec:sh ./learn", &rows, 2);
  train(&ensemble, &learner, &rows, 8);
  ck_assert_int_eq(ensemble_ready(&ensemble), 0);
  ck_assert_int_eq(ensemble_vote(&ensemble, &rows, 0, 3, votes), 0);
  for (int q = 0; q < 3; q++) {
    int ones = 0, abstentions = 0;
    for (int t = 0; t < 8; t++) {
      ones += votes[q * 8 + t] == 1;
      abstentions += votes[q * 8 + t] == 0xff;
    }
    ck_assert_int_eq(ones, 7);
    ck_assert_int_eq(abstentions, 1);
  }
  ensemble_free(&ensemble);
  learner_free(&learner);
  rows_free(&rows);
}

START_TEST(failing_teacher) {
  one_fails("mkdir once 2>/dev/null && exit 1\nexec sh ./base \"$@\"\n");
  one_fails("[ $1 = predict ] && mkdir twice 2>/dev/null && exit 1\nexec sh ./base \"$@\"\n");
}
END_TEST

START_TEST(failing_student) {
  struct learner learner;
  struct ensemble single;
  struct rows rows;
  uint8_t votes[3];
  struct learned broken = {(unsigned char *)"x", 1};
  lessons_make(&rows, 3, 4, 2, 1, 41);
  lessons_learner(&learner, "exec:false", &rows, 2);
  ck_assert_int_eq(ensemble_single(&single, &learner, &broken), 0);
  scratch_expect(EXIT_SYSTEM, ensemble_vote(&single, &rows, 0, 3, votes), "command 'false' failed");
  ensemble_free(&single);
  learner_free(&learner);
  rows_free(&rows);
}
END_TEST

enum { HALF = 17, SOME = 70 };

/* Teachers first .. first + count - 1 of some, by themselves. */
static void cast_some(const struct learned *learned, uint32_t first, uint32_t count, const struct rows *rows,
                      uint8_t *votes) {
  struct learner learner = {.kind = &learner_logistic, .classes = 3, .columns = 2 * HALF, .scale = 1};
  struct ensemble ensemble = {.learner = &learner, .teachers = count, .learned = calloc(count, sizeof *learned)};
  for (uint32_t t = 0; t < count; t++)
    ck_assert_int_eq(learned_set(&ensemble.learned[t], learned[first + t].bytes, learned[first + t].size), 0);
  ck_assert_int_eq(ensemble_ready(&ensemble), 0);
  ck_assert_int_eq(ensemble_vote(&ensemble, rows, 0, rows->count, votes), 0);
  ensemble_free(&ensemble);
}

/* A vote that hangs on the last bit of a sum is the same whoever else votes: each teacher's first two scores are the same
 * numbers, added up in another order, so that rounding decides. */
START_TEST(test_alone_as_among_all) {
  struct learned learned[SOME];
  float model[SOME][3 * (2 * HALF + 1)];
  uint8_t all[200 * SOME], some[200 * SOME];
  size_t named[3] = {0};
  struct rows rows;
  rows_init(&rows, 2 * HALF, 1);
  ck_assert_int_eq(rows_reserve(&rows, 200, 0), 0);
  srand(3);
  for (int q = 0; q < 200; q++) {
    float *row = rows_push_dense(&rows, 0, 0, 0);
    for (int j = 0; j < HALF; j++)
      row[j] = row[2 * HALF - 1 - j] = (float)rand() / (float)RAND_MAX;
  }
  memset(model, 0, sizeof model);
  for (int t = 0; t < SOME; t++) {
    for (int j = 0; j < HALF; j++)
      model[t][j] = model[t][2 * HALF + 1 + 2 * HALF - 1 - j] = (float)rand() / (float)RAND_MAX;
    model[t][3 * (2 * HALF + 1) - 1] = -1e30f; /* the third class is out of question */
    learned[t] = (struct learned){(unsigned char *)model[t], sizeof model[t]};
  }
  cast_some(learned, 0, SOME, &rows, all);
  for (uint32_t count = 1; count <= SOME; count += 1 + count / 4)
    for (uint32_t first = 0; first + count <= SOME; first += count) {
      cast_some(learned, first, count, &rows, some);
      for (size_t q = 0; q < rows.count; q++)
        for (uint32_t t = 0; t < count; t++)
          ck_assert_uint_eq(some[q * count + t], all[q * SOME + first + t]);
    }
  for (size_t i = 0; i < sizeof all; i++)
    named[all[i]]++;
  ck_assert(named[0] && named[1]);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("ensemble", votes, one_unit_one_teacher, one_unit_one_teacher_exec, empty_chunks, failing_teacher,
             failing_student, test_alone_as_among_all)
