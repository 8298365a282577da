/* A file that appears whole or not at all, in a folder that is made if it is not there. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct output {
  FILE *stream; /* write here */
  char *path;
  char *temporary; /* the file until it is committed; NULL: a pipe or a device, written as it comes */
  char *folder;
  size_t kept; /* how much of the folder's path was there before (output_make_folder) */
  int is_reserved;
  int replaces; /* there was a file, and it may go; else the new one must not replace any */
};

/* May results go to `path`? Never onto one of the `inputs` (paths until NULL, as commands take them: "-" and
 * FILE,LABELS@1:2 too), be it by another name or through a link, or one that is not there yet; never onto a ledger; onto any other
 * file that is there only with `force`. Asked before anything is spent. Returns an exit code (error.h). */
int output_allow(const char *path, int force, const char *const *inputs);

/* 1: both paths lead to the same place, whether anything is there yet or not. */
int output_is_same(const char *one, const char *other);

/* Gives `from` the name `to`, unless something has it: 0, or -1 with errno. Then the folder's new names must be durable. */
int output_rename(const char *from, const char *to);
int output_sync_folder(const char *folder);
#define OUTPUT_INPUT(path) ((path) ? (path) : "") /* one that may not be given */

/* Each returns an exit code (error.h); on failure the line is printed and nothing is left behind. */
int output_open(struct output *output, const char *path);
int output_commit(struct output *output);

/* Room for `size` bytes, before they are worth anything; what is not written of it goes back at the commit. A pipe or a device,
 * and a file system that cannot, take what comes. */
int output_reserve(struct output *output, uint64_t size);
void output_discard(struct output *output);

/* The one or the other, by `code`, which is handed on; nothing where nothing is open. */
int output_end(struct output *output, int code);

/* Makes the folder and those above it that are not there. *kept is the length of the part of `path` that was there
 * before. Returns 0, or -1 with errno set and nothing left behind; no line is printed. */
int output_make_folder(const char *path, size_t *kept);

/* Removes what output_make_folder made, as far as it is empty. */
void output_unmake_folder(const char *path, size_t kept);

#endif
