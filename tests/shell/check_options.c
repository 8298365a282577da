#include "command/options.h"

#include "base/error.h"
#include "base/rational.h"
#include "base/say.h"
#include "plan/plan_meter.h"
#include "support/scratch.h"

/* A command that has an option of every kind, some of them in a fragment that lies inside its struct. */
struct fragment {
  const char *title;
  uint32_t teachers;
};

struct values {
  int flag, colour;
  double share;
  uint64_t queries;
  struct rational ratio;
  struct plan_target target;
  char own[8];
  struct fragment fragment;
};

static int take_own(const struct options_row *row, const char *text, void *value) {
  if (strlen(text) > 7) return error_report(EXIT_INPUT, "--%s is too long", row->name);
  strcpy(value, text);
  return EXIT_OK;
}

static const struct options_row fragment_rows[] = {
    {"title", "TEXT", options_text, offsetof(struct fragment, title), .letter = 't', .help = "what it is called"},
    {"teachers", "K", options_count, offsetof(struct fragment, teachers), .most = 100, .help = "how many teach"},
    {0}};

static const struct options_choice colours[] = {{"red", 7}, {"green", 8}, {"blue", 9}, {NULL, 0}};

static const struct options_row own_rows[] = {
    {"flag", NULL, options_flag, offsetof(struct values, flag), .letter = 'f', .help = "wave it"},
    {"colour", "C", options_choice, offsetof(struct values, colour), .choices = colours, .help = "red, green or blue"},
    {"share", "S", options_share, offsetof(struct values, share), .above = 0.5, .most = 1, .help = "more than half"},
    {"shares", "S", options_share, offsetof(struct values, share), .above = 0.5, .most = 1, .help = "a longer name"},
    {"queries", "M", options_long_count, offsetof(struct values, queries), .most = 1e12,
     .help =
         "so many that a line of a hundred and twenty columns does not hold all that there is to be said about them "
         "here, whoever says it"},
    {"ratio", "R", options_ratio, offsetof(struct values, ratio), .wanted = "a good ratio", .help = "exact"},
    {"epsilon", "E", options_epsilon, offsetof(struct values, target), .help = "a price"},
    {"delta", "D", options_delta, offsetof(struct values, target), .help = "a smaller price"},
    {"own", "TEXT", take_own, offsetof(struct values, own), .help = "a kind of its own"},
    {"secret", NULL, options_flag, offsetof(struct values, flag), .help = NULL},
    {0}};

static const struct options_group groups[] = {
    {"first things", fragment_rows, offsetof(struct values, fragment)}, {"other things", own_rows, 0}, {0}};

static const struct options_command command = {
    .name = "try", .before = "usage: fumata try\n\n", .groups = groups, .after = "\nthe end\n", .arguments = 1};

static struct values values;
static struct options_rest rest;

/* Parses a line of words that are separated by blanks. */
static int parse(const char *line) {
  static char text[256];
  static char *argv[32];
  int argc = 0;
  strcpy(text, line);
  memset(&values, 0, sizeof values);
  argv[argc++] = "try";
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
    argv[argc++] = word;
  return options_parse(&command, argc, argv, &values, &rest);
}

static void refuse(const char *line, const char *part) {
  scratch_expect(EXIT_INPUT, parse(line), part);
}

START_TEST(test_values) {
  ck_assert_int_eq(parse("--title x --teachers 100 -f --colour green --share 0.75 --queries 1000000000000"), EXIT_OK);
  ck_assert_str_eq(values.fragment.title, "x");
  ck_assert_uint_eq(values.fragment.teachers, 100);
  ck_assert_int_eq(values.flag, 1);
  ck_assert_int_eq(values.colour, 8);
  ck_assert(values.share == 0.75);
  ck_assert_uint_eq(values.queries, UINT64_C(1000000000000));
  ck_assert_int_eq(parse("--ratio 3.16 --epsilon 0.5 --delta=1e-5 --own abc"), EXIT_OK);
  ck_assert(values.ratio.num == 79 && values.ratio.den == 25);
  ck_assert(values.target.epsilon_num == 1 && values.target.epsilon_den == 2);
  ck_assert(values.target.delta_num == 1 && values.target.delta_den == 100000);
  ck_assert_str_eq(values.own, "abc");
  ck_assert_int_eq(values.flag, 0);
}
END_TEST

START_TEST(test_ways_to_say_it) {
  ck_assert_int_eq(parse("--title=a=b"), EXIT_OK);
  ck_assert_str_eq(values.fragment.title, "a=b");
  ck_assert_int_eq(parse("--title= word"), EXIT_OK);
  ck_assert_str_eq(values.fragment.title, "");
  ck_assert_int_eq(parse("--title --flag"), EXIT_OK); /* a value may look like an option */
  ck_assert_str_eq(values.fragment.title, "--flag");
  ck_assert_int_eq(values.flag, 0);
  ck_assert_int_eq(parse("-t x"), EXIT_OK);
  ck_assert_str_eq(values.fragment.title, "x");
  ck_assert_int_eq(parse("-ftx"), EXIT_OK);
  ck_assert_str_eq(values.fragment.title, "x");
  ck_assert_int_eq(values.flag, 1);
  ck_assert_int_eq(parse("--title a --title b"), EXIT_OK); /* the last one holds */
  ck_assert_str_eq(values.fragment.title, "b");
  ck_assert_int_eq(parse("--secret"), EXIT_OK);
  ck_assert_int_eq(values.flag, 1);
}
END_TEST

START_TEST(test_prefixes) {
  ck_assert_int_eq(parse("--te 5 --fl --col=red"), EXIT_OK);
  ck_assert_uint_eq(values.fragment.teachers, 5);
  ck_assert_int_eq(values.flag, 1);
  ck_assert_int_eq(values.colour, 7);
  ck_assert_int_eq(parse("--share 0.6"), EXIT_OK); /* as it is, though --shares begins so too */
  ck_assert(values.share == 0.6);
  refuse("--t 5", "no option '--t'; fumata try --help");
  refuse("--sha 0.6", "no option '--sha'");
  refuse("--=5", "no option '--=5'");
}
END_TEST

START_TEST(test_unknown) {
  refuse("--nope", "fumata: no option '--nope'; fumata try --help");
  refuse("--nope=5 --flag", "no option '--nope=5'");
  refuse("--flags", "no option '--flags'");
  refuse("--flag=1", "no option '--flag=1'"); /* a flag has no value */
  refuse("-x", "no option '-x'");
  refuse("-fx", "no option '-fx'");
  refuse("-F", "no option '-F'");
}
END_TEST

START_TEST(test_missing_values) {
  refuse("--title", "fumata: --title needs a value; fumata try --help");
  refuse("--flag --te", "--te needs a value");
  refuse("-t", "-t needs a value; fumata try --help");
}
END_TEST

START_TEST(test_wrong_values) {
  refuse("--teachers 0", "--teachers: '0' is not a whole number from 1 to 100");
  refuse("--teachers 101", "--teachers: '101' is not a whole number from 1 to 100");
  refuse("--teachers 4294967297", "is not a whole number from 1 to 100");
  refuse("--teachers 1.5", "is not a whole number");
  refuse("--teachers 5abc", "--teachers: '5abc' is not a whole number");
  refuse("--teachers -5", "is not a whole number");
  refuse("--teachers=", "--teachers: '' is not a whole number");
  refuse("--queries 1000000000001", "--queries: '1000000000001' is not a whole number from 1 to 1000000000000");
  refuse("--share 0.5", "--share: '0.5' is not a share above 0.5 and up to 1");
  refuse("--share 1.01", "is not a share");
  refuse("--share most", "is not a share");
  refuse("--ratio x", "--ratio: 'x' is not a good ratio");
  refuse("--colour pink", "--colour: 'pink' is not one of red, green, blue");
  refuse("--epsilon 0", "--epsilon: '0' is not a positive number");
  refuse("--delta 1", "--delta: '1' must be below 1");
  refuse("--own abcdefgh", "--own is too long");
  refuse("--title 1234567890123456789012345678901234567890 --ratio abcdefghijabcdefghijabcdefghijabcdefghijk",
         "'abcdefghijabcdefghijabcdefghijabcdefghij' is not");
}
END_TEST

START_TEST(test_words) {
  ck_assert_int_eq(parse(""), EXIT_OK);
  ck_assert_int_eq(rest.count, 0);
  ck_assert_int_eq(parse("--flag a --teachers 5"), EXIT_OK);
  ck_assert_int_eq(rest.count, 1);
  ck_assert_str_eq(rest.word[0], "a");
  ck_assert_uint_eq(values.fragment.teachers, 5);
  ck_assert_int_eq(parse("-"), EXIT_OK);
  ck_assert_str_eq(rest.word[0], "-");
  ck_assert_int_eq(parse("--flag -- --teachers"), EXIT_OK);
  ck_assert_int_eq(rest.count, 1);
  ck_assert_str_eq(rest.word[0], "--teachers");
  ck_assert_int_eq(parse("-- --"), EXIT_OK);
  ck_assert_str_eq(rest.word[0], "--");
  refuse("a b --flag", "fumata: 'b' is not expected here; fumata try --help");
  ck_assert_int_eq(values.flag, 1); /* said at the end, so that a wrong option is said first */
  refuse("a b --nope", "no option '--nope'");
}
END_TEST

/* The help of the command as one text. */
static char *help_text(void) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  ck_assert_ptr_nonnull(stream);
  options_help(&command, stream);
  fclose(stream);
  return text;
}

START_TEST(test_help_says_all) {
  char *text = help_text();
  ck_assert(strncmp(text, "usage: fumata try\n\nfirst things\n", 32) == 0);
  ck_assert_ptr_nonnull(strstr(text, "\n  -t, --title TEXT  what it is called\n  --teachers K      how many teach\n"));
  ck_assert_ptr_nonnull(strstr(text, "\nother things\n  -f, --flag        wave it\n"));
  ck_assert_ptr_nonnull(strstr(text, "\n\nthe end\n"));
  for (const struct options_group *group = groups; group->rows; group++)
    for (const struct options_row *row = group->rows; row->name; row++) {
      char name[64];
      snprintf(name, sizeof name, "--%s ", row->name);
      ck_assert_msg((strstr(text, name) != NULL) == (row->help != NULL), "%s in: %s", name, text);
    }
  free(text);
}
END_TEST

START_TEST(test_help_is_wrapped) {
  char *text = help_text();
  ck_assert_ptr_nonnull(strstr(text, "\n                    them here, whoever says it\n"));
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    ck_assert_msg(strlen(line) <= 120 && line[strlen(line) - 1] != ' ', "'%s'", line);
  free(text);
}
END_TEST

START_TEST(test_every_command_has) {
  ck_assert_int_eq(parse("--flag"), EXIT_OK);
  ck_assert_int_eq(say_level(), SAY_NORMAL);
  ck_assert_int_eq(parse("-q"), EXIT_OK);
  ck_assert_int_eq(say_level(), SAY_QUIET);
  ck_assert_int_eq(parse("--verbose"), EXIT_OK);
  ck_assert_int_eq(say_level(), SAY_VERBOSE);
}
END_TEST

START_TEST(test_help_is_an_option) {
  ck_assert_ptr_nonnull(freopen("help", "w", stdout));
  ck_assert_int_eq(parse("-h"), EXIT_OK);
  ck_assert_int_eq(rest.is_help, 1);
  ck_assert_int_eq(parse("a b --he --nope"), EXIT_OK); /* nothing after it is looked at */
  ck_assert_int_eq(rest.is_help, 1);
  refuse("--nope --help", "no option '--nope'");
  ck_assert_int_eq(parse("--flag"), EXIT_OK);
  ck_assert_int_eq(rest.is_help, 0);
}
END_TEST

SCRATCH_MAIN("options", test_values, test_ways_to_say_it, test_prefixes, test_unknown, test_missing_values,
             test_wrong_values, test_words, test_help_says_all, test_help_is_wrapped, test_help_is_an_option,
             test_every_command_has)
