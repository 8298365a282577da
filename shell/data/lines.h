/* Lines of a stream, in place: no copy for each line. Each stands amid a buffer (amid.h). */
#ifndef DATA_LINES_H
#define DATA_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "base/amid.h"
#include "data/stream.h"

#define LINES_LONGEST ((size_t)1 << 26) /* bytes: a longer record is refused, not stored */

struct lines {
  struct stream *stream;
  char *buffer;
  size_t capacity;
  size_t begin;  /* of the current record */
  size_t finish; /* end of its text, before the line break */
  size_t next;   /* of what follows */
  size_t filled;
  size_t nul;         /* where the first NUL byte is, or SIZE_MAX */
  uint64_t passed;    /* bytes of all records so far */
  int is_ended;       /* the stream has no more */
  uint64_t line;      /* number of the current record's first line */
  uint64_t last_line; /* number of its last line */
};

void lines_init(struct lines *lines, struct stream *stream);
void lines_free(struct lines *lines);

/* The next line without its break (LF or CRLF); *text NULL at the end. A NUL byte is refused: the file is not text. A
 * byte order mark before the first line is passed over. The text stays valid until the next call and may be
 * changed in place. Returns an exit code (error.h). */
int lines_next(struct lines *lines, char **text, size_t *length);

/* Bytes of a byte order mark (UTF-8) at the start of a text: 3 or 0. */
size_t lines_mark(const void *text, size_t length);

/* The current record and one more line, as one text (a quoted cell may hold line breaks); *text NULL if there is no
 * further line. */
int lines_extend(struct lines *lines, char **text, size_t *length);

#endif
