/* K teachers: bench_teachers FILE.svm K linear|trees. Prints seconds on the clock and of all cores together for the
 * program's training, and for its peer: liblinear's train() called directly on the same chunks, made ready beforehand; of
 * trees the same training on one core. The best of five, taken in turn. */
#include <linear.h>
#include <sched.h>
#include <stdio.h>

#include "data/encoding.h"
#include "data/partition.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "machine.h"

#define ROUNDS 5

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

static void train_directly(void) {
  struct parameter parameter = {.solver_type = L2R_LR, .eps = learner.tolerance, .C = learner.cost};
  for (uint32_t t = 0; t < chunks.teachers; t++) {
    struct model *model;
    if (!is_mixed(&problems[t])) continue;
    model = train(&problems[t], &parameter);
    free_and_destroy_model(&model);
  }
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

static void best_of(void (*work)(void), double best[2]) {
  double wall = machine_seconds(), cpu = machine_clock(CLOCK_PROCESS_CPUTIME_ID);
  work();
  wall = machine_seconds() - wall;
  cpu = machine_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu;
  if (wall < best[0]) best[0] = wall;
  if (cpu < best[1]) best[1] = cpu;
}

int main(int argc, char **argv) {
  struct encoding_request request = {.classes = "0,1"};
  struct reader_options options = {.labels = LABELS_REQUIRE};
  struct encoding encoding;
  struct partition partition;
  struct coins coins;
  double ours[2] = {1e9, 1e9}, peer[2] = {1e9, 1e9};
  int is_linear = argc == 4 && strcmp(argv[3], "linear") == 0;
  if (argc != 4) return 2;
  request.public_path = argv[1];
  coins_init(&coins);
  options.partition = &partition;
  if (partition_init(&partition, &coins) || encoding_make(&encoding, &request) ||
      reader_load(&rows, argv[1], &encoding, &options) ||
      learner_parse(&learner, "", is_linear ? "logistic" : "trees") ||
      chunks_make(&chunks, &rows, NULL, (uint32_t)atoi(argv[2])) || rows.is_dense)
    return 1;
  learner_fit(&learner, &rows, 2);
  learner.classes = 2;
  learner.columns = rows.columns;
  problems = calloc(chunks.teachers, sizeof *problems);
  for (uint32_t t = 0; is_linear && t < chunks.teachers; t++)
    prepare(&problems[t], chunks.row + chunks.start[t], chunks.start[t + 1] - chunks.start[t]);
  set_print_string_function(hush);
  for (int i = 0; i < ROUNDS; i++) {
    best_of(train_ours, ours);
    best_of(is_linear ? train_directly : train_alone, peer);
  }
  printf("%.6f %.6f %.6f %.6f\n", ours[0], ours[1], peer[0], peer[1]);
  return 0;
}
