/* What the whole lives in history_*.c share; for the prover only.
 *
 * A script says, step by step and in any order, what the program that owns the machine does and what happens to it:
 * reserve, store, answer, close, crash, start. The three rules that such a program keeps (A-STORE) are the three
 * conditions in each life's step: it begins once, it starts again from what it stored last, and it asks for an answer
 * only when what it stored is no more than what is left. A crash may come between any two steps; after it
 * nothing is known of the memory the machine was in. */
#ifndef FUMATA_HISTORY_H
#define FUMATA_HISTORY_H

#include <stdint.h>

enum { FUMATA_STEP_RESERVE, FUMATA_STEP_STORE, FUMATA_STEP_ANSWER, FUMATA_STEP_CLOSE, FUMATA_STEP_CRASH,
       FUMATA_STEP_START };

/* A step at which the world saw nothing. */
#define FUMATA_NOTHING (-2)

/* What there is besides the machine: its program and the store; and what the world saw last. */
typedef struct {
  uint32_t alive;  /* the program runs and the machine's memory means something */
  uint32_t stored; /* the last `left` on disk; all of T or L before anything is stored */
  int32_t seen;
} fumata_life;

#endif
