#include "gate/registry.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"

/* The folder, made if it does not exist; NULL: it cannot be made, or the registry is off. To be freed. */
static char *registry_folder(void) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"), *wish = getenv("FUMATA_REGISTRY");
  char *folder = NULL;
  size_t kept;
  if (wish && strcmp(wish, "off") == 0) return NULL;
  if (state && *state == '/' ? memory_print(&folder, "%s/fumata", state)
                             : !home || *home != '/' || memory_print(&folder, "%s/.local/state/fumata", home))
    return NULL;
  if (output_make_folder(folder, &kept) == 0) return folder;
  free(folder);
  return NULL;
}

static int registry_open(const char *folder, const char *name, int flags) {
  char *path;
  int fd = -1;
  if (memory_print(&path, "%s/%s", folder, name) == EXIT_OK)
    fd = open(path, flags | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  free(path);
  return fd;
}

/* Two that make it at once: the first one's is read by both. */
static int registry_key(const char *folder, uint8_t key[DIGEST_SIZE]) {
  uint8_t fresh[DIGEST_SIZE];
  int fd = registry_open(folder, "key", O_RDWR | O_APPEND);
  ssize_t size = fd < 0 ? -1 : pread(fd, key, DIGEST_SIZE, 0);
  if (size == 0 && getrandom(fresh, sizeof fresh, 0) == (ssize_t)sizeof fresh &&
      write(fd, fresh, sizeof fresh) == (ssize_t)sizeof fresh)
    size = pread(fd, key, DIGEST_SIZE, 0);
  if (fd >= 0) close(fd);
  return size == (ssize_t)DIGEST_SIZE ? 0 : -1;
}

/* Reads the lines: 1 if this ledger has the digest already. Says which other one has it. */
static int registry_look(FILE *stream, const char *file, const char *digits, const char *ledger) {
  char *line = NULL;
  size_t room = 0;
  int is_known = 0, has_said = 0;
  while (getline(&line, &room, stream) > 0) {
    char *other = line + DIGEST_TEXT;
    line[strcspn(line, "\n")] = 0;
    if (strlen(line) <= DIGEST_TEXT || strncmp(line, digits, DIGEST_TEXT - 1) != 0) continue;
    if (strcmp(other, ledger) == 0)
      is_known = 1;
    else if (!has_said && access(other, F_OK) == 0) {
      error_note("%s: the same bytes have another ledger, %s: what was spent there is not counted here", file, other);
      has_said = 1;
    }
  }
  free(line);
  return is_known;
}

static void registry_write(const char *folder, const char *file, const char *digits, const char *ledger) {
  int fd = registry_open(folder, "registry", O_RDWR | O_APPEND);
  FILE *stream = fd < 0 ? NULL : fdopen(fd, "a+");
  if (!stream) {
    if (fd >= 0) close(fd);
    return;
  }
  rewind(stream);
  if (!registry_look(stream, file, digits, ledger) && !strchr(ledger, '\n')) fprintf(stream, "%s %s\n", digits, ledger);
  fclose(stream);
}

void registry_note(const char *file, const char *ledger) {
  char *folder = registry_folder(), *real = realpath(ledger, NULL), digits[DIGEST_TEXT];
  uint8_t key[DIGEST_SIZE], value[DIGEST_SIZE];
  struct digest digest;
  if (folder && real && registry_key(folder, key) == 0) {
    digest_init(&digest);
    digest_add(&digest, key, sizeof key);
    if (digest_add_file(&digest, file) == EXIT_OK) {
      digest_read(&digest, value);
      digest_print(value, digits);
      registry_write(folder, file, digits, real);
    }
  }
  free(folder);
  free(real);
}
