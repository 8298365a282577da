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

void mechanism_print_table(FILE *stream, const char *name, const uint64_t *table, uint32_t size) {
  fprintf(stream, "static const uint64_t %s[%" PRIu32 "] = {", name, size);
  for (uint32_t i = 0; i < size; i++)
    fprintf(stream, "%s0x%016" PRIx64 "u%s", i % 5 ? " " : "\n    ", table[i], i + 1 < size ? "," : "");
  fputs("\n};\n", stream);
}
