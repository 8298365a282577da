#include "plan/mechanism.h"

#include <inttypes.h>
#include <string.h>

#include "plan/plan_both.h"
#include "plan/plan_classic.h"
#include "plan/plan_meter.h"
#include "plan/plan_poll.h"
#include "plan/plan_toll.h"

static const struct mechanism *const mechanism_list[] = {[PLAN_MECHANISM_METER] = &plan_meter_mechanism,
                                                         [PLAN_MECHANISM_CLASSIC] = &plan_classic_mechanism,
                                                         [PLAN_MECHANISM_TOLL] = &plan_toll_mechanism,
                                                         [PLAN_MECHANISM_BOTH] = &plan_both_mechanism,
                                                         [PLAN_MECHANISM_POLL] = &plan_poll_mechanism};

#define MECHANISM_COUNT (sizeof mechanism_list / sizeof *mechanism_list)

const struct mechanism *mechanism_of(enum plan_mechanism which) {
  return mechanism_list[which];
}

int mechanism_find(const char *name, enum plan_mechanism *which) {
  for (size_t i = 0; i < MECHANISM_COUNT; i++) {
    if (strcmp(name, mechanism_list[i]->name) != 0) continue;
    *which = (enum plan_mechanism)i;
    return 0;
  }
  return -1;
}

void mechanism_names(const char *between, char *text, size_t size) {
  size_t used = 0;
  for (size_t i = 0; i < MECHANISM_COUNT && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", i ? between : "", mechanism_list[i]->name);
}

void mechanism_digest_table(struct digest *digest, const uint64_t *table, uint32_t size) {
  digest_add_u64(digest, size);
  for (uint32_t i = 0; i < size; i++)
    digest_add_u64(digest, table[i]);
}

void mechanism_print_table(FILE *stream, const char *prefix, const char *name, const uint64_t *table, uint32_t size) {
  fprintf(stream, "static const uint64_t %splan_%s[%" PRIu32 "] = {", prefix, name, size);
  for (uint32_t i = 0; i < size; i++)
    fprintf(stream, "%s0x%016" PRIx64 "u%s", i % 5 ? " " : "\n    ", table[i], i + 1 < size ? "," : "");
  fputs("\n};\n", stream);
}

void mechanism_digest_tables(const struct plan_box *box, struct digest *digest) {
  if (box->meter.size) mechanism_digest_table(digest, box->meter.silence, box->meter.size);
  if (box->toll.size) mechanism_digest_table(digest, box->toll.named, box->toll.size);
}

void mechanism_write_tables(const struct plan_box *box, struct plan_text_writer *writer) {
  if (box->meter.size) plan_text_write_table(writer, "silence", 1, box->meter.silence, box->meter.size);
  if (box->toll.size) plan_text_write_table(writer, "named", 1, box->toll.named, box->toll.size);
}

int mechanism_read_tables(struct plan_text_reader *reader, struct plan_quota limit, struct plan_box *box) {
  const unsigned tables = mechanism_of(box->mechanism)->tables;
  int code = EXIT_OK;
  if (tables & MECHANISM_SILENCE)
    code = plan_text_distances(reader, "silence", FUMATA_TABLE_MAX, &box->memory[0], &box->meter.size);
  if (!code && tables & MECHANISM_NAMED)
    code = plan_text_distances(reader, "named", FUMATA_TABLE_MAX, &box->memory[1], &box->toll.size);
  box->meter.silence = box->memory[0];
  box->meter.limit = limit.silences;
  box->toll.named = box->memory[1];
  box->toll.limit = limit.answers;
  return code;
}

void mechanism_print_code(const struct plan_box *box, const char *prefix, FILE *stream) {
  const fumata_meter_plan *meter = &box->meter;
  const fumata_toll_plan *toll = &box->toll;
  const int is_both = meter->size && toll->size;
  if (meter->size) mechanism_print_table(stream, prefix, "silence", meter->silence, meter->size);
  if (toll->size) mechanism_print_table(stream, prefix, "named", toll->named, toll->size);
  fprintf(stream, "static const fumata_%s_plan %splan = %s",
          is_both       ? "budget"
          : meter->size ? "meter"
                        : "toll",
          prefix, is_both ? "{" : "");
  if (meter->size) fprintf(stream, "{%splan_silence, %" PRIu32 "u, %" PRIu32 "u}", prefix, meter->size, meter->limit);
  if (is_both) fputs(", ", stream);
  if (toll->size) fprintf(stream, "{%splan_named, %" PRIu32 "u, %" PRIu32 "u}", prefix, toll->size, toll->limit);
  fputs(is_both ? "};\n" : ";\n", stream);
}
