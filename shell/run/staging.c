#include "run/staging.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"

static const char staging_seal_name[] = "seal", staging_begun_name[] = "begun";
static const char staging_begun_text[] =
    "results of fumata learn, under way\n"; /* a place is recognised by this text */
#define STAGING_SEAL_SIZE ((STAGING_FILES + 1) * (DIGEST_TEXT))

/* ---- seals ---- */

/* The digest of a result, used in this room only. -1: it cannot be read. */
static int staging_digest(const char *folder, const char *name, uint8_t value[DIGEST_SIZE]) {
  char unsaid[256], *path;
  struct digest digest;
  struct stat about;
  int code = memory_print(&path, "%s/%s", folder, name);
  digest_init(&digest);
  if (!code && (lstat(path, &about) != 0 || !S_ISREG(about.st_mode))) code = EXIT_INPUT;
  error_capture(unsaid, sizeof unsaid);
  if (!code) code = digest_add_file(&digest, path);
  error_capture(NULL, 0);
  free(path);
  digest_read(&digest, value);
  return code ? -1 : 0;
}

static void staging_print(FILE *out, const uint8_t value[DIGEST_SIZE]) {
  char text[DIGEST_TEXT];
  digest_print(value, text);
  fprintf(out, "%s\n", text);
}

int staging_seal(const struct staging *staging, const uint8_t owner[DIGEST_SIZE]) {
  uint8_t value[STAGING_FILES][DIGEST_SIZE];
  struct output output;
  char *path;
  int code = memory_print(&path, "%s/%s", staging->path, staging_seal_name);
  for (size_t i = 0; !code && i < STAGING_FILES; i++)
    if (staging_digest(staging->path, staging->name[i], value[i]))
      code = error_report(EXIT_SYSTEM, "%s/%s: cannot read", staging->path, staging->name[i]);
  if (!code) code = output_open(&output, path);
  free(path);
  if (code) return code;
  staging_print(output.stream, owner);
  for (size_t i = 0; i < STAGING_FILES; i++)
    staging_print(output.stream, value[i]);
  return output_commit(&output);
}

/* 1: there is a whole seal. */
static int staging_read(struct staging_past *past) {
  char text[STAGING_SEAL_SIZE + 1], *path;
  size_t size = 0;
  FILE *file;
  if (memory_print(&path, "%s/%s", past->path, staging_seal_name)) return 0;
  file = fopen(path, "re");
  free(path);
  if (file) size = fread(text, 1, sizeof text, file);
  if (file) fclose(file);
  if (size != STAGING_SEAL_SIZE) return 0;
  for (size_t i = 0; i <= STAGING_FILES; i++) {
    char *line = text + i * DIGEST_TEXT;
    line[DIGEST_TEXT - 1] = 0;
    if (digest_parse(line, i ? past->file[i - 1] : past->owner)) return 0;
  }
  return 1;
}

int staging_has(const struct staging *staging, size_t file, const uint8_t *owner) {
  uint8_t value[DIGEST_SIZE];
  if (!staging->count || staging_digest(staging->folder, staging->name[file], value)) return 0;
  for (size_t i = 0; i < staging->count; i++)
    if (!memcmp(staging->past[i].file[file], value, DIGEST_SIZE) &&
        (!owner || !memcmp(staging->past[i].owner, owner, DIGEST_SIZE)))
      return 1;
  return 0;
}

/* ---- places ---- */

/* Is it `stem`, a point and six letters? mkstemp and mkdtemp make such names. */
static int staging_is_made(const char *name, const char *stem) {
  size_t length = strlen(stem);
  return !strncmp(name, stem, length) && name[length] == '.' && strlen(name + length) == 7;
}

/* A file of a place, other than its seal: a result, one that is being written, or the file that holds room for them. */
static int staging_is_ours(const struct staging *staging, const char *name) {
  if (strcmp(name, STAGING_SPACE) == 0 || staging_is_made(name, staging_seal_name) ||
      staging_is_made(name, staging_begun_name))
    return 1;
  for (size_t i = 0; i < STAGING_FILES; i++)
    if (strcmp(name, staging->name[i]) == 0 || staging_is_made(name, staging->name[i])) return 1;
  return 0;
}

static void staging_unlink(const char *place, const char *name) {
  char *path;
  if (!memory_print(&path, "%s/%s", place, name)) unlink(path);
  free(path);
}

/* Removes the seal after all files that it lists, and after it the file that marks the place as ours. */
static void staging_clear(const struct staging *staging, const char *place) {
  DIR *folder = opendir(place);
  struct dirent *entry;
  while (folder && (entry = readdir(folder)) != NULL)
    if (staging_is_ours(staging, entry->d_name)) staging_unlink(place, entry->d_name);
  if (folder) closedir(folder);
  staging_unlink(place, staging_seal_name);
  staging_unlink(place, staging_begun_name);
  rmdir(place);
}

/* A folder of this name that is not ours is left alone, unless it is empty. */
static int staging_is_place(const char *place) {
  char text[sizeof staging_begun_text + 1], *path;
  size_t size = 0;
  FILE *file;
  if (memory_print(&path, "%s/%s", place, staging_begun_name)) return 0;
  file = fopen(path, "re");
  free(path);
  if (file) size = fread(text, 1, sizeof text, file);
  if (file) fclose(file);
  return size == sizeof staging_begun_text - 1 && !memcmp(text, staging_begun_text, size);
}

static int staging_meet(struct staging *staging, const char *name) {
  struct staging_past past = {0};
  struct stat about;
  int code = memory_print(&past.path, "%s/%s", staging->folder, name);
  if (code) return code;
  if (lstat(past.path, &about) == 0 && S_ISDIR(about.st_mode)) {
    if (!staging_read(&past)) {
      if (staging_is_place(past.path)) staging_clear(staging, past.path);
      rmdir(past.path);
    } else if (!(code = memory_grow(&staging->past, &staging->room, staging->count + 1, sizeof past))) {
      staging->past[staging->count++] = past;
      return EXIT_OK;
    }
  }
  free(past.path);
  return code;
}

int staging_find(struct staging *staging) {
  DIR *folder = opendir(staging->folder);
  struct dirent *entry;
  int code = EXIT_OK;
  if (!folder) return error_report(EXIT_INPUT, "%s: cannot read: %s", staging->folder, strerror(errno));
  while (!code && (entry = readdir(folder)) != NULL)
    if (staging_is_made(entry->d_name, ".new")) code = staging_meet(staging, entry->d_name);
  closedir(folder);
  return code;
}

int staging_make(struct staging *staging) {
  struct output output;
  char *path;
  int code = memory_print(&staging->path, "%s/.new.XXXXXX", staging->folder);
  if (code) return code;
  if (!mkdtemp(staging->path)) {
    free(staging->path);
    staging->path = NULL;
    return error_report(EXIT_INPUT, "%s: cannot write: %s", staging->folder, strerror(errno));
  }
  code = memory_print(&path, "%s/%s", staging->path, staging_begun_name);
  if (!code) code = output_open(&output, path);
  free(path);
  if (code) return code;
  fputs(staging_begun_text, output.stream);
  return output_commit(&output);
}

void staging_remove(struct staging *staging, int past) {
  for (size_t i = 0; past && i < staging->count; i++)
    staging_clear(staging, staging->past[i].path);
  if (staging->path) staging_clear(staging, staging->path);
}

void staging_free(struct staging *staging) {
  for (size_t i = 0; i < staging->count; i++)
    free(staging->past[i].path);
  free(staging->past);
  free(staging->path);
}
