/* K teachers: bench_teachers FILE.svm K linear|trees. Beside the program's training stands its peer: liblinear's train()
 * called directly on the same chunks, made ready beforehand, by as many threads; of trees the same training on one core.
 * They take turns. Prints the best seconds on the clock, ours and the peer's, then CPU seconds of the middle turn, by its
 * ratio: two that ran one after the other, since a core may be slower for a second than before, and more so when the
 * other one works too. */
#include <linear.h>
#include <sched.h>
#include <stdio.h>

#include "data/encoding.h"
#include "data/reader.h"
#include "gate/partition.h"
#include "learn/ensemble.h"
#include "learn/pool.h"
#include "machine.h"

#define TURNS_LINEAR 25
#define TURNS_TREES  5

static struct learner learner;
static struct chunks chunks;
static struct rows rows;

static void hush(const char *text) {
  (void)text;
}

static void train_ours(void) {
  struct ensemble ensemble;
  if (ensemble_train(&ensemble, &learner, &rows, &chunks)) exit(1);
  ensemble_free(&ensemble);
}

/* ---- liblinear by itself ---- */

static struct problem *problems;

static void prepare(struct problem *problem, const size_t *row, size_t count) {
  struct feature_node *node;
  size_t nodes = 0;
  for (size_t e = 0; e < count; e++)
    nodes += rows.start[row[e] + 1] - rows.start[row[e]] + 2;
  *problem = (struct problem){.l = (int)count, .n = (int)rows.columns + 1, .bias = 1};
  problem->y = malloc((count + 1) * sizeof *problem->y);
  problem->x = malloc((count + 1) * sizeof *problem->x);
  node = malloc((nodes + 1) * sizeof *node);
  if (!problem->y || !problem->x || !node) exit(1);
  for (size_t e = 0; e < count; e++) {
    problem->y[e] = rows.label[row[e]];
    problem->x[e] = node;
    for (size_t at = rows.start[row[e]]; at < rows.start[row[e] + 1]; at++)
      *node++ = (struct feature_node){(int)rows.index[at] + 1, (double)rows.value[at] * learner.scale};
    *node++ = (struct feature_node){(int)rows.columns + 1, 1};
    *node++ = (struct feature_node){-1, 0};
  }
}

static int is_mixed(const struct problem *problem) {
  for (int i = 1; i < problem->l; i++)
    if (problem->y[i] != problem->y[0]) return 1;
  return 0;
}

static int train_one(void *context, size_t t, unsigned worker) {
  struct parameter parameter = {.solver_type = L2R_LR, .eps = learner.tolerance, .C = learner.cost};
  struct model *model;
  (void)context;
  (void)worker;
  if (!is_mixed(&problems[t])) return 0;
  model = train(&problems[t], &parameter);
  free_and_destroy_model(&model);
  return 0;
}

static void train_directly(void) {
  pool_run(chunks.teachers, train_one, NULL, NULL);
}

/* ---- trees on one core ---- */

static void train_alone(void) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof all, &all);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  sched_setaffinity(0, sizeof one, &one); /* threads inherit it */
  train_ours();
  sched_setaffinity(0, sizeof all, &all);
}

/* ---- taking turns ---- */

struct cost {
  double wall, cpu;
};

struct turn {
  struct cost ours, peer;
};

static struct cost measure(void (*work)(void)) {
  double wall = machine_seconds(), cpu = machine_clock(CLOCK_PROCESS_CPUTIME_ID);
  work();
  return (struct cost){machine_seconds() - wall, machine_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu};
}

static int compare(const void *a, const void *b) {
  const struct turn *x = a, *y = b;
  double left = x->peer.cpu / x->ours.cpu, right = y->peer.cpu / y->ours.cpu;
  return left < right ? -1 : left > right;
}

/* Who goes first changes from turn to turn. */
static void take_turns(struct turn *turn, int count, void (*peer)(void)) {
  for (int i = 0; i < count; i++) {
    if (i % 2) turn[i].peer = measure(peer);
    turn[i].ours = measure(train_ours);
    if (i % 2 == 0) turn[i].peer = measure(peer);
  }
}

static void print_turns(struct turn *turn, int count) {
  struct cost ours = turn[0].ours, peer = turn[0].peer;
  for (int i = 1; i < count; i++) {
    if (turn[i].ours.wall < ours.wall) ours = turn[i].ours;
    if (turn[i].peer.wall < peer.wall) peer = turn[i].peer;
  }
  qsort(turn, (size_t)count, sizeof *turn, compare);
  printf("%.6f %.6f %.6f %.6f\n", ours.wall, peer.wall, turn[count / 2].ours.cpu, turn[count / 2].peer.cpu);
}

int main(int argc, char **argv) {
  struct encoding_request request = {.classes = "0,1"};
  struct reader_options options = {.labels = LABELS_REQUIRE};
  struct encoding encoding;
  struct partition partition;
  struct coins coins;
  struct turn turns[TURNS_LINEAR > TURNS_TREES ? TURNS_LINEAR : TURNS_TREES];
  int is_linear = argc == 4 && strcmp(argv[3], "linear") == 0, count = is_linear ? TURNS_LINEAR : TURNS_TREES;
  if (argc != 4) return 2;
  request.public_path = argv[1];
  coins_init(&coins);
  options.partition = &partition;
  if (partition_init(&partition, &coins) || encoding_make(&encoding, &request) ||
      reader_load(&rows, argv[1], &encoding, &options) ||
      learner_parse(&learner, "", is_linear ? "logistic" : "trees") ||
      chunks_make(&chunks, rows.unit, rows.count, NULL, (uint32_t)atoi(argv[2])) || rows.is_dense)
    return 1;
  learner_fit(&learner, &rows, 2);
  learner.classes = 2;
  learner.columns = rows.columns;
  problems = calloc(chunks.teachers, sizeof *problems);
  for (uint32_t t = 0; is_linear && t < chunks.teachers; t++)
    prepare(&problems[t], chunks.row + chunks.start[t], chunks.start[t + 1] - chunks.start[t]);
  set_print_string_function(hush);
  take_turns(turns, count, is_linear ? train_directly : train_alone);
  print_turns(turns, count);
  return 0;
}
