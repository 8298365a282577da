#include "run/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "learn/ranks.h"
#include "run/neighbours.h"

#define PARTS_BATCH 4096u               /* records that are read at a time */
#define PARTS_LISTS (UINT64_C(1) << 26) /* units in all lists at a time, if every unit is near every question: 400 MB */
#define PARTS_LEAST 8u                  /* questions that are sent together: at least this, however many units ... */
#define PARTS_MOST  1024u               /* ... and at most this, however few */
#define PARTS_TRIED 64u                 /* about how many records' rows and places are compared */
#define PARTS_TEXT  256u                /* of a learner that sharpens */

enum parts_what { PARTS_LOAD, PARTS_PLACE, PARTS_SHARPEN, PARTS_ASK };

/* An order from rank 0. */
struct parts_order {
  uint32_t what;
  uint32_t units;     /* load */
  uint64_t records;   /* load: of all ranks */
  uint64_t questions; /* ask */
};

/* The student that sharpens, as it is sent; the bytes of its model follow. */
struct parts_student {
  char text[PARTS_TEXT];
  uint32_t classes, columns, scores;
  float scale;
  double score_mean[PLACES_SCORES_MAX], score_scale[PLACES_SCORES_MAX];
  uint64_t size;
};

void parts_free(struct parts *parts) {
  for (int r = 0; parts->heard && r < ranks_count(); r++)
    crowd_lists_free(&parts->heard[r]);
  free(parts->heard);
  free(parts->questions);
  free(parts->asked);
  crowd_free(&parts->crowd);
  rows_free(&parts->tried);
  learner_free(&parts->student);
  learned_free(&parts->learned);
}

/* Sends an array of rank 0 to all. The other ranks take room first; either all have room or all stop. */
static int parts_share(void *array, size_t count, size_t size) {
  void *at;
  int code = ranks_number() > 0 ? memory_take(array, count, size) : EXIT_OK;
  memcpy(&at, array, sizeof at);
  code = ranks_agree(code);
  return code ? code : ranks_send(at, count * size);
}

static int parts_send(struct parts_order order) {
  int code = spread_poll();
  return code ? code : ranks_send(&order, sizeof order);
}

/* ---- the rows of a part ---- */

/* The units that were found, by their words, and the number of each, in the order in which they first appear. */
struct parts_units {
  uint64_t *word;
  uint32_t *number; /* and 1; 0: the place is free */
  size_t slots;
  uint32_t count, most; /* units that appear after these are not this rank's */
};

static int parts_units_take(struct parts_units *units, uint32_t most) {
  int code;
  *units = (struct parts_units){.slots = 16, .most = most};
  while (units->slots < 2 * (size_t)most)
    units->slots *= 2;
  code = memory_take(&units->word, units->slots, sizeof *units->word);
  return code ? code : memory_take(&units->number, units->slots, sizeof *units->number);
}

static void parts_units_free(struct parts_units *units) {
  if (units->word) explicit_bzero(units->word, units->slots * sizeof *units->word);
  free(units->word);
  free(units->number);
}

/* The number of a unit; `most` for one that appears after all of this rank's. */
static uint32_t parts_number(struct parts_units *units, uint64_t word) {
  size_t at = (size_t)word & (units->slots - 1);
  while (units->number[at] && units->word[at] != word)
    at = (at + 1) & (units->slots - 1);
  if (units->number[at]) return units->number[at] - 1;
  if (units->count == units->most) return units->most;
  units->word[at] = word;
  units->number[at] = ++units->count;
  return units->count - 1;
}

/* Appends row i of a batch to the rows that are kept. */
static int parts_keep(struct rows *kept, const struct rows *batch, size_t i) {
  size_t entries = batch->is_dense ? 0 : batch->start[i + 1] - batch->start[i], end;
  int code = rows_reserve_one(kept, entries);
  if (code) return code;
  if (batch->is_dense) {
    memcpy(rows_push_dense(kept, batch->label[i], batch->unit[i], batch->line[i]), batch->dense + i * batch->columns,
           batch->columns * sizeof *batch->dense);
    return EXIT_OK;
  }
  end = kept->start[kept->count] + entries;
  memcpy(kept->index + end - entries, batch->index + batch->start[i], entries * sizeof *batch->index);
  memcpy(kept->value + end - entries, batch->value + batch->start[i], entries * sizeof *batch->value);
  rows_push_sparse(kept, end, batch->label[i], batch->unit[i], batch->line[i]);
  return EXIT_OK;
}

static int parts_read_batches(struct parts *parts, struct teachers *teachers, struct reader *reader,
                              struct parts_units *units, uint64_t step) {
  struct rows batch;
  int code = EXIT_OK;
  rows_init(&batch, teachers->encoding.columns, teachers->encoding.is_dense);
  while (!code && !reader->is_finished) {
    uint64_t before = reader->records;
    rows_clear(&batch);
    code = reader_next(reader, &batch, PARTS_BATCH);
    for (size_t i = 0; !code && i < batch.count; i++) {
      uint64_t unit = units->number ? parts_number(units, batch.unit[i]) : before + i;
      if (unit >= parts->first && unit < parts->last) code = parts_keep(&teachers->rows, &batch, i);
      if (!code && (before + i) % step == 0) code = parts_keep(&parts->tried, &batch, i);
    }
  }
  rows_free(&batch);
  return code;
}

/* Every rank reads the whole file and keeps the records of its own units. */
static int parts_read(struct parts *parts, struct teachers *teachers, const struct parts_order *order) {
  struct reader_options options = {.labels = LABELS_REQUIRE,
                                   .partition = teachers->request.unit ? &teachers->partition : NULL};
  size_t records = (size_t)(order->records / (uint64_t)ranks_count()) + 1;
  struct parts_units units = {0};
  struct reader reader;
  int code;
  parts->units = order->units;
  ranks_part(parts->units, &parts->first, &parts->last);
  rows_free(&teachers->rows);
  rows_init(&teachers->rows, teachers->encoding.columns, teachers->encoding.is_dense);
  code = reader_open(&reader, teachers->path, &teachers->encoding, &options);
  if (code) return code;
  if (options.partition) code = parts_units_take(&units, parts->last);
  if (!code) code = rows_reserve(&teachers->rows, records, 0);
  rows_init(&parts->tried, teachers->encoding.columns, teachers->encoding.is_dense);
  if (!code) code = parts_read_batches(parts, teachers, &reader, &units, order->records / PARTS_TRIED + 1);
  if (!code && (options.partition ? units.count != parts->last : reader.records != parts->units))
    code = error_report(EXIT_INPUT, "%s: it has changed since it was read first", teachers->path);
  parts_units_free(&units);
  reader_close(&reader);
  return code;
}

/* ---- do all ranks round alike? ---- */

/* Digest of the rows of some records, and of their places if there are any. */
static int parts_digest(const struct rows *rows, const struct places *places, uint8_t value[DIGEST_SIZE]) {
  size_t entries = rows_entries(rows), width = places ? places->dimensions * sizeof(int16_t) : 0;
  struct digest digest;
  int16_t *place;
  int code = memory_take(&place, 1, width);
  if (code) return code;
  digest_init(&digest);
  digest_add(&digest, rows->is_dense ? rows->dense : rows->value, entries * sizeof *rows->value);
  if (!rows->is_dense) digest_add(&digest, rows->index, entries * sizeof *rows->index);
  for (size_t i = 0; places && i < rows->count; i++) {
    places_of_row(places, rows, i, place);
    digest_add(&digest, place, width);
  }
  free(place);
  digest_read(&digest, value);
  return EXIT_OK;
}

/* Another processor or library may round differently. Then the row and the place of a record would depend on which rank
 * has it, and so on the other records. `places` NULL: there are none yet. */
static int parts_compare(const struct parts *parts, const struct places *places) {
  uint8_t mine[DIGEST_SIZE] = {0}, first[DIGEST_SIZE];
  int code = parts_digest(&parts->tried, places, mine), failed;
  memcpy(first, mine, sizeof first);
  failed = ranks_send(first, sizeof first);
  if (failed) return failed;
  error_private(1);
  if (!code && memcmp(first, mine, sizeof first) != 0)
    code =
        error_report(EXIT_SYSTEM, "its processor or its libraries round otherwise than rank 0's: a poll needs machines "
                                  "that are alike");
  error_private(0);
  return ranks_agree(code);
}

/* ---- loading ---- */

static int parts_load_own(struct parts *parts, struct teachers *teachers, const struct parts_order *order) {
  int code;
  error_private(1);
  code = parts_read(parts, teachers, order);
  error_private(0);
  code = ranks_agree(code);
  return code ? code : parts_compare(parts, NULL);
}

int parts_load(struct neighbours *neighbours, struct teachers *teachers) {
  struct parts_order order = {.what = PARTS_LOAD};
  uint64_t units = 0;
  int code = spread_survey(teachers);
  if (!code && teachers->surveyed > FUMATA_UNITS_MAX) {
    error_private(1);
    code = error_report(EXIT_INPUT, "%s: more than %u records; --voters teachers takes more", teachers->path,
                        FUMATA_UNITS_MAX);
    error_private(0);
  }
  if (!code) code = teachers_units(teachers, &units);
  order.units = (uint32_t)units;
  order.records = teachers->surveyed;
  if (!code) code = parts_send(order);
  return code ? code : parts_load_own(&neighbours->parts, teachers, &order);
}

/* ---- places ---- */

/* Sends to all the rule that rank 0 has learned from public rows. */
static int parts_share_places(struct places *places) {
  struct places rule = *places;
  uint32_t inputs, columns = 0, has_axes = places->axes != NULL;
  int code = ranks_send(&rule, sizeof rule);
  if (!code) code = ranks_send(&has_axes, sizeof has_axes);
  if (code) return code;
  inputs = rule.inputs;
  if (ranks_number() > 0) {
    *places = rule;
    places->mean = places->scale = places->tail = places->zero = places->axes = places->origin = NULL;
    places->kept = NULL;
    places->student = NULL;
    places->learned = NULL;
  }
  code = parts_share(&places->mean, inputs, sizeof *places->mean);
  if (!code) code = parts_share(&places->scale, inputs, sizeof *places->scale);
  if (!code) code = parts_share(&places->tail, inputs, sizeof *places->tail);
  if (!code) code = parts_share(&places->zero, inputs, sizeof *places->zero);
  if (!code) code = parts_share(&places->kept, inputs, sizeof *places->kept);
  for (uint32_t j = 0; !code && j < inputs; j++)
    columns += places->kept[j] != PLACES_NONE;
  if (!code && has_axes) code = parts_share(&places->axes, (size_t)columns * rule.plain, sizeof *places->axes);
  return code ? code : parts_share(&places->origin, rule.plain, sizeof *places->origin);
}

/* Makes room for questions and lists. */
static int parts_room(struct parts *parts, size_t width) {
  uint64_t at_once = PARTS_LISTS / (parts->units ? parts->units : 1);
  size_t lists = ranks_number() == 0 ? (size_t)ranks_count() : 1;
  int code;
  parts->at_once = at_once < PARTS_LEAST ? PARTS_LEAST : at_once > PARTS_MOST ? PARTS_MOST : (uint32_t)at_once;
  code = memory_take(&parts->questions, parts->at_once, sizeof(uint32_t) + width * sizeof(int16_t));
  if (!code) code = memory_take(&parts->asked, parts->at_once, sizeof *parts->asked);
  if (!code) code = memory_take(&parts->heard, (size_t)ranks_count(), sizeof *parts->heard);
  for (size_t r = 0; !code && r < lists; r++)
    code = crowd_lists_reserve(&parts->heard[r], parts->at_once, 0);
  return code;
}

static int parts_place_own(struct neighbours *neighbours, struct teachers *teachers) {
  struct parts *parts = &neighbours->parts;
  int code = parts_share_places(&neighbours->places);
  if (!code) code = parts_compare(parts, &neighbours->places);
  if (code) return code;
  code = neighbours_crowd(neighbours, teachers, &parts->crowd);
  if (!code && parts->crowd.units != parts->last - parts->first)
    code = error_report(EXIT_SYSTEM, "%s: it has changed since it was read first", teachers->path);
  if (!code) code = parts_room(parts, neighbours->places.dimensions);
  return ranks_agree(code);
}

static int parts_list(void *context, const struct crowd_question *questions, size_t count, struct crowd_lists *lists);

int parts_place(struct neighbours *neighbours, struct teachers *teachers) {
  struct parts *parts = &neighbours->parts;
  int code;
  /* Comparing and counting are done. */
  overlap_free(&teachers->records);
  code = parts_send((struct parts_order){.what = PARTS_PLACE});
  if (!code) code = parts_place_own(neighbours, teachers);
  neighbours->crowd = (struct crowd){.records = {.dimensions = neighbours->places.dimensions},
                                     .units = parts->units,
                                     .at_once = parts->at_once,
                                     .lister = parts_list,
                                     .context = neighbours};
  return code;
}

/* ---- sharpening ---- */

/* Sends the student of rank 0 that sharpens to all. */
static int parts_share_student(struct parts *parts, struct places *places) {
  struct parts_student student = {.scores = places->scores};
  struct learned learned = {0};
  int code = EXIT_OK;
  if (ranks_number() == 0) {
    learner_print(places->student, student.text, sizeof student.text);
    student.classes = places->student->classes;
    student.columns = places->student->columns;
    student.scale = places->student->scale;
    memcpy(student.score_mean, places->score_mean, sizeof student.score_mean);
    memcpy(student.score_scale, places->score_scale, sizeof student.score_scale);
    learned = *places->learned;
    student.size = learned.size;
  }
  code = ranks_send(&student, sizeof student);
  learned.size = (size_t)student.size;
  if (!code) code = parts_share(&learned.bytes, learned.size, 1);
  if (ranks_number() == 0) return code;
  learned_free(&parts->learned);
  parts->learned = learned;
  if (code) return code;
  learner_free(&parts->student);
  code = learner_parse(&parts->student, "--student", student.text);
  parts->student.classes = student.classes;
  parts->student.columns = student.columns;
  parts->student.scale = student.scale;
  places->student = &parts->student;
  places->learned = &parts->learned;
  places->scores = student.scores;
  memcpy(places->score_mean, student.score_mean, sizeof student.score_mean);
  memcpy(places->score_scale, student.score_scale, sizeof student.score_scale);
  return code;
}

static int parts_sharpen_own(struct neighbours *neighbours, struct teachers *teachers) {
  struct parts *parts = &neighbours->parts;
  int code = parts_share_student(parts, &neighbours->places);
  code = ranks_agree(code);
  if (!code) code = parts_compare(parts, &neighbours->places);
  if (code) return code;
  return ranks_agree(neighbours_sharpen(neighbours, teachers, &parts->crowd));
}

int parts_sharpen(struct neighbours *neighbours, struct teachers *teachers) {
  int code;
  if (!neighbours->places.scores) return EXIT_OK; /* nothing sharpens */
  code = parts_send((struct parts_order){.what = PARTS_SHARPEN});
  return code ? code : parts_sharpen_own(neighbours, teachers);
}

/* ---- questions ---- */

/* Each rank lists which of its units the questions ask. It first sends their number to rank 0, which makes room for the
 * lists. */
static int parts_hear(struct parts *parts, const struct crowd_question *questions, size_t count) {
  struct crowd_lists *heard = parts->heard, *mine = &heard[0];
  int code = crowd_list(&parts->crowd, parts->first, questions, count, mine), failed = EXIT_OK;
  if (code) memset(mine->start, 0, (count + 1) * sizeof *mine->start);
  for (int r = 1; !failed && r < ranks_count(); r++) {
    struct crowd_lists *one = ranks_number() ? mine : &heard[r];
    failed = ranks_give(one->start, (count + 1) * sizeof *one->start, r);
    if (!failed && !code && !ranks_number()) code = crowd_lists_reserve(one, count, one->start[count]);
  }
  if (!failed) failed = ranks_agree(code);
  for (int r = 1; !failed && r < ranks_count(); r++) {
    struct crowd_lists *one = ranks_number() ? mine : &heard[r];
    failed = ranks_give(one->units, one->start[count] * sizeof *one->units, r);
    if (!failed) failed = ranks_give(one->labels, one->start[count] * sizeof *one->labels, r);
  }
  return failed;
}

/* Joins the lists of the ranks: the units of a rank come after those of the ranks before it. */
static int parts_join(const struct parts *parts, size_t count, struct crowd_lists *lists) {
  size_t all = 0, at = 0;
  int code;
  for (int r = 0; r < ranks_count(); r++)
    all += parts->heard[r].start[count];
  code = crowd_lists_reserve(lists, count, all);
  for (size_t i = 0; !code && i < count; i++) {
    lists->start[i] = at;
    for (int r = 0; r < ranks_count(); r++) {
      const struct crowd_lists *one = &parts->heard[r];
      size_t start = one->start[i], some = one->start[i + 1] - start;
      if (!some) continue;
      memcpy(lists->units + at, one->units + start, some * sizeof *lists->units);
      memcpy(lists->labels + at, one->labels + start, some * sizeof *lists->labels);
      at += some;
    }
    lists->start[i + 1] = at;
  }
  return code;
}

static int parts_list(void *context, const struct crowd_question *questions, size_t count, struct crowd_lists *lists) {
  struct neighbours *neighbours = context;
  struct parts *parts = &neighbours->parts;
  size_t width = neighbours->places.dimensions;
  int16_t *centres = (int16_t *)(parts->questions + count * sizeof(uint32_t));
  int code;
  for (size_t i = 0; i < count; i++) {
    memcpy(parts->questions + i * sizeof(uint32_t), &questions[i].radius, sizeof(uint32_t));
    memcpy(centres + i * width, questions[i].centre, width * sizeof *centres);
  }
  code = parts_send((struct parts_order){.what = PARTS_ASK, .questions = count});
  if (!code) code = ranks_send(parts->questions, count * (sizeof(uint32_t) + width * sizeof *centres));
  if (!code) code = parts_hear(parts, questions, count);
  return code ? code : parts_join(parts, count, lists);
}

/* Above rank 0. Centre and radius alone decide who is asked. */
static int parts_answer(struct neighbours *neighbours, size_t count) {
  struct parts *parts = &neighbours->parts;
  size_t width = neighbours->places.dimensions;
  const int16_t *centres = (const int16_t *)(parts->questions + count * sizeof(uint32_t));
  int code = ranks_send(parts->questions, count * (sizeof(uint32_t) + width * sizeof *centres));
  for (size_t i = 0; i < count; i++) {
    memcpy(&parts->asked[i].radius, parts->questions + i * sizeof(uint32_t), sizeof(uint32_t));
    parts->asked[i].centre = centres + i * width;
  }
  return code ? code : parts_hear(parts, parts->asked, count);
}

int parts_obey(struct neighbours *neighbours, struct teachers *teachers) {
  struct parts_order order;
  int code = ranks_send(&order, sizeof order);
  if (code) return code;
  switch (order.what) {
  case PARTS_LOAD:
    return parts_load_own(&neighbours->parts, teachers, &order);
  case PARTS_PLACE:
    return parts_place_own(neighbours, teachers);
  case PARTS_SHARPEN:
    return parts_sharpen_own(neighbours, teachers);
  default:
    return parts_answer(neighbours, (size_t)order.questions);
  }
}
