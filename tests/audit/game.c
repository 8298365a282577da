#include "audit/game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAME_SWEEPS 40   /* at most: labels lead back and forth on the scale of scores */
#define GAME_STILL  1e-9 /* a value, a delta, that moves by less has settled */

static size_t game_width(const struct game *game) {
  return 2 * (size_t)game->reach + 1;
}

int32_t game_clamp(const struct game *game, int32_t score) {
  return score > game->reach ? game->reach : score < -game->reach ? -game->reach : score;
}

static size_t game_place(const struct game *game, int32_t score) {
  return (size_t)(game_clamp(game, score) + game->reach);
}

unsigned game_choice(const struct game *game, uint32_t left, int32_t score) {
  return left ? game->policy[left * game_width(game) + game_place(game, score)] : GAME_STOP;
}

static int32_t game_shift(const struct game *game, double here, double there) {
  return (int32_t)lround(game->grid * log(here / there));
}

/* The first outcome's chance at a distance: silence, or naming the winner. */
static double game_first(const struct plan_box *plan, uint32_t distance) {
  if (plan->mechanism == PLAN_MECHANISM_METER) return plan_miss(plan, PLAN_KIND_METER, distance);
  return 1 - plan_miss(plan, plan_votes(plan) ? PLAN_KIND_POLL : PLAN_KIND_TOLL, distance);
}

static void game_add(struct game *game, const struct plan_box *plan, uint32_t here, uint32_t there) {
  double p = game_first(plan, here), r = game_first(plan, there);
  struct game_move move = {here, there, p, r, game_shift(game, p, r), 0, 0};
  move.is_telling = r >= 1;
  if (p < 1 && r < 1) move.next_shift = game_shift(game, 1 - p, 1 - r);
  if (game->move_count + 1 >= GAME_STOP) return;
  if (game->second_is_free && p < 1 && r < 1 && move.next_shift == 0) return; /* too little to count */
  game->moves[game->move_count++] = move;
}

int game_make(struct game *game, const struct plan_box *plan, uint32_t most, uint32_t step, double epsilon,
              int32_t grid) {
  struct plan_quota limit = plan_limit(plan);
  memset(game, 0, sizeof *game);
  game->second_is_free = plan->mechanism == PLAN_MECHANISM_METER;
  game->limit = game->second_is_free ? limit.silences : limit.answers + plan_votes(plan);
  game->grid = grid;
  game->reach = (int32_t)(grid * (2 * epsilon + 2));
  game->size = game_width(game) + 1;
  for (uint32_t d = 1; d <= most; d += step) {
    game_add(game, plan, d, d - 1);
    game_add(game, plan, d - 1, d);
  }
  game->policy = malloc((game->limit + 1) * game_width(game));
  game->here = calloc(game->size, sizeof(double));
  game->there = calloc(game->size, sizeof(double));
  if (game->policy && game->here && game->there) return 0;
  game_free(game);
  return -1;
}

void game_free(struct game *game) {
  free(game->policy);
  free(game->here);
  free(game->there);
  memset(game, 0, sizeof *game);
}

/* Every second thing paid for one move further, and round again. */
void game_climb(struct game *game) {
  size_t width = game_width(game);
  for (uint32_t left = 0; left <= game->limit; left++)
    memset(game->policy + left * width, (int)(left / 2 * 2 % game->move_count), width);
}

/* What a move is worth, given what is worth what with one less left and with as much left. */
static double game_worth(const struct game *game, const struct game_move *move, const double *less, const double *same,
                         size_t at) {
  int32_t score = (int32_t)at - game->reach;
  const double *next = game->second_is_free ? same : less;
  double second = move->is_telling ? 1 : next[game_place(game, score + move->next_shift)];
  return move->first_here * less[game_place(game, score + move->first_shift)] + (1 - move->first_here) * second;
}

/* Improves the value of one place by moves from the first to before the last; how much. */
static double game_improve(struct game *game, unsigned char *policy, const double *less, double *same, size_t at,
                           uint32_t first, uint32_t last) {
  double old = same[at];
  for (uint32_t m = first; m < last; m++) {
    double worth = game_worth(game, &game->moves[m], less, same, at);
    if (worth > same[at]) same[at] = worth, policy[at] = (unsigned char)m;
  }
  return same[at] - old;
}

/* Where every query is paid for, the values of all places: move by move, with a plain loop where no score is clamped. */
static void game_improve_all(struct game *game, unsigned char *policy, const double *less, double *same) {
  int32_t width = (int32_t)game_width(game);
  for (uint32_t m = 0; m < game->move_count; m++) {
    const struct game_move *move = &game->moves[m];
    int32_t least = move->first_shift < move->next_shift ? move->first_shift : move->next_shift,
            most = move->first_shift > move->next_shift ? move->first_shift : move->next_shift,
            low = least < 0 ? -least : 0, high = width - (most > 0 ? most : 0);
    if (move->is_telling || low > high) low = high = width;
    for (int32_t at = low; at < high; at++) {
      double worth =
          move->first_here * less[at + move->first_shift] + (1 - move->first_here) * less[at + move->next_shift];
      if (worth > same[at]) same[at] = worth, policy[at] = (unsigned char)m;
    }
    for (int32_t at = 0; at < low; at++)
      game_improve(game, policy, less, same, (size_t)at, m, m + 1);
    for (int32_t at = high; at < width; at++)
      game_improve(game, policy, less, same, (size_t)at, m, m + 1);
  }
}

/* Up and down the scale until nothing moves. */
static void game_settle(struct game *game, unsigned char *policy, const double *less, double *same) {
  size_t width = game_width(game);
  double moved = 1;
  if (!game->second_is_free) {
    game_improve_all(game, policy, less, same);
    return;
  }
  for (int sweep = 0; sweep < GAME_SWEEPS && moved > GAME_STILL; sweep++) {
    moved = 0;
    for (size_t i = 0; i < width; i++)
      moved = fmax(moved, game_improve(game, policy, less, same, sweep % 2 ? i : width - 1 - i, 0, game->move_count));
  }
}

int game_chase(struct game *game, double epsilon) {
  size_t width = game_width(game);
  double *values = malloc(3 * width * sizeof *values), *less = values, *same = values + width, *end = same + width;
  if (!values) return -1;
  memset(game->policy, GAME_STOP, (game->limit + 1) * width);
  for (size_t i = 0; i < width; i++)
    end[i] = fmax(0, -expm1(epsilon - ((double)i - game->reach) / game->grid));
  memcpy(less, end, width * sizeof *less);
  for (uint32_t left = 1; left <= game->limit; left++) {
    memcpy(same, end, width * sizeof *same); /* it may stop at once */
    game_settle(game, game->policy + left * width, less, same);
    memcpy(less, same, width * sizeof *less);
  }
  free(values);
  return 0;
}

/* Probabilities of each (left, score) on either side, now and after the next query; a row has one number left, and a row
 * that is not live is all zeros. Where every query is paid for, all have as many left, and two rows take turns. */
struct game_flow {
  double *now[2], *then[2];
  unsigned char *is_live, *will_live;
};

static size_t game_rows(const struct game *game) {
  return game->second_is_free ? game->limit + 1 : 2;
}

static size_t game_row(const struct game *game, size_t left) {
  return game->second_is_free ? left : left % 2;
}

static double *game_into(const struct game *game, struct game_flow *flow, int side, size_t left) {
  size_t width = game_width(game), row = game_row(game, left);
  if (!flow->will_live[row]) {
    memset(flow->then[0] + row * width, 0, width * sizeof(double));
    memset(flow->then[1] + row * width, 0, width * sizeof(double));
    flow->will_live[row] = 1;
  }
  return flow->then[side] + row * width;
}

static void game_pour(const struct game *game, struct game_flow *flow, size_t left, int32_t score, size_t from) {
  unsigned choice = game_choice(game, (uint32_t)left, score);
  const struct game_move *move = &game->moves[choice == GAME_STOP ? 0 : choice];
  double *end[2] = {game->here, game->there};
  for (int side = 0; side < 2; side++) {
    double mass = flow->now[side][from], first = side ? move->first_there : move->first_here;
    if (choice == GAME_STOP) {
      end[side][game_place(game, score)] += mass;
      continue;
    }
    game_into(game, flow, side, left - 1)[game_place(game, score + move->first_shift)] += mass * first;
    if (move->is_telling)
      end[side][game->size - 1] += mass * (1 - first);
    else
      game_into(game, flow, side, game->second_is_free ? left : left - 1)[game_place(game, score + move->next_shift)] +=
          mass * (1 - first);
  }
}

/* The query after so many, of everybody who still plays; how much of them there was. */
static double game_step(const struct game *game, struct game_flow *flow, size_t step) {
  struct game_flow next = {
      {flow->then[0], flow->then[1]}, {flow->now[0], flow->now[1]}, flow->will_live, flow->is_live};
  size_t width = game_width(game), most = game->second_is_free ? game->limit : game->limit - step;
  double mass = 0;
  memset(flow->will_live, 0, game_rows(game));
  for (size_t left = game->second_is_free ? 0 : most; left <= most; left++)
    for (size_t row = game_row(game, left), at = 0; flow->is_live[row] && at < width; at++) {
      size_t cell = row * width + at;
      double here = flow->now[0][cell] + flow->now[1][cell];
      if (here > 0) game_pour(game, flow, left, (int32_t)at - game->reach, cell);
      mass += here;
    }
  *flow = next;
  return mass;
}

static void game_give_up(const struct game *game, const struct game_flow *flow) {
  size_t width = game_width(game);
  for (size_t row = 0; row < game_rows(game); row++)
    for (size_t at = 0; flow->is_live[row] && at < width; at++) {
      game->here[at] += flow->now[0][row * width + at];
      game->there[at] += flow->now[1][row * width + at];
    }
}

int game_law(struct game *game) {
  size_t width = game_width(game), rows = game_rows(game), cells = rows * width,
         first = game_row(game, game->limit) * width,
         steps = game->second_is_free || game->limit >= GAME_STEPS ? GAME_STEPS : game->limit + 1;
  double *room = malloc(4 * cells * sizeof *room), mass = 1;
  unsigned char *live = calloc(2 * rows, 1);
  struct game_flow flow = {{room, room + cells}, {room + 2 * cells, room + 3 * cells}, live, live + rows};
  if (room && live) {
    memset(game->here, 0, game->size * sizeof(double));
    memset(game->there, 0, game->size * sizeof(double));
    live[game_row(game, game->limit)] = 1;
    for (int side = 0; side < 2; side++) {
      memset(flow.now[side] + first, 0, width * sizeof *room);
      flow.now[side][first + (size_t)game->reach] = 1;
    }
    for (size_t step = 0; step < steps && mass > 1e-13; step++)
      mass = game_step(game, &flow, step);
    game_give_up(game, &flow);
  }
  free(room);
  free(live);
  return room && live ? 0 : -1;
}
