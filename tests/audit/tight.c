/* How tight are the certificates? For twenty plans of each mechanism the exact epsilon of the worst stream found, beside the
 * certified one, as CSV: no sampling. Streams at one distance for all; where the game is small enough, also an adversary
 * that plays the best policy (game.h).
 *
 *   tight meter|toll|classic|poll */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/plans.h"
#include "plan/mechanism.h"

#define DELTA  "1e-5"
#define PLACES 32
#define RARELY 0.02    /* silences rarer than this make laws too long */
#define FINEST 10000   /* steps of a score in a nat, at most; fewer than GAME_GRID tell too little */
#define CHASED 8000000 /* places of a game: what is left times scores; ... */
#define ROUND  500000  /* ... where labels are free, which lead back and forth */
#define CHASES 2       /* each at the epsilon that the one before it found */

static const char *const epsilons[] = {"0.5", "1", "2", "4"};
#define SIZES 5
static const uint32_t limits[][SIZES] = {[PLAN_MECHANISM_METER] = {1, 5, 20, 100, 400},
                                         [PLAN_MECHANISM_TOLL] = {10, 50, 100, 400, 1600},
                                         [PLAN_MECHANISM_CLASSIC] = {1, 2, 4, 6, 8},
                                         [PLAN_MECHANISM_POLL] = {2, 5, 10, 20, 40}};

/* The best adversary on the finest grid that there is room for; 0 when the game is too large. */
static double chased(const struct plan_box *plan, uint32_t most, double exact) {
  struct plan_quota limit = plan_limit(plan);
  int is_meter = plan->mechanism == PLAN_MECHANISM_METER;
  double count = 1 + (is_meter ? limit.silences : limit.answers + plan_votes(plan)), shown = 0;
  double grid = fmin(FINEST, (is_meter ? ROUND : CHASED) / (count * (4 * plans_epsilon(plan) + 4)));
  struct game game;
  if (plan->mechanism == PLAN_MECHANISM_CLASSIC || grid < GAME_GRID) return 0;
  if (game_make(&game, plan, most, most / PLACES + 1, plans_epsilon(plan), (int32_t)grid)) exit(3);
  for (int i = 0; i < CHASES; i++) {
    if (game_chase(&game, fmax(exact, shown)) || game_law(&game)) exit(3);
    shown = fmax(shown, plans_exact(game.here, game.there, game.size, plans_delta(plan)));
  }
  game_free(&game);
  return shown;
}

static int row(const struct plans_wish *wish) {
  struct plan_box plan;
  struct laws_place place;
  struct laws laws;
  double exact, best;
  uint32_t most;
  plans_make(wish, &plan);
  most = plans_farthest(&plan, RARELY);
  place = plans_worst(&plan, most, PLACES);
  if (laws_make(&laws, &plan, &place)) exit(3);
  exact = plans_exact(laws.here, laws.there, laws.size, plans_delta(&plan));
  best = chased(&plan, most, exact);
  printf("%s,%s,%s,%u,%u,%.4f,%.4f,%.1f\n", mechanism_of(wish->mechanism)->name, wish->epsilon, wish->delta,
         (unsigned)(wish->silences + wish->answers), (unsigned)place.here, exact, best,
         100 * fmax(exact, best) / plans_epsilon(&plan));
  fflush(stdout);
  laws_free(&laws);
  best = fmax(exact, best) / plans_epsilon(&plan);
  plan_free(&plan);
  return best > 1;
}

int main(int count, char **words) {
  enum plan_mechanism mechanism;
  int failed = 0;
  if (count != 2 || mechanism_find(words[1], &mechanism) || mechanism == PLAN_MECHANISM_BOTH) {
    fputs("usage: tight meter|toll|classic|poll\n", stderr);
    return 2;
  }
  for (size_t e = 0; e < sizeof epsilons / sizeof *epsilons; e++)
    for (size_t n = 0; n < SIZES; n++) {
      int has_answers = mechanism == PLAN_MECHANISM_TOLL || mechanism == PLAN_MECHANISM_POLL;
      struct plans_wish wish = {mechanism, epsilons[e], DELTA, has_answers ? 0 : limits[mechanism][n],
                                has_answers ? limits[mechanism][n] : 0};
      failed |= row(&wish);
    }
  return failed;
}
