#include "base/folder.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int folder_is_there(const char *path) {
  struct stat about;
  if (stat(path, &about) != 0) return 0;
  return S_ISDIR(about.st_mode);
}

/* One folder; one that another process has made meanwhile will do. */
static int folder_make_one(const char *path) {
  int cause;
  if (mkdir(path, 0777) == 0) return 0;
  cause = errno == EEXIST ? ENOTDIR : errno;
  return folder_is_there(path) ? 0 : (errno = cause, -1);
}

/* How much of the path is there: it ends before a slash, or is all or nothing of it. */
static size_t folder_kept(char *path) {
  size_t length = strlen(path);
  while (length && !folder_is_there(path)) {
    while (length && path[length - 1] == '/')
      length--;
    while (length && path[length - 1] != '/')
      length--;
    path[length] = '\0';
  }
  return length;
}

int folder_make(const char *path, size_t *kept) {
  char part[PATH_MAX];
  size_t length = strlen(path), at;
  *kept = length;
  if (length >= sizeof part) return errno = ENAMETOOLONG, -1;
  memcpy(part, path, length + 1);
  *kept = at = folder_kept(part);
  while (at < length) {
    at += strspn(path + at, "/");
    at += strcspn(path + at, "/");
    memcpy(part, path, at);
    part[at] = '\0';
    if (folder_make_one(part)) {
      int cause = errno;
      folder_unmake(part, *kept);
      return errno = cause, -1;
    }
  }
  return 0;
}

void folder_unmake(const char *path, size_t kept) {
  char part[PATH_MAX];
  size_t length = strlen(path);
  if (length >= sizeof part) return;
  memcpy(part, path, length + 1);
  while (length > kept) {
    rmdir(part);
    while (length && part[length - 1] != '/')
      length--;
    while (length > kept && part[length - 1] == '/')
      length--;
    part[length] = '\0';
  }
}
