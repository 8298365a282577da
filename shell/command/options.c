#include "command/options.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "base/guess.h"
#include "base/rational.h"
#include "base/say.h"
#include "data/csv.h"
#include "plan/plan_meter.h"

#define OPTIONS_WIDTH 120 /* columns of the help */

static int options_wrong(const struct options_row *row, const char *text, const char *wanted) {
  return error_report(EXIT_INPUT, "--%s: '%.40s' is not %s", row->name, text, wanted);
}

int options_flag(const struct options_row *row, const char *text, void *value) {
  (void)row, (void)text;
  *(int *)value = 1;
  return EXIT_OK;
}

int options_text(const struct options_row *row, const char *text, void *value) {
  (void)row;
  *(const char **)value = text;
  return EXIT_OK;
}

int options_long_count(const struct options_row *row, const char *text, void *value) {
  struct rational number;
  char wanted[64];
  uint64_t most = (uint64_t)row->most;
  snprintf(wanted, sizeof wanted, "a whole number from 1 to %" PRIu64, most);
  if (rational_parse(text, &number) || number.den != 1 || number.num > most) return options_wrong(row, text, wanted);
  *(uint64_t *)value = number.num;
  return EXIT_OK;
}

int options_count(const struct options_row *row, const char *text, void *value) {
  uint64_t number;
  int code = options_long_count(row, text, &number);
  if (code) return code;
  *(uint32_t *)value = (uint32_t)number;
  return EXIT_OK;
}

int options_share(const struct options_row *row, const char *text, void *value) {
  struct rational number;
  char wanted[64];
  double share;
  snprintf(wanted, sizeof wanted, "a share above %g and up to %g", row->above, row->most);
  if (rational_parse(text, &number)) return options_wrong(row, text, wanted);
  share = rational_value(number.num, number.den);
  if (share <= row->above || share > row->most) return options_wrong(row, text, wanted);
  *(double *)value = share;
  return EXIT_OK;
}

int options_ratio(const struct options_row *row, const char *text, void *value) {
  return rational_parse(text, value) ? options_wrong(row, text, row->wanted) : EXIT_OK;
}

int options_choice(const struct options_row *row, const char *text, void *value) {
  const struct options_choice *choice;
  char names[160] = "";
  for (choice = row->choices; choice->name; choice++) {
    size_t used = strlen(names);
    if (!strcmp(choice->name, text)) return *(int *)value = choice->value, EXIT_OK;
    snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", choice->name);
  }
  return error_report(EXIT_INPUT, "--%s: '%.40s' is not one of %s", row->name, text, names);
}

int options_delimiter(const struct options_row *row, const char *text, void *value) {
  char delimiter = csv_delimiter(text);
  if (!delimiter) return options_wrong(row, text, "a delimiter: one character, such as ';' or '|', or the word tab");
  *(char *)value = delimiter;
  return EXIT_OK;
}

int options_decimal(const struct options_row *row, const char *text, void *value) {
  if (strcmp(text, ",") != 0 && strcmp(text, ".") != 0) return options_wrong(row, text, "a comma or a point");
  *(char *)value = text[0];
  return EXIT_OK;
}

int options_epsilon(const struct options_row *row, const char *text, void *value) {
  (void)row;
  return plan_target_epsilon(value, "--epsilon", text);
}

int options_delta(const struct options_row *row, const char *text, void *value) {
  (void)row;
  return plan_target_delta(value, "--delta", text);
}

static int options_quiet(const struct options_row *row, const char *text, void *value) {
  (void)row, (void)text, (void)value;
  say_set(SAY_QUIET);
  return EXIT_OK;
}

static int options_verbose(const struct options_row *row, const char *text, void *value) {
  (void)row, (void)text, (void)value;
  say_set(SAY_VERBOSE);
  return EXIT_OK;
}

/* Every command has these besides its own. */
static const struct options_row options_common[] = {
    {"help", NULL, NULL, 0, .letter = 'h', .help = "this text"},
    {"quiet", NULL, options_quiet, 0, .letter = 'q', .help = "results, errors and warnings only"},
    {"verbose", NULL, options_verbose, 0, .letter = 'v', .help = "also what is being done"},
    {"list-options", NULL, NULL, 0, .help = NULL}, /* for the shells' completion */
    {0}};
#define OPTIONS_HELP (&options_common[0])
#define OPTIONS_LIST (&options_common[3])

/* A row, and where its value is. */
struct options_place {
  const struct options_row *row;
  void *value;
};

/* Group number `at` of a command, or NULL; the common options come last. */
static const struct options_group *options_group(const struct options_command *command, size_t at) {
  static const struct options_group common = {NULL, options_common, 0};
  size_t count = 0;
  while (command->groups[count].rows)
    count++;
  if (at < count) return &command->groups[at];
  return at == count ? &common : NULL;
}

/* The row of "NAME" or of a unique beginning of it or, if `letter` is not 0, of that letter; row NULL if not exactly one is found. */
static struct options_place options_find(const struct options_command *command, const char *text, size_t length,
                                         char letter, void *values) {
  struct options_place found = {NULL, NULL}, none = {NULL, NULL};
  const struct options_group *group;
  int best = 0, times = 0;
  for (size_t i = 0; (group = options_group(command, i)) != NULL; i++)
    for (const struct options_row *row = group->rows; row->name; row++) {
      /* 0: no match, 1: by its beginning, 2: as it is. */
      int match = letter                                  ? 2 * (row->letter == letter)
                  : strncmp(row->name, text, length) != 0 ? 0
                  : row->name[length]                     ? 1
                                                          : 2;
      times += match == 1;
      if (match <= best) continue;
      best = match;
      found.row = row;
      found.value = (char *)values + group->at + row->at;
    }
  return best == 1 && times > 1 ? none : found;
}

/* Where the parser stands. */
struct options_reading {
  const struct options_command *command;
  int argc, at;
  char **argv;
  void *values;
  struct options_rest *rest;
};

/* Takes the value of an option that `word` names: `text`, or the next word if that is NULL. */
static int options_take(struct options_reading *reading, struct options_place place, const char *word,
                        const char *text) {
  const char *name = reading->command->name;
  if (place.row == OPTIONS_HELP || place.row == OPTIONS_LIST) {
    (place.row == OPTIONS_HELP ? options_help : options_list)(reading->command, stdout);
    reading->rest->is_help = 1;
    return EXIT_OK;
  }
  if (place.row->argument && !text) {
    if (reading->at == reading->argc) return error_report(EXIT_INPUT, "%s needs a value; fumata %s --help", word, name);
    text = reading->argv[reading->at++];
  }
  return place.row->take(place.row, text, place.value);
}

static int options_unknown(const struct options_reading *reading, const char *word) {
  const struct options_group *group;
  struct guess guess;
  char text[80];
  guess_begin(&guess, word + 2, word[1] == '-' ? strcspn(word + 2, "=") : 0);
  for (size_t i = 0; (group = options_group(reading->command, i)) != NULL; i++)
    for (const struct options_row *row = group->rows; row->name; row++)
      guess_try(&guess, row->name);
  return error_report(EXIT_INPUT, "no option '%s'%s; fumata %s --help", word, guess_words(&guess, "--", text),
                      reading->command->name);
}

/* --name, --name=value */
static int options_long(struct options_reading *reading, const char *word) {
  size_t length = strcspn(word + 2, "=");
  const char *text = word[2 + length] ? word + 2 + length + 1 : NULL;
  struct options_place place = options_find(reading->command, word + 2, length, 0, reading->values);
  if (!place.row || (text && !place.row->argument)) return options_unknown(reading, word);
  return options_take(reading, place, word, text);
}

/* -h, -oFILE, -ho FILE */
static int options_short(struct options_reading *reading, const char *word) {
  for (const char *letter = word + 1; *letter && !reading->rest->is_help; letter++) {
    struct options_place place = options_find(reading->command, NULL, 0, *letter, reading->values);
    int has_text, code;
    if (!place.row) return options_unknown(reading, word);
    has_text = place.row->argument && letter[1];
    code = options_take(reading, place, word, has_text ? letter + 1 : NULL);
    if (code || has_text) return code;
  }
  return EXIT_OK;
}

int options_parse(const struct options_command *command, int argc, char **argv, void *values,
                  struct options_rest *rest) {
  struct options_reading reading = {command, argc, 1, argv, values, rest};
  int is_over = 0, code = EXIT_OK;
  *rest = (struct options_rest){0, 0, argv};
  while (!code && !rest->is_help && reading.at < argc) {
    char *word = argv[reading.at++];
    if (is_over || word[0] != '-' || !word[1])
      argv[rest->count++] = word;
    else if (word[1] != '-')
      code = options_short(&reading, word);
    else if (word[2])
      code = options_long(&reading, word);
    else
      is_over = 1;
  }
  if (code || rest->is_help || command->arguments == OPTIONS_ANY || rest->count <= command->arguments) return code;
  return error_report(EXIT_INPUT, "'%s' is not expected here; fumata %s --help", rest->word[command->arguments],
                      command->name);
}

/* "-o, --output FILE"; returns its length. */
static size_t options_label(const struct options_row *row, char *text, size_t size) {
  char letter[] = {'-', row->letter, ',', ' ', '\0'};
  return (size_t)snprintf(text, size, "%s--%s%s%s", row->letter ? letter : "", row->name, row->argument ? " " : "",
                          row->argument ? row->argument : "");
}

/* Words with a new line, indented by `indent`, wherever the next one would not fit; the first line has begun. */
static void options_wrap(FILE *stream, const char *text, size_t indent) {
  size_t column = indent;
  while (*text) {
    size_t length = strcspn(text, " ");
    if (column > indent && column + 1 + length > OPTIONS_WIDTH) {
      fprintf(stream, "\n%*s", (int)indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', stream);
      column++;
    }
    fwrite(text, 1, length, stream);
    column += length;
    text += length;
    text += *text == ' ';
  }
  fputc('\n', stream);
}

/* Where the explanations begin: two columns after the longest option. */
static size_t options_indent(const struct options_command *command) {
  size_t longest = 0;
  const struct options_group *group;
  char label[64];
  for (size_t i = 0; (group = options_group(command, i)) != NULL; i++)
    for (const struct options_row *row = group->rows; row->name; row++) {
      size_t length = row->help ? options_label(row, label, sizeof label) : 0;
      longest = length > longest ? length : longest;
    }
  return 2 + longest + 2;
}

void options_help(const struct options_command *command, FILE *stream) {
  size_t indent = options_indent(command);
  const struct options_group *group;
  char label[64];
  fputs(command->before, stream);
  for (size_t i = 0; (group = options_group(command, i)) != NULL; i++) {
    if (group->heading) fprintf(stream, "%s\n", group->heading);
    for (const struct options_row *row = group->rows; row->name; row++) {
      if (!row->help) continue;
      options_label(row, label, sizeof label);
      fprintf(stream, "  %-*s", (int)indent - 2, label);
      options_wrap(stream, row->help, indent);
    }
  }
  if (command->after) fputs(command->after, stream);
}

/* Rows between tabs: --name, the argument, the values that it may have, the help. */
void options_list(const struct options_command *command, FILE *stream) {
  const struct options_group *group;
  for (size_t i = 0; (group = options_group(command, i)) != NULL; i++)
    for (const struct options_row *row = group->rows; row->name; row++) {
      if (!row->help) continue;
      fprintf(stream, "--%s\t%s\t", row->name, row->argument ? row->argument : "");
      for (const struct options_choice *choice = row->choices; choice && choice->name; choice++)
        fprintf(stream, "%s%s", choice == row->choices ? "" : " ", choice->name);
      fprintf(stream, "\t%s\n", row->help);
    }
}
