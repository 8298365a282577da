#include "run/questions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "data/identity.h"

void questions_free(struct questions *questions) {
  free(questions->about);
  free(questions->answer);
  memset(questions, 0, sizeof *questions);
}

void questions_begin(struct questions *questions, const struct ledger *ledger, const char *command) {
  memset(questions, 0, sizeof *questions);
  questions->is_lasting = 1;
  ledger_salt(ledger, &questions->digest);
  questions_add_text(questions, command);
}

void questions_add_number(struct questions *questions, uint64_t number) {
  digest_add_u64(&questions->digest, number);
}

void questions_add_text(struct questions *questions, const char *text) {
  digest_add_u64(&questions->digest, text ? strlen(text) + 1 : 0);
  if (text) digest_add(&questions->digest, text, strlen(text));
}

int questions_add_file(struct questions *questions, const char *path) {
  struct stat about;
  char *file;
  int is_plain, code;
  questions_add_number(questions, path != NULL);
  if (!path) return EXIT_OK;
  code = identity_file(path, &file);
  if (code) return code;
  is_plain = strcmp(file, "-") != 0 && stat(file, &about) == 0 && S_ISREG(about.st_mode);
  free(file);
  if (is_plain) return identity_add(path, "--resume", &questions->digest);
  questions->is_lasting = 0;
  return EXIT_OK;
}

/* ---- the text about a session ---- */

static int questions_write(struct questions *questions, const char *command, const struct classes *names) {
  char digits[DIGEST_TEXT];
  uint8_t value[DIGEST_SIZE];
  FILE *stream = open_memstream(&questions->about, &questions->size);
  if (!stream) return memory_short();
  digest_read(&questions->digest, value);
  digest_print(value, digits);
  fputs(command, stream), fputc(0, stream);
  fputs(questions->is_lasting ? digits : "", stream), fputc(0, stream);
  for (uint32_t i = 0; i < names->count; i++)
    fputs(names->name[i], stream), fputc(0, stream);
  return fclose(stream) == 0 ? EXIT_OK : memory_short();
}

/* The n-th text; NULL if there are fewer. */
static const char *questions_text(const char *about, size_t size, size_t n) {
  const char *end = about + size;
  if (!size || end[-1] != 0) return NULL;
  for (; about < end && n; n--)
    about += strlen(about) + 1;
  return about < end ? about : NULL;
}

const char *questions_name(const char *about, size_t size, int32_t label) {
  return label < 0 ? NULL : questions_text(about, size, 2 + (size_t)label);
}

/* ---- what was answered ---- */

static int questions_take(void *context, const struct journal_batch *batch) {
  struct questions *questions = context;
  int code;
  if (batch->about_size != questions->size || memcmp(batch->about, questions->about, questions->size) != 0)
    return EXIT_OK;
  code = memory_grow(&questions->answer, &questions->room, questions->count + batch->count, sizeof *questions->answer);
  if (code || !batch->count) return code;
  memcpy(questions->answer + questions->count, batch->answer, batch->count * sizeof *batch->answer);
  questions->count += batch->count;
  return EXIT_OK;
}

int questions_recall(struct questions *questions, struct ledger *ledger, const struct plan_terms *terms,
                     const char *command, const struct classes *names, int *again) {
  int code = questions_write(questions, command, names);
  questions->plan = ledger_resumes(ledger, terms, *again);
  if (!code && questions->plan && questions->is_lasting)
    code = journal_visit(ledger, questions->plan, questions_take, questions);
  if (!code && questions->count && !*again) *again = LEDGER_SPENT;
  return code ? code : journal_describe(ledger, questions->about, questions->size);
}

int questions_describe(struct questions *questions, struct ledger *ledger, const char *command,
                       const struct classes *names) {
  int code = questions_write(questions, command, names);
  return code ? code : journal_describe(ledger, questions->about, questions->size);
}
