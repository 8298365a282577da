#include "plan/plan_code.h"

#include <inttypes.h>

#include "plan/mechanism.h"

int plan_code_print(FILE *stream, const struct plan_box *box) {
  const fumata_claim *claim = &box->claim;
  fputs("/* Made by fumata plan. The core certifies it again when a machine is started from it. */\n"
        "#include \"fumata.h\"\n\n",
        stream);
  mechanism_of(box->mechanism)->print_code(box, stream);
  fprintf(stream,
          "static const fumata_claim claim = {%" PRIu32 "u, %" PRIu32 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu32
          "u, 0x%" PRIx64 "u, 0x%" PRIx64 "u};\n",
          claim->epsilon_num, claim->epsilon_den, claim->delta_num, claim->delta_den, claim->alpha, claim->v, claim->u);
  return ferror(stream) ? -1 : 0;
}
