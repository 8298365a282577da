#include "run/results.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/say.h"
#include "learn/model.h"
#include "plan/plan_file.h"
#include "run/answering.h"

/* ---- the files ---- */

static int results_write_model(const struct results *results, const char *path) {
  const struct learning *learning = results->learning;
  return model_write(path, &results->teachers->encoding, &learning->student, &learning->learned);
}

static int results_write_plan(const struct results *results, const char *path) {
  return plan_file_write(path, &results->budget->plan);
}

/* By record number; of two answers about one record the earlier one first. */
static int results_order(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* The i-th released label, in the order of release. */
struct results_label {
  size_t row;
  int32_t answer;
  const char *kind;
};

static size_t results_labels(const struct results *results) {
  return results->budget->is_poll ? results->neighbours->lesson.count : results->learning->asking.count;
}

static struct results_label results_label(const struct results *results, size_t i) {
  static const char *const kinds[] = {[ASKING_METER] = "meter", [ASKING_TOLL] = "toll"};
  const struct polling_lesson *lesson = &results->neighbours->lesson;
  const struct asking_answer *said = &results->learning->asking.said[i];
  if (results->budget->is_poll) return (struct results_label){lesson->row[i], lesson->label[i], "poll"};
  return (struct results_label){said->row, said->answer, kinds[said->kind]};
}

/* Writes one line for each. */
static int results_write_labels(const struct results *results, const char *path) {
  char *const *name = results->teachers->encoding.classes.name;
  size_t(*pair)[2], count = results_labels(results);
  struct output output;
  int code = memory_take(&pair, count, sizeof *pair);
  if (code) return code;
  for (size_t i = 0; i < count; i++) {
    pair[i][0] = results->learning->id[results_label(results, i).row];
    pair[i][1] = i;
  }
  qsort(pair, count, sizeof *pair, results_order);
  code = output_open(&output, path);
  if (!code) {
    fputs("id,answer,kind\n", output.stream);
    for (size_t i = 0; i < count; i++) {
      struct results_label said = results_label(results, pair[i][1]);
      fprintf(output.stream, "%zu,", pair[i][0]);
      answering_print(output.stream, said.answer == FUMATA_SILENT ? NULL : name[said.answer]);
      fprintf(output.stream, ",%s\n", said.kind);
    }
    code = output_commit(&output);
  }
  free(pair);
  return code;
}

/* ---- the summary ---- */

#define RESULTS_SUMMARY 1 /* grows when a key goes or changes its meaning; fumata-report(1) lists the keys */

/* Writes nothing for an absent number. */
static void results_ratio(struct json *json, const char *key, struct rational x) {
  char text[RATIONAL_TEXT];
  if (x.den) json_string(json, key, rational_text(x, "", text));
}

static void results_learner(struct json *json, const char *key, const struct learner *learner) {
  char text[4200];
  learner_print(learner, text, sizeof text);
  json_string(json, key, text);
}

/* Says which two data sets are neighbours in the claim. */
static void results_neighbours(const struct results *results, struct json *json) {
  const char *unit = results->teachers->request.unit;
  int label_private = results->learning->label_private;
  const char *how = results->budget->is_poll ? "added or removed" : "added, removed or changed";
  char text[512];
  json_string(json, "protects", label_private ? "labels" : unit ? "units" : "records");
  if (label_private)
    snprintf(text, sizeof text, "the label of one record is changed");
  else if (unit)
    snprintf(text, sizeof text, "all records of one unit (%.400s) are %s", unit, how);
  else
    snprintf(text, sizeof text, "one record is %s", how);
  json_string(json, "neighbours", text);
  if (results->budget->is_poll)
    json_string(json, "changed",
                "one that is changed is one removed and one added: 2 epsilon and (1 + e^epsilon) delta");
  if (unit) json_string(json, "unit", unit);
}

/* What was paid for: the plan, the costs beside it, and the sum. */
static void results_costs(const struct budget *budget, struct json *json) {
  const fumata_claim *claim = &budget->plan.claim;
  struct rational epsilon, delta;
  results_ratio(json, "epsilon", (struct rational){claim->epsilon_num, claim->epsilon_den});
  results_ratio(json, "delta", (struct rational){claim->delta_num, claim->delta_den});
  if (budget->is_counted) {
    results_ratio(json, "count_epsilon", budget->count_epsilon);
    results_ratio(json, "count_delta", budget->count_delta);
    json_print(json, "counted", "%" PRIu64, budget->about);
  }
  if (budget->estimate.den) {
    results_ratio(json, "estimate_epsilon", budget->estimate);
    results_ratio(json, "estimate_delta", budget->estimate_delta);
    json_print(json, "estimated_error", "%.4f", budget->estimated);
  }
  budget_total(budget, &epsilon, &delta);
  results_ratio(json, "total_epsilon", epsilon);
  results_ratio(json, "total_delta", delta);
}

/* What is protected, and at what cost. */
static void results_privacy(const struct results *results, struct json *json) {
  const struct plan_box *plan = &results->budget->plan;
  struct plan_quota limit = plan_limit(plan), left;
  int was_seeded = results->session->ledger.was_seeded;
  json_print(json, "private", "%s", results->is_seeded || was_seeded ? "false" : "true");
  if (results->is_seeded)
    json_string(json, "warning", "NOT PRIVATE: made with --unsafe-seed");
  else if (was_seeded)
    json_string(json, "warning", "NOT PRIVATE: an earlier run in this ledger was made with --unsafe-seed");
  else if (results->learning->compared > 0)
    json_string(json, "warning", "NOT PRIVATE: unsafe_compared_accuracy, made with --unsafe-compare; all else is");
  results_neighbours(results, json);
  json_string(json, "mechanism", plan_mechanism_name(plan->mechanism));
  results_costs(results->budget, json);
  if (results->budget->is_poll) json_print(json, "votes", "%u", plan_votes(plan));
  if (results->budget->is_poll) return;
  left = session_left(results->session);
  if (limit.silences) json_print(json, "silences", "%u", limit.silences);
  if (limit.silences) json_print(json, "silences_left", "%u", left.silences);
  if (limit.answers) json_print(json, "answers", "%u", limit.answers);
  if (limit.answers) json_print(json, "answers_left", "%u", left.answers);
}

/* Quotes a word for a shell, unless it is plain. Needs at most 4 bytes a letter and 3 more. */
static char *results_quote(char *out, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (*word && !word[strspn(word, plain)]) return stpcpy(out, word);
  *out++ = '\'';
  for (; *word; word++)
    if (*word == '\'')
      out = stpcpy(out, "'\\''");
    else
      *out++ = *word;
  return stpcpy(out, "'");
}

/* The command line of this process, as one types it into a shell, if the kernel gives it. */
static void results_command(struct json *json) {
  static const size_t most = 1 << 21; /* of a command line: the kernel's limit */
  FILE *file = fopen("/proc/self/cmdline", "rb");
  char *words = NULL, *line = NULL, *end;
  size_t size;
  if (!file) return;
  size = memory_take(&words, most + 1, 1) ? 0 : fread(words, 1, most, file);
  fclose(file);
  if (size && !memory_take(&line, 7 * size + 1, 1)) {
    end = line;
    for (char *word = words; word < words + size; word += strlen(word) + 1) {
      if (word != words) *end++ = ' ';
      end = results_quote(end, word);
    }
    json_string(json, "command", line);
  }
  free(line);
  free(words);
}

/* Who voted, and the result. */
static void results_poll(const struct results *results, struct json *json) {
  const struct polling_rule *rule = &results->budget->rule;
  const struct neighbours *neighbours = results->neighbours;
  json_print(json, "voters_asked", "%u", rule->voters);
  json_string(json, "aim", polling_name((enum polling_aim)neighbours->aim));
  json_print(json, "queries", "%zu", results->learning->queries.count);
  json_print(json, "asked", "%" PRIu64, neighbours->questions);
  json_print(json, "answered", "%" PRIu64, neighbours->questions);
  json_print(json, "recalled", "%" PRIu64, neighbours->recalled);
  json_print(json, "labels", "%zu", neighbours->lesson.count);
}

static void results_teachers(const struct results *results, struct json *json) {
  const struct learning *learning = results->learning;
  struct asking_said said = asking_said(&learning->asking);
  json_string(json, "silent_as", student_name((enum silent_as)learning->silent_as));
  json_string(json, "ask", asking_name(learning->asking.way));
  json_print(json, "queries", "%zu", learning->queries.count);
  json_print(json, "asked", "%zu", learning->asking.count);
  json_print(json, "answered", "%" PRIu64, said.labels + said.answers);
  json_print(json, "silent", "%" PRIu64, said.silences);
  json_print(json, "labels", "%" PRIu64, said.labels + said.answers);
  json_print(json, "answers_given", "%" PRIu64, said.answers);
}

/* How good the student is by released labels that it was not taught; and, if requested, how good one is without privacy. */
static void results_judgement(const struct learning *learning, struct json *json) {
  struct metrics_value balanced = metrics_balanced(&learning->foreseen);
  json_string(json, "judgement", judgement_name(judgement_of(&learning->facts)));
  json_print(json, "foreseen", "%" PRIu64, learning->foreseen.records);
  if (learning->foreseen.records) {
    json_print(json, "foreseen_balanced_accuracy", "%.6f", balanced.value);
    json_open(json, "foreseen_balanced_accuracy_95", '[', 0);
    json_print(json, NULL, "%.6f", balanced.low);
    json_print(json, NULL, "%.6f", balanced.high);
    json_close(json);
  }
  if (learning->compared > 0) json_print(json, "unsafe_compared_accuracy", "%.6f", learning->compared);
}

void results_print(const struct results *results, FILE *out) {
  const struct teachers *teachers = results->teachers;
  const struct learning *learning = results->learning;
  const struct ledger *ledger = &results->session->ledger;
  int is_poll = results->budget->is_poll;
  struct json json = {.out = out};
  char head[DIGEST_TEXT];
  json_open(&json, NULL, '{', 1);
  json_print(&json, "summary_version", "%d", RESULTS_SUMMARY);
  results_privacy(results, &json);
  json_string(&json, "voters", is_poll ? "neighbours" : "teachers");
  if (!is_poll) json_print(&json, "teachers", "%u", teachers->count);
  json_print(&json, "classes", "%u", teachers->encoding.classes.count);
  json_print(&json, "features", "%u", teachers->encoding.columns);
  if (!is_poll) results_learner(&json, "learner", &teachers->learner);
  results_learner(&json, "student", &learning->student);
  if (is_poll)
    results_poll(results, &json);
  else
    results_teachers(results, &json);
  if (learning->measured.records) {
    json_print(&json, "tested", "%" PRIu64, learning->measured.records);
    metrics_json(&learning->measured, teachers->encoding.classes.name, "test_", &json);
  }
  results_judgement(learning, &json);
  json_string(&json, "ledger", results->budget->session.ledger_path);
  results_ratio(&json, "ledger_spent_epsilon", ledger->spent_epsilon);
  results_ratio(&json, "ledger_spent_delta", ledger->spent_delta);
  results_ratio(&json, "ledger_total_epsilon", ledger->total_epsilon);
  results_ratio(&json, "ledger_total_delta", ledger->total_delta);
  json_string(&json, "version", FUMATA_VERSION);
  results_command(&json);
  ledger_head(ledger, head);
  json_string(&json, "ledger_head", head);
  json_close(&json);
}

static int results_write_summary(const struct results *results, const char *path) {
  struct output output;
  int code = output_open(&output, path);
  if (code) return code;
  results_print(results, output.stream);
  return output_commit(&output);
}

/* ---- the folder ---- */

#define RESULTS_FILES STAGING_FILES

static const char *const results_names[RESULTS_FILES] = {"student.model", "labels.csv", "plan", "summary.json"};
static int (*const results_writers[RESULTS_FILES])(const struct results *results, const char *path) = {
    results_write_model, results_write_labels, results_write_plan, results_write_summary};

static int results_path(char **path, const char *folder, size_t file) {
  return memory_print(path, "%s/%s", folder, results_names[file]);
}

static int results_refuse(const char *path) {
  return error_report(EXIT_INPUT, "%s: exists already; results are never overwritten", path);
}

/* A result must not take the place of the ledger, of a file beside it or of a file that the run reads, whether these exist
 * yet or not. */
static int results_apart(const struct results *results, const char *path) {
  const struct encoding_request *request = &results->teachers->request;
  const char *const inputs[] = {OUTPUT_INPUT(results->teachers->path),
                                OUTPUT_INPUT(request->public_path),
                                OUTPUT_INPUT(request->schema_path),
                                OUTPUT_INPUT(results->teachers->key_path),
                                OUTPUT_INPUT(results->learning->test_path),
                                OUTPUT_INPUT(results->budget->plan_path),
                                OUTPUT_INPUT(results->budget->session.ledger_path),
                                NULL};
  int code = output_allow(path, 1, inputs);
  return code ? code : budget_apart(results->budget, path);
}

/* Results are never overwritten. A ledger in this folder is not overlooked either. */
static int results_check(const struct results *results) {
  char *path;
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < RESULTS_FILES; i++) {
    code = results_path(&path, results->folder, i);
    if (!code) code = results_apart(results, path);
    if (!code && access(path, F_OK) == 0 && !staging_has(&results->staging, i, NULL)) code = results_refuse(path);
    free(path);
  }
  if (code) return code;
  code = memory_print(&path, "%s/ledger", results->folder);
  if (!code && results->budget->ledger && access(path, F_OK) == 0)
    code = error_report(EXIT_INPUT, "%s: has a ledger; give --ledger %s if it is this data set's, or remove it", path,
                        path);
  free(path);
  return code;
}

/* Held until the end of the run. */
static int results_lock(struct results *results) {
  int fd = open(results->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return error_report(EXIT_INPUT, "%s: cannot write: %s", results->folder, strerror(errno));
  results->lock = fd;
  results->has_lock = 1;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0) return EXIT_OK;
  results->made_folder = 0; /* it belongs to the other run now */
  return error_report(EXIT_REFUSED, "%s: another run writes its results into this folder", results->folder);
}

int results_open(struct results *results) {
  int code;
  if (!*results->folder) return error_report(EXIT_INPUT, "-o '': the folder's name is empty");
  results->made_folder = output_make_folder(results->folder, &results->kept) == 0;
  if (!results->made_folder) return error_report(EXIT_INPUT, "%s: cannot write: %s", results->folder, strerror(errno));
  code = results_lock(results);
  results->staging.folder = results->folder;
  results->staging.name = results_names;
  if (!code) code = staging_find(&results->staging);
  if (!code) code = results_check(results);
  return code ? code : staging_make(&results->staging);
}

/* The owner of results: runs with this ledger. */
static void results_owner(const struct results *results, uint8_t owner[DIGEST_SIZE]) {
  static const char purpose[] = "results";
  struct digest digest;
  ledger_salt(&results->session->ledger, &digest);
  digest_add(&digest, purpose, sizeof purpose);
  digest_read(&digest, owner);
}

int results_claim(struct results *results) {
  uint8_t owner[DIGEST_SIZE];
  char *path;
  int found = 0, code = EXIT_OK;
  results_owner(results, owner);
  for (size_t i = 0; !code && i < RESULTS_FILES; i++) {
    code = results_path(&path, results->folder, i);
    if (!code && access(path, F_OK) == 0) {
      found = 1;
      if (!staging_has(&results->staging, i, owner)) code = results_refuse(path);
    }
    free(path);
  }
  if (!code && found)
    say_text("%s: a run that died was writing its results here; they are written anew\n", results->folder);
  return code;
}

#define RESULTS_LINE  64u     /* bytes of a line of labels.csv, without the class */
#define RESULTS_CELL  40u     /* of a number of the student, as text, and of the encoding's text about its column */
#define RESULTS_OTHER 262144u /* of plan and summary */

static int results_space(const struct results *results, char **path) {
  return memory_print(path, "%s/" STAGING_SPACE, results->staging.path);
}

int results_reserve(const struct results *results) {
  const struct encoding *encoding = &results->teachers->encoding;
  uint64_t answers = 2 * (uint64_t)results->learning->queries.count, classes = encoding->classes.count, longest = 0;
  uint64_t size = RESULTS_OTHER + RESULTS_CELL * (encoding->columns + 1) * (classes + 1);
  char *path;
  int fd, failed, code = results_space(results, &path);
  if (code) return code;
  for (uint32_t i = 0; i < classes; i++)
    if (strlen(encoding->classes.name[i]) > longest) longest = strlen(encoding->classes.name[i]);
  fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  failed = fd < 0 ? errno : posix_fallocate(fd, 0, (off_t)(size + answers * (RESULTS_LINE + longest)));
  if (fd >= 0) close(fd);
  free(path);
  if (!failed || failed == EOPNOTSUPP || failed == EINVAL) return EXIT_OK;
  return error_report(EXIT_SYSTEM, "%s: no room for the results: %s", results->folder, strerror(failed));
}

static void results_give_space(const struct results *results) {
  char *path;
  if (!results_space(results, &path)) unlink(path);
  free(path);
}

/* Gives each file its place, and never that of another file. After a failure, results that cannot be taken back are left
 * with their seal, by which the next run recognises them. */
static int results_publish(struct results *results, char *const *from, char *const *to) {
  uint8_t owner[DIGEST_SIZE];
  size_t i;
  int code = EXIT_OK;
  results_owner(results, owner);
  for (i = 0; !code && i < RESULTS_FILES; i++)
    if ((staging_has(&results->staging, i, owner) ? rename : output_rename)(from[i], to[i]) != 0) {
      code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", to[i], strerror(errno));
      break;
    }
  if (!code && output_sync_folder(results->folder) != 0)
    code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", results->folder, strerror(errno));
  results->is_written = !code;
  while (code && i--)
    if (unlink(to[i]) != 0) results->keeps_staging = 1;
  return code;
}

int results_write(struct results *results) {
  char *from[RESULTS_FILES] = {0}, *to[RESULTS_FILES] = {0};
  uint8_t owner[DIGEST_SIZE];
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < RESULTS_FILES; i++) {
    code = results_path(&from[i], results->staging.path, i);
    if (!code) code = results_path(&to[i], results->folder, i);
  }
  results_give_space(results);
  for (size_t i = 0; !code && i < RESULTS_FILES; i++)
    code = results_writers[i](results, from[i]);
  results_owner(results, owner);
  if (!code) code = staging_seal(&results->staging, owner);
  if (!code) code = results_publish(results, from, to);
  for (size_t i = 0; i < RESULTS_FILES; i++) {
    free(from[i]);
    free(to[i]);
  }
  return code;
}

void results_tidy(struct results *results) {
  if (!results->keeps_staging) staging_remove(&results->staging, results->is_written);
  if (results->made_folder) output_unmake_folder(results->folder, results->kept);
  if (results->has_lock) close(results->lock);
  staging_free(&results->staging);
}
