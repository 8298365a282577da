#include "gate/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "gate/ledger_file.h"
#include "gate/ledger_lock.h"
#include "gate/ledger_rows.h"
#include "gate/ledger_sum.h"

#define LEDGER_NOTE_MAX 200 /* bytes of a name */

/* ---- what was answered ---- */

/* What is left of a plan, as its rows have it. */
static void ledger_write_left(struct ledger_row *row, const struct plan_terms *terms, struct plan_quota left) {
  row->left = left.silences;
  row->answers_left = terms->limit.answers ? (int64_t)left.answers : -1;
}

/* A row about the session's answers since its last one. */
static int ledger_write_stretch(struct ledger *ledger, const char *kind, struct plan_quota left, const char *doing) {
  uint8_t answers[DIGEST_SIZE];
  struct ledger_row row = ledger_rows_blank(kind);
  int code;
  if (!ledger->current) return error_report(EXIT_SYSTEM, "%s: cannot %s: no plan", ledger->path, doing);
  row.plan = (int64_t)ledger->current->number;
  ledger_write_left(&row, &ledger->current->terms, left);
  row.labels = (int64_t)ledger->labels;
  row.silences = (int64_t)ledger->silences;
  if (row.answers_left >= 0) row.answers = (int64_t)ledger->answers;
  digest_read(&ledger->answers_digest, answers);
  row.mark = answers;
  code = ledger_rows_append(ledger, &row, doing);
  if (code == EXIT_OK) ledger->labels = ledger->silences = ledger->answers = 0;
  return code;
}

/* ---- opening ---- */

/* A new ledger grows under another name, is synced as a whole and then gets its own; whoever comes second finds the
 * first one's. */
static int ledger_grow(struct ledger *ledger, const char *temporary, const struct ledger_options *options) {
  uint8_t identity[DIGEST_SIZE];
  char epsilon[LEDGER_SUM_TEXT], delta[LEDGER_SUM_TEXT];
  struct ledger_row row = ledger_rows_blank("made");
  int code = ledger_file_connect(ledger, temporary);
  if (code) return code;
  if (getrandom(identity, sizeof identity, 0) != (ssize_t)sizeof identity)
    return error_report(EXIT_SYSTEM, "no randomness from the operating system");
  code = ledger_file_fill(ledger);
  if (code) return code;
  row.note = options->name;
  row.mark = identity;
  row.epsilon = ledger_sum_print(options->total_epsilon, epsilon);
  row.delta = ledger_sum_print(options->total_delta, delta);
  return ledger_rows_append(ledger, &row, "make the ledger");
}

static int ledger_cannot_make(const char *path) {
  return error_report(EXIT_SYSTEM, "%s: cannot make the ledger: %s", path, strerror(errno));
}

/* Gives the grown file its name, or removes it. */
static int ledger_publish(const char *temporary, const char *path, int *is_new) {
  int code = EXIT_OK;
  if (ledger_file_sync(temporary) != 0) {
    code = ledger_cannot_make(path);
  } else if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) {
    *is_new = ledger_file_sync_directory(path) == 0;
    return *is_new ? EXIT_OK : ledger_cannot_make(path);
  } else if (errno != EEXIST) {
    code = ledger_cannot_make(path);
  }
  unlink(temporary);
  return code;
}

/* In an empty file beside `path`, which is ours alone (mkstemp). */
static int ledger_make(const char *path, const struct ledger_options *options, int *is_new) {
  struct ledger young = {0};
  char *temporary = NULL;
  int fd, code = memory_print(&temporary, "%s.new.XXXXXX", path);
  if (code) return code;
  fd = mkstemp(temporary);
  if (fd < 0 || close(fd) != 0) {
    code = ledger_cannot_make(path);
    if (fd >= 0) unlink(temporary);
  } else {
    young.path = memory_copy(path, strlen(path));
    code = young.path ? ledger_grow(&young, temporary, options) : EXIT_SYSTEM;
    ledger_shut(&young);
    if (code)
      unlink(temporary);
    else
      code = ledger_publish(temporary, path, is_new);
  }
  free(temporary);
  return code;
}

static int ledger_check_totals(const struct ledger *ledger, const struct ledger_options *options) {
  const struct {
    const char *what;
    struct rational asked, kept;
  } totals[2] = {{"epsilon", options->total_epsilon, ledger->total_epsilon},
                 {"delta", options->total_delta, ledger->total_delta}};
  size_t i;
  for (i = 0; i < 2; i++) {
    char kept[RATIONAL_TEXT];
    if (totals[i].asked.den == 0 || ledger_sum_same(totals[i].asked, totals[i].kept)) continue;
    return error_report(EXIT_INPUT, "%s: the ledger has a total %s of %s, which only --raise-total changes",
                        ledger->path, totals[i].what, rational_text(totals[i].kept, "none", kept));
  }
  return EXIT_OK;
}

/* Sees to it that there is a file, made here or not. */
static int ledger_find(struct ledger *ledger, const struct ledger_options *options, struct stat *seen) {
  int code;
  if (stat(ledger->path, seen) == 0) return EXIT_OK;
  if (errno != ENOENT || !options->make)
    return error_report(EXIT_INPUT, "%s: cannot open the ledger: %s", ledger->path, strerror(errno));
  code = ledger_file_look_beside(ledger);
  if (!code) code = ledger_make(ledger->path, options, &ledger->is_new);
  if (code) return code;
  if (stat(ledger->path, seen) != 0)
    return error_report(EXIT_SYSTEM, "%s: cannot open the ledger: %s", ledger->path, strerror(errno));
  return EXIT_OK;
}

/* What a crashed session answered after its last row. Where one only looks it stays at hand. */
static int ledger_recover(struct ledger *ledger) {
  int code = ledger->current ? journal_find(ledger) : EXIT_OK;
  if (!code && ledger->journal.count && !ledger->look)
    code = ledger_write_stretch(ledger, "found", ledger->current->left, "take in what a crash left");
  ledger_rows_end_session(ledger);
  return code;
}

int ledger_open(struct ledger *ledger, const char *path, const struct ledger_options *options) {
  struct stat seen;
  int code;
  memset(ledger, 0, sizeof *ledger);
  ledger->look = options->look;
  digest_init(&ledger->answers_digest);
  code = ledger_lock_resolve(path, &ledger->path);
  if (code) return code;
  if (options->name && strlen(options->name) > LEDGER_NOTE_MAX)
    return error_report(EXIT_INPUT, "the ledger's name is longer than %d bytes", LEDGER_NOTE_MAX);
  code = ledger_lock_check_beside(ledger);
  if (!code) code = ledger_find(ledger, options, &seen);
  if (!code) code = ledger_file_look_at(ledger, &seen);
  if (!code && !options->look) code = ledger_lock_take(ledger);
  if (!code) code = options->look ? ledger_file_connect(ledger, ledger->path) : ledger_file_seize(ledger, ledger->path);
  if (!code && options->look) code = ledger_file_hold(ledger);
  if (!code) code = ledger_file_check(ledger);
  if (!code) code = ledger_rows_replay(ledger, options->milestone);
  if (!code) code = ledger_check_totals(ledger, options);
  if (!code && !options->look) code = ledger_file_arm(ledger);
  if (!code) code = ledger_recover(ledger);
  if (code) ledger->broken = 1;
  if (options->keep) ledger->is_new = 0;
  return code;
}

int ledger_visit(struct ledger *ledger, ledger_visitor *visit, void *context) {
  return ledger_rows_visit(ledger, visit, context);
}

void ledger_shut(struct ledger *ledger) {
  ledger_file_close(ledger);
  journal_free(&ledger->journal);
  free(ledger->path);
  free(ledger->name);
  ledger_rows_forget_counts(ledger);
  free(ledger->kept);
  free(ledger->protects);
  free(ledger->protected);
  for (size_t i = 0; i < ledger->plan_count; i++)
    free(ledger->plans[i].protects);
  free(ledger->plans);
  free(ledger->data);
  memset(ledger, 0, sizeof *ledger);
}

/* ---- the data set ---- */

void ledger_salt(const struct ledger *ledger, struct digest *digest) {
  static const char purpose[] = "fumata: the data set of a ledger";
  digest_init(digest);
  digest_add(digest, purpose, sizeof purpose);
  digest_add(digest, ledger->key, DIGEST_SIZE);
  digest_add(digest, ledger->salt, DIGEST_SIZE);
}

int ledger_tie(struct ledger *ledger, const uint8_t digest[DIGEST_SIZE], const char *what, int same) {
  size_t i;
  for (i = 0; i < ledger->data_count; i++)
    if (!memcmp(ledger->data[i], digest, DIGEST_SIZE)) return EXIT_OK;
  if (ledger->data_count && !same)
    return error_report(EXIT_REFUSED,
                        "%s: the ledger belongs to another data set than %s; --same-data-set if that is a new version",
                        ledger->path, what);
  if (ledger->pending.data_count == 2) return error_report(EXIT_INPUT, "%s: a third file of one data set", what);
  memcpy(ledger->pending.data[ledger->pending.data_count++], digest, DIGEST_SIZE);
  return EXIT_OK;
}

/* *is_plain: a regular file, which can be read twice. */
static int ledger_find_data(const char *file, struct stat *about, int *is_plain) {
  int is_input = strcmp(file, "-") == 0;
  if (is_input ? fstat(STDIN_FILENO, about) : stat(file, about))
    return error_report(EXIT_INPUT, "%s: cannot read: %s", file, strerror(errno));
  *is_plain = S_ISREG(about->st_mode) && !is_input;
  return EXIT_OK;
}

/* Can a file be made there? A trial says more than permissions do. */
static int ledger_try(const char *ledger) {
  char *trial;
  int fd, code = memory_print(&trial, "%s.new.XXXXXX", ledger);
  if (code) return code;
  fd = mkstemp(trial);
  if (fd < 0)
    code = error_report(EXIT_INPUT, "%s: no ledger can be made beside the private file: %s; say --ledger FILE", ledger,
                        strerror(errno));
  else
    close(fd), unlink(trial);
  free(trial);
  return code;
}

int ledger_beside(const char *file, char **ledger) {
  struct stat about, named;
  char *real = NULL;
  int is_plain = 0, code = ledger_find_data(file, &about, &is_plain);
  *ledger = NULL;
  if (code) return code;
  if (S_ISDIR(about.st_mode)) return error_report(EXIT_INPUT, "%s: cannot read: Is a directory", file);
  if (!is_plain) return error_report(EXIT_INPUT, "%s: no plain file, so no ledger beside it; say --ledger FILE", file);
  if (lstat(file, &named) == 0 && S_ISLNK(named.st_mode)) real = realpath(file, NULL);
  code = memory_print(ledger, "%s.ledger", real ? real : file);
  free(real);
  return code ? code : ledger_try(*ledger);
}

int ledger_tie_file(struct ledger *ledger, const char *file, int same) {
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  struct stat about;
  int is_plain = 0, code = ledger_find_data(file, &about, &is_plain);
  if (code) return code;
  if (!is_plain && (same || ledger->data_count == 0)) return EXIT_OK;
  if (!is_plain)
    return error_report(EXIT_REFUSED, "%s: the ledger belongs to a file, and %s is not one; --same-data-set if it is",
                        ledger->path, file);
  ledger_salt(ledger, &digest);
  code = digest_add_file(&digest, file);
  if (code) return code;
  digest_read(&digest, value);
  return ledger_tie(ledger, value, file, same);
}

/* What ledger_tie and ledger_allow found out, before the first cost. */
static int ledger_write_pending(struct ledger *ledger) {
  struct ledger_pending *pending = &ledger->pending;
  char epsilon[LEDGER_SUM_TEXT], delta[LEDGER_SUM_TEXT];
  struct ledger_row data = ledger_rows_blank("data"), total = ledger_rows_blank("total");
  int code = EXIT_OK;
  for (int i = 0; !code && i < pending->data_count; i++) {
    data.mark = pending->data[i];
    code = ledger_rows_append(ledger, &data, "record the data set");
  }
  pending->data_count = 0;
  if (code || !pending->has_total) return code;
  pending->has_total = 0;
  total.epsilon = ledger_sum_print(pending->epsilon, epsilon);
  total.delta = ledger_sum_print(pending->delta, delta);
  return ledger_rows_append(ledger, &total, "record the total");
}

/* ---- plans and costs ---- */

int ledger_protect(struct ledger *ledger, const char *protects, int is_seeded, int mixes) {
  if (ledger->protected && strcmp(ledger->protected, protects) != 0 && !mixes)
    return error_report(
        EXIT_REFUSED,
        "%s: what was spent here protects %s, and this run %s: these do not add up; use another ledger, or "
        "--mix-neighbours",
        ledger->path, ledger->protected, protects);
  free(ledger->protects);
  ledger->protects = NULL;
  ledger->is_seeded = is_seeded;
  return memory_print(&ledger->protects, "%s%s", is_seeded ? LEDGER_ROWS_SEEDED : "", protects);
}

static const char *ledger_protects(const struct ledger *ledger) {
  return ledger->protects ? ledger->protects : LEDGER_VOTES;
}

static int ledger_over(const struct ledger *ledger, const char *what, struct rational more, struct rational spent,
                       struct rational total) {
  char text[3][RATIONAL_TEXT];
  return error_report(EXIT_REFUSED, "%s: %s %s more is too much: %s of the total %s is spent", ledger->path, what,
                      rational_text(more, "0", text[0]), rational_text(spent, "0", text[1]),
                      rational_text(total, "0", text[2]));
}

/* What is spent and this cost together. */
static int ledger_sums(const struct ledger *ledger, struct rational epsilon, struct rational delta,
                       struct rational *sum_epsilon, struct rational *sum_delta) {
  if (!ledger_sum_add(ledger->spent_epsilon, epsilon, sum_epsilon) &&
      !ledger_sum_add(ledger->spent_delta, delta, sum_delta))
    return EXIT_OK;
  return error_report(EXIT_REFUSED,
                      "%s: the sum of this cost and what is spent does not fit 64 bits; use rounder numbers",
                      ledger->path);
}

int ledger_afford(const struct ledger *ledger, struct rational epsilon, struct rational delta) {
  struct rational sum_epsilon, sum_delta;
  int code = ledger_sums(ledger, epsilon, delta, &sum_epsilon, &sum_delta);
  if (code) return code;
  if (ledger_sum_exceeds(sum_epsilon, ledger->total_epsilon))
    return ledger_over(ledger, "epsilon", epsilon, ledger->spent_epsilon, ledger->total_epsilon);
  if (ledger_sum_exceeds(sum_delta, ledger->total_delta))
    return ledger_over(ledger, "delta", delta, ledger->spent_delta, ledger->total_delta);
  return EXIT_OK;
}

static int ledger_refuse_total(const struct ledger *ledger, struct rational epsilon, struct rational delta) {
  char text[6][RATIONAL_TEXT];
  return error_report(
      EXIT_REFUSED,
      "%s: this run adds epsilon %s and delta %s to %s and %s spent, more than the total of %s and %s; --raise-total "
      "raises it",
      ledger->path, rational_text(epsilon, "0", text[0]), rational_text(delta, "0", text[1]),
      rational_text(ledger->spent_epsilon, "0", text[2]), rational_text(ledger->spent_delta, "0", text[3]),
      rational_text(ledger->total_epsilon, "any", text[4]), rational_text(ledger->total_delta, "any", text[5]));
}

/* The total after a run that brings the sum to `sum`: absent stays absent, except that the first run sets it. */
static struct rational ledger_new_total(struct rational total, struct rational sum, int is_first) {
  if (total.den == 0 && !is_first) return total;
  return total.den == 0 || ledger_sum_exceeds(sum, total) ? sum : total;
}

int ledger_allow(struct ledger *ledger, struct rational epsilon, struct rational delta, int raise) {
  struct ledger_pending *pending = &ledger->pending;
  int is_first = ledger->plan_count == 0 && ledger->charges == 0;
  struct rational sum_epsilon, sum_delta;
  int code = ledger_sums(ledger, epsilon, delta, &sum_epsilon, &sum_delta);
  if (code) return code;
  if (!raise &&
      (ledger_sum_exceeds(sum_epsilon, ledger->total_epsilon) || ledger_sum_exceeds(sum_delta, ledger->total_delta)))
    return ledger_refuse_total(ledger, epsilon, delta);
  pending->epsilon = ledger_new_total(ledger->total_epsilon, sum_epsilon, is_first);
  pending->delta = ledger_new_total(ledger->total_delta, sum_delta, is_first);
  pending->has_total = !ledger_sum_same(pending->epsilon, ledger->total_epsilon) ||
                       !ledger_sum_same(pending->delta, ledger->total_delta);
  return EXIT_OK;
}

int ledger_charge(struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta) {
  char epsilon_text[LEDGER_SUM_TEXT], delta_text[LEDGER_SUM_TEXT];
  struct ledger_row row = ledger_rows_blank("charge");
  int code = ledger_write_pending(ledger);
  if (!code) code = ledger_afford(ledger, epsilon, delta);
  if (code) return code;
  row.note = what;
  row.protects = ledger_protects(ledger);
  row.epsilon = ledger_sum_print(epsilon, epsilon_text);
  row.delta = ledger_sum_print(delta, delta_text);
  code = ledger_rows_append(ledger, &row, "record the charge");
  ledger_rows_forget_charge(ledger); /* it is this process's own */
  return code;
}

int ledger_keep_count(struct ledger *ledger, const char *what, uint64_t count) {
  struct ledger_row row = ledger_rows_blank("count");
  char *note = NULL;
  int code = memory_print(&note, "%" PRIu64 " %s", count, what);
  row.note = note;
  if (!code) code = ledger_rows_append(ledger, &row, "keep the count");
  free(note);
  return code;
}

uint64_t ledger_count(const struct ledger *ledger, const char *what) {
  for (size_t i = 0; !ledger->pending.data_count && i < ledger->kept_count; i++)
    if (!strcmp(ledger->kept[i].what, what)) return ledger->kept[i].count;
  return 0;
}

int ledger_is_charged(const struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta) {
  char *now = NULL;
  int is_same = !ledger->pending.data_count && ledger->unreleased &&
                !ledger_rows_print_charge(what, ledger_protects(ledger), &now) && !strcmp(ledger->unreleased, now) &&
                ledger_sum_same(ledger->unreleased_epsilon, epsilon) &&
                ledger_sum_same(ledger->unreleased_delta, delta);
  free(now);
  return is_same;
}

int ledger_take_charge(struct ledger *ledger, const char *what, struct rational epsilon, struct rational delta) {
  int is_charged = ledger_is_charged(ledger, what, epsilon, delta);
  if (is_charged) ledger_rows_forget_charge(ledger);
  return is_charged;
}

static int ledger_same_terms(const struct plan_terms *a, const struct plan_terms *b) {
  return a->mechanism == b->mechanism && a->limit.silences == b->limit.silences &&
         a->limit.answers == b->limit.answers && ledger_sum_same(a->epsilon, b->epsilon) &&
         ledger_sum_same(a->delta, b->delta) && !memcmp(a->digest, b->digest, DIGEST_SIZE);
}

static int ledger_start(struct ledger *ledger, const struct plan_terms *terms, struct ledger_plan *old) {
  char epsilon[LEDGER_SUM_TEXT], delta[LEDGER_SUM_TEXT];
  struct ledger_row row = ledger_rows_blank(old ? "resume" : "plan");
  row.protects = ledger_protects(ledger);
  if (old) {
    row.plan = (int64_t)old->number;
    ledger_write_left(&row, terms, old->left);
    return ledger_rows_append(ledger, &row, "resume the plan");
  }
  row.plan = (int64_t)ledger->plan_count + 1;
  ledger_write_left(&row, terms, terms->limit);
  row.epsilon = ledger_sum_print(terms->epsilon, epsilon);
  row.delta = ledger_sum_print(terms->delta, delta);
  row.note = plan_mechanism_name(terms->mechanism);
  row.mark = terms->digest;
  return ledger_rows_append(ledger, &row, "begin the plan");
}

/* A poll is not used up by questions: it goes on unless it is to begin anew. */
static int ledger_can_go_on(const struct ledger_plan *plan, int again) {
  if (plan->terms.mechanism == PLAN_MECHANISM_POLL) return again != LEDGER_AGAIN;
  return plan->left.silences || plan->left.answers;
}

/* The plan of these terms that can go on (of polls the last one), else the last one that is spent, else NULL. */
static struct ledger_plan *ledger_find_plan(const struct ledger *ledger, const struct plan_terms *terms) {
  struct ledger_plan *old = NULL;
  size_t i;
  int is_poll = terms->mechanism == PLAN_MECHANISM_POLL;
  for (i = 0; i < ledger->plan_count && (is_poll || !(old && ledger_can_go_on(old, LEDGER_ONCE))); i++)
    if (ledger_same_terms(&ledger->plans[i].terms, terms) &&
        !strcmp(ledger->plans[i].protects, ledger_rows_neighbours(ledger_protects(ledger))))
      old = ledger->plans + i;
  return old;
}

int ledger_allow_plan(struct ledger *ledger, const struct plan_terms *terms, int again, int raise) {
  const struct ledger_plan *old = ledger_find_plan(ledger, terms);
  if (old && (ledger_can_go_on(old, again) || again != LEDGER_AGAIN)) return EXIT_OK;
  return ledger_allow(ledger, terms->epsilon, terms->delta, raise);
}

uint64_t ledger_resumes(const struct ledger *ledger, const struct plan_terms *terms, int again) {
  const struct ledger_plan *old = ledger_find_plan(ledger, terms);
  return old && (ledger_can_go_on(old, again) || again != LEDGER_AGAIN) ? old->number : 0;
}

uint64_t ledger_last_poll(const struct ledger *ledger, struct rational epsilon, struct rational delta) {
  for (size_t i = ledger->plan_count; i--;) {
    const struct ledger_plan *plan = ledger->plans + i;
    if (plan->terms.mechanism == PLAN_MECHANISM_POLL && ledger_sum_same(plan->terms.epsilon, epsilon) &&
        ledger_sum_same(plan->terms.delta, delta) &&
        !strcmp(plan->protects, ledger_rows_neighbours(ledger_protects(ledger))))
      return plan->number;
  }
  return 0;
}

int ledger_begin(struct ledger *ledger, const struct plan_terms *terms, int again, struct plan_quota *left) {
  struct ledger_plan *old = ledger_find_plan(ledger, terms);
  char limit[PLAN_QUOTA_TEXT];
  int code;
  if (terms->epsilon.den == 0 || terms->delta.den == 0)
    return error_report(EXIT_INPUT, "%s: a plan without epsilon or delta", ledger->path);
  if (old && !ledger_can_go_on(old, again) && again == LEDGER_ONCE)
    return error_report(EXIT_REFUSED, "%s: this plan's %s are spent", ledger->path,
                        plan_quota_print(old->terms.limit, limit));
  if (old && !ledger_can_go_on(old, again) && again == LEDGER_AGAIN) old = NULL;
  code = ledger_write_pending(ledger);
  if (!code && !old) code = ledger_afford(ledger, terms->epsilon, terms->delta);
  if (!code && !ledger->journal.has_about) code = journal_describe(ledger, "", 0); /* not the last session's */
  if (!code) code = ledger_start(ledger, terms, old);
  if (code) return code;
  digest_init(&ledger->answers_digest);
  ledger->asked = 0;
  ledger->labels = ledger->silences = ledger->answers = 0;
  *left = ledger->current->left;
  return EXIT_OK;
}

/* ---- answering ---- */

int ledger_reserve(struct ledger *ledger, struct plan_quota left) {
  return ledger_write_stretch(ledger, "reserve", left, "reserve");
}

int ledger_reserve_none(struct ledger *ledger) {
  struct plan_quota none = {0, 0};
  return ledger_write_stretch(ledger, "answers", ledger->current ? ledger->current->left : none, "record the answers");
}

int ledger_finish(struct ledger *ledger, struct plan_quota left) {
  return ledger_write_stretch(ledger, "close", left, "close the plan");
}

size_t ledger_encode(int32_t answer, uint8_t bytes[3]) {
  if (answer < 0) return bytes[0] = 0xff, 1;
  if (answer < 0xfe) return bytes[0] = (uint8_t)answer, 1;
  bytes[0] = 0xfe;
  bytes[1] = (uint8_t)(answer & 0xff);
  bytes[2] = (uint8_t)(answer >> 8 & 0xff);
  return 3;
}

void ledger_count_answer(struct ledger *ledger, enum plan_kind kind, int32_t answer) {
  uint8_t bytes[3];
  if (kind == PLAN_KIND_TOLL)
    ledger->answers++;
  else if (answer < 0)
    ledger->silences++;
  else
    ledger->labels++;
  ledger->asked++;
  digest_add(&ledger->answers_digest, bytes, ledger_encode(answer, bytes));
}

int ledger_record(struct ledger *ledger, enum plan_kind kind, int32_t answer) {
  struct journal_answer one = {.query = ledger->asked, .kind = kind, .answer = answer};
  return journal_record(ledger, &one, 1);
}

void ledger_head(const struct ledger *ledger, char text[DIGEST_TEXT]) {
  digest_print(ledger->head, text);
}
