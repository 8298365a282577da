#include "plan/plan_code.h"

#include <inttypes.h>

static void plan_code_table(FILE *stream, const char *name, const uint64_t *table, uint32_t size) {
  fprintf(stream, "static const uint64_t %s[%" PRIu32 "] = {", name, size);
  for (uint32_t i = 0; i < size; i++)
    fprintf(stream, "%s0x%016" PRIx64 "u%s", i % 5 ? " " : "\n    ", table[i], i + 1 < size ? "," : "");
  fputs("\n};\n", stream);
}

int plan_code_print(FILE *stream, const struct plan_box *box) {
  const fumata_claim *claim = &box->claim;
  fputs("/* Made by fumata plan. The core certifies it again when a machine is started from it. */\n"
        "#include \"fumata.h\"\n\n",
        stream);
  if (box->mechanism == PLAN_MECHANISM_METER) {
    plan_code_table(stream, "plan_silence", box->meter.silence, box->meter.size);
    fprintf(stream, "static const fumata_meter_plan plan = {plan_silence, %" PRIu32 "u, %" PRIu32 "u};\n",
            box->meter.size, box->meter.limit);
  } else {
    const fumata_noise *threshold = &box->classic.threshold, *query = &box->classic.query;
    plan_code_table(stream, "plan_threshold", threshold->cdf, threshold->size);
    plan_code_table(stream, "plan_query", query->cdf, query->size);
    fprintf(stream,
            "static const fumata_classic_plan plan = {{plan_threshold, %" PRIu32 "u, %" PRId64
            "}, {plan_query, %" PRIu32 "u, %" PRId64 "}, %" PRId64 ", %" PRIu32 "u};\n",
            threshold->size, threshold->first, query->size, query->first, box->classic.width, box->classic.limit);
  }
  fprintf(stream,
          "static const fumata_claim claim = {%" PRIu32 "u, %" PRIu32 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu32
          "u, 0x%" PRIx64 "u};\n",
          claim->epsilon_num, claim->epsilon_den, claim->delta_num, claim->delta_den, claim->alpha, claim->v);
  return ferror(stream) ? -1 : 0;
}
