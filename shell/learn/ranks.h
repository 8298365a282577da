/* Processes that work as one: `mpirun -n N fumata ...` starts N ranks of the same program with the same options. Rank 0 speaks,
 * writes and spends; the others keep what they would say, and do what rank 0 asks for. Started alone, a program is rank 0 of 1
 * and no library is loaded.
 *
 * A rank that dies takes the others with it: whoever started them (mpirun) ends them by a signal, which every wait here
 * notices. */
#ifndef LEARN_RANKS_H
#define LEARN_RANKS_H

#include <stddef.h>
#include <stdint.h>

/* The int functions return an exit code (error.h); after an error of ranks_send, ranks_give, ranks_add or ranks_agree there are no ranks
 * to speak to any more. */

/* Meets the other ranks if there are any, which must have been started with the same words. From here on the ranks above 0 print
 * nothing. ranks_close is always called; rank 0 tells the others first, by whatever they wait for. */
int ranks_open(int argc, char **argv);
void ranks_close(void);

/* By the environment: is this one of several, without meeting them? The number of this one, or -1. */
int ranks_launched(void);

int ranks_count(void);  /* 1: alone */
int ranks_number(void); /* 0: the one that speaks */

/* Did such an operation fail? Then the other ranks no longer listen. */
int ranks_is_broken(void);

/* `size` bytes of rank 0 to all. */
int ranks_send(void *bytes, size_t size);

/* `size` bytes of rank `from` to rank 0; nothing for the others. */
int ranks_give(void *bytes, size_t size, int from);

/* Sums, number by number, at rank 0. */
int ranks_add(uint32_t *numbers, size_t count);

/* Did all succeed? Each rank says how it went; where one failed all return a code that is not 0, and rank 0 prints what the
 * first of them would have said. */
int ranks_agree(int code);

/* The part of `all` things that falls to this rank: first .. last - 1. */
void ranks_part(uint32_t all, uint32_t *first, uint32_t *last);

#endif
