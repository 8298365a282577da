/* Ready votes: every label that is handed out is a class or an abstention, every row of counts has numbers. */
#include "data/ballots.h"
#include "core/ballot.h"
#include "fuzz/harness.h"

#define MOST 4096 /* rows that are looked at */

static const char *const lists[] = {"no,yes", "a,b|bb,c", "0,1,2", "\"x,y\",z"};

/* Ready labels of a plain file are the core's to judge; all others are checked where they are read. */
static void check_row(const struct ballots *ballots, const struct votes *votes, size_t row) {
  uint32_t classes = ballots->classes->count;
  for (size_t c = 0; votes->counts && c < classes; c++)
    FUZZ_MUST(votes->counts[row * classes + c] < UINT32_MAX);
  for (size_t t = 0; !votes->counts && t < votes->teachers; t++) {
    size_t at = row * votes->teachers + t;
    uint32_t label = votes->labels8 ? votes->labels8[at] : votes->labels16[at];
    FUZZ_MUST(ballots->is_npy || label < classes || label == (votes->labels8 ? UINT8_MAX : UINT16_MAX));
  }
}

static int read_votes(struct ballots *ballots, size_t max) {
  struct votes votes = {.count = 1};
  int code = EXIT_OK;
  for (size_t rows = 0; !code && votes.count && rows < MOST; rows += votes.count) {
    code = ballots_next(ballots, max, &votes);
    if (code) break;
    FUZZ_MUST(votes.count <= max && votes.teachers == ballots->teachers);
    FUZZ_MUST(!votes.count || !!votes.labels8 + !!votes.labels16 + !!votes.counts == 1);
    for (size_t i = 0; i < votes.count && i < MOST; i++)
      check_row(ballots, &votes, i);
  }
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t choice = fuzz_byte(&fuzz), how = fuzz_byte(&fuzz);
  struct ballots_style style = {(enum ballots_meaning)(choice % 3), (enum ballots_header)(choice / 3 % 3),
                                how & 1 ? ';' : 0};
  struct classes classes;
  struct ballots ballots;
  int code = classes_parse(&classes, lists[how / 2 % 4]);
  FUZZ_MUST(code == EXIT_OK);
  fuzz_listen();
  code = ballots_open(&ballots, fuzz_file(0, fuzz.at, fuzz.left), &classes, &style);
  if (!code) {
    FUZZ_MUST(ballots.meaning == BALLOTS_COUNTS || ballots.teachers >= 1);
    code = read_votes(&ballots, 1 + how / 8);
    ballots_close(&ballots);
  }
  fuzz_judge_input(code);
  classes_free(&classes);
  return 0;
}
