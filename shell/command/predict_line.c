#include "command/predict_line.h"

#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/quote.h"

#define PREDICT_LINE_DIGITS 9 /* give a float back exactly */

void predict_line_header(const struct predict_line *line, const struct nameset *columns, int has_shares, FILE *out) {
  if (line->json) return;
  if (!line->with_columns) fputs("id", out);
  for (uint32_t c = 0; line->with_columns && c < columns->count; c++) {
    if (c) fputc(line->delimiter, out);
    quote_csv(out, nameset_text(columns, c), line->delimiter);
  }
  fprintf(out, "%c%s", line->delimiter, line->with_columns ? "predicted" : "label");
  for (uint32_t c = 0; has_shares && c < line->classes->count; c++) {
    char *name = line->classes->name[c];
    fputc(line->delimiter, out);
    if (quote_csv_needed(name, line->delimiter)) {
      fputs("\"p_", out);
      quote_csv_inside(out, name);
      fputc('"', out);
    } else {
      fprintf(out, "p_%s", name);
    }
  }
  fputc('\n', out);
}

static void predict_line_json(const struct predict_line *line, const struct predict_said *said, FILE *out) {
  fprintf(out, "{\"id\": %" PRIu64 ", \"label\": ", said->id);
  json_text(out, line->classes->name[said->label]);
  if (said->share) fputs(", \"p\": {", out);
  for (uint32_t c = 0; said->share && c < line->classes->count; c++) {
    if (c) fputs(", ", out);
    json_text(out, line->classes->name[c]);
    fprintf(out, ": %.*g", PREDICT_LINE_DIGITS, (double)said->share[c]);
  }
  fputs(said->share ? "}}\n" : "}\n", out);
}

void predict_line_print(const struct predict_line *line, const struct predict_said *said, FILE *out) {
  if (line->json) {
    predict_line_json(line, said, out);
    return;
  }
  if (line->with_columns)
    fwrite(said->record, 1, said->length, out);
  else
    fprintf(out, "%" PRIu64, said->id);
  fputc(line->delimiter, out);
  quote_csv(out, line->classes->name[said->label], line->delimiter);
  for (uint32_t c = 0; said->share && c < line->classes->count; c++)
    fprintf(out, "%c%.*g", line->delimiter, PREDICT_LINE_DIGITS, (double)said->share[c]);
  fputc('\n', out);
}
