/* fumata learn: the folder of results, which appear together or not at all. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/say.h"
#include "command/learn.h"
#include "gate/answers.h"
#include "gate/ledger_sum.h"
#include "gate/process.h"
#include "learn/model.h"
#include "plan/plan_file.h"

static int learn_output_model(const struct learn *learn, const char *path) {
  return model_write(path, &learn->training.encoding, &learn->student, &learn->learned);
}

static int learn_output_plan(const struct learn *learn, const char *path) {
  return plan_file_write(path, &learn->training.plan);
}

/* By record number; of one record that was asked about twice the first answer first. */
static int learn_output_order(const void *a, const void *b) {
  const size_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

/* One line for each answer. */
static int learn_output_labels(const struct learn *learn, const char *path) {
  static const char *const kinds[] = {[ASKING_METER] = "meter", [ASKING_TOLL] = "toll"};
  char *const *name = learn->training.encoding.classes.name;
  const struct asking *asking = &learn->asking;
  size_t(*pair)[2];
  struct output output;
  int code = memory_take(&pair, asking->count, sizeof *pair);
  if (code) return code;
  for (size_t i = 0; i < asking->count; i++) {
    pair[i][0] = learn->id[asking->said[i].row];
    pair[i][1] = i;
  }
  qsort(pair, asking->count, sizeof *pair, learn_output_order);
  code = output_open(&output, path);
  if (!code) {
    fputs("id,answer,kind\n", output.stream);
    for (size_t i = 0; i < asking->count; i++) {
      const struct asking_answer *said = &asking->said[pair[i][1]];
      fprintf(output.stream, "%zu,", pair[i][0]);
      answers_name(output.stream, said->answer == FUMATA_SILENT ? NULL : name[said->answer]);
      fprintf(output.stream, ",%s\n", kinds[said->kind]);
    }
    code = output_commit(&output);
  }
  free(pair);
  return code;
}

static void learn_output_text(FILE *stream, const char *key, const char *text) {
  fprintf(stream, "  \"%s\": ", key);
  json_text(stream, text);
  fputs(",\n", stream);
}

static void learn_output_ratio(FILE *stream, const char *key, uint64_t num, uint64_t den) {
  char text[RATIONAL_TEXT];
  rational_print(num, den, text);
  learn_output_text(stream, key, text);
}

static void learn_output_learner(FILE *stream, const char *key, const struct learner *learner) {
  char text[4200];
  learner_print(learner, text, sizeof text);
  learn_output_text(stream, key, text);
}

/* All that the run cost: the plan, the count of units, the error estimate. */
struct learn_output_cost {
  struct rational epsilon, delta;
};

static struct learn_output_cost learn_output_total(const struct learn *learn) {
  const fumata_claim *claim = &learn->training.plan.claim;
  struct learn_output_cost cost = {{claim->epsilon_num, claim->epsilon_den}, {claim->delta_num, claim->delta_den}};
  /* The ledger has added them up already: they have a sum. */
  ledger_sum_add(cost.epsilon, learn->count_epsilon, &cost.epsilon);
  ledger_sum_add(cost.delta, learn->count_delta, &cost.delta);
  ledger_sum_add(cost.epsilon, learn->estimate, &cost.epsilon);
  ledger_sum_add(cost.delta, learn->estimate_delta, &cost.delta);
  return cost;
}

/* What was paid for beside the plan, and the sum. */
static void learn_output_costs(const struct learn *learn, FILE *out) {
  struct learn_output_cost total = learn_output_total(learn);
  if (learn->is_counted) {
    learn_output_ratio(out, "count_epsilon", learn->count_epsilon.num, learn->count_epsilon.den);
    learn_output_ratio(out, "count_delta", learn->count_delta.num, learn->count_delta.den);
    fprintf(out, "  \"counted\": %" PRIu64 ",\n", learn->about);
  }
  if (learn->estimate.den) {
    learn_output_ratio(out, "estimate_epsilon", learn->estimate.num, learn->estimate.den);
    learn_output_ratio(out, "estimate_delta", learn->estimate_delta.num, learn->estimate_delta.den);
    fprintf(out, "  \"estimated_error\": %.4f,\n", learn->estimated);
  }
  learn_output_ratio(out, "total_epsilon", total.epsilon.num, total.epsilon.den);
  learn_output_ratio(out, "total_delta", total.delta.num, total.delta.den);
}

/* Of which two data sets the claim says that they are hard to tell apart. */
static void learn_output_neighbours(const struct learn *learn, FILE *out) {
  const char *unit = learn->training.request.unit;
  char text[512];
  learn_output_text(out, "protects", learn->label_private ? "labels" : unit ? "units" : "records");
  if (learn->label_private)
    snprintf(text, sizeof text, "the label of one record is changed");
  else if (unit)
    snprintf(text, sizeof text, "all records of one unit (%.400s) are added, removed or changed", unit);
  else
    snprintf(text, sizeof text, "one record is added, removed or changed");
  learn_output_text(out, "neighbours", text);
  if (unit) learn_output_text(out, "unit", unit);
}

/* Of a kind that the plan pays for. */
static void learn_output_quota(FILE *out, const char *kind, uint32_t limit, uint32_t left) {
  if (limit) fprintf(out, "  \"%s\": %u,\n  \"%s_left\": %u,\n", kind, limit, kind, left);
}

/* What is protected, and what it cost. */
static void learn_output_privacy(const struct learn *learn, FILE *out) {
  const struct training *training = &learn->training;
  const fumata_claim *claim = &training->plan.claim;
  fprintf(out, "  \"private\": %s,\n", training->is_seeded ? "false" : "true");
  if (training->is_seeded) learn_output_text(out, "warning", "NOT PRIVATE: made with --unsafe-seed");
  learn_output_neighbours(learn, out);
  learn_output_text(out, "mechanism", plan_mechanism_name(training->plan.mechanism));
  learn_output_ratio(out, "epsilon", claim->epsilon_num, claim->epsilon_den);
  learn_output_ratio(out, "delta", claim->delta_num, claim->delta_den);
  learn_output_costs(learn, out);
  learn_output_quota(out, "silences", plan_limit(&training->plan).silences, session_left(&learn->session).silences);
  learn_output_quota(out, "answers", plan_limit(&training->plan).answers, session_left(&learn->session).answers);
}

/* Where the data set stands after this run. */
static void learn_output_ledger(const struct learn *learn, FILE *out) {
  const struct ledger *ledger = &learn->session.ledger;
  const struct {
    const char *key;
    struct rational value;
  } sums[] = {{"ledger_spent_epsilon", ledger->spent_epsilon},
              {"ledger_spent_delta", ledger->spent_delta},
              {"ledger_total_epsilon", ledger->total_epsilon},
              {"ledger_total_delta", ledger->total_delta}};
  learn_output_text(out, "ledger", learn->training.session.ledger_path);
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    if (sums[i].value.den) learn_output_ratio(out, sums[i].key, sums[i].value.num, sums[i].value.den);
}

/* Which program made this, and how it was called. */
static void learn_output_origin(FILE *out) {
  char *command;
  learn_output_text(out, "version", FUMATA_VERSION);
  if (process_command(&command) || !command) return;
  learn_output_text(out, "command", command);
  free(command);
}

/* Only what was released, or never depended on the private records. */
static void learn_output_object(const struct learn *learn, FILE *out) {
  const struct training *training = &learn->training;
  char head[DIGEST_TEXT];
  fputs("{\n", out);
  learn_output_privacy(learn, out);
  fprintf(out, "  \"teachers\": %u,\n  \"classes\": %u,\n  \"features\": %u,\n", training->teachers,
          training->encoding.classes.count, training->encoding.columns);
  learn_output_learner(out, "learner", &training->learner);
  learn_output_learner(out, "student", &learn->student);
  learn_output_text(out, "silent_as", student_name(learn->silent_as));
  learn_output_text(out, "ask", asking_name(learn->way));
  fprintf(out,
          "  \"queries\": %zu,\n  \"asked\": %zu,\n  \"answered\": %" PRIu64 ",\n  \"silent\": %" PRIu64
          ",\n  \"labels\": %" PRIu64 ",\n  \"choices\": %" PRIu64 ",\n",
          learn->queries.count, learn->asking.count, learn->session.labels + learn->session.answers,
          learn->session.silences, learn->session.labels, learn->session.answers);
  if (learn->has_score)
    fprintf(out, "  \"tested\": %zu,\n  \"test_accuracy\": %.6f,\n", learn->tested,
            (double)learn->right / (double)learn->tested);
  learn_output_text(out, "judgement", judgement_name(judgement_of(&learn->facts)));
  learn_output_ledger(learn, out);
  learn_output_origin(out);
  ledger_head(&learn->session.ledger, head);
  fprintf(out, "  \"ledger_head\": \"%s\"\n}\n", head);
}

static int learn_output_summary(const struct learn *learn, const char *path) {
  struct output output;
  int code = output_open(&output, path);
  if (code) return code;
  learn_output_object(learn, output.stream);
  return output_commit(&output);
}

int learn_output_print(const struct learn *learn) {
  learn_output_object(learn, stdout);
  return EXIT_OK;
}

static const struct {
  const char *name;
  int (*write)(const struct learn *learn, const char *path);
} learn_output_files[] = {{"student.model", learn_output_model},
                          {"labels.csv", learn_output_labels},
                          {"plan", learn_output_plan},
                          {"summary.json", learn_output_summary}};
#define LEARN_OUTPUT_FILES (sizeof learn_output_files / sizeof *learn_output_files)

static int learn_output_path(char **path, const char *folder, size_t file) {
  return memory_print(path, "%s/%s", folder, learn_output_files[file].name);
}

static int learn_output_unwritable(const struct learn *learn) {
  return error_report(EXIT_INPUT, "%s: cannot write: %s", learn->output, strerror(errno));
}

/* Results are never overwritten. */
static int learn_output_check(const struct learn *learn) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < LEARN_OUTPUT_FILES; i++) {
    char *path;
    code = learn_output_path(&path, learn->output, i);
    if (!code && access(path, F_OK) == 0)
      code = error_report(EXIT_INPUT, "%s: exists already; results are never overwritten", path);
    free(path);
  }
  return code;
}

static int learn_output_stage(struct learn *learn) {
  int code = memory_print(&learn->staging, "%s/.new.XXXXXX", learn->output);
  if (code || mkdtemp(learn->staging)) return code;
  free(learn->staging);
  learn->staging = NULL;
  return learn_output_unwritable(learn);
}

/* Where ledgers were kept before they lay beside the private file. */
static int learn_output_check_ledger(const struct learn *learn) {
  char *path;
  int code = memory_print(&path, "%s/ledger", learn->output);
  if (!code && learn->training.ledger && access(path, F_OK) == 0)
    code = error_report(EXIT_INPUT, "%s: there is a ledger; say --ledger %s if it is this data set's, or remove it",
                        path, path);
  free(path);
  return code;
}

int learn_output_open(struct learn *learn) {
  int code;
  if (output_make_folder(learn->output, &learn->kept) != 0) return learn_output_unwritable(learn);
  learn->made_folder = 1;
  code = learn_output_check(learn);
  if (code) return code;
  code = learn_output_check_ledger(learn);
  return code ? code : learn_output_stage(learn);
}

static int learn_output_publish(const struct learn *learn, char *const *from, char *const *to) {
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < LEARN_OUTPUT_FILES; i++)
    code = learn_output_files[i].write(learn, from[i]);
  if (code) return code;
  for (size_t i = 0; i < LEARN_OUTPUT_FILES; i++)
    if (rename(from[i], to[i]) != 0) {
      code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", to[i], strerror(errno));
      while (i--)
        unlink(to[i]);
      return code;
    }
  return EXIT_OK;
}

int learn_output_write(struct learn *learn) {
  char *from[LEARN_OUTPUT_FILES] = {0}, *to[LEARN_OUTPUT_FILES] = {0};
  int code = EXIT_OK;
  for (size_t i = 0; !code && i < LEARN_OUTPUT_FILES; i++) {
    code = learn_output_path(&from[i], learn->staging, i);
    if (!code) code = learn_output_path(&to[i], learn->output, i);
  }
  if (!code) code = learn_output_publish(learn, from, to);
  for (size_t i = 0; i < LEARN_OUTPUT_FILES; i++) {
    free(from[i]);
    free(to[i]);
  }
  return code;
}

/* "asked 643 of 9000 (margin): 643 answers; the budget is closed" */
static void learn_output_tell_asked(const struct learn *learn) {
  const struct session *session = &learn->session;
  struct plan_quota left = session_left(session), limit = plan_limit(&learn->training.plan);
  int is_closed = !left.silences && !left.answers;
  say_text("asked %zu of %zu (%s): ", learn->asking.count, learn->queries.count, asking_name(learn->way));
  if (limit.silences) say_text("%" PRIu64 " labels, %" PRIu64 " silences", session->labels, session->silences);
  if (limit.answers) say_text("%s%" PRIu64 " answers", limit.silences ? ", " : "", session->answers);
  say_line("%s", is_closed ? "; the budget is closed" : "; nothing is left to ask");
}

static void learn_output_tell_left(const char *kind, uint32_t left, uint32_t limit) {
  if (limit) say_text("%s left: %u of %u\n", kind, left, limit);
}

void learn_output_tell(const struct learn *learn) {
  const struct training *training = &learn->training;
  struct plan_quota left = session_left(&learn->session), limit = plan_limit(&training->plan);
  struct learn_output_cost total = learn_output_total(learn);
  char text[RATIONAL_TEXT];
  learn_output_tell_asked(learn);
  if (learn->has_score)
    say_text("the student is right on %.1f %% of %zu test records\n",
             100.0 * (double)learn->right / (double)learn->tested, learn->tested);
  if (learn->is_counted || learn->estimate.den) {
    rational_print(total.epsilon.num, total.epsilon.den, text);
    say_text("total epsilon %s: the plan%s%s\n", text, learn->is_counted ? ", the count" : "",
             learn->estimate.den ? ", the estimate" : "");
  }
  learn_output_tell_left("silences", left.silences, limit.silences);
  learn_output_tell_left("answers", left.answers, limit.answers);
  say_text("written: %s/student.model labels.csv plan summary.json; ledger: %s\n", learn->output,
           training->session.ledger_path);
  if (training->is_seeded) say_line("NOT PRIVATE: made with --unsafe-seed");
}

void learn_output_tidy(struct learn *learn) {
  for (size_t i = 0; learn->staging && i < LEARN_OUTPUT_FILES; i++) {
    char *path;
    if (!learn_output_path(&path, learn->staging, i)) unlink(path);
    free(path);
  }
  if (learn->staging) rmdir(learn->staging);
  if (learn->made_folder) output_unmake_folder(learn->output, learn->kept);
}
