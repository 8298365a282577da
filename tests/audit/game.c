#include "audit/game.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAME_SWEEPS 40    /* at most: labels lead back and forth on the scale of scores */
#define GAME_STILL  1e-12 /* a value that moves by less has settled */

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

static int32_t game_shift(double here, double there) {
  return (int32_t)lround(GAME_GRID * log(here / there));
}

/* The first outcome's chance at a distance: silence, or naming the winner. */
static double game_first(const struct plan_box *plan, uint32_t distance) {
  if (plan->mechanism == PLAN_MECHANISM_METER) return plan_miss(plan, PLAN_KIND_METER, distance);
  return 1 - plan_miss(plan, plan_votes(plan) ? PLAN_KIND_POLL : PLAN_KIND_TOLL, distance);
}

static void game_add(struct game *game, const struct plan_box *plan, uint32_t here, uint32_t there) {
  double p = game_first(plan, here), r = game_first(plan, there);
  struct game_move move = {here, there, p, r, game_shift(p, r), 0, 0};
  move.is_telling = r >= 1;
  if (p < 1 && r < 1) move.next_shift = game_shift(1 - p, 1 - r);
  if (game->move_count + 1 >= GAME_STOP) return;
  if (game->second_is_free && p < 1 && r < 1 && move.next_shift == 0) return; /* too little to count */
  game->moves[game->move_count++] = move;
}

int game_make(struct game *game, const struct plan_box *plan, uint32_t most, uint32_t step, double epsilon) {
  struct plan_quota limit = plan_limit(plan);
  memset(game, 0, sizeof *game);
  game->second_is_free = plan->mechanism == PLAN_MECHANISM_METER;
  game->limit = game->second_is_free ? limit.silences : limit.answers + plan_votes(plan);
  game->reach = (int32_t)(GAME_GRID * (2 * epsilon + 2));
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

/* Improves the value of one place; how much. */
static double game_improve(struct game *game, unsigned char *policy, const double *less, double *same, size_t at) {
  double old = same[at];
  for (uint32_t m = 0; m < game->move_count; m++) {
    double worth = game_worth(game, &game->moves[m], less, same, at);
    if (worth > same[at]) same[at] = worth, policy[at] = (unsigned char)m;
  }
  return same[at] - old;
}

/* Up and down the scale until nothing moves. */
static void game_settle(struct game *game, unsigned char *policy, const double *less, double *same) {
  size_t width = game_width(game);
  double moved = 1;
  for (int sweep = 0; sweep < GAME_SWEEPS && moved > GAME_STILL; sweep++) {
    moved = 0;
    for (size_t i = 0; i < width; i++)
      moved = fmax(moved, game_improve(game, policy, less, same, sweep % 2 ? i : width - 1 - i));
    if (!game->second_is_free) break;
  }
}

int game_chase(struct game *game, double epsilon) {
  size_t width = game_width(game);
  double *values = malloc(3 * width * sizeof *values), *less = values, *same = values + width, *end = same + width;
  if (!values) return -1;
  memset(game->policy, GAME_STOP, (game->limit + 1) * width);
  for (size_t i = 0; i < width; i++)
    end[i] = fmax(0, -expm1(epsilon - ((double)i - game->reach) / GAME_GRID));
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
 * that is not live is all zeros. */
struct game_flow {
  double *now[2], *then[2];
  unsigned char *is_live, *will_live;
};

static double *game_into(const struct game *game, struct game_flow *flow, int side, size_t left) {
  size_t width = game_width(game);
  if (!flow->will_live[left]) {
    memset(flow->then[0] + left * width, 0, width * sizeof(double));
    memset(flow->then[1] + left * width, 0, width * sizeof(double));
    flow->will_live[left] = 1;
  }
  return flow->then[side] + left * width;
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

/* One query of everybody who still plays; how much of them there was. */
static double game_step(const struct game *game, struct game_flow *flow) {
  struct game_flow next = {
      {flow->then[0], flow->then[1]}, {flow->now[0], flow->now[1]}, flow->will_live, flow->is_live};
  size_t width = game_width(game);
  double mass = 0;
  memset(flow->will_live, 0, game->limit + 1);
  for (size_t left = 0; left <= game->limit; left++)
    for (size_t at = 0; flow->is_live[left] && at < width; at++) {
      size_t cell = left * width + at;
      double here = flow->now[0][cell] + flow->now[1][cell];
      if (here > 0) game_pour(game, flow, left, (int32_t)at - game->reach, cell);
      mass += here;
    }
  *flow = next;
  return mass;
}

static void game_give_up(const struct game *game, const struct game_flow *flow) {
  size_t width = game_width(game);
  for (size_t left = 0; left <= game->limit; left++)
    for (size_t at = 0; flow->is_live[left] && at < width; at++) {
      game->here[at] += flow->now[0][left * width + at];
      game->there[at] += flow->now[1][left * width + at];
    }
}

int game_law(struct game *game) {
  size_t width = game_width(game), rows = game->limit + 1, cells = rows * width,
         start = cells - width + (size_t)game->reach;
  double *room = malloc(4 * cells * sizeof *room), mass = 1;
  unsigned char *live = calloc(2 * rows, 1);
  struct game_flow flow = {{room, room + cells}, {room + 2 * cells, room + 3 * cells}, live, live + rows};
  if (room && live) {
    memset(game->here, 0, game->size * sizeof(double));
    memset(game->there, 0, game->size * sizeof(double));
    live[rows - 1] = 1;
    memset(room + cells - width, 0, width * sizeof *room);
    memset(room + 2 * cells - width, 0, width * sizeof *room);
    flow.now[0][start] = flow.now[1][start] = 1;
    for (int step = 0; step < GAME_STEPS && mass > 1e-13; step++)
      mass = game_step(game, &flow);
    game_give_up(game, &flow);
  }
  free(room);
  free(live);
  return room && live ? 0 : -1;
}
