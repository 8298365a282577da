#include "command/spread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "core/ballot.h"
#include "learn/ranks.h"

#define SPREAD_BATCH 4096 /* records looked at at a time */

enum spread_what { SPREAD_END, SPREAD_PREPARE, SPREAD_EXAMINE, SPREAD_TEACH, SPREAD_VOTE };

/* What rank 0 asks for. */
struct spread_order {
  uint32_t what;
  uint64_t key[2];            /* prepare */
  uint8_t data[DIGEST_SIZE];  /* prepare: of the private file, under the key */
  uint32_t teachers;          /* teach, examine: of all ranks, or chunks */
  uint32_t is_halved;         /* teach */
  float scale;                /* teach, examine: of the public rows */
  uint32_t columns, is_dense; /* vote */
  uint64_t size;              /* prepare: bytes of the encoding; vote: queries */
  uint64_t entries;           /* vote: of sparse rows */
};

/* ---- the private file, before anything is spent ---- */

static int spread_count(struct training *training, const struct rows *rows, size_t *capacity) {
  int code = EXIT_OK;
  if (training->request.unit) {
    code = memory_grow(&training->words, capacity, (size_t)training->surveyed + rows->count, sizeof *training->words);
    if (!code) memcpy(training->words + training->surveyed, rows->unit, rows->count * sizeof *rows->unit);
  }
  if (!code) training->surveyed += rows->count;
  return code;
}

static int spread_look(struct training *training) {
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &training->partition};
  struct reader reader;
  struct rows rows;
  size_t capacity = 0;
  int code = reader_open(&reader, training->private_path, &training->encoding, &options);
  if (code) return code;
  rows_init(&rows, training->encoding.columns, training->encoding.is_dense);
  while (!code && !reader.is_finished) {
    rows_clear(&rows);
    code = reader_next(&reader, &rows, SPREAD_BATCH);
    if (!code) code = spread_count(training, &rows, &capacity);
  }
  rows_free(&rows);
  reader_close(&reader);
  if (!code && !training->surveyed) code = error_report(EXIT_INPUT, "%s: no records", training->private_path);
  return code;
}

static int spread_digest(const struct training *training, uint8_t data[DIGEST_SIZE]) {
  struct digest digest;
  int code = training_identify(training, NULL, &digest);
  digest_read(&digest, data);
  explicit_bzero(&digest, sizeof digest);
  return code;
}

/* Tells the others what a record becomes and which file it is of; they look for that file while rank 0 reads it. */
static int spread_announce(struct training *training) {
  struct spread_order order = {.what = SPREAD_PREPARE};
  char *text = NULL;
  size_t size = 0;
  int code;
  memcpy(order.key, training->partition.key, sizeof order.key);
  code = spread_digest(training, order.data);
  if (!code) code = training_encoding(training, &text, &size);
  order.size = size;
  if (!code) code = ranks_send(&order, sizeof order);
  if (!code) code = ranks_send(text, size);
  free(text);
  explicit_bzero(&order, sizeof order);
  return code;
}

int spread_survey(struct training *training) {
  int code = spread_announce(training);
  if (code) return code;
  error_private(1);
  code = spread_look(training);
  error_private(0);
  partition_rewind(&training->partition);
  return ranks_agree(code);
}

/* Above rank 0: everything that a record's features and a teacher's lesson depend on comes from rank 0, but the private file. */
static int spread_prepare(struct training *training, const struct spread_order *order, char *text) {
  uint8_t data[DIGEST_SIZE];
  FILE *stream = fmemopen(text, (size_t)order->size, "r");
  int code = stream ? encoding_load(&training->encoding, stream, "the encoding of rank 0") : memory_short();
  if (stream) fclose(stream);
  if (!code) code = training_learner(training, "--learner", training->learner_text, &training->learner);
  if (code) return code;
  training->learner.classes = training->encoding.classes.count;
  training->learner.columns = training->encoding.columns;
  partition_open(&training->partition, order->key);
  code = learner_try(&training->learner);
  if (!code) code = spread_digest(training, data);
  if (!code && memcmp(data, order->data, sizeof data) != 0)
    code = error_report(EXIT_INPUT, "%s: not the private file that rank 0 has", training->private_path);
  return code;
}

static int spread_serve_prepare(struct training *training, const struct spread_order *order, int code) {
  char *text;
  int failed = memory_take(&text, (size_t)order->size + 1, 1);
  if (!failed) failed = ranks_send(text, (size_t)order->size);
  if (!failed && !code) code = spread_prepare(training, order, text);
  free(text);
  return failed ? failed : ranks_agree(code);
}

/* ---- teaching ---- */

/* Every rank: the records of its part. */
static int spread_load(struct training *training) {
  ranks_part(training->teachers, &training->first, &training->last);
  return ranks_agree(training_load(training));
}

/* Every rank: the records of its teachers, and what they learn. */
static int spread_learn(struct training *training) {
  int code = spread_load(training);
  return code ? code : ranks_agree(training_teach(training));
}

int spread_check_chunks(uint32_t chunks, const char *what) {
  if (!chunks || chunks >= (uint32_t)ranks_count()) return EXIT_OK;
  return error_report(EXIT_INPUT, "%d ranks are more than the %u %s", ranks_count(), chunks, what);
}

int spread_check(const struct training *training) {
  return spread_check_chunks(training->teachers, "teachers");
}

int spread_teach(struct training *training) {
  struct spread_order order = {.what = SPREAD_TEACH, .teachers = training->teachers, .scale = training->learner.scale};
  int code = spread_check(training);
  order.is_halved = (uint32_t)training->is_halved;
  if (!code) code = ranks_send(&order, sizeof order);
  return code ? code : spread_learn(training);
}

static int spread_serve_teach(struct training *training, const struct spread_order *order) {
  training->teachers = order->teachers;
  training->is_halved = (int)order->is_halved;
  training->learner.scale = order->scale;
  return spread_learn(training);
}

/* ---- the error estimate ---- */

/* Every rank: its part of the chunks, and what they get wrong, added up at rank 0. Then the rows are forgotten. */
static int spread_exam(struct training *training, uint32_t chunks, uint32_t *sum) {
  uint32_t teachers = training->teachers;
  int code;
  training->teachers = chunks;
  code = spread_load(training);
  if (!code) code = ranks_agree(training_examine(training, chunks, sum));
  if (!code) code = ranks_add(sum, 1);
  rows_free(&training->rows);
  training->teachers = teachers;
  training->first = training->last = 0;
  return code;
}

int spread_examine(struct training *training, uint32_t chunks, uint32_t *sum) {
  struct spread_order order = {.what = SPREAD_EXAMINE, .teachers = chunks, .scale = training->learner.scale};
  int code = ranks_send(&order, sizeof order);
  return code ? code : spread_exam(training, chunks, sum);
}

static int spread_serve_examine(struct training *training, const struct spread_order *order) {
  uint32_t sum;
  training->is_halved = 1;
  training->learner.scale = order->scale;
  return spread_exam(training, order->teachers, &sum);
}

/* ---- voting ---- */

/* The same rows everywhere: those of rank 0. Each array in turn. */
static int spread_send_rows(struct rows *rows, size_t first, size_t count) {
  size_t begin, entries;
  int code;
  if (rows->is_dense) return ranks_send(rows->dense + first * rows->columns, count * rows->columns * sizeof(float));
  code = ranks_send(rows->start + first, (count + 1) * sizeof *rows->start);
  if (code) return code;
  begin = rows->start[first];
  entries = rows->start[first + count] - begin;
  /* Above rank 0 the entries begin at 0. */
  if (ranks_number() > 0)
    for (size_t i = 0; i <= count; i++)
      rows->start[i] -= begin;
  if (ranks_number() > 0) begin = 0;
  code = ranks_send(rows->index + begin, entries * sizeof *rows->index);
  return code ? code : ranks_send(rows->value + begin, entries * sizeof *rows->value);
}

/* Room: the counts, then the votes of this rank's teachers. */
size_t spread_room(const struct training *training, size_t count) {
  const struct ensemble *ensemble = &training->ensemble;
  return count * ((size_t)training->learner.classes * sizeof(uint32_t) + ensemble->teachers * ensemble_width(ensemble));
}

static fumata_status spread_tally(const struct ensemble *ensemble, const void *votes, size_t query, uint32_t *counts) {
  uint32_t teachers = ensemble->teachers, classes = ensemble->learner->classes;
  if (ensemble_width(ensemble) == 1)
    return fumata_ballot_tally_u8((const uint8_t *)votes + query * teachers, teachers, classes, counts);
  return fumata_ballot_tally_u16((const uint16_t *)votes + query * teachers, teachers, classes, counts);
}

/* Every rank: its teachers vote, and what they say is added up at rank 0. */
static int spread_ballot(const struct training *training, const struct rows *rows, size_t first, size_t count,
                         void *room) {
  const struct ensemble *ensemble = &training->ensemble;
  uint32_t classes = training->learner.classes, *counts = room;
  void *votes = counts + count * classes;
  int code = ensemble_vote(ensemble, rows, first, count, votes);
  for (size_t q = 0; !code && q < count; q++)
    if (spread_tally(ensemble, votes, q, counts + q * classes) != FUMATA_OK)
      code = error_report(EXIT_SYSTEM, "votes that cannot be counted");
  code = ranks_agree(code);
  return code ? code : ranks_add(counts, count * classes);
}

int spread_vote(const struct training *training, const struct rows *rows, size_t first, size_t count, void *room,
                struct votes *votes) {
  struct spread_order order = {.what = SPREAD_VOTE, .size = count, .columns = rows->columns};
  struct rows some = *rows;
  int code;
  order.is_dense = (uint32_t)rows->is_dense;
  order.entries = rows->is_dense ? 0 : rows->start[first + count] - rows->start[first];
  code = ranks_send(&order, sizeof order);
  if (!code) code = ranks_agree(EXIT_OK); /* they have room */
  if (!code) code = spread_send_rows(&some, first, count);
  if (!code) code = spread_ballot(training, rows, first, count, room);
  memset(votes, 0, sizeof *votes);
  votes->count = count;
  votes->counts = room;
  return code;
}

static int spread_serve_vote(const struct training *training, const struct spread_order *order) {
  size_t count = (size_t)order->size;
  struct rows rows;
  void *room = NULL;
  int code;
  rows_init(&rows, order->columns, (int)order->is_dense);
  code = rows_reserve(&rows, count, (size_t)order->entries);
  if (!code) code = memory_take(&room, 1, spread_room(training, count));
  code = ranks_agree(code);
  if (!code) code = spread_send_rows(&rows, 0, count);
  rows.count = count;
  if (!code) code = spread_ballot(training, &rows, 0, count, room);
  rows_free(&rows);
  free(room);
  return code;
}

/* ---- serving ---- */

int spread_serve(struct training *training, int code) {
  struct spread_order order = {0};
  int failed;
  do {
    failed = ranks_send(&order, sizeof order);
    if (!failed && order.what == SPREAD_PREPARE) failed = spread_serve_prepare(training, &order, code);
    if (!failed && order.what == SPREAD_EXAMINE) failed = spread_serve_examine(training, &order);
    if (!failed && order.what == SPREAD_TEACH) failed = spread_serve_teach(training, &order);
    if (!failed && order.what == SPREAD_VOTE) failed = spread_serve_vote(training, &order);
    explicit_bzero(order.key, sizeof order.key);
    /* What went wrong is known to rank 0 by now, which ends the run. */
    if (failed == EXIT_STOPPED) return failed;
  } while (order.what != SPREAD_END && !ranks_is_broken());
  return EXIT_OK;
}

void spread_end(void) {
  struct spread_order order = {.what = SPREAD_END};
  if (ranks_count() > 1 && ranks_number() == 0 && !ranks_is_broken()) ranks_send(&order, sizeof order);
}
