/* fumata model: what is in a student, as text or as one JSON object; fumata-model(1) says what its members mean, and
 * examples/read_model.py reads it. */
#include <math.h>
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
#include "data/column_report.h"
#include "data/feature_name.h"
#include "learn/committee.h"
#include "learn/linear.h"
#include "learn/model.h"

#define MODEL_WEIGHTS 10 /* of each score, the heaviest; --verbose shows all */

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

static int model_compare(const void *a, const void *b, void *context) {
  const float *weight = context;
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  float left = fabsf(weight[x]), right = fabsf(weight[y]);
  if (left != right) return left > right ? -1 : 1;
  return x < y ? -1 : x > y;
}

/* The heaviest weights of one score. */
static int model_score(const struct student_model *model, const float *weight, FILE *out) {
  uint32_t columns = model->learner.columns, *order;
  size_t most = say_level() == SAY_VERBOSE ? columns : MODEL_WEIGHTS;
  int code = memory_take(&order, columns, sizeof *order);
  for (uint32_t j = 0; !code && j < columns; j++)
    order[j] = j;
  if (!code) qsort_r(order, columns, sizeof *order, model_compare, (void *)weight);
  for (uint32_t i = 0; !code && i < columns && i < most && weight[order[i]] != 0; i++) {
    char *name;
    code = feature_name(&model->encoding, order[i], &name);
    if (!code) fprintf(out, "  %+11.5g  %s\n", (double)weight[order[i]], name);
    free(name);
  }
  if (!code) fprintf(out, "  %+11.5g  (always)\n", (double)weight[columns]);
  free(order);
  return code;
}

static int model_weights(const struct student_model *model, FILE *out) {
  const struct classes *classes = &model->encoding.classes;
  uint32_t scores = linear_scores(classes->count), width = model->learner.columns + 1;
  const float *weight = (const float *)model->learned.bytes;
  int code = EXIT_OK;
  for (uint32_t s = 0; !code && s < scores; s++) {
    if (scores == 1)
      fprintf(out, "weights: above 0 in all is %s, else %s\n", classes->name[1], classes->name[0]);
    else
      fprintf(out, "weights of %s\n", classes->name[s]);
    code = model_score(model, weight + (size_t)s * width, out);
  }
  return code;
}

static int model_text(const struct student_model *model, FILE *out) {
  const struct encoding *encoding = &model->encoding;
  size_t most = say_level() == SAY_VERBOSE ? SIZE_MAX : COLUMN_REPORT_MOST;
  char learner[4200];
  learner_print(&model->learner, learner, sizeof learner);
  fprintf(out, "learner   %s\nclasses   ", learner);
  for (uint32_t c = 0; c < encoding->classes.count; c++) {
    if (c) fputc(',', out);
    quote_csv(out, encoding->classes.name[c], ',');
  }
  fprintf(out, "\nreads     %s, %u features", format_name(encoding->format), encoding->columns);
  if (encoding->label) fprintf(out, ", label %s", encoding->label);
  if (encoding->unit) fprintf(out, ", unit %s", encoding->unit);
  fprintf(out, "\ndigest    %s\n", model->digest);
  if (encoding->column_count) fputs("columns\n", out);
  column_report_print(out, encoding->column, encoding->column_count, most);
  if (!model->learned.size) fprintf(out, "learned   nothing: every record is %s\n", encoding->classes.name[0]);
  return model->learned.size && learner_is_linear(&model->learner) ? model_weights(model, out) : EXIT_OK;
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
  fprintf(out, "  \"format\": \"%s\",\n  ", format_keyword(encoding->format));
  model_json_member(out, "label", encoding->label);
  fputs(",\n  ", out);
  model_json_member(out, "unit", encoding->unit);
  if (encoding->format == FORMAT_CSV) {
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

static void model_json_step(FILE *out, const struct transform *step) {
  static const char *const kinds[] = {"standard", "range", "pca", "hog"};
  fprintf(out, "    {\"kind\": \"%s\", \"inputs\": %u, \"outputs\": %u", kinds[step->kind], step->inputs,
          step->outputs);
  if (step->kind == TRANSFORM_HOG)
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
    code = feature_name(encoding, j, &name);
    if (code) break;
    if (j) fputs(", ", out);
    json_text(out, name);
    free(name);
  }
  fputs("],\n", out);
  return code;
}

/* {"weights": one row of numbers a score, "bias": one number a score} */
static void model_json_linear(FILE *out, const struct learner *learner, const struct learned *learned) {
  const float *weight = (const float *)learned->bytes;
  uint32_t scores = learned->size ? linear_scores(learner->classes) : 0, width = learner->columns + 1;
  fputs("    {\"weights\": [", out);
  for (uint32_t s = 0; s < scores; s++) {
    if (s) fputs(",\n      ", out);
    model_json_numbers(out, weight + (size_t)s * width, learner->columns);
  }
  fputs("], \"bias\": [", out);
  for (uint32_t s = 0; s < scores; s++)
    fprintf(out, "%s%.9g", s ? ", " : "", (double)weight[(size_t)s * width + learner->columns]);
  fputs("]}", out);
}

/* Sets of weights, one a member of a committee; none for learners that have none. */
static int model_json_linears(FILE *out, const struct student_model *model) {
  uint32_t members = model->learner.members;
  struct learned *member = NULL;
  int code = EXIT_OK;
  fputs("  \"linear\": [", out);
  if (learner_is_linear(&model->learner)) {
    fputc('\n', out);
    model_json_linear(out, &model->learner, &model->learned);
  } else if (members && (model->learner.kind == LEARNER_LOGISTIC || model->learner.kind == LEARNER_SVM)) {
    code = memory_take(&member, members, sizeof *member);
    if (!code) code = committee_open(&model->learned, members, member);
    for (uint32_t m = 0; !code && m < members; m++) {
      fputs(m ? ",\n" : "\n", out);
      model_json_linear(out, &model->learner, &member[m]);
    }
    for (uint32_t m = 0; member && m < members; m++)
      learned_free(&member[m]);
    free(member);
  }
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
  if (!code) code = model_json_linears(out, model);
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
