#include "run/casting.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/progress.h"
#include "data/identity.h"
#include "data/lines.h"
#include "data/npy.h"
#include "data/stream.h"

#define CASTING_BYTES     ((size_t)1 << 26) /* about the size of the votes at a time */
#define CASTING_BLOCK     4096u             /* queries at a time at least */
#define CASTING_BLOCK_MAX 65536u            /* and at most */
#define CASTING_LEARNER   4200              /* characters of a learner's text */

/* ---- what the votes depend on ---- */

/* Marks the share with digests of its files, before they are read as records. */
static int casting_mark_files(struct casting *casting) {
  struct digest key, data, pool;
  int code = teachers_identify(casting->teachers, &key, &data);
  share_mark(&casting->share, SHARE_KEY, &key);
  share_mark(&casting->share, SHARE_PRIVATE, &data);
  explicit_bzero(&key, sizeof key);
  explicit_bzero(&data, sizeof data);
  if (code) return code;
  digest_init(&pool);
  code = identity_add(casting->queries_path, "QUERIES", &pool);
  if (!code && casting->rows_path) code = identity_add(casting->rows_path, "--rows", &pool);
  share_mark(&casting->share, SHARE_POOL, &pool);
  return code;
}

static int casting_mark_encoding(struct casting *casting) {
  struct digest digest;
  char *text = NULL;
  size_t size = 0;
  int code = teachers_encoding(casting->teachers, &text, &size);
  digest_init(&digest);
  digest_add(&digest, text, size);
  share_mark(&casting->share, SHARE_ENCODING, &digest);
  free(text);
  return code;
}

static void casting_mark_learner(struct casting *casting) {
  const struct learner *learner = &casting->teachers->learner;
  struct digest digest;
  char text[CASTING_LEARNER];
  learner_print(learner, text, sizeof text);
  digest_init(&digest);
  digest_add(&digest, text, strlen(text));
  digest_add(&digest, &learner->scale, sizeof learner->scale);
  digest_add_u64(&digest, learner->kind->traits & LEARNER_COMMAND ? learner->seconds : 0);
  share_mark(&casting->share, SHARE_LEARNER, &digest);
}

/* ---- the pool ---- */

static int casting_take_rows(struct lines *lines, size_t records, size_t **row, size_t *count) {
  size_t capacity = 0, length;
  double number;
  char *text;
  for (;;) {
    int code = lines_next(lines, &text, &length);
    if (code || !text) return code;
    code = memory_grow(row, &capacity, *count + 1, sizeof **row);
    if (code) return code;
    if (number_parse(text, length, &number) != NUMBER_OK || !(number >= 0 && number < (double)records) ||
        number != (double)(size_t)number)
      return error_report(EXIT_INPUT, "%s:%" PRIu64 ": not the number of a record, 0 to %zu", lines->stream->path,
                          lines->line, records - 1);
    (*row)[(*count)++] = (size_t)number;
  }
}

int casting_read_rows(const char *path, size_t records, size_t **row, size_t *count) {
  struct stream stream;
  struct lines lines;
  int code = stream_open(&stream, path);
  *row = NULL;
  *count = 0;
  if (code) return code;
  lines_init(&lines, &stream);
  code = casting_take_rows(&lines, records, row, count);
  if (!code && *count == 0) code = error_report(EXIT_INPUT, "%s: no rows", path);
  lines_free(&lines);
  stream_close(&stream);
  return code;
}

/* The public rows give the scale; they, or those of QUERIES, are the pool. */
static int casting_load_pool(struct casting *casting) {
  struct teachers *teachers = casting->teachers;
  const char *public_path = teachers->request.public_path;
  size_t *order = NULL, count = 0;
  struct rows all;
  int code = EXIT_OK;
  if (public_path) {
    code = teachers_load_public(teachers, public_path, &casting->pool, &casting->records);
    if (!code) learner_fit(&teachers->learner, &casting->pool, teachers->learner.classes);
  }
  if (!code && casting->queries_path != public_path) {
    rows_free(&casting->pool);
    overlap_free(&casting->records);
    code = teachers_load_public(teachers, casting->queries_path, &casting->pool, &casting->records);
  }
  if (code || !casting->rows_path) return code;
  all = casting->pool;
  rows_init(&casting->pool, all.columns, all.is_dense);
  code = casting_read_rows(casting->rows_path, all.count, &order, &count);
  if (!code) code = rows_gather(&all, order, count, &casting->pool);
  rows_free(&all);
  free(order);
  return code;
}

/* ---- the votes ---- */

/* Writes bytes to the file and to its digest. */
static void casting_put(FILE *stream, struct digest *digest, const void *bytes, size_t size) {
  fwrite(bytes, 1, size, stream);
  digest_add(digest, bytes, size);
}

static int casting_put_head(const struct casting *casting, FILE *stream, struct digest *digest) {
  const struct ensemble *ensemble = &casting->teachers->ensemble;
  char shape[64], *text = NULL;
  size_t size = 0;
  FILE *head = open_memstream(&text, &size);
  if (!head) return memory_short();
  snprintf(shape, sizeof shape, "(%zu, %u)", casting->pool.count, ensemble->teachers);
  npy_write_head(head, ensemble_width(ensemble) == 1 ? "|u1" : "<u2", shape);
  if (fclose(head) != 0) return memory_short();
  casting_put(stream, digest, text, size);
  free(text);
  return EXIT_OK;
}

/* Votes on whole blocks of queries, so that a vote is computed as in `fumata answer`. */
static int casting_vote(const struct casting *casting, FILE *stream, struct digest *digest) {
  const struct ensemble *ensemble = &casting->teachers->ensemble;
  size_t row = ensemble->teachers * ensemble_width(ensemble), queries = casting->pool.count;
  size_t block = CASTING_BYTES / row / CASTING_BLOCK * CASTING_BLOCK;
  struct progress progress;
  struct votes votes;
  void *room = NULL;
  int code;
  block = block < CASTING_BLOCK ? CASTING_BLOCK : block > CASTING_BLOCK_MAX ? CASTING_BLOCK_MAX : block;
  code = teachers_room(casting->teachers, block, &room);
  progress_start(&progress, "voting", queries);
  for (size_t done = 0; !code && done < queries; done += block) {
    size_t count = queries - done < block ? queries - done : block;
    code = interrupt_check();
    if (!code) code = teachers_vote(casting->teachers, &casting->pool, done, count, room, &votes);
    if (!code) casting_put(stream, digest, room, count * row);
    progress_step(&progress, done + count);
  }
  progress_end(&progress);
  free(room);
  return code;
}

/* Writes the votes, then the text that makes them a share: votes without that text are refused. */
static int casting_write(struct casting *casting) {
  struct output output = {0};
  struct digest digest;
  int code = output_open(&output, casting->output_path);
  if (code) return code;
  digest_init(&digest);
  code = casting_put_head(casting, output.stream, &digest);
  if (!code) code = casting_vote(casting, output.stream, &digest);
  if (code) {
    output_discard(&output);
    return code;
  }
  share_mark(&casting->share, SHARE_VOTES, &digest);
  code = output_commit(&output);
  return code ? code : share_write(&casting->share, casting->output_path);
}

static const char *casting_pool_name(const struct casting *casting) {
  return casting->queries_path == casting->teachers->request.public_path ? "--public" : "QUERIES";
}

int casting_run(struct casting *casting) {
  struct teachers *teachers = casting->teachers;
  int code;
  casting->share.teachers = teachers->count;
  share_range(&casting->share, &teachers->first, &teachers->last);
  share_mark_classes(&casting->share, &teachers->encoding.classes);
  code = casting_mark_files(casting);
  if (!code) code = casting_load_pool(casting);
  if (!code) code = casting_mark_encoding(casting);
  casting_mark_learner(casting);
  if (!code) code = teachers_load(teachers);
  if (!code && !casting->anyway)
    code = teachers_apart(teachers, &casting->records, casting_pool_name(casting), casting->queries_path);
  overlap_free(&casting->records);
  if (!code) code = teachers_teach(teachers);
  return code ? code : casting_write(casting);
}
