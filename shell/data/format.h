/* The formats of files with records (votes come in others: ballots.h). A format is one file that fills such a table, as
 * svmlight.c does, and a line in the list of format.c; all else knows a format by its table alone. */
#ifndef DATA_FORMAT_H
#define DATA_FORMAT_H

#include <stddef.h>
#include <stdint.h>

struct encoding;
struct reader;
struct rows;
struct source;

enum format_trait {
  FORMAT_NUMBERS = 1,       /* a record is numbers, taken as they are; without: cells of named columns (column.h) */
  FORMAT_DENSE = 2,         /* a record has all of its numbers */
  FORMAT_OMITS_ZEROS = 4,   /* zeros at the end of a record may be left out, in all records alike */
  FORMAT_LABELS_BESIDE = 8, /* the labels stand in a second file (reader.h) */
  FORMAT_HOLDS_LABELS = 16, /* may be that second file */
  FORMAT_PIXELS = 32        /* all numbers are of one scale */
};

/* The int functions return an exit code (error.h). */
struct format {
  const char *name;    /* in messages: "CSV" */
  const char *keyword; /* in a schema file: "csv" */
  int traits;

  /* Is a file that begins with these bytes, behind a byte order mark, of this format? */
  int (*recognise)(const unsigned char *bytes, size_t length);

  /* Reads the header. What a format keeps to itself is source->state, which source_close frees. NULL: no header. */
  int (*open)(struct source *source);

  /* May the file hold records? Asked unless it holds labels. NULL: yes. */
  int (*check)(const struct source *source);

  /* The next record of the file into source->record, with its label and its unit where they stand in the record. An
   * error with *more = 1 is of this record alone. */
  int (*next)(struct source *source, int *more);

  /* Learns from a public file what the encoding must know to read such records. NULL: source->numbers says all. */
  int (*fit)(struct encoding *encoding, struct source *source);

  /* Makes ready for records as the encoding wants them. NULL: nothing to do. */
  int (*begin)(struct reader *reader);

  /* Adds the current record to the rows, before the encoding's steps. */
  int (*add)(struct reader *reader, struct rows *rows, int32_t label, uint64_t unit);

  /* What the current record is compared by (overlap.h). NULL: by its numbers. */
  uint64_t (*word)(const struct reader *reader);

  /* The current label of a file of labels that are numbers. */
  double (*label_number)(const struct source *source);

  /* The file of labels that belongs to a file of records by its name, to be freed, or NULL; and how to name them so. */
  char *(*guess_labels)(const char *path);
  const char *guess_hint;
};

extern const struct format format_csv, format_libsvm, format_idx, format_npy;

/* The i-th format, or NULL behind the last. */
const struct format *format_at(size_t i);

/* The format of that keyword, or NULL. */
const struct format *format_find(const char *keyword);

/* "idx, .npy or CSV": the formats that have these traits. */
#define FORMAT_NAMES 128
const char *format_names(int traits, char text[FORMAT_NAMES]);

#endif
