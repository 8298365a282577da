/* Plan files: one plan has one text, and whatever is read can be shown to the core. */
#include "base/digest.h"
#include "fuzz/harness.h"
#include "plan/plan_file.h"

/* The bytes, and behind them the `end` line that belongs to them. */
static char *ended(const struct fuzz *fuzz, size_t *size) {
  uint8_t value[DIGEST_SIZE];
  char text[DIGEST_TEXT], *whole = malloc(fuzz->left + 128);
  struct digest digest;
  FUZZ_MUST(whole != NULL);
  digest_init(&digest);
  digest_add(&digest, fuzz->at, fuzz->left);
  digest_read(&digest, value);
  digest_print(value, text);
  if (fuzz->left) memcpy(whole, fuzz->at, fuzz->left);
  *size = fuzz->left + (size_t)sprintf(whole + fuzz->left, "end %s\n", text);
  return whole;
}

static void check(const struct plan_box *box, const char *text, size_t size) {
  struct plan_quota limit = plan_limit(box);
  fumata_fault fault;
  struct plan_terms terms;
  char *again = NULL;
  size_t again_size;
  FILE *stream = open_memstream(&again, &again_size);
  FUZZ_MUST(stream && plan_file_print(stream, box) == 0 && fclose(stream) == 0);
  FUZZ_MUST(again_size == size && !memcmp(again, text, size));
  free(again);
  plan_terms(box, &terms);
  FUZZ_MUST(terms.limit.silences == limit.silences && terms.limit.answers == limit.answers);
  if (limit.silences <= 64 && limit.answers <= 64 && plan_votes(box) <= 64 && box->claim.alpha <= 256)
    FUZZ_MUST((plan_certify(box, &box->claim, &fault) == FUMATA_OK) == (fault.kind == FUMATA_FAULT_NONE));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  struct plan_box box;
  char *text;
  if (size && bytes[0] == '\0') { /* as it is, with whatever seal it has */
    fuzz_byte(&fuzz);
    size = fuzz.left;
    text = fuzz_text(&fuzz);
  } else {
    text = ended(&fuzz, &size);
  }
  fuzz_listen();
  if (fuzz_judge_input(plan_file_read(fuzz_file(0, text, size), &box)) == EXIT_OK) {
    check(&box, text, size);
    plan_free(&box);
  }
  free(text);
  return 0;
}
