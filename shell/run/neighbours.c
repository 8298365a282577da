#include "run/neighbours.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "data/identity.h"
#include "learn/pool.h"
#include "learn/ranks.h"
#include "run/questions.h"

#define NEIGHBOURS_BLOCK 4096u /* records whose places one worker makes at a time */

void neighbours_free(struct neighbours *neighbours) {
  poll_session_end(&neighbours->session);
  crowd_free(&neighbours->crowd);
  parts_free(&neighbours->parts);
  polling_lesson_free(&neighbours->lesson);
  polling_free(&neighbours->polling);
  places_free(&neighbours->places);
  free(neighbours->order);
}

/* ---- rows ---- */

/* Only a named unit has a word of its own; without a name each record is a unit and needs none. */
static int neighbours_load_private(struct neighbours *neighbours, struct teachers *teachers) {
  struct reader_options options = {.labels = LABELS_REQUIRE,
                                   .partition = teachers->request.unit ? &teachers->partition : NULL,
                                   .overlap = &teachers->records};
  int code;
  if (ranks_count() > 1) return parts_load(neighbours, teachers);
  rows_free(&teachers->rows);
  error_private(1);
  code = reader_load(&teachers->rows, teachers->path, &teachers->encoding, &options);
  if (!code && teachers->rows.count > FUMATA_UNITS_MAX)
    code = error_report(EXIT_INPUT, "%s: more than %u records; --voters teachers takes more", teachers->path,
                        FUMATA_UNITS_MAX);
  error_private(0);
  return code;
}

int neighbours_load(struct neighbours *neighbours, struct learning *learning, struct teachers *teachers) {
  struct reader_options labelled = {.labels = LABELS_REQUIRE, .overlap = &learning->held};
  int code = EXIT_OK;
  if (learning->test_path) code = reader_load(&learning->test, learning->test_path, &teachers->encoding, &labelled);
  if (!code) code = teachers_load_public(teachers, teachers->request.public_path, &learning->queries, &learning->open);
  if (!code && !learning->queries.count) code = error_report(EXIT_INPUT, "no public records to ask about");
  if (!code) code = memory_take(&learning->id, learning->queries.count, sizeof *learning->id);
  for (size_t i = 0; !code && i < learning->queries.count; i++)
    learning->id[i] = i;
  return code ? code : neighbours_load_private(neighbours, teachers);
}

/* ---- units ---- */

struct neighbours_row {
  uint64_t unit;
  size_t first, row; /* the unit's first row, and this one */
};

static int neighbours_by_unit(const void *a, const void *b) {
  const struct neighbours_row *x = a, *y = b;
  if (x->unit != y->unit) return x->unit < y->unit ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

static int neighbours_by_first(const void *a, const void *b) {
  const struct neighbours_row *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return x->row < y->row ? -1 : x->row > y->row;
}

/* The words of units change from run to run with their key. The order of the file does not change, and uses are kept in
 * that order. */
int neighbours_group(const uint64_t *unit, size_t count, size_t *order, uint32_t *first, uint32_t *units) {
  struct neighbours_row *rows;
  int code = memory_take(&rows, count, sizeof *rows);
  if (code) return code;
  for (size_t i = 0; i < count; i++)
    rows[i] = (struct neighbours_row){unit[i], i, i};
  qsort(rows, count, sizeof *rows, neighbours_by_unit);
  for (size_t i = 1; i < count; i++)
    if (rows[i].unit == rows[i - 1].unit) rows[i].first = rows[i - 1].first;
  qsort(rows, count, sizeof *rows, neighbours_by_first);
  *units = 0;
  for (size_t i = 0; i < count; i++) {
    order[i] = rows[i].row;
    if (!i || rows[i].first != rows[i - 1].first) first[(*units)++] = (uint32_t)i;
  }
  first[*units] = (uint32_t)count;
  explicit_bzero(rows, count * sizeof *rows);
  free(rows);
  return EXIT_OK;
}

/* ---- places ---- */

struct neighbours_placing {
  const struct places *places;
  const struct rows *rows;
  const size_t *order;
  int whole;
  fumata_points *points;
};

static int neighbours_place_block(void *context, size_t job, unsigned worker) {
  const struct neighbours_placing *work = context;
  size_t first = job * NEIGHBOURS_BLOCK, last = first + NEIGHBOURS_BLOCK;
  (void)worker;
  if (last > work->points->size) last = work->points->size;
  for (size_t k = first; k < last; k++) {
    int16_t *place = work->points->places + k * work->points->dimensions;
    (work->whole ? places_of_row : places_sharpen_row)(work->places, work->rows, work->order ? work->order[k] : k,
                                                       place);
  }
  return EXIT_OK;
}

int neighbours_place(const struct places *places, const struct rows *rows, const size_t *order, int whole,
                     fumata_points *points) {
  struct neighbours_placing work = {places, rows, order, whole, points};
  return pool_run((points->size + NEIGHBOURS_BLOCK - 1) / NEIGHBOURS_BLOCK, neighbours_place_block, &work, NULL);
}

/* ---- the crowd ---- */

int neighbours_crowd(struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd) {
  const struct rows *rows = &teachers->rows;
  int has_units = teachers->request.unit != NULL;
  int code = crowd_init(crowd, (uint32_t)rows->count, neighbours->places.dimensions, has_units);
  if (!code && has_units) code = memory_take(&neighbours->order, rows->count, sizeof *neighbours->order);
  if (!code && has_units)
    code = neighbours_group(rows->unit, rows->count, neighbours->order, crowd->first, &crowd->units);
  for (size_t k = 0; !code && k < rows->count; k++)
    crowd->labels[k] = (uint16_t)rows->label[neighbours->order ? neighbours->order[k] : k];
  if (!code) code = neighbours_place(&neighbours->places, rows, neighbours->order, 1, &crowd->records);
  return code ? code : crowd_settle(crowd);
}

int neighbours_sharpen(const struct neighbours *neighbours, const struct teachers *teachers, struct crowd *crowd) {
  int code = neighbours_place(&neighbours->places, &teachers->rows, neighbours->order, 0, &crowd->records);
  return code ? code : crowd_settle(crowd);
}

int neighbours_identify(const struct teachers *teachers, const struct ledger *ledger, struct coins *coins,
                        uint8_t value[DIGEST_SIZE]) {
  const char *unit = teachers->request.unit ? teachers->request.unit : "";
  struct digest digest;
  struct stat about;
  uint64_t word;
  char *file;
  int is_plain, code = identity_file(teachers->path, &file);
  if (code) return code;
  is_plain = stat(file, &about) == 0 && S_ISREG(about.st_mode);
  free(file);
  ledger_salt(ledger, &digest);
  digest_add(&digest, "poll", sizeof "poll");
  digest_add(&digest, unit, strlen(unit) + 1);
  if (is_plain) code = identity_add(teachers->path, "--private", &digest);
  if (!is_plain) code = coins_draw(coins, &word);
  if (!is_plain && !code) digest_add_u64(&digest, word);
  digest_read(&digest, value);
  return code;
}

/* Writes the names of the classes, for readers of the answers in the ledger. */
static int neighbours_describe(const struct teachers *teachers, struct ledger *ledger) {
  static const char command[] = "learn";
  struct questions questions;
  int code;
  questions_begin(&questions, ledger, command);
  questions.is_lasting = 0;
  code = questions_describe(&questions, ledger, command, &teachers->encoding.classes);
  questions_free(&questions);
  return code;
}

int neighbours_begin(struct neighbours *neighbours, const struct learning *learning, struct teachers *teachers,
                     const struct budget *budget, struct ledger *ledger, struct coins *coins) {
  uint32_t classes = teachers->learner.classes;
  int code = places_fit(&neighbours->places, &teachers->encoding.features, &learning->queries, classes);
  if (!code)
    code = ranks_count() > 1 ? parts_place(neighbours, teachers)
                             : neighbours_crowd(neighbours, teachers, &neighbours->crowd);
  if (!code) code = neighbours_describe(teachers, ledger);
  if (!code)
    code = poll_session_begin(&neighbours->session, ledger, coins, &budget->plan, classes, neighbours->crowd.units,
                              budget->data, budget->session.again);
  if (!code)
    code = polling_init(&neighbours->polling, &budget->rule, &learning->queries, &neighbours->places, classes,
                        (enum polling_aim)neighbours->aim, poll_session_seed(&neighbours->session));
  return code;
}

/* ---- rounds of questions ---- */

static void neighbours_hear(void *context, int yes) {
  polling_hear(context, yes);
}

/* Asks one batch: each question with the place of its public row. */
static int neighbours_round(struct neighbours *neighbours) {
  const struct polling *polling = &neighbours->polling;
  size_t width = neighbours->places.dimensions;
  struct crowd_question *questions = NULL;
  int16_t *centre = NULL;
  int code = memory_take(&questions, polling->size, sizeof *questions);
  if (!code) code = memory_take(&centre, polling->size * width, sizeof *centre);
  for (size_t i = 0; !code && i < polling->size; i++) {
    const struct polling_question *asked = &polling->question[i];
    places_of_row(&neighbours->places, polling->pool, asked->row, centre + i * width);
    questions[i] = (struct crowd_question){asked->row, centre + i * width, asked->weights, asked->most, asked->radius};
  }
  if (!code)
    code = poll_session_ask(&neighbours->session, &neighbours->crowd, questions, polling->size, neighbours_hear,
                            &neighbours->polling);
  free(questions);
  free(centre);
  return code;
}

int neighbours_ask(struct neighbours *neighbours, struct teachers *teachers) {
  struct polling *polling = &neighbours->polling;
  uint32_t sharpened = polling->sharpened;
  struct progress progress;
  int finish, code;
  progress_start(&progress, "asking the records nearby", polling->rule->questions);
  do {
    code = polling_next(polling);
    if (!code && polling->sharpened != sharpened) {
      sharpened = polling->sharpened;
      code = ranks_count() > 1 ? parts_sharpen(neighbours, teachers)
                               : neighbours_sharpen(neighbours, teachers, &neighbours->crowd);
    }
    if (!code && polling->size) code = neighbours_round(neighbours);
    progress_step(&progress, neighbours->session.answers);
  } while (!code && polling->size);
  progress_end(&progress);
  neighbours->questions = neighbours->session.answers;
  neighbours->recalled = neighbours->session.recalled;
  finish = poll_session_finish(&neighbours->session);
  return code ? code : finish;
}

/* ---- the student ---- */

struct neighbours_lesson {
  const struct polling *polling;
  const struct learner *student;
};

static int neighbours_teach(void *context, size_t fold, struct learned *learned) {
  const struct neighbours_lesson *all = context;
  return polling_student_fold(all->polling, all->student, fold, learned);
}

#define NEIGHBOURS_FEW                                                                                                 \
  10 /* labels of a class: if two classes have this many at random points, only these labels judge */

/* How many labels judge the student. At random points they are like later records; where the student wavers they are
 * harder. */
static size_t neighbours_judged(const struct polling_lesson *lesson, uint32_t classes) {
  uint32_t enough = 0;
  for (uint32_t c = 0; c < classes; c++) {
    size_t times = 0;
    for (size_t i = 0; i < lesson->blind; i++)
      times += lesson->label[i] == (int32_t)c;
    enough += times >= NEIGHBOURS_FEW;
  }
  return enough > 1 ? lesson->blind : lesson->count;
}

int neighbours_finish(struct neighbours *neighbours, struct learning *learning) {
  const struct learner *said = learning->student.kind ? &learning->student : NULL;
  const struct polling_lesson *lesson = &neighbours->lesson;
  struct neighbours_lesson all = {&neighbours->polling, &learning->student};
  struct learning_said heard;
  struct learner student;
  int code = polling_student(&neighbours->polling, said, &student, &learning->learned);
  if (code) return code;
  learner_free(&learning->student);
  learning->student = student;
  code = polling_lesson_make(&neighbours->polling, &neighbours->lesson);
  if (code) return code;
  heard = (struct learning_said){lesson->row, lesson->label, lesson->count, neighbours_judged(lesson, student.classes)};
  return learning_judge(learning, &heard, neighbours->aim == POLLING_BALANCED, neighbours_teach, &all);
}
