/* What a plug-in provides to let several processes work as one (ranks.h). It is loaded only if they were started that way,
 * so the program itself does not need such a library. Only one operation runs at a time. */
#ifndef LEARN_RANKS_ENGINE_H
#define LEARN_RANKS_ENGINE_H

#include <stddef.h>
#include <stdint.h>

#define RANKS_ENGINE_SYMBOL "engine_table"    /* the plug-in's one name: a struct ranks_engine */
#define RANKS_ENGINE_MOST   ((size_t)1 << 28) /* bytes, or numbers, of one operation */

/* The int functions return 0, or -1 when the library fails. */
struct ranks_engine {
  int (*start)(int *rank, int *count);
  int (*send)(void *bytes, size_t size, int from); /* begins: from one rank to all others */
  int (*give)(void *bytes, size_t size, int from); /* begins, at rank 0 and at that rank: from that rank to rank 0 */
  int (*add)(uint32_t *numbers, size_t count);     /* begins: sums over all ranks, at rank 0; the others keep theirs */
  int (*test)(int *is_done);                       /* is the last one done? */
  void (*stop)(void);
};

#endif
