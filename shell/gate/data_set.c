#include "gate/data_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

/* *is_plain: a regular file, which can be read twice. */
static int data_set_find(const char *file, struct stat *about, int *is_plain) {
  int is_input = strcmp(file, "-") == 0;
  if (is_input ? fstat(STDIN_FILENO, about) : stat(file, about))
    return error_report(EXIT_INPUT, "%s: cannot read: %s", file, strerror(errno));
  *is_plain = S_ISREG(about->st_mode) && !is_input;
  return EXIT_OK;
}

/* Can a file be made there? A trial says more than permissions do. */
static int data_set_try(const char *ledger) {
  char *trial;
  int fd, code = memory_print(&trial, "%s.new.XXXXXX", ledger);
  if (code) return code;
  fd = mkstemp(trial);
  if (fd < 0)
    code = error_report(EXIT_INPUT, "%s: no ledger can be made beside the private file: %s; say --ledger FILE", ledger,
                        strerror(errno));
  else
    close(fd), unlink(trial);
  free(trial);
  return code;
}

int data_set_ledger(const char *file, char **ledger) {
  struct stat about, named;
  char *real = NULL;
  int is_plain = 0, code = data_set_find(file, &about, &is_plain);
  *ledger = NULL;
  if (code) return code;
  if (S_ISDIR(about.st_mode)) return error_report(EXIT_INPUT, "%s: cannot read: Is a directory", file);
  if (!is_plain) return error_report(EXIT_INPUT, "%s: no plain file, so no ledger beside it; say --ledger FILE", file);
  if (lstat(file, &named) == 0 && S_ISLNK(named.st_mode)) real = realpath(file, NULL);
  code = memory_print(ledger, "%s.ledger", real ? real : file);
  free(real);
  return code ? code : data_set_try(*ledger);
}

int data_set_tie(struct ledger *ledger, const char *file, int same) {
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  struct stat about;
  int is_plain = 0, code = data_set_find(file, &about, &is_plain);
  if (code) return code;
  if (!is_plain && (same || ledger->data_count == 0)) return EXIT_OK;
  if (!is_plain)
    return error_report(EXIT_REFUSED, "%s: the ledger belongs to a file, and %s is none; --same-data-set if it is one",
                        ledger->path, file);
  ledger_salt(ledger, &digest);
  code = digest_add_file(&digest, file);
  if (code) return code;
  digest_read(&digest, value);
  return ledger_tie(ledger, value, file, same);
}
