/* A file that appears whole or not at all. */
#ifndef FUMATA_OUTPUT_H
#define FUMATA_OUTPUT_H

#include <stdio.h>

typedef struct {
  FILE *stream; /* write here */
  char *path;
  char *temporary;
} fumata_output;

/* Each returns an exit code (say.h); on failure the line is printed and nothing is left behind. */
int fumata_output_open(fumata_output *output, const char *path);
int fumata_output_commit(fumata_output *output);
void fumata_output_discard(fumata_output *output);

#endif
