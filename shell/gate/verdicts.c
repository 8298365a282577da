#include "gate/verdicts.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gate/session.h"
#include "gate/target.h"

#define VERDICTS_FETCH   2          /* ballots that the memory is asked for in advance */
#define VERDICTS_BYTES   (1u << 18) /* of votes in a block: a small part of a core's own cache */
#define VERDICTS_QUERIES 1024u      /* and queries, at most */
#define VERDICTS_WORTH   (1u << 20) /* bytes of votes for a thread, which costs as much as tallying a fifth of them */
#define VERDICTS_HELPERS 15u        /* threads, at most: fewer keep up with the one that answers, or with the memory */

/* ---- one ballot ---- */

/* Asks the memory for a ballot that will be tallied soon, which looks at none of its votes. */
static void verdicts_fetch(const struct votes *votes, size_t query) {
  static const size_t line = 64, most = 4096;
  size_t size = votes->labels8 ? votes->teachers : 0;
  if (query >= votes->count) return;
  for (size_t i = 0; i < size && i < most; i += line)
    __builtin_prefetch(votes->labels8 + query * size + i);
}

/* How the teachers voted on a query, class by class: into `row`, unless it is counted already. */
static fumata_status verdicts_tally(const struct verdicts_batch *batch, size_t query, uint32_t *row,
                                    const uint32_t **counts) {
  const struct votes *votes = batch->votes;
  uint32_t teachers = votes->teachers, classes = batch->classes;
  *counts = row;
  if (votes->counts) {
    *counts = votes->counts + query * classes;
    return FUMATA_OK;
  }
  return votes->labels8 ? target_best()->tally_u8(votes->labels8 + query * teachers, teachers, classes, row)
                        : fumata_ballot_tally_u16(votes->labels16 + query * teachers, teachers, classes, row);
}

static fumata_status verdicts_duel(const struct verdicts_batch *batch, size_t query, const uint32_t *counts,
                                   fumata_duel *duel) {
  static const struct session_pair first_two = {0, 1};
  const struct session_pair *pair = batch->pairs ? &batch->pairs[query] : &first_two;
  return fumata_ballot_duel(counts, batch->classes, pair->first, pair->second, duel);
}

/* What the counts say is for the core to decide, of any counts. */
static void verdicts_judge(const struct verdicts_batch *batch, size_t query, uint32_t *row, struct verdicts_one *one) {
  const uint32_t *counts;
  verdicts_fetch(batch->votes, query + VERDICTS_FETCH);
  one->status = verdicts_tally(batch, query, row, &counts);
  if (one->status != FUMATA_OK) return;
  one->status = batch->kind == PLAN_KIND_METER ? fumata_ballot_decide(counts, batch->classes, &one->says.label)
                                               : verdicts_duel(batch, query, counts, &one->says.duel);
}

/* ---- blocks of them ---- */

static struct verdicts_one *verdicts_slot(const struct verdicts *verdicts, size_t block) {
  return verdicts->ring + block % VERDICTS_SLOTS * verdicts->size;
}

/* Queries of a block: the last one of a batch is shorter. */
static size_t verdicts_length(const struct verdicts *verdicts, size_t block) {
  size_t left = verdicts->batch->votes->count - block * verdicts->size;
  return left < verdicts->size ? left : verdicts->size;
}

/* The lock is held from here on to verdicts_help, but not while a block is judged. */
static int verdicts_has_work(const struct verdicts *verdicts) {
  return verdicts->claimed < verdicts->blocks && verdicts->claimed - verdicts->given_up < VERDICTS_SLOTS;
}

static void verdicts_work(struct verdicts *verdicts, unsigned thread) {
  size_t block = verdicts->claimed++, length = verdicts_length(verdicts, block);
  struct verdicts_one *slot = verdicts_slot(verdicts, block);
  uint32_t *row = verdicts->counts + thread * verdicts->row;
  pthread_mutex_unlock(&verdicts->lock);
  for (size_t i = 0; i < length; i++)
    verdicts_judge(verdicts->batch, block * verdicts->size + i, row, &slot[i]);
  pthread_mutex_lock(&verdicts->lock);
  verdicts->is_ready[block % VERDICTS_SLOTS] = 1;
  if (block == verdicts->given_up) pthread_cond_signal(&verdicts->ready);
}

/* The slot of the block that was handed out is free. Who waits for one is woken when half of them are: to be woken costs more
 * than a block. */
static void verdicts_give_up(struct verdicts *verdicts) {
  verdicts->is_ready[verdicts->given_up++ % VERDICTS_SLOTS] = 0;
  if (verdicts->claimed - verdicts->given_up == VERDICTS_SLOTS / 2) pthread_cond_broadcast(&verdicts->room);
}

/* The thread that answers works too rather than wait, unless all there is to do is being done. */
static void verdicts_await(struct verdicts *verdicts) {
  while (!verdicts->is_ready[verdicts->given_up % VERDICTS_SLOTS])
    if (verdicts_has_work(verdicts))
      verdicts_work(verdicts, 0);
    else
      pthread_cond_wait(&verdicts->ready, &verdicts->lock);
}

static void verdicts_help(void *context, unsigned thread) {
  struct verdicts *verdicts = context;
  pthread_mutex_lock(&verdicts->lock);
  while (!verdicts->is_over && verdicts->claimed < verdicts->blocks)
    if (verdicts_has_work(verdicts))
      verdicts_work(verdicts, thread);
    else
      pthread_cond_wait(&verdicts->room, &verdicts->lock);
  pthread_mutex_unlock(&verdicts->lock);
}

/* The block after the one that was handed out, or the first. */
static void verdicts_turn(struct verdicts *verdicts) {
  pthread_mutex_lock(&verdicts->lock);
  if (verdicts->next) verdicts_give_up(verdicts);
  verdicts_await(verdicts);
  verdicts->next = verdicts_slot(verdicts, verdicts->given_up);
  verdicts->end = verdicts->next + verdicts_length(verdicts, verdicts->given_up);
  pthread_mutex_unlock(&verdicts->lock);
}

/* ---- a batch ---- */

/* Bytes of a ballot; 0 where nothing is left to be tallied. */
static size_t verdicts_ballot(const struct votes *votes) {
  if (votes->counts) return 0;
  return votes->teachers * (votes->labels8 ? sizeof *votes->labels8 : sizeof *votes->labels16);
}

/* Threads beside the one that answers. */
static unsigned verdicts_helpers(const struct votes *votes) {
  size_t worth = votes->count * verdicts_ballot(votes) / VERDICTS_WORTH;
  unsigned others = worth ? threads_cores() - 1 : 0;
  if (others > VERDICTS_HELPERS) others = VERDICTS_HELPERS;
  return others < worth ? others : (unsigned)worth;
}

static int verdicts_start(struct verdicts *verdicts, unsigned helpers) {
  size_t count = verdicts->batch->votes->count, ballot = verdicts_ballot(verdicts->batch->votes);
  size_t size = ballot > VERDICTS_BYTES / VERDICTS_QUERIES ? VERDICTS_BYTES / ballot : VERDICTS_QUERIES;
  int code;
  verdicts->size = size ? size : 1;
  verdicts->blocks = (count + verdicts->size - 1) / verdicts->size;
  code = memory_align(&verdicts->ring, VERDICTS_SLOTS * verdicts->size, sizeof *verdicts->ring);
  if (code) return code;
  pthread_mutex_init(&verdicts->lock, NULL);
  pthread_cond_init(&verdicts->ready, NULL);
  pthread_cond_init(&verdicts->room, NULL);
  threads_start(&verdicts->threads, helpers, verdicts_help, verdicts);
  return EXIT_OK;
}

int verdicts_begin(struct verdicts *verdicts, const struct verdicts_batch *batch, unsigned cores) {
  static const size_t line = MEMORY_LINE / sizeof(uint32_t);
  unsigned helpers = cores ? cores - 1 : verdicts_helpers(batch->votes);
  int code;
  memset(verdicts, 0, offsetof(struct verdicts, threads));
  verdicts->batch = batch;
  verdicts->row = (batch->classes + line - 1) / line * line;
  code = memory_align(&verdicts->counts, (helpers + 1) * verdicts->row, sizeof *verdicts->counts);
  return code || !helpers ? code : verdicts_start(verdicts, helpers);
}

const struct verdicts_one *verdicts_next(struct verdicts *verdicts) {
  if (!verdicts->ring) {
    verdicts_judge(verdicts->batch, verdicts->query++, verdicts->counts, &verdicts->one);
    return &verdicts->one;
  }
  if (verdicts->next == verdicts->end) verdicts_turn(verdicts);
  return verdicts->next++;
}

void verdicts_end(struct verdicts *verdicts) {
  if (verdicts->ring) {
    pthread_mutex_lock(&verdicts->lock);
    verdicts->is_over = 1;
    pthread_cond_broadcast(&verdicts->room);
    pthread_mutex_unlock(&verdicts->lock);
    threads_join(&verdicts->threads);
    pthread_cond_destroy(&verdicts->room);
    pthread_cond_destroy(&verdicts->ready);
    pthread_mutex_destroy(&verdicts->lock);
  }
  free(verdicts->ring);
  free(verdicts->counts);
}
