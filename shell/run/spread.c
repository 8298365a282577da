#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "core/ballot.h"
#include "learn/ranks.h"
#include "run/neighbours.h"

#define SPREAD_BATCH 4096 /* records that are read at a time */

enum spread_what { SPREAD_END, SPREAD_PREPARE, SPREAD_EXAMINE, SPREAD_TEACH, SPREAD_VOTE, SPREAD_POLL };

/* An order from rank 0. */
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

static int spread_look(struct teachers *teachers) {
  struct reader_options options = {.labels = LABELS_REQUIRE,
                                   .partition = teachers->request.unit ? &teachers->partition : NULL,
                                   .overlap = &teachers->records};
  struct reader reader;
  struct rows rows;
  size_t capacity = 0;
  int code = reader_open(&reader, teachers->path, &teachers->encoding, &options);
  if (code) return code;
  rows_init(&rows, teachers->encoding.columns, teachers->encoding.is_dense);
  while (!code && !reader.is_finished) {
    size_t before = (size_t)teachers->surveyed;
    rows_clear(&rows);
    code = reader_next(&reader, &rows, SPREAD_BATCH);
    if (!code && teachers->request.unit) {
      code = memory_grow(&teachers->words, &capacity, before + rows.count, sizeof *teachers->words);
      if (!code) memcpy(teachers->words + before, rows.unit, rows.count * sizeof *rows.unit);
    }
    if (!code) teachers->surveyed += rows.count;
  }
  rows_free(&rows);
  reader_close(&reader);
  if (!code && !teachers->surveyed) code = error_report(EXIT_INPUT, "%s: no records", teachers->path);
  return code;
}

static int spread_digest(const struct teachers *teachers, uint8_t data[DIGEST_SIZE]) {
  struct digest digest;
  int code = teachers_identify(teachers, NULL, &digest);
  digest_read(&digest, data);
  explicit_bzero(&digest, sizeof digest);
  return code;
}

/* Tells the other ranks the encoding and the digest of the private file; they look for that file while rank 0 reads it. */
static int spread_announce(struct teachers *teachers) {
  struct spread_order order = {.what = SPREAD_PREPARE};
  char *text = NULL;
  size_t size = 0;
  int code;
  memcpy(order.key, teachers->partition.key, sizeof order.key);
  code = spread_digest(teachers, order.data);
  if (!code) code = teachers_encoding(teachers, &text, &size);
  order.size = size;
  if (!code) code = ranks_send(&order, sizeof order);
  if (!code) code = ranks_send(text, size);
  free(text);
  explicit_bzero(&order, sizeof order);
  return code;
}

int spread_survey(struct teachers *teachers) {
  int code = spread_announce(teachers);
  if (code) return code;
  error_private(1);
  code = spread_look(teachers);
  error_private(0);
  partition_rewind(&teachers->partition);
  return ranks_agree(code);
}

/* Above rank 0: all that a record's features and a teacher's lesson depend on comes from rank 0, except the private file. */
static int spread_prepare(struct teachers *teachers, const struct spread_order *order, char *text) {
  uint8_t data[DIGEST_SIZE];
  FILE *stream = fmemopen(text, (size_t)order->size, "r");
  int code = stream ? encoding_load(&teachers->encoding, stream, "the encoding of rank 0") : memory_short();
  if (stream) fclose(stream);
  if (!code) code = teachers_learner(teachers, "--learner", teachers->learner_text, &teachers->learner);
  if (code) return code;
  teachers->learner.classes = teachers->encoding.classes.count;
  teachers->learner.columns = teachers->encoding.columns;
  partition_open(&teachers->partition, order->key);
  code = learner_try(&teachers->learner);
  if (!code) code = spread_digest(teachers, data);
  if (!code && memcmp(data, order->data, sizeof data) != 0)
    code = error_report(EXIT_INPUT, "%s: not the private file that rank 0 has", teachers->path);
  return code;
}

static int spread_serve_prepare(struct teachers *teachers, const struct spread_order *order, int code) {
  char *text;
  int failed = memory_take(&text, (size_t)order->size + 1, 1);
  if (!failed) failed = ranks_send(text, (size_t)order->size);
  if (!failed && !code) code = spread_prepare(teachers, order, text);
  free(text);
  return failed ? failed : ranks_agree(code);
}

/* ---- teaching and the error estimate ---- */

int spread_check(uint32_t chunks, const char *what) {
  if (!chunks || chunks >= (uint32_t)ranks_count()) return EXIT_OK;
  return error_report(EXIT_INPUT, "%d ranks are more than the %u %s", ranks_count(), chunks, what);
}

/* Every rank: loads the records of its part. */
static int spread_load(struct teachers *teachers) {
  ranks_part(teachers->count, &teachers->first, &teachers->last);
  return ranks_agree(teachers_load(teachers));
}

/* Every rank: loads the records of its teachers, and trains these. */
static int spread_learn(struct teachers *teachers) {
  int code = spread_load(teachers);
  return code ? code : ranks_agree(teachers_teach(teachers));
}

int spread_teach(struct teachers *teachers) {
  struct spread_order order = {.what = SPREAD_TEACH,
                               .teachers = teachers->count,
                               .is_halved = (uint32_t)teachers->is_halved,
                               .scale = teachers->learner.scale};
  int code = spread_check(teachers->count, "teachers");
  if (!code) code = ranks_send(&order, sizeof order);
  return code ? code : spread_learn(teachers);
}

/* Every rank: examines its part of the chunks; the errors are added up at rank 0. Then the rows are freed. */
static int spread_exam(struct teachers *teachers, uint32_t chunks, uint32_t *sum) {
  uint32_t count = teachers->count;
  int code;
  teachers->count = chunks;
  code = spread_load(teachers);
  if (!code) code = ranks_agree(teachers_examine(teachers, chunks, sum));
  if (!code) code = ranks_add(sum, 1);
  rows_free(&teachers->rows);
  teachers->count = count;
  teachers->first = teachers->last = 0;
  return code;
}

int spread_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum) {
  struct spread_order order = {.what = SPREAD_EXAMINE, .teachers = chunks, .scale = teachers->learner.scale};
  int code = ranks_send(&order, sizeof order);
  return code ? code : spread_exam(teachers, chunks, sum);
}

/* ---- voting ---- */

/* The rows of rank 0, to all: one array after the other. */
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

/* Room for the counts, then for the votes of this rank's teachers. */
size_t spread_room(const struct teachers *teachers, size_t count) {
  const struct ensemble *ensemble = &teachers->ensemble;
  return count * ((size_t)teachers->learner.classes * sizeof(uint32_t) + ensemble->teachers * ensemble_width(ensemble));
}

/* Every rank: its teachers vote, and the votes are added up at rank 0. */
static int spread_ballot(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count,
                         void *room) {
  const struct ensemble *ensemble = &teachers->ensemble;
  uint32_t classes = teachers->learner.classes, mine = ensemble->teachers, *counts = room;
  void *votes = counts + count * classes;
  int code = ensemble_vote(ensemble, rows, first, count, votes);
  for (size_t q = 0; !code && q < count; q++) {
    fumata_status status =
        ensemble_width(ensemble) == 1
            ? fumata_ballot_tally_u8((const uint8_t *)votes + q * mine, mine, classes, counts + q * classes)
            : fumata_ballot_tally_u16((const uint16_t *)votes + q * mine, mine, classes, counts + q * classes);
    if (status != FUMATA_OK) code = error_report(EXIT_SYSTEM, "votes that cannot be counted");
  }
  code = ranks_agree(code);
  return code ? code : ranks_add(counts, count * classes);
}

int spread_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                struct votes *votes) {
  struct spread_order order = {.what = SPREAD_VOTE,
                               .size = count,
                               .columns = rows->columns,
                               .is_dense = (uint32_t)rows->is_dense,
                               .entries = rows->is_dense ? 0 : rows->start[first + count] - rows->start[first]};
  struct rows some = *rows;
  int code = ranks_send(&order, sizeof order);
  if (!code) code = ranks_agree(EXIT_OK); /* all ranks have room */
  if (!code) code = spread_send_rows(&some, first, count);
  if (!code) code = spread_ballot(teachers, rows, first, count, room);
  *votes = (struct votes){.count = count, .counts = room};
  return code;
}

static int spread_serve_vote(const struct teachers *teachers, const struct spread_order *order) {
  size_t count = (size_t)order->size;
  struct rows rows;
  void *room = NULL;
  int code;
  rows_init(&rows, order->columns, (int)order->is_dense);
  code = rows_reserve(&rows, count, (size_t)order->entries);
  if (!code) code = memory_take(&room, 1, spread_room(teachers, count));
  code = ranks_agree(code);
  if (!code) code = spread_send_rows(&rows, 0, count);
  rows.count = count;
  if (!code) code = spread_ballot(teachers, &rows, 0, count, room);
  rows_free(&rows);
  free(room);
  return code;
}

/* ---- serving ---- */

int spread_poll(void) {
  struct spread_order order = {.what = SPREAD_POLL};
  return ranks_send(&order, sizeof order);
}

static int spread_obey(struct teachers *teachers, struct neighbours *neighbours, const struct spread_order *order,
                       int code) {
  uint32_t sum;
  switch (order->what) {
  case SPREAD_PREPARE:
    return spread_serve_prepare(teachers, order, code);
  case SPREAD_EXAMINE:
    teachers->is_halved = 1;
    teachers->learner.scale = order->scale;
    return spread_exam(teachers, order->teachers, &sum);
  case SPREAD_TEACH:
    teachers->count = order->teachers;
    teachers->is_halved = (int)order->is_halved;
    teachers->learner.scale = order->scale;
    return spread_learn(teachers);
  case SPREAD_VOTE:
    return spread_serve_vote(teachers, order);
  case SPREAD_POLL:
    return parts_obey(neighbours, teachers);
  default:
    return EXIT_OK;
  }
}

int spread_serve(struct teachers *teachers, int code) {
  struct spread_order order = {0};
  struct neighbours neighbours = {0};
  int failed;
  do {
    failed = ranks_send(&order, sizeof order);
    if (!failed) failed = spread_obey(teachers, &neighbours, &order, code);
    explicit_bzero(order.key, sizeof order.key);
    /* By now rank 0 knows of any error, and ends the run. */
  } while (failed != EXIT_STOPPED && order.what != SPREAD_END && !ranks_is_broken());
  neighbours_free(&neighbours);
  return failed == EXIT_STOPPED ? failed : EXIT_OK;
}

void spread_end(void) {
  struct spread_order order = {.what = SPREAD_END};
  if (ranks_count() > 1 && ranks_number() == 0 && !ranks_is_broken()) ranks_send(&order, sizeof order);
}
