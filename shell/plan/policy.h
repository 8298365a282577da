/* What we chose and could have chosen otherwise, each number once. What the mathematics fixes is in the core. */
#ifndef PLAN_POLICY_H
#define PLAN_POLICY_H

#define PLAN_AGREEMENT 0.9  /* a vote worth answering: this share of the teachers names one label ... */
#define PLAN_SILENCE   0.05 /* ... and is met with silence at most this often, ... */
#define PLAN_NAMED     0.95 /* ... or its winner is named by the toll at least this often */

#define PLAN_TEXT(number)   PLAN_STRING(number) /* one of these numbers, for a text */
#define PLAN_STRING(number) #number

#define PLAN_POLL_WRONG 0.1 /* a poll's table is the one that answers wrongly at most this often at the smallest lead */

#define PLAN_FLOOR 0x1p-20 /* how rare even a unanimous vote's silence gets: rarer only makes tables longer */

#define PLAN_PAPER_BETA    0.1  /* the paper's beta, the chance of a wrong answer that its number of teachers allows */
#define PLAN_RULES_BETA    0.05 /* the chance that what its rules advise is not enough; the second paper's gamma */
#define PLAN_PAPER_QUERIES 1000 /* the paper's m by default: its constants depend on it, ours do not */

#define PLAN_RECORDS     40  /* records that a teacher learns from at least, while that leaves a silence */
#define PLAN_HARD        0.1 /* share of queries on which the teachers disagree, guessed: it must not be counted */
#define PLAN_HARD_MARGIN 1.2 /* silences for this many times the hard queries, in case the guess is low, ... */
#define PLAN_SPARE       5   /* ... and these besides, so that few queries get some too */

/* The defaults of `learn`. Chosen on the data sets of tests/bench/accuracy: few clean answers lose against many noisy ones,
 * and teachers of few records are made up for by their number. */
#define PLAN_LEARN_SHARE         0.35      /* teachers: this times units to the power of ... */
#define PLAN_LEARN_POWER         (2.0 / 3) /* ... this, over the root of epsilon, ... */
#define PLAN_LEARN_TEACHERS      300       /* ... but no more than this over the root of epsilon, ... */
#define PLAN_LEARN_TEACHERS_MANY 400       /* ... or than this with more than two classes, ... */
#define PLAN_LEARN_UNITS         10        /* ... and none of fewer units */
#define PLAN_LEARN_NAMED         0.9  /* answers: as many as let a unanimous vote name its winner this often, ... */
#define PLAN_LEARN_ANSWERS       2000 /* ... but no more than these, ... */
#define PLAN_LEARN_ANSWERS_BOTH  400  /* ... or these beside silences, ... */
#define PLAN_LEARN_ANSWERS_FEW   10   /* ... and where not even these are to be had, there is nothing to learn from */
#define PLAN_LEARN_SILENCES      5    /* silences beside answers: at most this many a class, ... */
#define PLAN_LEARN_PART          0.7 /* ... each kind as if it had this part of epsilon: moments add up as squares do */

#define PLAN_COUNT_PART                                                                                                \
  50 /* one such part of epsilon and of delta pays for the count of units, unless the operator gives it */

/* How many are reserved at once by default: each reservation waits for the disk, some milliseconds, and a crash loses
 * what is reserved and not used. Silences are dear: one, and then each time one more than this run has used, so that a crash
 * loses at most one more than the run had of it and T silences wait log T times, not T times. Every answer of the toll uses one: ten waits in the life of
 * a plan stay under a tenth of any run that takes half a second. */
#define PLAN_RESERVE_SILENCES 1  /* and as many more as are used */
#define PLAN_RESERVE_PARTS    10 /* of the plan's answers, one such part at a time */

/* What is refused unless the operator insists. */
#define PLAN_DELTA_MOST      0.01 /* from here on one unit in a hundred may be revealed */
#define PLAN_EPSILON_MOST    20.0 /* beyond it the bound is e^20, and says nothing */
#define PLAN_UNANIMOUS       0.5 /* a plan that meets even a unanimous vote with more silence than this buys nothing, ... */
#define PLAN_UNANIMOUS_LOSER 0.25 /* ... nor does one that names the loser of it more often than this */

#endif
