/* What an answer tells of a share: its law, its slopes, and learners that learn from answers about many shares. */
#include <math.h>

#include "learn/heard.h"
#include "learn/learner.h"
#include "support/lessons.h"
#include "support/scratch.h"

static const double shares[] = {0.02, 0.3, 0.5, 0.9};

/* The probability of yes and of no add up to 1, yes is likelier where the share is larger, and at the share asked about both are alike. */
START_TEST(law) {
  for (int s = 0; s < 4; s++)
    for (double voters = 10; voters < 1000; voters *= 5) {
      struct heard heard = heard_make(shares[s], voters, 20);
      double slope, bend, before = 0, odds = log(shares[s] / (1 - shares[s]));
      for (double score = -12; score <= 12; score += 0.25) {
        double yes = exp(-heard_loss(&heard, 1, score, &slope, &bend));
        double no = exp(-heard_loss(&heard, 0, score, &slope, &bend));
        ck_assert(fabs(yes + no - 1) < 1e-9 && yes >= before && yes > 0.005 && no > 0.005);
        before = yes;
      }
      ck_assert(fabs(heard_loss(&heard, 1, odds, &slope, &bend) - log(2)) < 1e-4);
    }
}
END_TEST

/* More records or less noise make an answer tell more, never more than a student can know. */
START_TEST(sharpness) {
  struct heard few = heard_make(0.5, 50, 40), many = heard_make(0.5, 100, 40), calm = heard_make(0.5, 50, 5);
  ck_assert(few.sharp < many.sharp && few.sharp < calm.sharp);
  ck_assert(fabsf(heard_make(0.5, 50, 400).sharp - 0.25f) < 0.005f); /* a lead of 100 times the difference of shares */
  ck_assert(heard_make(0.5, 1e9, 1).sharp <= 10.001f);
  ck_assert(fabsf(heard_make(0.1, 50, 40).sharp - heard_make(0.9, 50, 40).sharp) < 1e-4f);
}
END_TEST

START_TEST(slopes) {
  for (int s = 0; s < 4; s++)
    for (int yes = 0; yes < 2; yes++)
      for (double score = -4; score <= 4; score += 0.5) {
        struct heard heard = heard_make(shares[s], 80, 30);
        double slope, bend, other, unused, step = 1e-5;
        double rise = heard_loss(&heard, yes, score + step, &other, &unused);
        rise -= heard_loss(&heard, yes, score - step, &other, &unused);
        heard_loss(&heard, yes, score, &slope, &bend);
        ck_assert_msg(fabs(rise / (2 * step) - slope) < 1e-6, "%g %d %g", shares[s], yes, score);
        ck_assert(bend >= 0 && fabs(slope) < 5);
      }
}
END_TEST

/* Column 0 tells the share of class 1, a tenth on average. Each answer is about another share, and nearly half of them are wrong; the
 * student's probabilities are right all the same, and it is as good whichever way rows are kept. */
static void tell(const char *text, int is_dense, float weight, double *off) {
  enum { COUNT = 6000 };
  static int32_t label[COUNT];
  static struct heard heard[COUNT];
  static size_t order[COUNT];
  struct rows rows;
  struct learner learner;
  struct learned learned = {0};
  struct lesson lesson = {.rows = &rows, .row = order, .label = label, .count = COUNT, .heard = heard};
  uint64_t state = 9;
  rows_init(&rows, 2, is_dense);
  ck_assert_int_eq(rows_reserve(&rows, COUNT, 2 * COUNT), 0);
  for (size_t i = 0; i < COUNT; i++) {
    float x[2] = {2 * lessons_unit(&state) - 1, 2 * lessons_unit(&state) - 1};
    double share = 1 / (1 + exp(2.5 - (double)(weight * x[0]))), slope, bend;
    if (is_dense) {
      memcpy(rows_push_dense(&rows, ROWS_UNLABELLED, 0, 0), x, sizeof x);
    } else {
      for (uint32_t j = 0; j < 2; j++) {
        rows.index[2 * i + j] = j;
        rows.value[2 * i + j] = x[j];
      }
      rows_push_sparse(&rows, 2 * i + 2, ROWS_UNLABELLED, 0, 0);
    }
    order[i] = i;
    heard[i] = heard_make(0.02 + 0.4 * (double)lessons_unit(&state), 100, 15);
    label[i] = (double)lessons_unit(&state) < exp(-heard_loss(&heard[i], 1, log(share / (1 - share)), &slope, &bend));
  }
  ck_assert_int_eq(learner_parse(&learner, "--student", text), 0);
  learner_fit(&learner, &rows, 2);
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  *off = 0;
  for (size_t i = 0; i < COUNT; i++) {
    float score[2];
    double x = is_dense ? (double)rows.dense[2 * i] : (double)rows.value[rows.start[i]];
    learner.kind->score_row(&learner, &learned, &rows, i, score);
    *off += fabs(1 / (1 + exp((double)score[0] - (double)score[1])) - 1 / (1 + exp(2.5 - (double)weight * x))) / COUNT;
  }
  learned_free(&learned);
  rows_free(&rows);
}

START_TEST(learns) {
  double off[2];
  for (int is_dense = 0; is_dense < 2; is_dense++) {
    tell("logistic:C=10", is_dense, 3, &off[is_dense]);
    ck_assert_msg(off[is_dense] < 0.015, "logistic, dense %d: off by %.4f", is_dense, off[is_dense]);
  }
  ck_assert(fabs(off[0] - off[1]) < 1e-6);
  tell("kernel:C=10,landmarks=50", 1, 3, &off[0]);
  ck_assert_msg(off[0] < 0.03, "kernel: off by %.4f", off[0]);
}
END_TEST

SCRATCH_MAIN("heard", law, sharpness, slopes, learns)
