#include "run/teachers.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "core/ballot.h"
#include "data/identity.h"
#include "data/schema.h"
#include "gate/key.h"
#include "learn/error_estimate.h"
#include "learn/ranks.h"

const char teachers_usual_learner[] = "logistic";

void teachers_init(struct teachers *teachers) {
  memset(teachers, 0, sizeof *teachers);
  teachers->learner_text = teachers_usual_learner;
  encoding_init(&teachers->encoding);
  rows_init(&teachers->rows, 1, 1);
}

void teachers_free(struct teachers *teachers) {
  ensemble_free(&teachers->ensemble);
  rows_free(&teachers->rows);
  learner_free(&teachers->learner);
  encoding_free(&teachers->encoding);
  partition_free(&teachers->partition);
  free(teachers->words);
  overlap_free(&teachers->records);
}

/* ---- how a record is encoded ---- */

int teachers_learner(const struct teachers *teachers, const char *option, const char *text, struct learner *learner) {
  int code = learner_parse(learner, option, text);
  if (code) return code;
  if (teachers->seconds) learner->seconds = teachers->seconds;
  learner->verbose = teachers->verbose;
  return EXIT_OK;
}

/* With its own key, or with the key of a file, for which no coin is spent. */
static int teachers_partition(struct teachers *teachers, struct coins *coins) {
  uint64_t key[2];
  int code;
  if (!teachers->key_path) {
    code = partition_init(&teachers->partition, coins);
    if (ranks_count() > 1) teachers->partition.by_content = 1; /* all ranks have the key, but not each other's coins */
    return code;
  }
  code = key_read(teachers->key_path, key);
  if (!code) partition_open(&teachers->partition, key);
  explicit_bzero(key, sizeof key);
  return code;
}

int teachers_prepare(struct teachers *teachers, struct coins *coins) {
  const struct encoding_request *request = &teachers->request;
  const struct classes *classes = &teachers->encoding.classes;
  int code;
  if (!teachers->path) return error_report(EXIT_INPUT, "--private FILE is missing: the labelled data");
  if (!request->public_path && !request->schema_path)
    return error_report(EXIT_INPUT, "--public FILE (or --schema FILE) is missing: how to encode a record "
                                    "must come from public data");
  if (!request->classes && !request->schema_path)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes: the private file "
                                    "is not asked which labels exist");
  code = teachers_learner(teachers, "--learner", teachers->learner_text, &teachers->learner);
  if (!code) code = teachers_partition(teachers, coins);
  if (!code) code = encoding_make(&teachers->encoding, request);
  if (code) return code;
  if (classes->count < 2)
    return error_report(EXIT_INPUT, "two classes or more must be declared, for instance --classes no,yes");
  if (classes->count > FUMATA_CLASSES_MAX) return error_report(EXIT_INPUT, "more than %u classes", FUMATA_CLASSES_MAX);
  teachers->learner.classes = classes->count;
  teachers->learner.columns = teachers->encoding.columns;
  return learner_try(&teachers->learner);
}

int teachers_identify(const struct teachers *teachers, struct digest *key, struct digest *data) {
  digest_init(data);
  digest_add_u64(data, teachers->partition.key[0]);
  digest_add_u64(data, teachers->partition.key[1]);
  if (key) *key = *data;
  return identity_add(teachers->path, "--private", data);
}

int teachers_encoding(const struct teachers *teachers, char **text, size_t *size) {
  FILE *stream = open_memstream(text, size);
  int code = stream ? schema_write(&teachers->encoding, stream) : memory_short();
  if (stream && fclose(stream) != 0 && !code) code = memory_short();
  return code;
}

/* ---- rows ---- */

int teachers_load_public(const struct teachers *teachers, const char *path, struct rows *rows,
                         struct overlap *overlap) {
  struct reader_options unlabelled = {.labels = LABELS_IGNORE, .overlap = overlap};
  return reader_load(rows, path, &teachers->encoding, &unlabelled);
}

int teachers_load(struct teachers *teachers) {
  return ranks_count() > 1 && !teachers->last ? spread_survey(teachers) : teachers_load_whole(teachers);
}

int teachers_load_whole(struct teachers *teachers) {
  struct reader_options options = {
      .labels = LABELS_REQUIRE, .partition = &teachers->partition, .overlap = &teachers->records};
  int code;
  if (teachers->last) {
    options.teachers = teachers->count;
    options.first = teachers->first;
    options.last = teachers->last;
  }
  rows_free(&teachers->rows);
  overlap_free(&teachers->records);
  partition_rewind(&teachers->partition);
  error_private(1);
  code = reader_load(&teachers->rows, teachers->path, &teachers->encoding, &options);
  error_private(0);
  return code;
}

int teachers_apart(struct teachers *teachers, struct overlap *records, const char *option, const char *path) {
  int code;
  if (!overlap_is_too_large(&teachers->records, records)) return EXIT_OK;
  error_private(1);
  code = error_report(EXIT_INPUT,
                      "%s %s: it and the private file have more records in common, but for the label, than chance "
                      "gives; what comes from the private file is not public (--anyway goes on)",
                      option, path);
  error_private(0);
  return code;
}

static int teachers_order(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

int teachers_units(const struct teachers *teachers, uint64_t *units) {
  size_t count = teachers->surveyed ? (size_t)teachers->surveyed : teachers->rows.count;
  uint64_t *word;
  int code;
  *units = count;
  if (!teachers->request.unit) return EXIT_OK;
  code = memory_take(&word, count, sizeof *word);
  if (code) return code;
  memcpy(word, teachers->surveyed ? teachers->words : teachers->rows.unit, count * sizeof *word);
  qsort(word, count, sizeof *word, teachers_order);
  for (size_t i = 1; i < count; i++)
    *units -= word[i] == word[i - 1];
  free(word);
  return EXIT_OK;
}

int teachers_half(const struct teachers *teachers, uint32_t half, unsigned char **mark) {
  const struct rows *rows = &teachers->rows;
  int code = memory_take(mark, rows->count, 1);
  for (size_t i = 0; !code && i < rows->count; i++)
    (*mark)[i] = partition_half(&teachers->partition, rows->unit[i]) == half;
  return code;
}

/* ---- teachers ---- */

/* The chunks of this process; those of one half, if the rows are halved. */
static int teachers_chunks(const struct teachers *teachers, uint32_t half, uint32_t count, struct chunks *chunks) {
  unsigned char *mark = NULL;
  int code = teachers->is_halved ? teachers_half(teachers, half, &mark) : EXIT_OK;
  if (!code) code = chunks_make(chunks, teachers->rows.unit, teachers->rows.count, mark, count);
  if (!code && teachers->last) chunks_slice(chunks, teachers->first, teachers->last);
  free(mark);
  return code;
}

int teachers_examine(struct teachers *teachers, uint32_t chunks, uint32_t *sum) {
  struct chunks held;
  int code;
  if (ranks_count() > 1 && !teachers->last) return spread_examine(teachers, chunks, sum);
  code = teachers_chunks(teachers, 1, chunks, &held);
  if (code) return code;
  error_private(1);
  code = error_estimate_sum(&teachers->learner, &teachers->rows, &held, sum);
  error_private(0);
  chunks_free(&held);
  return code;
}

int teachers_teach(struct teachers *teachers) {
  struct chunks chunks;
  int code;
  if (ranks_count() > 1 && !teachers->last) return spread_teach(teachers);
  code = teachers_chunks(teachers, 0, teachers->count, &chunks);
  if (code) return code;
  error_private(1);
  code = ensemble_train(&teachers->ensemble, &teachers->learner, &teachers->rows, &chunks);
  if (!code) code = ensemble_ready(&teachers->ensemble);
  error_private(0);
  chunks_free(&chunks);
  rows_free(&teachers->rows);
  return code;
}

/* ---- votes ---- */

int teachers_room(const struct teachers *teachers, size_t count, void **room) {
  if (ranks_count() > 1) return memory_take(room, 1, spread_room(teachers, count));
  return memory_take(room, count, teachers->ensemble.teachers * ensemble_width(&teachers->ensemble));
}

int teachers_vote(const struct teachers *teachers, const struct rows *rows, size_t first, size_t count, void *room,
                  struct votes *votes) {
  const struct ensemble *ensemble = &teachers->ensemble;
  if (ranks_count() > 1) return spread_vote(teachers, rows, first, count, room, votes);
  *votes = (struct votes){.count = count, .teachers = ensemble->teachers};
  if (ensemble_width(ensemble) == 1)
    votes->labels8 = room;
  else
    votes->labels16 = room;
  return ensemble_vote(ensemble, rows, first, count, room);
}
