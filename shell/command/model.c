/* fumata model: what is in a student, as text or as one JSON object; fumata-model(1) says what its members mean, and
 * examples/read_model.py reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "base/quote.h"
#include "base/say.h"
#include "command/commands.h"
#include "command/options.h"
#include "learn/model.h"

#define MODEL_PARTS 10 /* of a model, the heaviest; --verbose shows all */

struct model {
  int json, force;
  const char *output;
};

#define MODEL_AT(member) offsetof(struct model, member)

static const struct options_row model_rows[] = {
    {"json", NULL, options_flag, MODEL_AT(json),
     .help = "one JSON object: all that is in the student, with the weights of a linear one"},
    {"output", "FILE", options_text, MODEL_AT(output), .letter = 'o',
     .help = "write there instead of to standard output; folders on the way are made"},
    {"force", NULL, options_flag, MODEL_AT(force), .help = "overwrite the file of -o, unless it is the model"},
    {0}};

static const struct options_group model_groups[] = {{NULL, model_rows, 0}, {0}};

static const struct options_command model_command = {
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
    .groups = model_groups,
    .arguments = OPTIONS_ANY};

/* ---- text ---- */

static int model_text(const struct student_model *model, FILE *out) {
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
  return model->learner.kind->show(model, say_level() == SAY_VERBOSE ? SIZE_MAX : MODEL_PARTS, out);
}

/* ---- JSON ---- */

/* A float in as many digits as give it back. */
static void model_json_numbers(FILE *out, const float *number, size_t count) {
  fputc('[', out);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%.9g", i ? ", " : "", (double)number[i]);
  fputc(']', out);
}

static void model_json_names(FILE *out, const struct nameset *set) {
  fputc('[', out);
  for (uint32_t i = 0; i < set->count; i++) {
    if (i) fputs(", ", out);
    json_text(out, nameset_text(set, i));
  }
  fputc(']', out);
}

static void model_json_member(FILE *out, const char *key, const char *text) {
  fprintf(out, "\"%s\": ", key);
  if (text)
    json_text(out, text);
  else
    fputs("null", out);
}

static void model_json_column(FILE *out, const struct column *column) {
  static const char *const kinds[] = {"auto", "number", "log", "category", "skip"};
  fputs("    {", out);
  model_json_member(out, "name", column->name);
  fprintf(out, ", \"kind\": \"%s\", \"first\": %u, \"width\": %u", kinds[column->kind], column->first,
          column_width(column));
  if (column_is_numeric(column))
    fprintf(out, ", \"low\": %.17g, \"high\": %.17g, \"empty\": %.17g", column->low, column->high, column->empty);
  if (column->kind == COLUMN_CATEGORY) {
    fputs(", \"values\": ", out);
    model_json_names(out, &column->categories);
  }
  fputc('}', out);
}

static void model_json_encoding(FILE *out, const struct encoding *encoding) {
  char delimiter[] = {encoding->style.delimiter ? encoding->style.delimiter : ',', '\0'};
  fprintf(out, "  \"format\": \"%s\",\n  ", encoding->format->keyword);
  model_json_member(out, "label", encoding->label);
  fputs(",\n  ", out);
  model_json_member(out, "unit", encoding->unit);
  if (!(encoding->format->traits & FORMAT_NUMBERS)) {
    fputs(",\n  ", out);
    model_json_member(out, "delimiter", delimiter);
    fprintf(out, ",\n  \"header\": %s,\n  \"missing\": ", encoding->style.no_header ? "false" : "true");
    model_json_names(out, &encoding->missing);
  }
  fputs(",\n  \"columns\": [", out);
  for (size_t c = 0; c < encoding->column_count; c++) {
    fputs(c ? ",\n" : "\n", out);
    model_json_column(out, &encoding->column[c]);
  }
  fputs(encoding->column_count ? "\n  ],\n" : "],\n", out);
}

static void model_json_step(FILE *out, const struct features_step *step) {
  fprintf(out, "    {\"kind\": \"%s\", \"inputs\": %u, \"outputs\": %u", features_name(step->kind), step->inputs,
          step->outputs);
  if (step->kind == FEATURES_HOG)
    fprintf(out, ", \"rows\": %u, \"columns\": %u, \"keeps\": %s", step->hog.rows, step->hog.columns,
            step->keeps ? "true" : "false");
  if (step->mean) {
    fputs(", \"mean\": ", out);
    model_json_numbers(out, step->mean, step->inputs);
  }
  if (step->scale) {
    fputs(", \"scale\": ", out);
    model_json_numbers(out, step->scale, step->inputs);
  }
  if (step->axes) {
    fputs(", \"axes\": [", out);
    for (size_t j = 0; j < step->inputs; j++) {
      if (j) fputs(", ", out);
      model_json_numbers(out, step->axes + j * step->outputs, step->outputs);
    }
    fputc(']', out);
  }
  fputc('}', out);
}

static int model_json_features(FILE *out, const struct encoding *encoding) {
  int code = EXIT_OK;
  fputs("  \"steps\": [", out);
  for (size_t s = 0; s < encoding->features.count; s++) {
    fputs(s ? ",\n" : "\n", out);
    model_json_step(out, &encoding->features.step[s]);
  }
  fputs(encoding->features.count ? "\n  ],\n  \"features\": [" : "],\n  \"features\": [", out);
  for (uint32_t j = 0; !code && j < encoding->columns; j++) {
    char *name;
    code = encoding_feature_name(encoding, j, &name);
    if (code) break;
    if (j) fputs(", ", out);
    json_text(out, name);
    free(name);
  }
  fputs("],\n", out);
  return code;
}

/* Sets of weights; none for learners that have none. */
static int model_json_weights(FILE *out, const struct student_model *model) {
  const struct learner *learner = &model->learner;
  int code = EXIT_OK;
  fputs("  \"linear\": [", out);
  if (learner->kind->print_weights) code = learner->kind->print_weights(learner, &model->learned, out);
  fputs("\n  ]\n", out);
  return code;
}

static int model_json(const struct student_model *model, FILE *out) {
  const struct classes *classes = &model->encoding.classes;
  char learner[4200];
  int code;
  learner_print(&model->learner, learner, sizeof learner);
  fputs("{\n  \"model\": 1,\n  ", out);
  model_json_member(out, "learner", learner);
  fputs(",\n  ", out);
  model_json_member(out, "digest", model->digest);
  fputs(",\n  \"classes\": [", out);
  for (uint32_t c = 0; c < classes->count; c++) {
    if (c) fputs(", ", out);
    json_text(out, classes->name[c]);
  }
  fputs("],\n", out);
  model_json_encoding(out, &model->encoding);
  code = model_json_features(out, &model->encoding);
  if (!code) code = model_json_weights(out, model);
  fputs("}\n", out);
  return code;
}

int command_model(int argc, char **argv) {
  struct model wish = {0};
  struct student_model model;
  struct options_rest rest;
  struct output output = {0};
  int code = options_parse(&model_command, argc, argv, &wish, &rest);
  if (code || rest.is_help) return code;
  if (rest.count != 2 || strcmp(rest.word[0], "show") != 0)
    return error_report(EXIT_INPUT, "fumata model show FILE is expected; fumata model --help");
  if (wish.output) code = output_allow(wish.output, wish.force, (const char *const[]){rest.word[1], NULL});
  if (!code) code = model_read(&model, rest.word[1]);
  if (code) return code;
  if (wish.output) code = output_open(&output, wish.output);
  if (!code) code = (wish.json ? model_json : model_text)(&model, wish.output ? output.stream : stdout);
  if (!code && wish.output)
    code = output_commit(&output);
  else
    output_discard(&output);
  model_free(&model);
  return code;
}
