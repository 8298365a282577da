#include "data/ballots.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nameset.h"
#include "base/number.h"
#include "base/quote.h"
#include "core/ballot.h"

#define BALLOTS_BYTES   ((size_t)1 << 18) /* of one batch at most, unless one row has more: it stays in cache */
#define BALLOTS_MAPPED  ((size_t)1 << 22) /* likewise of a file that is read where it lies */
#define BALLOTS_ABSTAIN UINT32_MAX        /* a cell that is not a vote; its low bytes are not a label either */
#define BALLOTS_MOST    (UINT32_MAX - 1)  /* the largest count that is handed out */

/* Bytes of a cell as it is handed out; there is always a number left that is not a label. */
static size_t ballots_item(const struct ballots *ballots) {
  if (ballots->meaning == BALLOTS_COUNTS) return sizeof(uint32_t);
  return votes_width(ballots->classes->count);
}

/* .npy labels of the right type are handed out as they are in the file. */
static int ballots_is_ready(const struct ballots *ballots) {
  if (!ballots->is_npy || ballots->meaning != BALLOTS_LABELS) return 0;
  return ballots->npy.type == NPY_U8 || ballots->npy.type == NPY_U16;
}

static int ballots_open_npy(struct ballots *ballots) {
  const struct npy *npy = &ballots->npy;
  int code = npy_open(&ballots->npy, &ballots->stream);
  if (!code) code = npy_matrix(npy, ballots->path);
  if (code) return code;
  if (npy->columns > FUMATA_TEACHERS_MAX)
    return error_report(EXIT_INPUT, "%s: more columns than teachers are allowed", ballots->path);
  ballots->width = (size_t)npy->columns;
  if (ballots->meaning == BALLOTS_AUTO) {
    int is_small = npy->type == NPY_U8 || npy->type == NPY_U16;
    ballots->meaning = !is_small && npy->columns == ballots->classes->count ? BALLOTS_COUNTS : BALLOTS_LABELS;
  }
  if (ballots->meaning == BALLOTS_LABELS && (npy->type == NPY_F32 || npy->type == NPY_F64))
    return error_report(EXIT_INPUT, "%s: %zu columns of floats: neither counts of %u classes nor labels", ballots->path,
                        ballots->width, ballots->classes->count);
  return EXIT_OK;
}

/* ---- the first line of a CSV ---- */

/* Does it name the classes? Fills place. */
static int ballots_names_classes(struct ballots *ballots, int *is_all) {
  uint32_t classes = ballots->classes->count;
  unsigned char *seen;
  int code = memory_take(&seen, classes, 1);
  if (code) return code;
  *is_all = ballots->csv.cells == classes;
  for (size_t i = 0; i < classes && *is_all; i++) {
    int32_t label = classes_find(ballots->classes, ballots->csv.cell[i].text, ballots->csv.cell[i].length);
    *is_all = label >= 0 && !seen[label];
    if (!*is_all) break;
    seen[label] = 1;
    ballots->place[i] = (uint32_t)label;
  }
  free(seen);
  return EXIT_OK;
}

/* A number of votes. One that is too large is the largest: so one vote more or less never changes a count by more than one,
 * which is all that Lemma 1 needs (capped_one_apart in proofs/coq/Ballot.v). */
static uint32_t ballots_count(double x) {
  if (!(x >= 0 && x <= DBL_MAX)) return BALLOTS_ABSTAIN;
  if (x < BALLOTS_MOST) return x == (double)(uint32_t)x ? (uint32_t)x : BALLOTS_ABSTAIN;
  return x >= 0x1p53 || x == (double)(uint64_t)x ? BALLOTS_MOST : BALLOTS_ABSTAIN;
}

static uint32_t ballots_csv_count(const struct cell *cell) {
  double x;
  return number_parse(cell->text, cell->length, &x) == NUMBER_OK ? ballots_count(x) : BALLOTS_ABSTAIN;
}

/* Are all cells votes, or are all of them counts of as many columns as there are classes? */
static int ballots_is_row(const struct ballots *ballots, int counts) {
  if (counts && ballots->csv.cells != ballots->classes->count) return 0;
  for (size_t i = 0; i < ballots->csv.cells; i++) {
    const struct cell *cell = &ballots->csv.cell[i];
    int is_vote = counts ? ballots_csv_count(cell) != BALLOTS_ABSTAIN
                         : classes_vote(ballots->classes, cell->text, cell->length) >= 0;
    if (!is_vote) return 0;
  }
  return 1;
}

/* 0, 1, 2, ... or 1, 2, 3, ..., as programs number columns. */
static int ballots_is_counting(const struct csv *csv) {
  double first = 0, x;
  for (size_t i = 0; i < csv->cells; i++) {
    if (number_parse(csv->cell[i].text, csv->cell[i].length, &x) != NUMBER_OK) return 0;
    if (i == 0) first = x;
    if (x != first + (double)i) return 0;
  }
  return csv->cells > 2 && (first == 0 || first == 1);
}

/* Is the line that was read a header (ballots.h)? `names`: it names the classes. */
static int ballots_look_for_header(struct ballots *ballots, int names, int *is_header) {
  const struct csv *csv = &ballots->csv;
  struct nameset seen = {0};
  int repeats = 0, has_counts = 0, code = EXIT_OK;
  *is_header = ballots->style.header != BALLOTS_NO_HEADER;
  if (ballots->style.header != BALLOTS_LOOK || names || ballots_is_counting(csv)) return EXIT_OK;
  for (size_t i = 0; !code && !repeats && i < csv->cells; i++) {
    uint32_t number = 0;
    code = nameset_add(&seen, csv->cell[i].text, csv->cell[i].length, &number);
    repeats = number != i;
  }
  nameset_free(&seen);
  for (size_t i = 0; i < csv->cells; i++)
    has_counts |= ballots_csv_count(&csv->cell[i]) != BALLOTS_ABSTAIN;
  *is_header = ballots->meaning == BALLOTS_COUNTS
                   ? !has_counts
                   : !repeats && !ballots_is_row(ballots, 0) && !ballots_is_row(ballots, 1);
  return code;
}

static int ballots_open_csv(struct ballots *ballots) {
  int more, names, is_header, code;
  lines_init(&ballots->lines, &ballots->stream);
  csv_init(&ballots->csv, &ballots->lines, ballots->style.delimiter);
  code = csv_next(&ballots->csv, &more);
  if (code) return code;
  if (!more) return error_report(EXIT_INPUT, "%s: no rows", ballots->path);
  ballots->width = ballots->csv.cells;
  if (ballots->width == 1) ballots->csv.expected = 1; /* an empty line is a row of one cell */
  code = memory_take(&ballots->place, ballots->width, sizeof *ballots->place);
  if (!code) code = ballots_names_classes(ballots, &names);
  if (!code) code = ballots_look_for_header(ballots, names, &is_header);
  if (code) return code;
  ballots->style.header = is_header ? BALLOTS_HEADER : BALLOTS_NO_HEADER;
  ballots->has_record = !is_header;
  if (ballots->meaning == BALLOTS_AUTO)
    ballots->meaning = (is_header ? names : ballots_is_row(ballots, 1)) ? BALLOTS_COUNTS : BALLOTS_LABELS;
  for (size_t i = 0; !is_header && i < ballots->width; i++)
    ballots->place[i] = (uint32_t)i;
  if (is_header && ballots->meaning == BALLOTS_COUNTS && !names)
    return error_report(EXIT_INPUT, "%s:1: the header of counts names the classes, one column each", ballots->path);
  return EXIT_OK;
}

void ballots_tell(const struct ballots *ballots) {
  const char *head = ballots->style.header == BALLOTS_HEADER ? "line 1 is its header" : "it has no header";
  if (ballots->is_npy) return;
  if (ballots->meaning == BALLOTS_COUNTS)
    error_note("%s: counts of votes for %u classes; %s", ballots->path, ballots->classes->count, head);
  else
    error_note("%s: votes of %u teachers; %s", ballots->path, ballots->teachers, head);
}

/* ---- opening ---- */

/* Labels in a plain file need no copy: the core reads them where they are. */
static void ballots_map(struct ballots *ballots) {
  uint64_t cells = ballots->npy.rows * ballots->npy.columns * ballots->npy.item, size = ballots->stream.size;
  if (!ballots_is_ready(ballots) || !ballots->stream.is_plain) return;
  if (cells == 0 || size < cells || (size - cells) % ballots->npy.item) return;
  ballots->map = mmap(NULL, size, PROT_READ, MAP_PRIVATE, ballots->stream.fd, 0);
  if (ballots->map == MAP_FAILED)
    ballots->map = NULL;
  else
    madvise(ballots->map, ballots->map_size = size, MADV_SEQUENTIAL);
}

/* What the file is, and buffers of one batch unless it is read where it lies. */
static int ballots_begin(struct ballots *ballots, int is_standard) {
  const unsigned char *bytes;
  size_t length, row;
  int code = stream_peek(&ballots->stream, &bytes, &length);
  if (code) return code;
  if (length == 0) return error_report(EXIT_INPUT, "%s: the file is empty", ballots->path);
  ballots->is_npy = npy_recognise(bytes, length);
  code = ballots->is_npy ? ballots_open_npy(ballots) : ballots_open_csv(ballots);
  if (code) return code;
  if (ballots->meaning == BALLOTS_COUNTS && ballots->width != ballots->classes->count)
    return error_report(EXIT_INPUT, "%s: %zu columns of counts for %u classes", ballots->path, ballots->width,
                        ballots->classes->count);
  if (ballots->meaning == BALLOTS_LABELS) ballots->teachers = (uint32_t)ballots->width;
  if (!is_standard) ballots_map(ballots); /* standard input may begin in the middle of a file */
  if (ballots->map) return EXIT_OK;
  row = ballots->width * (ballots->npy.item > sizeof(uint32_t) ? ballots->npy.item : sizeof(uint32_t));
  ballots->batch = row < BALLOTS_BYTES ? BALLOTS_BYTES / row : 1;
  if (ballots->is_npy) code = memory_take(&ballots->raw, ballots->batch * ballots->width, ballots->npy.item);
  if (!code && !ballots_is_ready(ballots))
    code = memory_take(&ballots->cooked, ballots->batch * ballots->width, ballots_item(ballots));
  return code;
}

static int ballots_start(struct ballots *ballots, const char *path, const struct classes *classes,
                         const struct ballots_style *style) {
  int code;
  memset(ballots, 0, sizeof *ballots);
  ballots->classes = classes;
  ballots->style = *style;
  ballots->meaning = style->meaning;
  code = stream_open(&ballots->stream, path);
  if (code) return code;
  ballots->path = ballots->stream.path;
  code = ballots_begin(ballots, strcmp(path, "-") == 0);
  if (code) ballots_close(ballots);
  return code;
}

/* Rows may be of another shape than the head of the file says. Where that can be seen before they are answered, the file is
 * read to its end once; that of a plain .npy has the right length. */
int ballots_open(struct ballots *ballots, const char *path, const struct classes *classes,
                 const struct ballots_style *style) {
  struct ballots survey;
  struct votes batch;
  struct stat about;
  int code = ballots_start(ballots, path, classes, style);
  if (code || strcmp(path, "-") == 0 || (ballots->is_npy && ballots->stream.is_plain)) return code;
  if (fstat(ballots->stream.fd, &about) != 0 || !S_ISREG(about.st_mode)) return code;
  code = ballots_start(&survey, path, classes, style);
  if (!code) {
    survey.csv.expected = survey.width;
    do
      code = ballots_next(&survey, SIZE_MAX, &batch);
    while (!code && batch.count);
    ballots_close(&survey);
  }
  if (code) ballots_close(ballots);
  return code;
}

void ballots_close(struct ballots *ballots) {
  if (ballots->map) munmap(ballots->map, ballots->map_size);
  csv_free(&ballots->csv);
  lines_free(&ballots->lines);
  stream_close(&ballots->stream);
  free(ballots->place);
  free(ballots->raw);
  free(ballots->cooked);
  memset(ballots, 0, sizeof *ballots);
}

static void ballots_store(struct ballots *ballots, size_t i, size_t column, uint32_t number) {
  size_t at = i * ballots->width + column;
  if (ballots->meaning == BALLOTS_LABELS && number >= ballots->classes->count) number = BALLOTS_ABSTAIN;
  if (ballots->meaning == BALLOTS_COUNTS)
    ((uint32_t *)ballots->cooked)[at] = number;
  else if (ballots_item(ballots) == 1)
    ((uint8_t *)ballots->cooked)[at] = (uint8_t)number;
  else
    ((uint16_t *)ballots->cooked)[at] = (uint16_t)number;
}

/* With a cell that is not a count the row is without votes. How many votes a row has in all matters nowhere. */
static void ballots_end_row(struct ballots *ballots, size_t i) {
  uint32_t *counts = (uint32_t *)ballots->cooked + i * ballots->width;
  int is_ballot = 1;
  if (ballots->meaning != BALLOTS_COUNTS) return;
  for (size_t c = 0; c < ballots->width; c++)
    is_ballot &= counts[c] != BALLOTS_ABSTAIN;
  if (!is_ballot) memset(counts, 0, ballots->width * sizeof *counts);
}

/* One cell of a .npy, as a label or as a count. */
static uint32_t ballots_npy_cell(const struct ballots *ballots, const unsigned char *cell) {
  uint32_t number;
  if (ballots->meaning == BALLOTS_COUNTS) return ballots_count(npy_number(ballots->npy.type, cell));
  return npy_whole(ballots->npy.type, cell, &number) == 0 ? number : BALLOTS_ABSTAIN;
}

static int ballots_next_npy(struct ballots *ballots, size_t max, size_t *n) {
  size_t row = ballots->width * ballots->npy.item, got;
  uint64_t left = ballots->npy.rows - ballots->at;
  int code;
  *n = left < max ? (size_t)left : max;
  code = stream_read(&ballots->stream, ballots->raw, *n ? *n * row : 1, &got);
  if (code) return code;
  if (*n == 0) return got ? error_report(EXIT_INPUT, "%s: bytes after the last row", ballots->path) : EXIT_OK;
  if (got < *n * row)
    return error_report(EXIT_INPUT, "%s: cut off in row %llu of %llu", ballots->path,
                        (unsigned long long)(ballots->at + got / row), (unsigned long long)ballots->npy.rows);
  for (size_t i = 0; !ballots_is_ready(ballots) && i < *n; i++) {
    for (size_t c = 0; c < ballots->width; c++)
      ballots_store(ballots, i, c, ballots_npy_cell(ballots, ballots->raw + i * row + c * ballots->npy.item));
    ballots_end_row(ballots, i);
  }
  return EXIT_OK;
}

/* A record of another length than the header's is without votes: who cast which is not known. */
static int ballots_next_csv(struct ballots *ballots, size_t max, size_t *n) {
  for (*n = 0; *n < max; ++*n) {
    int more = 1, code = ballots->has_record ? EXIT_OK : csv_next(&ballots->csv, &more);
    if (code || !more) return code;
    ballots->has_record = 0;
    for (size_t c = 0; c < ballots->width; c++) {
      const struct cell *cell = &ballots->csv.cell[c];
      if (ballots->csv.cells != ballots->width)
        ballots_store(ballots, *n, c, BALLOTS_ABSTAIN);
      else if (ballots->meaning == BALLOTS_LABELS)
        ballots_store(ballots, *n, c, (uint32_t)classes_vote(ballots->classes, cell->text, cell->length));
      else
        ballots_store(ballots, *n, ballots->place[c], ballots_csv_count(cell));
    }
    ballots_end_row(ballots, *n);
  }
  return EXIT_OK;
}

/* The next rows of the map. Asks for their pages at once, and lets go of those before: memory does not grow with the file.
 * One call for many pages is cheaper than a fault for each few; where it is not known, faults do. */
static const void *ballots_next_mapped(struct ballots *ballots, size_t max, size_t *n) {
  const struct npy *npy = &ballots->npy;
  uint64_t row = npy->columns * npy->item, left = npy->rows - ballots->at;
  uint64_t most = row < BALLOTS_MAPPED ? BALLOTS_MAPPED / row : 1;
  const unsigned char *cells = (const unsigned char *)ballots->map + ballots->map_size - left * row;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)cells / page * page;
  uintptr_t read = (uintptr_t)ballots->map + ballots->map_read;
  if (most > max) most = max;
  *n = left < most ? (size_t)left : (size_t)most;
  if (first > read) madvise((void *)read, first - read, MADV_DONTNEED);
  ballots->map_read = first - (uintptr_t)ballots->map;
#ifdef MADV_POPULATE_READ
  madvise((void *)first, (uintptr_t)cells + *n * row - first, MADV_POPULATE_READ);
#endif
  return cells;
}

int ballots_next(struct ballots *ballots, size_t max, struct votes *batch) {
  const void *cells;
  size_t n = 0;
  int code = EXIT_OK;
  memset(batch, 0, sizeof *batch);
  if (ballots->map) {
    cells = ballots_next_mapped(ballots, max, &n);
  } else {
    if (max > ballots->batch) max = ballots->batch;
    cells = ballots_is_ready(ballots) ? (const void *)ballots->raw : ballots->cooked;
    code = ballots->is_npy ? ballots_next_npy(ballots, max, &n) : ballots_next_csv(ballots, max, &n);
  }
  if (code) return code;
  batch->count = n;
  batch->teachers = ballots->teachers;
  if (ballots->meaning == BALLOTS_COUNTS)
    batch->counts = cells;
  else if (ballots_is_ready(ballots) ? ballots->npy.type == NPY_U8 : ballots_item(ballots) == 1)
    batch->labels8 = cells;
  else
    batch->labels16 = cells;
  ballots->at += n;
  return EXIT_OK;
}
