/* fumata ledger: what was spent on a data set, and whether the file is whole. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/quote.h"
#include "command/commands.h"
#include "command/options.h"
#include "gate/ledger_look.h"
#include "gate/poll_session.h"
#include "run/answering.h"

/* A name comes from a file: no control characters reach the terminal. */
static void command_ledger_plain_text(const char *text) {
  for (; *text; text++)
    putchar(iscntrl((unsigned char)*text) ? '?' : *text);
}

/* Reservations that a crash left behind: paid for, and not known to be used. */
static struct plan_quota command_ledger_lost(const struct ledger_plan *plan) {
  const struct plan_quota limit = plan->terms.limit, left = plan->left, reserved = plan->reserved;
  return (struct plan_quota){limit.silences - left.silences - reserved.silences - (uint32_t)plan->silences,
                             limit.answers - left.answers - reserved.answers - (uint32_t)plan->answers};
}

static void command_ledger_text_row(void *context, const struct ledger_row *row) {
  (void)context;
  printf("%6" PRIu64 " %s %-7s", row->number, row->time, row->kind);
  if (row->plan >= 0) printf(" plan %" PRId64, row->plan);
  if (row->left >= 0) printf(" left %" PRId64, row->left);
  if (row->labels >= 0) printf(" labels %" PRId64, row->labels);
  if (row->silences >= 0) printf(" silences %" PRId64, row->silences);
  if (row->answers_left >= 0) printf(" answers left %" PRId64, row->answers_left);
  if (row->answers >= 0) printf(" answers %" PRId64, row->answers);
  if (row->epsilon) printf(" epsilon %s", row->epsilon);
  if (row->delta) printf(" delta %s", row->delta);
  if (row->note) {
    putchar(' ');
    command_ledger_plain_text(row->note);
  }
  if (row->protects) {
    fputs(" protects ", stdout);
    command_ledger_plain_text(row->protects);
  }
  putchar('\n');
}

static void command_ledger_field(struct json *json, const char *name, const char *text) {
  if (text) json_string(json, name, text);
}

static void command_ledger_count(struct json *json, const char *name, int64_t count) {
  if (count >= 0) json_print(json, name, "%" PRId64, count);
}

static void command_ledger_json_row(void *context, const struct ledger_row *row) {
  struct json *json = context;
  json_open(json, NULL, '{', 0);
  json_print(json, "number", "%" PRIu64, row->number);
  command_ledger_field(json, "time", row->time);
  command_ledger_field(json, "kind", row->kind);
  command_ledger_count(json, "plan", row->plan);
  command_ledger_count(json, "left", row->left);
  command_ledger_count(json, "labels", row->labels);
  command_ledger_count(json, "silences", row->silences);
  command_ledger_count(json, "answers_left", row->answers_left);
  command_ledger_count(json, "answers", row->answers);
  command_ledger_field(json, "epsilon", row->epsilon);
  command_ledger_field(json, "delta", row->delta);
  command_ledger_field(json, "note", row->note);
  command_ledger_field(json, "protects", row->protects);
  /* Neither the salt nor the salted digest: with both one could try out guesses of the private file. */
  if (row->mark && strcmp(row->kind, "made") != 0 && strcmp(row->kind, "data") != 0) {
    char mark[DIGEST_TEXT];
    digest_print(row->mark, mark);
    json_string(json, "mark", mark);
  }
  json_close(json);
}

static void command_ledger_text_plan(const struct ledger_plan *plan) {
  const struct plan_quota lost = command_ledger_lost(plan);
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], digest[DIGEST_TEXT];
  digest_print(plan->terms.digest, digest);
  printf("plan %-4" PRIu64 " %s, epsilon %s, delta %s, begun %s, digest %.16s\n", plan->number,
         plan_mechanism_name(plan->terms.mechanism), rational_text(plan->terms.epsilon, "0", epsilon),
         rational_text(plan->terms.delta, "0", delta), plan->begun, digest);
  fputs("          ", stdout);
  if (plan->terms.limit.silences)
    printf("%" PRIu32 " silences: %" PRIu64 " answered, %" PRIu32 " lost in crashes, %" PRIu32 " left; %" PRIu64
           " labels; ",
           plan->terms.limit.silences, plan->silences, lost.silences, plan->left.silences, plan->labels);
  if (plan->terms.limit.answers)
    printf("%" PRIu32 " answers: %" PRIu64 " given, %" PRIu32 " lost in crashes, %" PRIu32 " left; ",
           plan->terms.limit.answers, plan->answers, lost.answers, plan->left.answers);
  printf("sessions %" PRIu64 ", of which %" PRIu64 " not closed\n", plan->sessions, plan->unclosed);
}

static void command_ledger_text_protects(const struct ledger *ledger) {
  if (ledger->protected) {
    fputs("protects  ", stdout);
    command_ledger_plain_text(ledger->protected);
    puts(ledger->mixes ? ", and others: the sum of what was spent is not a claim" : "");
  }
  if (ledger->was_seeded) puts("NOT PRIVATE: something was released with --unsafe-seed");
}

static int command_ledger_show_text(struct ledger *ledger, int with_rows) {
  char a[RATIONAL_TEXT], b[RATIONAL_TEXT], head[DIGEST_TEXT];
  int code = EXIT_OK;
  printf("ledger    %s", ledger->path);
  if (ledger->name[0]) {
    fputs(", data set ", stdout);
    command_ledger_plain_text(ledger->name);
  }
  printf(", made %s, %" PRIu64 " rows\n", ledger->made, ledger->rows);
  printf("epsilon   %s spent, total %s\n", rational_text(ledger->spent_epsilon, "0", a),
         rational_text(ledger->total_epsilon, "unlimited", b));
  printf("delta     %s spent, total %s\n", rational_text(ledger->spent_delta, "0", a),
         rational_text(ledger->total_delta, "unlimited", b));
  command_ledger_text_protects(ledger);
  for (size_t i = 0; i < ledger->plan_count; i++)
    command_ledger_text_plan(ledger->plans + i);
  if (ledger->charges) printf("charges   %" PRIu64 " besides the plans\n", ledger->charges);
  ledger_head(ledger, head);
  printf("head      %s\n", head);
  if (with_rows) code = ledger_visit(ledger, command_ledger_text_row, NULL);
  return code;
}

static void command_ledger_json_plan(struct json *json, const struct ledger_plan *plan) {
  const struct plan_quota limit = plan->terms.limit, lost = command_ledger_lost(plan);
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], digest[DIGEST_TEXT];
  digest_print(plan->terms.digest, digest);
  json_open(json, NULL, '{', 0);
  json_print(json, "plan", "%" PRIu64, plan->number);
  json_string(json, "mechanism", plan_mechanism_name(plan->terms.mechanism));
  json_string(json, "epsilon", rational_text(plan->terms.epsilon, "0", epsilon));
  json_string(json, "delta", rational_text(plan->terms.delta, "0", delta));
  json_string(json, "begun", plan->begun);
  json_string(json, "protects", plan->protects);
  json_string(json, "digest", digest);
  json_print(json, "limit", "%" PRIu32, limit.silences);
  json_print(json, "left", "%" PRIu32, plan->left.silences);
  json_print(json, "silences", "%" PRIu64, plan->silences);
  json_print(json, "lost", "%" PRIu32, lost.silences);
  json_print(json, "labels", "%" PRIu64, plan->labels);
  json_print(json, "sessions", "%" PRIu64, plan->sessions);
  json_print(json, "unclosed", "%" PRIu64, plan->unclosed);
  if (limit.answers) {
    json_print(json, "answers_limit", "%" PRIu32, limit.answers);
    json_print(json, "answers_left", "%" PRIu32, plan->left.answers);
    json_print(json, "answers", "%" PRIu64, plan->answers);
    json_print(json, "answers_lost", "%" PRIu32, lost.answers);
  }
  json_close(json);
}

/* Exact numbers are strings, so that a reader does not round them to doubles. */
static int command_ledger_show_json(struct ledger *ledger, int with_rows) {
  struct json json = {.out = stdout};
  char a[RATIONAL_TEXT], head[DIGEST_TEXT];
  int code = EXIT_OK;
  json_open(&json, NULL, '{', 1);
  json_string(&json, "ledger", ledger->path);
  json_string(&json, "name", ledger->name);
  json_print(&json, "version", "%d", LEDGER_VERSION);
  json_string(&json, "made", ledger->made);
  json_print(&json, "row_count", "%" PRIu64, ledger->rows);
  json_string(&json, "spent_epsilon", rational_text(ledger->spent_epsilon, "0", a));
  json_string(&json, "spent_delta", rational_text(ledger->spent_delta, "0", a));
  command_ledger_field(&json, "total_epsilon", rational_text(ledger->total_epsilon, NULL, a));
  command_ledger_field(&json, "total_delta", rational_text(ledger->total_delta, NULL, a));
  json_print(&json, "charges", "%" PRIu64, ledger->charges);
  command_ledger_field(&json, "protects", ledger->protected);
  json_print(&json, "mixes_neighbours", "%s", ledger->mixes ? "true" : "false");
  json_print(&json, "private", "%s", ledger->was_seeded ? "false" : "true");
  json_open(&json, "plans", '[', 1);
  for (size_t i = 0; i < ledger->plan_count; i++)
    command_ledger_json_plan(&json, ledger->plans + i);
  json_close(&json);
  if (with_rows) {
    json_open(&json, "rows", '[', 1);
    code = ledger_visit(ledger, command_ledger_json_row, &json);
    json_close(&json);
  }
  ledger_head(ledger, head);
  json_string(&json, "head", head);
  json_close(&json);
  return code;
}

struct command_ledger_wish {
  int json, rows, has_head;
  uint8_t head[DIGEST_SIZE]; /* noted earlier */
  struct ledger_options open;
};

static int command_ledger_show(const char *path, struct command_ledger_wish *wish) {
  struct ledger_look look;
  int code = ledger_look_open(&look, path, NULL);
  if (!code) code = (wish->json ? command_ledger_show_json : command_ledger_show_text)(&look.ledger, wish->rows);
  ledger_look_shut(&look);
  return code;
}

static int command_ledger_verify(const char *path, struct command_ledger_wish *wish) {
  struct ledger_look look;
  char head[DIGEST_TEXT];
  int code = ledger_look_open(&look, path, wish->has_head ? wish->head : NULL);
  if (!code && wish->has_head && !look.ledger.reached)
    code = error_report(EXIT_REFUSED,
                        "%s: the ledger does not contain that head: it is another ledger or an older copy", path);
  if (!code) {
    ledger_head(&look.ledger, head);
    if (wish->json) {
      struct json json = {.out = stdout};
      json_open(&json, NULL, '{', 0);
      json_print(&json, "whole", "true");
      json_print(&json, "row_count", "%" PRIu64, look.ledger.rows);
      json_string(&json, "head", head);
      json_close(&json);
    } else {
      printf("%s: whole, %" PRIu64 " rows, head %s\n", path, look.ledger.rows, head);
    }
  }
  ledger_look_shut(&look);
  return code;
}

/* ---- answers ---- */

/* What the journal says about the session that is being printed: for teachers with each answer, for a poll at its beginning. */
struct command_ledger_answers {
  const char *path;
  int json;
  char *names; /* a text about a session (run/questions.h) */
  size_t size;
};

/* One answer, as it is printed: `answer` is a class or, for a poll, one of the two sides. */
struct command_ledger_line {
  uint64_t plan, id;
  const char *kind, *answer, *first, *second; /* NULL: silence; no two candidates */
  const char *radius;                         /* poll only */
};

static void command_ledger_print_line(const struct command_ledger_line *line, int is_json) {
  struct json json = {.out = stdout};
  if (is_json) {
    json_open(&json, NULL, '{', 0);
    json_print(&json, "plan", "%" PRIu64, line->plan);
    json_print(&json, "id", "%" PRIu64, line->id);
    json_string(&json, "answer", line->answer);
    json_string(&json, "kind", line->kind);
    if (line->first) json_string(&json, "first", line->first);
    if (line->second) json_string(&json, "second", line->second);
    if (line->radius) json_print(&json, "radius", "%s", line->radius);
    json_close(&json);
    return;
  }
  printf("%" PRIu64 ",%" PRIu64 ",", line->plan, line->id);
  answering_print(stdout, line->answer);
  printf(",%s,", line->kind);
  if (line->first) quote_csv(stdout, line->first, ',');
  fputs(",", stdout);
  if (line->second) quote_csv(stdout, line->second, ',');
  printf(",%s\n", line->radius ? line->radius : "");
}

/* The classes that a poll's question gives a weight of this sign, with bars between them and, if `is_weighed`, each with its weight
 * unless that is 1. To be freed. */
static char *command_ledger_side(const struct command_ledger_answers *answers, const struct poll_session_asked *asked,
                                 int sign, int is_weighed) {
  char *text = NULL, *end;
  size_t size;
  const char *at = asked->weights;
  FILE *out = open_memstream(&text, &size);
  if (!out) return memory_short(), NULL;
  for (int32_t c = 0, count = 0; at < asked->end; c++, at = end) {
    long weight = sign * strtol(at, &end, 10);
    const char *name = questions_name(answers->names, answers->size, c);
    if (end == at) break;
    if (weight <= 0) continue;
    if (count++) fputc('|', out);
    if (name) fputs(name, out);
    if (!name) fprintf(out, "%" PRId32, c);
    if (weight > 1 && is_weighed) fprintf(out, ":%ld", weight);
  }
  return fclose(out) ? free(text), memory_short(), NULL : text;
}

static int command_ledger_print_poll(const struct command_ledger_answers *answers, const struct journal_batch *batch,
                                     const struct poll_session_asked *asked, const struct journal_answer *one) {
  char *answer = command_ledger_side(answers, asked, one->answer ? 1 : -1, 0), radius[24];
  char *first = command_ledger_side(answers, asked, -1, 1), *second = command_ledger_side(answers, asked, 1, 1);
  struct command_ledger_line line = {batch->plan, one->query, "poll", answer, first, second, radius};
  int is_whole = answer && first && second;
  snprintf(radius, sizeof radius, "%" PRIu32, asked->radius);
  if (is_whole) command_ledger_print_line(&line, answers->json);
  free(answer);
  free(first);
  free(second);
  return is_whole ? EXIT_OK : EXIT_SYSTEM;
}

static void command_ledger_print_vote(const struct command_ledger_answers *answers, const struct journal_batch *batch,
                                      const struct journal_answer *one) {
  int is_duel = one->kind == PLAN_KIND_TOLL;
  const int32_t class[3] = {one->answer, (int32_t)one->first, (int32_t)one->second};
  const char *text[3];
  char number[3][24];
  struct command_ledger_line line;
  for (int i = 0; i < 3; i++) {
    snprintf(number[i], sizeof number[i], "%" PRId32, class[i]);
    text[i] = questions_name(batch->about, batch->about_size, class[i]);
    if (!text[i]) text[i] = number[i];
  }
  line = (struct command_ledger_line){batch->plan,
                                      one->query,
                                      is_duel ? "toll" : "meter",
                                      one->answer < 0 ? NULL : text[0],
                                      is_duel ? text[1] : NULL,
                                      is_duel ? text[2] : NULL,
                                      NULL};
  command_ledger_print_line(&line, answers->json);
}

/* A poll's batch of answers follows the batch of its questions, whose text it still has. */
static int command_ledger_print(void *context, const struct journal_batch *batch) {
  struct command_ledger_answers *answers = context;
  struct poll_session_asked asked;
  size_t at = 0;
  int code = EXIT_OK;
  if (!batch->count && (!batch->about_size || memchr(batch->about, 0, batch->about_size))) { /* a session begins */
    free(answers->names);
    answers->size = batch->about_size;
    answers->names = memory_copy(batch->about, batch->about_size);
    return answers->names ? EXIT_OK : EXIT_SYSTEM;
  }
  for (size_t i = 0; !code && i < batch->count; i++)
    if (batch->answer[i].kind != PLAN_KIND_POLL)
      command_ledger_print_vote(answers, batch, &batch->answer[i]);
    else if (poll_session_asked(batch->about, batch->about_size, &at, &asked) || asked.row != batch->answer[i].query)
      code = error_report(EXIT_INPUT, "%s: damaged: an answer of a poll without its question", answers->path);
    else
      code = command_ledger_print_poll(answers, batch, &asked, &batch->answer[i]);
  return code;
}

static int command_ledger_answers(const char *path, struct command_ledger_wish *wish) {
  struct command_ledger_answers answers = {.path = path, .json = wish->json};
  struct ledger_look look;
  int code = ledger_look_open(&look, path, NULL);
  if (!code && !wish->json) puts("plan,id,answer,kind,first,second,radius");
  if (!code) code = journal_visit(&look.ledger, 0, command_ledger_print, &answers);
  ledger_look_shut(&look);
  free(answers.names);
  return code;
}

static int command_ledger_make(const char *path, struct command_ledger_wish *wish) {
  struct ledger ledger;
  uint64_t rows;
  int code;
  wish->open.make = wish->open.keep = 1;
  code = ledger_open(&ledger, path, &wish->open);
  rows = ledger.rows;
  ledger_shut(&ledger);
  if (code) return code;
  if (rows > 1)
    return error_report(EXIT_REFUSED, "%s: exists already, and has been used; fumata ledger show prints it", path);
  return EXIT_OK;
}

static int command_ledger_head(const struct options_row *row, const char *text, void *value) {
  struct command_ledger_wish *wish = value;
  wish->has_head = 1;
  if (digest_parse(text, wish->head) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "--%s: '%s' is not a digest of 64 hexadecimal digits", row->name, text);
}

#define COMMAND_LEDGER_AT(member) offsetof(struct command_ledger_wish, member)

static const struct options_row command_ledger_rows[] = {
    {"total-epsilon", "E", options_ratio, COMMAND_LEDGER_AT(open.total_epsilon), .wanted = "a positive number",
     .help = "ceiling for the sum of epsilons (make)"},
    {"total-delta", "D", options_ratio, COMMAND_LEDGER_AT(open.total_delta), .wanted = "a positive number",
     .help = "ceiling for the sum of deltas (make)"},
    {"name", "TEXT", options_text, COMMAND_LEDGER_AT(open.name), .help = "a name for the data set, public (make)"},
    {"head", "DIGEST", command_ledger_head, 0,
     .help = "a head noted earlier; refuse a file that does not contain it (verify)"},
    {"rows", NULL, options_flag, COMMAND_LEDGER_AT(rows), .help = "every row, not only the sums (show)"},
    {"json", NULL, options_flag, COMMAND_LEDGER_AT(json), .help = "JSON instead of text (show, answers, verify)"},
    {0}};

static const struct options_group command_ledger_groups[] = {{NULL, command_ledger_rows, 0}, {0}};

static const struct options_command command_ledger_command = {
    .name = "ledger",
    .before =
        "usage: fumata ledger show FILE [--rows] [--json]      what was spent, by which plan, what is left\n"
        "       fumata ledger verify FILE [--head DIGEST]     is the file whole, and not older than DIGEST?\n"
        "       fumata ledger answers FILE [--json]           every answer that was paid for, also after a crash\n"
        "       fumata ledger make FILE [OPTION...]           an empty ledger, before the first learn or answer\n"
        "\n"
        "A ledger belongs to one private data set, and by default lies beside it. Every plan opened on the data\n"
        "adds its epsilon and delta; the total, set here or by the first run, is a ceiling that a run passes only\n"
        "with --raise-total.\n"
        "\n",
    .groups = command_ledger_groups,
    .after = "\n"
             "examples\n"
             "  fumata ledger make clinic.csv.ledger --name clinic --total-epsilon 3 --total-delta 1e-5\n"
             "  fumata ledger show clinic.csv.ledger\n"
             "  fumata ledger answers clinic.csv.ledger > answers.csv\n"
             "  fumata ledger verify clinic.csv.ledger --head 9f2c...\n"
             "\n"
             "An older copy in a ledger's place is consistent too. Keep the head that `show` prints with your\n"
             "results: `verify --head` refuses a ledger that has not grown from it.\n",
    .arguments = OPTIONS_ANY};

/* Options, as a set. */
enum { COMMAND_LEDGER_JSON = 1, COMMAND_LEDGER_ROWS = 2, COMMAND_LEDGER_HEAD = 4, COMMAND_LEDGER_TERMS = 8 };

static const struct {
  const char *name;
  int (*run)(const char *path, struct command_ledger_wish *wish);
  int takes; /* the options that it has */
} command_ledger_actions[] = {{"show", command_ledger_show, COMMAND_LEDGER_JSON | COMMAND_LEDGER_ROWS},
                              {"answers", command_ledger_answers, COMMAND_LEDGER_JSON},
                              {"verify", command_ledger_verify, COMMAND_LEDGER_JSON | COMMAND_LEDGER_HEAD},
                              {"make", command_ledger_make, COMMAND_LEDGER_TERMS}};
#define COMMAND_LEDGER_ACTIONS (sizeof command_ledger_actions / sizeof *command_ledger_actions)

int command_ledger(int argc, char **argv) {
  struct command_ledger_wish wish = {0};
  struct options_rest rest;
  size_t i = 0;
  int given, code = options_parse(&command_ledger_command, argc, argv, &wish, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 2) {
    options_help(&command_ledger_command, stderr);
    return EXIT_INPUT;
  }
  while (i < COMMAND_LEDGER_ACTIONS && strcmp(rest.word[0], command_ledger_actions[i].name) != 0)
    i++;
  if (i == COMMAND_LEDGER_ACTIONS)
    return error_report(EXIT_INPUT, "no action '%s'; give show, answers, verify or make", rest.word[0]);
  given = (wish.json ? COMMAND_LEDGER_JSON : 0) | (wish.rows ? COMMAND_LEDGER_ROWS : 0) |
          (wish.has_head ? COMMAND_LEDGER_HEAD : 0) |
          (wish.open.name || wish.open.total_epsilon.den || wish.open.total_delta.den ? COMMAND_LEDGER_TERMS : 0);
  if (given & ~command_ledger_actions[i].takes)
    return error_report(EXIT_INPUT, "ledger %s does not have that option; fumata ledger --help lists them",
                        rest.word[0]);
  return command_ledger_actions[i].run(rest.word[1], &wish);
}
