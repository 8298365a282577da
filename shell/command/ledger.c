/* fumata ledger: what was spent on a data set, and whether the file is whole. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "command/commands.h"
#include "command/options.h"
#include "gate/ledger_look.h"

/* A name comes from a file: no control characters reach the terminal. */
static void command_ledger_plain_text(const char *text) {
  for (; *text; text++)
    putchar(iscntrl((unsigned char)*text) ? '?' : *text);
}

/* Reservations that a crash left behind: paid for, and no row knows whether they were used. */
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
  putchar('\n');
}

static void command_ledger_json_field(const char *name, const char *text) {
  if (!text) return;
  printf(", \"%s\": ", name);
  json_text(stdout, text);
}

static void command_ledger_json_count(const char *name, int64_t count) {
  if (count >= 0) printf(", \"%s\": %" PRId64, name, count);
}

static void command_ledger_json_row(void *context, const struct ledger_row *row) {
  int *is_later = context;
  printf("%s\n    {\"number\": %" PRIu64, *is_later ? "," : "", row->number);
  *is_later = 1;
  command_ledger_json_field("time", row->time);
  command_ledger_json_field("kind", row->kind);
  command_ledger_json_count("plan", row->plan);
  command_ledger_json_count("left", row->left);
  command_ledger_json_count("labels", row->labels);
  command_ledger_json_count("silences", row->silences);
  command_ledger_json_count("answers_left", row->answers_left);
  command_ledger_json_count("answers", row->answers);
  command_ledger_json_field("epsilon", row->epsilon);
  command_ledger_json_field("delta", row->delta);
  command_ledger_json_field("note", row->note);
  /* Not the salt, nor what it salts: with both one could try what is in the private file. */
  if (row->mark && strcmp(row->kind, "made") != 0 && strcmp(row->kind, "data") != 0) {
    char mark[DIGEST_TEXT];
    digest_print(row->mark, mark);
    command_ledger_json_field("mark", mark);
  }
  putchar('}');
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
  for (size_t i = 0; i < ledger->plan_count; i++)
    command_ledger_text_plan(ledger->plans + i);
  if (ledger->charges) printf("charges   %" PRIu64 " besides the plans\n", ledger->charges);
  ledger_head(ledger, head);
  printf("head      %s\n", head);
  if (with_rows) code = ledger_visit(ledger, command_ledger_text_row, NULL);
  return code;
}

static void command_ledger_json_plan(const struct ledger_plan *plan) {
  const struct plan_quota limit = plan->terms.limit, lost = command_ledger_lost(plan);
  char epsilon[RATIONAL_TEXT], delta[RATIONAL_TEXT], digest[DIGEST_TEXT];
  digest_print(plan->terms.digest, digest);
  printf("\n    {\"plan\": %" PRIu64 ", \"mechanism\": \"%s\", \"epsilon\": \"%s\", \"delta\": \"%s\", "
         "\"begun\": \"%s\", \"digest\": \"%s\", \"limit\": %" PRIu32 ", \"left\": %" PRIu32 ", \"silences\": %" PRIu64
         ", \"lost\": %" PRIu32 ", \"labels\": %" PRIu64 ", \"sessions\": %" PRIu64 ", \"unclosed\": %" PRIu64,
         plan->number, plan_mechanism_name(plan->terms.mechanism), rational_text(plan->terms.epsilon, "0", epsilon),
         rational_text(plan->terms.delta, "0", delta), plan->begun, digest, limit.silences, plan->left.silences,
         plan->silences, lost.silences, plan->labels, plan->sessions, plan->unclosed);
  if (limit.answers)
    printf(", \"answers_limit\": %" PRIu32 ", \"answers_left\": %" PRIu32 ", \"answers\": %" PRIu64
           ", \"answers_lost\": %" PRIu32,
           limit.answers, plan->left.answers, plan->answers, lost.answers);
  putchar('}');
}

/* Numbers that are exact are text, so that no reader makes doubles of them. */
static int command_ledger_show_json(struct ledger *ledger, int with_rows) {
  char a[RATIONAL_TEXT], head[DIGEST_TEXT];
  int code = EXIT_OK, is_later = 0;
  fputs("{\n  \"ledger\": ", stdout);
  json_text(stdout, ledger->path);
  fputs(",\n  \"name\": ", stdout);
  json_text(stdout, ledger->name);
  printf(",\n  \"version\": %d,\n  \"made\": \"%s\",\n  \"row_count\": %" PRIu64, LEDGER_VERSION, ledger->made,
         ledger->rows);
  printf(",\n  \"spent_epsilon\": \"%s\"", rational_text(ledger->spent_epsilon, "0", a));
  printf(",\n  \"spent_delta\": \"%s\"", rational_text(ledger->spent_delta, "0", a));
  if (ledger->total_epsilon.den) printf(",\n  \"total_epsilon\": \"%s\"", rational_text(ledger->total_epsilon, "", a));
  if (ledger->total_delta.den) printf(",\n  \"total_delta\": \"%s\"", rational_text(ledger->total_delta, "", a));
  printf(",\n  \"charges\": %" PRIu64, ledger->charges);
  fputs(",\n  \"plans\": [", stdout);
  for (size_t i = 0; i < ledger->plan_count; i++) {
    if (i) putchar(',');
    command_ledger_json_plan(ledger->plans + i);
  }
  fputs(ledger->plan_count ? "\n  ]" : "]", stdout);
  if (with_rows) {
    fputs(",\n  \"rows\": [", stdout);
    code = ledger_visit(ledger, command_ledger_json_row, &is_later);
    fputs("\n  ]", stdout);
  }
  ledger_head(ledger, head);
  printf(",\n  \"head\": \"%s\"\n}\n", head);
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
    code = error_report(EXIT_REFUSED, "%s: the ledger does not contain that head: it is another or an older one", path);
  if (!code) {
    ledger_head(&look.ledger, head);
    if (wish->json)
      printf("{\"whole\": true, \"row_count\": %" PRIu64 ", \"head\": \"%s\"}\n", look.ledger.rows, head);
    else
      printf("%s: whole, %" PRIu64 " rows, head %s\n", path, look.ledger.rows, head);
  }
  ledger_look_shut(&look);
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
  if (rows > 1) return error_report(EXIT_REFUSED, "%s: there is a ledger already, and it has been used", path);
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
    {"json", NULL, options_flag, COMMAND_LEDGER_AT(json), .help = "for programs (show, verify)"},
    {0}};

static const struct options_group command_ledger_groups[] = {{NULL, command_ledger_rows, 0}, {0}};

static const struct options_command command_ledger_command = {
    .name = "ledger",
    .before =
        "usage: fumata ledger show FILE [--rows] [--json]      what was spent, by which plan, what is left\n"
        "       fumata ledger verify FILE [--head DIGEST]     is the file whole, and not older than DIGEST?\n"
        "       fumata ledger make FILE [OPTION...]           an empty ledger, before the first learn or answer\n"
        "\n"
        "A ledger belongs to one private data set, and lies beside it unless told otherwise. Every plan opened on\n"
        "the data adds its epsilon and delta; the total, set here or by the first run, is a ceiling that a run\n"
        "passes only with --raise-total.\n"
        "\n",
    .groups = command_ledger_groups,
    .after = "\n"
             "examples\n"
             "  fumata ledger make clinic.csv.ledger --name clinic --total-epsilon 3 --total-delta 1e-5\n"
             "  fumata ledger show clinic.csv.ledger\n"
             "  fumata ledger verify clinic.csv.ledger --head 9f2c...\n"
             "\n"
             "An older copy put in a ledger's place is whole in itself. Keep the head that `show` prints with your\n"
             "results: `verify --head` tells a file that has grown from it from one that was put back.\n",
    .arguments = OPTIONS_ANY};

/* Which options were given, as a set. */
enum { COMMAND_LEDGER_JSON = 1, COMMAND_LEDGER_ROWS = 2, COMMAND_LEDGER_HEAD = 4, COMMAND_LEDGER_TERMS = 8 };

static int command_ledger_given(const struct command_ledger_wish *wish) {
  int terms = wish->open.name || wish->open.total_epsilon.den || wish->open.total_delta.den;
  return (wish->json ? COMMAND_LEDGER_JSON : 0) | (wish->rows ? COMMAND_LEDGER_ROWS : 0) |
         (wish->has_head ? COMMAND_LEDGER_HEAD : 0) | (terms ? COMMAND_LEDGER_TERMS : 0);
}

static const struct {
  const char *name;
  int (*run)(const char *path, struct command_ledger_wish *wish);
  int takes; /* the options that mean something here */
} command_ledger_actions[] = {{"show", command_ledger_show, COMMAND_LEDGER_JSON | COMMAND_LEDGER_ROWS},
                              {"verify", command_ledger_verify, COMMAND_LEDGER_JSON | COMMAND_LEDGER_HEAD},
                              {"make", command_ledger_make, COMMAND_LEDGER_TERMS}};
#define COMMAND_LEDGER_ACTIONS (sizeof command_ledger_actions / sizeof *command_ledger_actions)

int command_ledger(int argc, char **argv) {
  struct command_ledger_wish wish = {0};
  struct options_rest rest;
  size_t i = 0;
  int code = options_parse(&command_ledger_command, argc, argv, &wish, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 2) {
    options_help(&command_ledger_command, stderr);
    return EXIT_INPUT;
  }
  while (i < COMMAND_LEDGER_ACTIONS && strcmp(rest.word[0], command_ledger_actions[i].name) != 0)
    i++;
  if (i == COMMAND_LEDGER_ACTIONS)
    return error_report(EXIT_INPUT, "no action '%s'; fumata ledger --help lists them", rest.word[0]);
  if (command_ledger_given(&wish) & ~command_ledger_actions[i].takes)
    return error_report(EXIT_INPUT, "an option that ledger %s does not have; see fumata ledger --help", rest.word[0]);
  return command_ledger_actions[i].run(rest.word[1], &wish);
}
