/* An adversary that chases one teacher: after every answer it chooses the next query, that is, at which distance the two
 * data sets lie and which of them is the nearer one, by what has been seen so far and what is left of the budget. A game is
 * a list of such moves and a policy; its law is exact: nothing is sampled.
 *
 * What was seen is kept as a score, the log-likelihood ratio in steps of 1 / grid, rounded move by move. It loses a
 * little, the less the finer the grid, so what is told here is what an adversary that rounds can tell; the law is that of the rounded score, exactly. */
#ifndef AUDIT_GAME_H
#define AUDIT_GAME_H

#include <stddef.h>
#include <stdint.h>

#include "plan/plan.h"

#define GAME_GRID  1000 /* fine enough for a few dozen moves */
#define GAME_STEPS 4000 /* queries after which it gives up */
#define GAME_STOP  255u /* the policy's way to say that nothing more is to be learned */

/* The first outcome is a silence, the winner named, or what a lead is for; the second a label, the other candidate, or the
 * other answer. */
struct game_move {
  uint32_t here, there;            /* the distances */
  double first_here, first_there;  /* probability of the first outcome */
  int32_t first_shift, next_shift; /* what an outcome adds to the score */
  int is_telling;                  /* 1: the second outcome is impossible there, and so tells all */
};

struct game {
  struct game_move moves[GAME_STOP];
  uint32_t move_count;
  uint32_t limit;        /* T, L or B */
  int second_is_free;    /* labels of the meter */
  int32_t grid;          /* steps of a score in a nat */
  int32_t reach;         /* scores lie in -reach .. reach */
  unsigned char *policy; /* a move for each number left and each score */
  double *here, *there;  /* probability of the score at the end; one more place for what tells all */
  size_t size;           /* of each: 2 reach + 2 */
};

/* Distances 1, 1 + step, ... up to `most`, each against the one before it, both ways round. 0, or -1: no memory. */
int game_make(struct game *game, const struct plan_box *plan, uint32_t most, uint32_t step, double epsilon,
              int32_t grid);
void game_free(struct game *game);

/* The best policy at this epsilon, by dynamic programming; or a ladder, another distance after each thing paid for. */
int game_chase(struct game *game, double epsilon);
void game_climb(struct game *game);

/* Fills `here` and `there` for the policy. */
int game_law(struct game *game);

/* How a play goes on: the move at a score with so much left, and the score after an outcome. */
unsigned game_choice(const struct game *game, uint32_t left, int32_t score);
int32_t game_clamp(const struct game *game, int32_t score);

#endif
