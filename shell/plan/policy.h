/* What we chose and could have chosen otherwise, each number once. What the mathematics fixes is in the core. */
#ifndef PLAN_POLICY_H
#define PLAN_POLICY_H

#define PLAN_AGREEMENT 0.9  /* a vote worth answering: this share of the teachers names one label ... */
#define PLAN_SILENCE   0.05 /* ... and is met with silence at most this often */

#define PLAN_FLOOR 0x1p-20 /* how rare even a unanimous vote's silence gets: rarer only makes tables longer */

#define PLAN_PAPER_BETA    0.1  /* the paper's beta, the chance of a wrong answer that its number of teachers allows */
#define PLAN_PAPER_QUERIES 1000 /* the paper's m where nobody says: its constants depend on it, ours do not */

#define PLAN_RECORDS     40  /* fewest records that we let a teacher learn from, unless told */
#define PLAN_HARD        0.1 /* share of queries on which the teachers disagree, guessed: it must not be counted */
#define PLAN_HARD_MARGIN 1.2 /* silences for so many times the hard queries, in case the guess is low, ... */
#define PLAN_SPARE       5   /* ... and these besides, so that few queries get some too */

/* `learn`: once a student has hundreds of answers, better taught teachers help it more than further answers do. */
#define PLAN_LEARN_RECORDS 50   /* so its teachers get more records each */
#define PLAN_LEARN_QUERIES 1500 /* and it pays for the silences of no more queries than these */

#define PLAN_COUNT_PART 50 /* one such part of epsilon and of delta pays for the count of units, where nobody says it */

/* How many are reserved at once where nobody says: each reservation waits for the disk, some milliseconds, and a crash loses
 * what is reserved and not used. Silences are dear, and labels are free between them, so one at a time. Every answer of the
 * toll uses one: ten waits in the life of a plan stay under a tenth of any run that takes half a second. */
#define PLAN_RESERVE_SILENCES 1
#define PLAN_RESERVE_PARTS    10 /* of the plan's answers, one such part at a time */

/* What is refused unless the operator insists. */
#define PLAN_DELTA_MOST      0.01 /* from here on one unit in a hundred may be laid bare */
#define PLAN_EPSILON_MOST    20.0 /* beyond it the bound is e^20, and says nothing */
#define PLAN_UNANIMOUS       0.5 /* a plan that meets even a unanimous vote with more silence than this buys nothing, ... */
#define PLAN_UNANIMOUS_LOSER 0.25 /* ... nor does one that names the loser of it more often than this */

#endif
