#define _POSIX_C_SOURCE 200809L
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static void output_free(struct output *output) {
  free(output->path);
  free(output->temporary);
  memset(output, 0, sizeof *output);
}

int output_open(struct output *output, const char *path) {
  static const char suffix[] = ".XXXXXX";
  mode_t mask;
  int fd;
  memset(output, 0, sizeof *output);
  output->path = strdup(path);
  output->temporary = malloc(strlen(path) + sizeof suffix);
  if (!output->path || !output->temporary) {
    output_free(output);
    return error_report(EXIT_SYSTEM, "out of memory");
  }
  strcpy(output->temporary, path);
  strcat(output->temporary, suffix);
  fd = mkstemp(output->temporary);
  if (fd < 0) {
    int cause = errno;
    output_free(output);
    return error_report(EXIT_SYSTEM, "%s: cannot write: %s", path, strerror(cause));
  }
  /* mkstemp makes the file private; the finished one gets the mode any new file gets. */
  mask = umask(0);
  umask(mask);
  if (fchmod(fd, 0666 & ~mask) != 0 || !(output->stream = fdopen(fd, "w"))) {
    int cause = errno;
    close(fd);
    unlink(output->temporary);
    output_free(output);
    return error_report(EXIT_SYSTEM, "%s: cannot write: %s", path, strerror(cause));
  }
  return EXIT_OK;
}

/* The rename itself must survive a power cut. */
static int output_sync_directory(const char *path) {
  char *copy = strdup(path);
  int fd, failed;
  if (!copy) return -1;
  fd = open(dirname(copy), O_RDONLY | O_DIRECTORY);
  free(copy);
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

int output_commit(struct output *output) {
  int failed = ferror(output->stream) || fflush(output->stream) != 0 || fsync(fileno(output->stream)) != 0;
  int cause = errno, code = EXIT_OK;
  if (fclose(output->stream) != 0 && !failed) {
    failed = 1;
    cause = errno;
  }
  if (!failed && (rename(output->temporary, output->path) != 0 || output_sync_directory(output->path) != 0)) {
    failed = 1;
    cause = errno;
  }
  if (failed) {
    unlink(output->temporary);
    code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", output->path, strerror(cause));
  }
  output_free(output);
  return code;
}

void output_discard(struct output *output) {
  if (!output->stream) return;
  fclose(output->stream);
  unlink(output->temporary);
  output_free(output);
}
