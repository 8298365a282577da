#include "run/answering.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/quote.h"
#include "data/csv.h"
#include "data/lines.h"
#include "data/stream.h"

void answering_free(struct answering *answering) {
  session_shut(&answering->session);
  questions_free(&answering->before);
  free(answering->pairs);
  free(answering->text);
  free(answering->start);
}

/* ---- candidates ---- */

static int answering_label(const struct answering *answering, const struct csv *csv, size_t at, uint32_t *label) {
  const struct cell *cell = &csv->cell[at];
  int32_t found = classes_find(answering->names, cell->text, cell->length);
  struct quote quote;
  *label = (uint32_t)found;
  if (found >= 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": %s is not a declared class", csv->lines->stream->path,
                      csv->lines->line, quote_name(&quote, cell->text, cell->length));
}

/* The smaller label first, as the core wants them; two empty cells are 0, 0. */
static int answering_row(const struct answering *answering, const struct csv *csv, struct session_pair *pair) {
  uint32_t a, b;
  int code;
  *pair = (struct session_pair){0, 0};
  if (!csv->cell[0].length && !csv->cell[1].length) return EXIT_OK;
  code = answering_label(answering, csv, 0, &a);
  if (!code) code = answering_label(answering, csv, 1, &b);
  if (code) return code;
  if (a == b)
    return error_report(EXIT_INPUT, "%s:%" PRIu64 ": the two candidates are the same class", csv->lines->stream->path,
                        csv->lines->line);
  *pair = a < b ? (struct session_pair){a, b} : (struct session_pair){b, a};
  return EXIT_OK;
}

static enum plan_kind answering_kind(const struct session_pair *pair) {
  return pair->second ? PLAN_KIND_TOLL : PLAN_KIND_METER;
}

static int answering_is(const struct cell *cell, const char *name) {
  return cell->length == strlen(name) && !memcmp(cell->text, name, cell->length);
}

static int answering_read_csv(struct answering *answering, struct csv *csv, struct plan_quota *asked) {
  int more, code = csv_next(csv, &more);
  if (code) return code;
  if (!more || csv->cells != 2 || !answering_is(&csv->cell[0], "first") || !answering_is(&csv->cell[1], "second"))
    return error_report(EXIT_INPUT, "%s:1: the header must be 'first,second'", csv->lines->stream->path);
  csv->expected = 2;
  for (;;) {
    struct session_pair pair;
    uint32_t *count;
    code = csv_next(csv, &more);
    if (code || !more) return code;
    code = answering_row(answering, csv, &pair);
    if (!code)
      code = memory_grow(&answering->pairs, &answering->room, answering->candidates + 1, sizeof *answering->pairs);
    if (code) return code;
    answering->pairs[answering->candidates++] = pair;
    count = plan_quota_of(asked, answering_kind(&pair));
    if (*count < UINT32_MAX) ++*count;
  }
}

/* Counts the queries of either kind in *asked, up to UINT32_MAX. */
static int answering_read(struct answering *answering, struct plan_quota *asked) {
  struct stream stream;
  struct lines lines;
  struct csv csv;
  int code = stream_open(&stream, answering->candidates_path);
  if (code) return code;
  lines_init(&lines, &stream);
  csv_init(&csv, &lines, 0);
  code = answering_read_csv(answering, &csv, asked);
  csv_free(&csv);
  lines_free(&lines);
  stream_close(&stream);
  return code;
}

int answering_settle(struct answering *answering, const struct plan_box *plan, const char *path, uint64_t queries) {
  struct plan_quota asked = {0, 0}, limit = plan_limit(plan);
  if (answering->candidates_path) {
    int code = answering_read(answering, &asked);
    if (code) return code;
    if (queries != UINT64_MAX && queries != answering->candidates)
      return error_report(EXIT_INPUT, "%s: candidates for %zu queries, but %s has %" PRIu64, answering->candidates_path,
                          answering->candidates, path, queries);
  } else {
    if (answering->kind == ANSWERING_OPEN) answering->kind = limit.silences ? PLAN_KIND_METER : PLAN_KIND_TOLL;
    *plan_quota_of(&asked, (enum plan_kind)answering->kind) = 1;
  }
  if (asked.silences && !limit.silences)
    return error_report(EXIT_INPUT, "queries for the meter, but the plan has no silences");
  if (asked.answers && !limit.answers)
    return error_report(EXIT_INPUT, "queries for the toll, but the plan has no answers");
  if (asked.answers && !answering->candidates_path && answering->names->count != 2)
    return error_report(EXIT_INPUT, "of %u classes the toll asks which two are the candidates: --candidates FILE",
                        answering->names->count);
  return EXIT_OK;
}

/* ---- lines ---- */

void answering_print(FILE *stream, const char *name) {
  if (!name)
    fputs("silent", stream);
  else if (strcmp(name, "silent") == 0)
    fputs("\"silent\"", stream); /* a class that is itself called so */
  else
    quote_csv(stream, name, ',');
}

/* Prepares all of a line but its id. */
int answering_name(struct answering *answering, const struct classes *names) {
  size_t size = 0;
  FILE *stream;
  int code = memory_take(&answering->start, names->count + 2, sizeof *answering->start);
  answering->names = names;
  if (code) return code;
  stream = open_memstream(&answering->text, &size);
  if (!stream) return memory_short();
  for (uint32_t i = 0; i <= names->count; i++) {
    const char *name = i < names->count ? names->name[i] : NULL;
    struct json line = {.out = stream};
    if (answering->json) {
      json_open(&line, NULL, '{', 0);
      json_print(&line, "id", "%s", "");
      fflush(stream);
      answering->before_id = size - answering->start[i];
      json_string(&line, "answer", name);
      json_close(&line);
    } else {
      fputc(',', stream);
      answering_print(stream, name);
      fputc('\n', stream);
    }
    fflush(stream);
    answering->start[i + 1] = size;
  }
  return fclose(stream) == 0 ? EXIT_OK : memory_short();
}

static void answering_write(void *context, int32_t label) {
  struct answering *answering = context;
  char digits[24], *digit = digits + sizeof digits;
  uint64_t id = answering->id++;
  uint32_t which = label == FUMATA_SILENT ? answering->names->count : (uint32_t)label;
  const size_t *start = answering->start + which;
  do
    *--digit = (char)('0' + id % 10);
  while (id /= 10);
  fwrite_unlocked(answering->text + start[0], 1, answering->before_id, answering->out);
  fwrite_unlocked(digit, 1, (size_t)(digits + sizeof digits - digit), answering->out);
  fwrite_unlocked(answering->text + start[0] + answering->before_id, 1, start[1] - start[0] - answering->before_id,
                  answering->out);
}

/* ---- ballots ---- */

/* Answers ballots of one kind. */
static int answering_alike(struct answering *answering, const struct votes *votes, const struct session_pair *pairs,
                           enum plan_kind kind) {
  if (kind == PLAN_KIND_METER) return session_answer_batch(&answering->session, votes, answering_write, answering);
  return session_answer_pairs(&answering->session, votes, pairs, answering_write, answering);
}

/* The votes without the first `done` ballots. */
static struct votes answering_after(const struct answering *answering, const struct votes *votes, size_t done) {
  struct votes rest = *votes;
  rest.count -= done;
  if (votes->labels8) rest.labels8 += done * votes->teachers;
  if (votes->labels16) rest.labels16 += done * votes->teachers;
  if (votes->counts) rest.counts += done * answering->names->count;
  return rest;
}

/* Answers ballots of the kinds that the candidates ask for, as far as these go: neighbouring ballots of one kind at a
 * time. */
static int answering_mixed(struct answering *answering, const struct votes *votes) {
  size_t done = 0, count;
  for (; done < votes->count && answering->id < answering->candidates; done += count) {
    size_t at = (size_t)answering->id, left = answering->candidates - at;
    const struct session_pair *pair = answering->pairs + at;
    struct votes some = answering_after(answering, votes, done);
    int code;
    if (left > votes->count - done) left = votes->count - done;
    for (count = 1; count < left && answering_kind(pair + count) == answering_kind(pair);)
      count++;
    some.count = count;
    code = answering_alike(answering, &some, pair, answering_kind(pair));
    if (code || answering->id < at + count) return code;
  }
  answering->has_run_out = done < votes->count;
  return EXIT_OK;
}

int answering_recall(struct answering *answering, const struct plan_box *plan, int *again) {
  struct questions *before = &answering->before;
  struct plan_terms terms;
  int code = questions_add_file(before, answering->candidates_path);
  plan_terms(plan, &terms);
  questions_add_number(before, (uint64_t)(answering->kind + 1));
  if (!code) code = questions_recall(before, &answering->session.ledger, &terms, "answer", answering->names, again);
  while (!code && answering->recalled < before->count &&
         before->answer[answering->recalled].query == answering->recalled)
    answering->recalled++;
  answering->session.next = answering->recalled;
  if (!code && answering->recalled)
    error_note("%" PRIu64 " answers that an earlier run paid for are taken up", answering->recalled);
  return code;
}

int answering_batch(struct answering *answering, const struct votes *votes, int *open) {
  uint64_t before = answering->id;
  struct votes rest;
  int code = EXIT_OK;
  while (answering->id < answering->recalled && answering->id - before < votes->count)
    answering_write(answering, answering->before.answer[answering->id].answer);
  rest = answering_after(answering, votes, (size_t)(answering->id - before));
  if (rest.count)
    code = answering->candidates_path ? answering_mixed(answering, &rest)
                                      : answering_alike(answering, &rest, NULL, (enum plan_kind)answering->kind);
  *open = answering->id - before == votes->count;
  if (code) return code;
  return fflush(answering->out) == 0 && !ferror(answering->out) ? EXIT_OK : error_unwritten("the answers");
}
