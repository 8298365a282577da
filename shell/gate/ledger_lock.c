#include "gate/ledger_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "gate/ledger_file.h"

#define LEDGER_LOCK_PAUSE 20000000 /* nanoseconds between two tries ... */
#define LEDGER_LOCK_TRIES 50       /* ... a second in all */

#define LEDGER_LOCK_HEAD "fumata ledger key 1\n"
#define LEDGER_LOCK_SIZE (sizeof LEDGER_LOCK_HEAD - 1 + DIGEST_TEXT) /* digits and a line's end */

const char *const ledger_lock_endings[] = {"-key", "-mark", "-wal", "-journal", "-shm", NULL};

static char *ledger_lock_name(const char *path, const char *ending) {
  char *name = NULL;
  return memory_print(&name, "%s%s", path, ending) ? NULL : name;
}

/* ---- the key ---- */

static int ledger_lock_cannot(const struct ledger *ledger, const char *why) {
  return error_report(EXIT_SYSTEM, "%s-key: cannot open the ledger's key: %s", ledger->path, why);
}

static int ledger_lock_make_key(struct ledger *ledger) {
  char text[LEDGER_LOCK_SIZE + 1], digits[DIGEST_TEXT];
  if (getrandom(ledger->key, DIGEST_SIZE, 0) != (ssize_t)DIGEST_SIZE)
    return error_report(EXIT_SYSTEM, "no randomness from the operating system");
  digest_print(ledger->key, digits);
  snprintf(text, sizeof text, LEDGER_LOCK_HEAD "%s\n", digits);
  errno = EIO; /* if it is written in part */
  if (pwrite(ledger->lock, text, LEDGER_LOCK_SIZE, 0) != (ssize_t)LEDGER_LOCK_SIZE || fsync(ledger->lock) ||
      ledger_file_sync_directory(ledger->path)) {
    int code = ledger_lock_cannot(ledger, strerror(errno));
    if (ftruncate(ledger->lock, 0)) return code; /* else the next one finds half a key, and says so */
    return code;
  }
  return EXIT_OK;
}

static int ledger_lock_read_key(struct ledger *ledger) {
  static const size_t head = sizeof LEDGER_LOCK_HEAD - 1;
  char text[LEDGER_LOCK_SIZE + 2];
  struct stat about;
  ssize_t size = pread(ledger->lock, text, sizeof text - 1, 0);
  if (size < 0 || fstat(ledger->lock, &about)) return ledger_lock_cannot(ledger, strerror(errno));
  if (about.st_mode & 077)
    return error_report(EXIT_INPUT, "%s-key: others may read this key (mode %03o); chmod 600 if none has read it",
                        ledger->path, (unsigned)about.st_mode & 0777);
  if (size == 0) return ledger_lock_make_key(ledger);
  text[size] = 0;
  if (size == (ssize_t)LEDGER_LOCK_SIZE && !memcmp(text, LEDGER_LOCK_HEAD, head) && text[size - 1] == '\n') {
    text[size - 1] = 0;
    if (digest_parse(text + head, ledger->key) == 0) return EXIT_OK;
  }
  return error_report(EXIT_INPUT, "%s-key: not the key of a ledger; move it away", ledger->path);
}

/* ---- the lock ---- */

/* 1: the name still leads to the file that is open. */
static int ledger_lock_is_there(const char *name, int fd) {
  struct stat here, there;
  return fstat(fd, &here) == 0 && lstat(name, &there) == 0 && here.st_ino == there.st_ino &&
         here.st_dev == there.st_dev;
}

/* Whoever removed the file held its lock: then a new one is made. */
static int ledger_lock_try(struct ledger *ledger, const char *name) {
  int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct stat about;
  if (fd < 0) return ledger_lock_cannot(ledger, strerror(errno));
  if (fstat(fd, &about) || !S_ISREG(about.st_mode)) {
    close(fd);
    return ledger_lock_cannot(ledger, "not a plain file");
  }
  if (flock(fd, LOCK_EX | LOCK_NB) == 0 && ledger_lock_is_there(name, fd)) {
    ledger->lock = fd;
    ledger->has_lock = 1;
  } else {
    close(fd);
  }
  return EXIT_OK;
}

int ledger_lock_take(struct ledger *ledger) {
  static const struct timespec pause = {0, LEDGER_LOCK_PAUSE};
  char *name = ledger_lock_name(ledger->path, ledger_lock_endings[0]);
  int code = name ? ledger_lock_try(ledger, name) : EXIT_SYSTEM;
  for (int tries = 0; !code && !ledger->has_lock && tries < LEDGER_LOCK_TRIES; tries++) {
    nanosleep(&pause, NULL);
    code = ledger_lock_try(ledger, name);
  }
  free(name);
  if (!code && !ledger->has_lock) code = error_report(EXIT_REFUSED, "%s: in use by another process", ledger->path);
  return code ? code : ledger_lock_read_key(ledger);
}

void ledger_lock_drop(struct ledger *ledger, int remove) {
  char *name = remove ? ledger_lock_name(ledger->path, ledger_lock_endings[0]) : NULL;
  if (!ledger->has_lock) return;
  if (name && ledger_lock_is_there(name, ledger->lock)) unlink(name);
  free(name);
  close(ledger->lock);
  ledger->has_lock = 0;
  explicit_bzero(ledger->key, sizeof ledger->key);
}

int ledger_lock_is_held(const char *path) {
  char *name = ledger_lock_name(path, ledger_lock_endings[0]);
  int fd = name ? open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) : -1, is_held = 0;
  free(name);
  if (fd < 0) return 0;
  is_held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(fd);
  return is_held;
}

/* ---- what lies beside ---- */

/* The first bytes of what may stand there; an empty file is as good as none, and a full disk may have cut one short. SQLite writes
 * zeros first, and its head over them. */
static int ledger_lock_is_ours(const char *name, const char *ending) {
  static const struct {
    const char *ending, *head;
    size_t size;
  } heads[] = {{"-key", LEDGER_LOCK_HEAD, sizeof LEDGER_LOCK_HEAD - 1},
               {"-mark", "0000", 4},
               {"-wal", "\x37\x7f\x06", 3},
               {"-shm", "\x18\xe2\x2d\0", 4},
               {"-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8}};
  char bytes[32];
  int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), is_ours = 0;
  ssize_t size = fd < 0 ? -1 : read(fd, bytes, sizeof bytes);
  if (fd >= 0) close(fd);
  for (size_t i = 0; size >= 0 && i < sizeof heads / sizeof *heads; i++) {
    size_t same = 0, most = (size_t)size < heads[i].size ? (size_t)size : heads[i].size;
    while (same < most && (bytes[same] == heads[i].head[same] || !bytes[same]))
      same++;
    is_ours |= !strcmp(ending, heads[i].ending) && same == most;
  }
  return is_ours;
}

int ledger_lock_check_beside(const struct ledger *ledger) {
  for (const char *const *ending = ledger_lock_endings; *ending; ending++) {
    char *name = ledger_lock_name(ledger->path, *ending);
    struct stat about;
    int is_strange;
    if (!name) return EXIT_SYSTEM;
    is_strange = lstat(name, &about) == 0 &&
                 (!S_ISREG(about.st_mode) || about.st_nlink > 1 || !ledger_lock_is_ours(name, *ending));
    free(name);
    if (is_strange)
      return error_report(EXIT_INPUT, "%s%s: the ledger %s needs this name, but the file is not the ledger's; move one",
                          ledger->path, *ending, ledger->path);
  }
  return EXIT_OK;
}

int ledger_lock_resolve(const char *path, char **real) {
  struct stat named;
  if (lstat(path, &named) != 0 || !S_ISLNK(named.st_mode)) return memory_print(real, "%s", path);
  *real = realpath(path, NULL);
  if (*real) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: cannot open the ledger: a link to nothing", path);
}
