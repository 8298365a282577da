/* A file that appears whole or not at all. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdio.h>

struct output {
  FILE *stream; /* write here */
  char *path;
  char *temporary; /* the file until it is committed */
  char *folder;    /* the path again, for dirname to cut */
};

/* Each returns an exit code (error.h); on failure the line is printed and nothing is left behind. */
int output_open(struct output *output, const char *path);
int output_commit(struct output *output);
void output_discard(struct output *output);

#endif
