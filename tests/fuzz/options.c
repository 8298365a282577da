/* Command lines: words between NUL bytes, read by the options of a command. The last words ask for help, so that nothing
 * else is done; they are two, as an option may take one for its value. */
#include "base/say.h"
#include "command/commands.h"
#include "fuzz/harness.h"

#define WORDS 32

static int (*const commands[])(int, char **) = {command_answer, command_certify, command_learn,   command_ledger,
                                                command_model,  command_plan,    command_predict, command_report};

/* Cuts the text into words; "--", behind which help is a word like others, is left out. */
static int words_of(char *text, const char *end, char **words, int most) {
  int count = 0;
  for (; text < end && count < most; text += strlen(text) + 1)
    if (strcmp(text, "--") != 0) words[count++] = text;
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  static char name[] = "command", help[] = "--help";
  struct fuzz fuzz = {bytes, size};
  uint8_t which = fuzz_byte(&fuzz);
  char *text = fuzz_text(&fuzz), *words[WORDS + 4] = {name};
  int count = 1 + words_of(text, text + fuzz.left, words + 1, WORDS);
  words[count++] = help;
  words[count++] = help;
  fuzz_listen();
  fuzz_judge_input(commands[which % (sizeof commands / sizeof *commands)](count, words));
  say_set(SAY_NORMAL);
  free(text);
  return 0;
}
