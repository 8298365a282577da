/* fumata model: what is in a student. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/output.h"
#include "base/quote.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/model_json.h"
#include "command/options.h"

#define COMMAND_MODEL_PARTS 10 /* of a model, the heaviest; --verbose shows all */

struct command_model {
  int json, force;
  const char *output;
};

#define COMMAND_MODEL_AT(member) offsetof(struct command_model, member)

static const struct options_row command_model_rows[] = {
    {"json", NULL, options_flag, COMMAND_MODEL_AT(json),
     .help = "one JSON object: all that is in the student, with the weights of a linear one"},
    {"output", "FILE", options_text, COMMAND_MODEL_AT(output), .letter = 'o',
     .help = "write there instead of to standard output; folders on the way are made"},
    {"force", NULL, options_flag, COMMAND_MODEL_AT(force), .help = "overwrite the file of -o, unless it is the model"},
    {0}};

static const struct options_group command_model_groups[] = {{NULL, command_model_rows, 0}, {0}};

static const struct options_command command_model_command = {
    .name = "model",
    .before = "usage: fumata model show FILE [OPTION...]\n"
              "\n"
              "Shows what is in a student that `fumata learn` made: learner, classes, how each column is read, the "
              "heaviest weights\n"
              "by the name of their column, and the digest. All of it is public.\n"
              "\n"
              "  fumata model show out/student.model\n"
              "  fumata model show out/student.model --json -o student.json      to use a linear student elsewhere\n"
              "\n",
    .groups = command_model_groups,
    .arguments = OPTIONS_ANY};

/* ---- text ---- */

static int command_model_text(const struct student_model *model, FILE *out) {
  const struct encoding *encoding = &model->encoding;
  size_t most = say_level() == SAY_VERBOSE ? SIZE_MAX : COLUMN_LISTED;
  char learner[4200];
  learner_print(&model->learner, learner, sizeof learner);
  fprintf(out, "learner   %s\nclasses   ", learner);
  for (uint32_t c = 0; c < encoding->classes.count; c++) {
    if (c) fputc(',', out);
    quote_csv(out, encoding->classes.name[c], ',');
  }
  fprintf(out, "\nreads     %s, %u features", encoding->format->name, encoding->columns);
  if (encoding->label) fprintf(out, ", label %s", encoding->label);
  if (encoding->unit) fprintf(out, ", unit %s", encoding->unit);
  fprintf(out, "\ndigest    %s\n", model->digest);
  if (encoding->column_count) fputs("columns\n", out);
  column_print(out, encoding->column, encoding->column_count, most);
  if (!model->learned.size) fprintf(out, "learned   nothing: every record is %s\n", encoding->classes.name[0]);
  if (!model->learned.size || !model->learner.kind->show) return EXIT_OK;
  return model->learner.kind->show(model, say_level() == SAY_VERBOSE ? SIZE_MAX : COMMAND_MODEL_PARTS, out);
}

/* ---- the command ---- */

static int command_model_print(const struct command_model *wish, const struct student_model *model, FILE *out) {
  return wish->json ? model_json_print(model, out) : command_model_text(model, out);
}

static int command_model_write(const struct command_model *wish, const struct student_model *model) {
  struct output output;
  int code;
  if (!wish->output) return command_model_print(wish, model, stdout);
  code = output_open(&output, wish->output);
  if (code) return code;
  code = command_model_print(wish, model, output.stream);
  if (!code) return output_commit(&output);
  output_discard(&output);
  return code;
}

int command_model(int argc, char **argv) {
  struct command_model wish = {0};
  struct student_model model;
  struct options_rest rest;
  int code = options_parse(&command_model_command, argc, argv, &wish, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 2 || strcmp(rest.word[0], "show") != 0)
    return error_report(EXIT_INPUT, "fumata model show FILE is expected; fumata model --help");
  if (wish.output) code = output_allow(wish.output, wish.force, (const char *const[]){rest.word[1], NULL});
  if (!code) code = model_read(&model, rest.word[1]);
  if (code) return code;
  code = command_model_write(&wish, &model);
  model_free(&model);
  return code;
}
