/* Processes that work as one: `mpirun -n N fumata ...` starts N ranks of the same program with the same options. Rank 0
 * prints, writes and spends. The others keep their messages, and do what rank 0 orders. A program that is started alone is
 * rank 0 of 1 and loads no library.
 *
 * A rank that dies takes the others with it: mpirun, or whatever started them, ends them by a signal, which every wait
 * here notices. */
#ifndef LEARN_RANKS_H
#define LEARN_RANKS_H

#include <stddef.h>
#include <stdint.h>

/* The int functions return an exit code (error.h). After an error of ranks_send, ranks_give, ranks_add or ranks_agree the
 * other ranks can no longer be reached. */

/* Meets the other ranks if there are any; they must have been started with the same words. From here on the ranks above 0
 * print nothing. Always call ranks_close; rank 0 first tells the others, by whatever they wait for. */
int ranks_open(int argc, char **argv);
void ranks_close(void);

/* The number of this rank by the environment, without meeting the others; -1 if this process is not one of several. */
int ranks_launched(void);

int ranks_count(void);  /* 1: alone */
int ranks_number(void); /* 0: the one that prints */

/* Did such an operation fail? Then the other ranks no longer listen. */
int ranks_is_broken(void);

/* Sends `size` bytes of rank 0 to all. */
int ranks_send(void *bytes, size_t size);

/* Sends `size` bytes of rank `from` to rank 0; does nothing in other ranks. */
int ranks_give(void *bytes, size_t size, int from);

/* Adds up number by number; the sums are at rank 0. */
int ranks_add(uint32_t *numbers, size_t count);

/* Did all succeed? Each rank gives its code. If one failed, all return a code that is not 0, and rank 0 prints the message
 * of the first that failed. */
int ranks_agree(int code);

/* The share of this rank in `all` things: first .. last - 1. */
void ranks_part(uint32_t all, uint32_t *first, uint32_t *last);

#endif
