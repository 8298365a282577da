#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"

static void output_free(struct output *output) {
  free(output->path);
  free(output->temporary);
  free(output->folder);
  memset(output, 0, sizeof *output);
}

/* Forgets the file and says why it cannot be had. */
static int output_fail(struct output *output, int cause) {
  int code = error_report(EXIT_SYSTEM, "%s: cannot write: %s", output->path, strerror(cause));
  output_free(output);
  return code;
}

static int output_name(struct output *output, const char *path) {
  int code = memory_print(&output->path, "%s", path);
  if (!code) code = memory_print(&output->temporary, "%s.XXXXXX", path);
  if (!code) code = memory_print(&output->folder, "%s", path);
  return code;
}

int output_open(struct output *output, const char *path) {
  mode_t mask;
  int fd, code;
  memset(output, 0, sizeof *output);
  code = output_name(output, path);
  if (code) {
    output_free(output);
    return code;
  }
  fd = mkstemp(output->temporary);
  if (fd < 0) return output_fail(output, errno);
  /* mkstemp makes the file private; the finished one gets the mode any new file gets. */
  mask = umask(0);
  umask(mask);
  if (fchmod(fd, 0666 & ~mask) != 0 || !(output->stream = fdopen(fd, "w"))) {
    int cause = errno;
    close(fd);
    unlink(output->temporary);
    return output_fail(output, cause);
  }
  return EXIT_OK;
}

/* The rename itself must survive a power cut. */
static int output_sync_folder(const struct output *output) {
  int fd = open(dirname(output->folder), O_RDONLY | O_DIRECTORY), failed;
  if (fd < 0) return -1;
  failed = fsync(fd);
  close(fd);
  return failed;
}

int output_commit(struct output *output) {
  int failed = ferror(output->stream) || fflush(output->stream) != 0 || fsync(fileno(output->stream)) != 0;
  int cause = errno;
  if (fclose(output->stream) != 0 && !failed) {
    failed = 1;
    cause = errno;
  }
  if (!failed && (rename(output->temporary, output->path) != 0 || output_sync_folder(output) != 0)) {
    failed = 1;
    cause = errno;
  }
  if (failed) {
    unlink(output->temporary);
    return output_fail(output, cause);
  }
  output_free(output);
  return EXIT_OK;
}

void output_discard(struct output *output) {
  if (!output->stream) return;
  fclose(output->stream);
  unlink(output->temporary);
  output_free(output);
}
