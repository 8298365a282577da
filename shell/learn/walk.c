#include "learn/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define WALK_LEAF UINT32_MAX /* the column of a leaf */

/* A node: if the row's column is below the value, go to `yes`, else to `no`. The value of a leaf is added to the score. A
 * walk is nodes: for each tree one whose column says how many follow, and these. */
struct walk_node {
  uint32_t column, yes, no;
  float value;
};

/* Reads one line of xgboost's text: which node it is, and the node. */
static int walk_read(const char *line, uint32_t *at, struct walk_node *node) {
  char *end;
  *at = (uint32_t)strtoul(line, &end, 10);
  *node = (struct walk_node){.column = WALK_LEAF};
  if (!strncmp(end, ":leaf=", 6)) return node->value = strtof(end + 6, &end), 1;
  if (strncmp(end, ":[f", 3)) return 0;
  node->column = (uint32_t)strtoul(end + 3, &end, 10);
  if (*end != '<') return 0;
  node->value = strtof(end + 1, &end);
  if (strncmp(end, "] yes=", 6)) return 0;
  node->yes = (uint32_t)strtoul(end + 6, &end, 10);
  if (strncmp(end, ",no=", 4)) return 0;
  node->no = (uint32_t)strtoul(end + 4, &end, 10);
  return 1;
}

/* Children come after their parents, so every walk ends. */
static int walk_fits(const struct walk_node *node, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    if (node[k].column != WALK_LEAF &&
        (node[k].yes <= k || node[k].no <= k || node[k].yes >= count || node[k].no >= count))
      return 0;
  return count > 0;
}

int walk_add(struct learned *walk, const char *text) {
  size_t before = walk->size / sizeof(struct walk_node);
  uint32_t count = 0, at;
  struct walk_node *all, *node, read;
  const char *line;
  int is_good = 1;
  for (line = text; *line; line++)
    count += *line == '\n';
  all = (struct walk_node *)realloc(walk->bytes, (before + 1 + count) * sizeof *all);
  if (!all) return error_report(EXIT_SYSTEM, "out of memory");
  walk->bytes = (unsigned char *)all;
  walk->size = (before + 1 + count) * sizeof *all;
  all[before] = (struct walk_node){.column = count};
  node = all + before + 1;
  memset(node, 0, count * sizeof *node);
  for (line = text; is_good && *line; line = strchr(line, '\n') + 1) {
    line += strspn(line, "\t ");
    is_good = walk_read(line, &at, &read) && at < count;
    if (is_good) node[at] = read;
  }
  return is_good && walk_fits(node, count) ? EXIT_OK : error_report(EXIT_SYSTEM, "xgboost: a tree that is not one");
}

/* The value of row i in a column. */
static float walk_value(const struct rows *rows, size_t i, uint32_t column) {
  size_t low, high;
  if (column >= rows->columns) return 0;
  if (rows->is_dense) return rows->dense[i * rows->columns + column];
  low = rows->start[i];
  high = rows->start[i + 1];
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (rows->index[middle] < column)
      low = middle + 1;
    else
      high = middle;
  }
  return low < rows->start[i + 1] && rows->index[low] == column ? rows->value[low] : 0;
}

void walk_row(const struct learned *walk, uint32_t classes, const struct rows *rows, size_t i, float *score) {
  const struct walk_node *node = (const struct walk_node *)walk->bytes;
  size_t count = walk->size / sizeof *node;
  uint32_t tree = 0;
  memset(score, 0, classes * sizeof *score);
  for (size_t first = 0; first < count; first += 1 + (size_t)node[first].column, tree++) {
    const struct walk_node *root = node + first + 1, *at = root;
    while (at->column != WALK_LEAF)
      at = root + (walk_value(rows, i, at->column) < at->value ? at->yes : at->no);
    score[classes == 2 ? 1 : tree % classes] += at->value;
  }
}
