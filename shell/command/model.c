/* fumata model: what is in a student. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/quote.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/model_json.h"
#include "command/options.h"
#include "learn/linear.h"

#define COMMAND_MODEL_WEIGHTS 10 /* of each score, the heaviest; --verbose shows all */

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

static int command_model_compare(const void *a, const void *b, void *context) {
  const float *weight = context;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  float left = fabsf(weight[x]), right = fabsf(weight[y]);
  if (left != right) return left > right ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The heaviest weights of one score. */
static int command_model_score(const struct student_model *model, const float *weight, FILE *out) {
  uint32_t columns = model->learner.columns, *order;
  size_t most = say_level() == SAY_VERBOSE ? columns : COMMAND_MODEL_WEIGHTS;
  int code = memory_take(&order, columns, sizeof *order);
  for (uint32_t j = 0; !code && j < columns; j++)
    order[j] = j;
  if (!code) qsort_r(order, columns, sizeof *order, command_model_compare, (void *)weight);
  for (uint32_t i = 0; !code && i < columns && i < most && weight[order[i]] != 0; i++) {
    char *name;
    code = encoding_feature_name(&model->encoding, order[i], &name);
    if (!code) fprintf(out, "  %+11.5g  %s\n", (double)weight[order[i]], name);
    free(name);
  }
  if (!code) fprintf(out, "  %+11.5g  (always)\n", (double)weight[columns]);
  free(order);
  return code;
}

static int command_model_weights(const struct student_model *model, FILE *out) {
  const struct classes *classes = &model->encoding.classes;
  uint32_t scores = linear_scores(classes->count), width = model->learner.columns + 1;
  const float *weight = (const float *)model->learned.bytes;
  int code = EXIT_OK;
  for (uint32_t s = 0; !code && s < scores; s++) {
    if (scores == 1)
      fprintf(out, "weights: above 0 in all is %s, else %s\n", classes->name[1], classes->name[0]);
    else
      fprintf(out, "weights of %s\n", classes->name[s]);
    code = command_model_score(model, weight + (size_t)s * width, out);
  }
  return code;
}

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
  return model->learned.size && learner_is_linear(&model->learner) ? command_model_weights(model, out) : EXIT_OK;
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
