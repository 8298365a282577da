/* fumata model: what is in a student, as text or as one JSON object; fumata-model(1) says what its members mean, and
 * examples/read_model.py reads it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/memory.h"
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
     .help = "one JSON object: all that is in the student, whatever its learner"},
    {"output", "FILE", options_text, MODEL_AT(output), .letter = 'o',
     .help = "write there instead of to standard output; missing folders are made"},
    {"force", NULL, options_flag, MODEL_AT(force), .help = "overwrite the file of -o, unless it is the model"},
    {0}};

static const struct options_command model_command = {
    .name = "model",
    .before = "usage: fumata model show FILE [OPTION...]\n"
              "\n"
              "Shows what is in a student that `fumata learn` made: learner, classes, how each column is read, the\n"
              "heaviest weights by the name of their column, and the digest. All of it is public.\n"
              "\n"
              "  fumata model show out/student.model\n"
              "  fumata model show out/student.model --json -o student.json      to use the student elsewhere\n"
              "\n",
    .groups = (const struct options_group[]){{NULL, model_rows, 0}, {0}},
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

/* Names come from a file: control characters, also those of two bytes in UTF-8, are replaced, except ends of lines. */
static int model_plain_text(const struct student_model *model, FILE *out) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&text, &size);
  int code = stream ? model_text(model, stream) : memory_short();
  if (stream && fclose(stream) != 0 && !code) code = memory_short();
  for (size_t i = 0; !code && i < size; i++) {
    unsigned char byte = (unsigned char)text[i], next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
    int is_control = (byte < 0x20 && byte != '\n') || byte == 0x7f || (byte == 0xc2 && next >= 0x80 && next < 0xa0);
    fputc(is_control ? '?' : byte, out);
    i += byte == 0xc2 && is_control;
  }
  free(text);
  return code;
}

/* ---- JSON ---- */

static void model_names(struct json *json, const char *key, const struct nameset *set) {
  json_open(json, key, '[', 0);
  for (uint32_t i = 0; i < set->count; i++)
    json_string(json, NULL, nameset_text(set, i));
  json_close(json);
}

static void model_column(struct json *json, const struct column *column) {
  static const char *const kinds[] = {"auto", "number", "log", "category", "skip", "date"};
  json_open(json, NULL, '{', 0);
  json_string(json, "name", column->name);
  json_string(json, "kind", kinds[column->kind]);
  json_print(json, "first", "%u", column->first);
  json_print(json, "width", "%u", column_width(column));
  if (column->kind == COLUMN_DATE) json_string(json, "order", date_order_name(column->order));
  if (column_has_range(column)) {
    json_print(json, "low", "%.17g", column->low);
    json_print(json, "high", "%.17g", column->high);
    json_print(json, "empty", "%.17g", column->empty);
  }
  if (column->kind == COLUMN_CATEGORY) model_names(json, "values", &column->categories);
  json_close(json);
}

static void model_step(struct json *json, const struct features_step *step) {
  json_open(json, NULL, '{', 0);
  json_string(json, "kind", features_name(step->kind));
  json_print(json, "inputs", "%u", step->inputs);
  json_print(json, "outputs", "%u", step->outputs);
  if (step->kind == FEATURES_HOG) {
    json_print(json, "rows", "%u", step->hog.rows);
    json_print(json, "columns", "%u", step->hog.columns);
    json_print(json, "keeps", "%s", step->keeps ? "true" : "false");
  }
  if (step->mean) json_floats(json, "mean", step->mean, step->inputs, 1);
  if (step->scale) json_floats(json, "scale", step->scale, step->inputs, 1);
  if (step->axes) {
    json_open(json, "axes", '[', 0);
    for (size_t j = 0; j < step->inputs; j++)
      json_floats(json, NULL, step->axes + j * step->outputs, step->outputs, 1);
    json_close(json);
  }
  json_close(json);
}

static int model_encoding(struct json *json, const struct encoding *encoding) {
  char delimiter[] = {encoding->style.delimiter ? encoding->style.delimiter : ',', '\0'};
  int code = EXIT_OK;
  json_string(json, "format", encoding->format->keyword);
  json_string(json, "label", encoding->label);
  json_string(json, "unit", encoding->unit);
  if (!(encoding->format->traits & FORMAT_NUMBERS)) {
    json_string(json, "delimiter", delimiter);
    json_string(json, "decimal", encoding->style.decimal ? "," : ".");
    json_print(json, "header", "%s", encoding->style.no_header ? "false" : "true");
    model_names(json, "missing", &encoding->missing);
  }
  json_open(json, "columns", '[', 1);
  for (size_t c = 0; c < encoding->column_count; c++)
    model_column(json, &encoding->column[c]);
  json_close(json);
  json_open(json, "steps", '[', 1);
  for (size_t s = 0; s < encoding->features.count; s++)
    model_step(json, &encoding->features.step[s]);
  json_close(json);
  json_open(json, "features", '[', 0);
  for (uint32_t j = 0; !code && j < encoding->columns; j++) {
    char *name;
    code = encoding_feature_name(encoding, j, &name);
    if (!code) json_string(json, NULL, name);
    free(name);
  }
  json_close(json);
  return code;
}

static int model_json(const struct student_model *model, FILE *out) {
  const struct classes *classes = &model->encoding.classes;
  struct json json = {.out = out};
  char learner[4200];
  int code;
  learner_print(&model->learner, learner, sizeof learner);
  json_open(&json, NULL, '{', 1);
  json_print(&json, "model", "1");
  json_string(&json, "learner", learner);
  json_string(&json, "digest", model->digest);
  json_open(&json, "classes", '[', 0);
  for (uint32_t c = 0; c < classes->count; c++)
    json_string(&json, NULL, classes->name[c]);
  json_close(&json);
  code = model_encoding(&json, &model->encoding);
  /* Sets of weights; empty for learners without them. */
  json_open(&json, "linear", '[', 1);
  if (!code && model->learner.kind->print_weights)
    code = model->learner.kind->print_weights(&model->learner, &model->learned, &json);
  json_close(&json);
  if (!code && model->learner.kind->print_member)
    code = model->learner.kind->print_member(&model->learner, &model->learned, &json);
  json_close(&json);
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
    return error_report(EXIT_INPUT, "give fumata model show FILE; fumata model --help explains");
  if (wish.output) code = output_allow(wish.output, wish.force, (const char *const[]){rest.word[1], NULL});
  if (!code) code = model_read(&model, rest.word[1]);
  if (code) return code;
  if (wish.output) code = output_open(&output, wish.output);
  if (!code) code = (wish.json ? model_json : model_plain_text)(&model, wish.output ? output.stream : stdout);
  code = output_end(&output, code);
  model_free(&model);
  return code;
}
