#include "data/shares.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "core/ballot.h"

#define SHARES_BYTES ((size_t)1 << 22) /* votes read at a time, of all shares, unless one query has more */
#define SHARES_BLOCK 65536             /* bytes that are digested at a time */

/* ---- which files ---- */

static int shares_add(struct shares *shares, const char *path) {
  struct shares_part part = {0};
  int code = memory_grow(&shares->part, &shares->capacity, shares->count + 1, sizeof *shares->part);
  if (!code) code = memory_print(&part.path, "%s", path);
  if (!code) shares->part[shares->count++] = part;
  return code;
}

static int shares_expand(struct shares *shares, const char *pattern) {
  glob_t found;
  int code = EXIT_OK, failed;
  if (strcmp(pattern, "-") == 0 || access(pattern, F_OK) == 0 || !strpbrk(pattern, "*?["))
    return shares_add(shares, pattern);
  failed = glob(pattern, GLOB_ERR, NULL, &found);
  if (failed == GLOB_NOMATCH) return error_report(EXIT_INPUT, "%s: there is no such file", pattern);
  if (failed == GLOB_NOSPACE) return memory_short();
  if (failed) return error_report(EXIT_SYSTEM, "%s: cannot look for these files", pattern);
  for (size_t i = 0; !code && i < found.gl_pathc; i++)
    code = shares_add(shares, found.gl_pathv[i]);
  globfree(&found);
  return code;
}

int shares_find(struct shares *shares, const char *pattern, char *const *more, size_t count) {
  int code;
  memset(shares, 0, sizeof *shares);
  code = shares_expand(shares, pattern);
  for (size_t i = 0; !code && i < count; i++)
    code = shares_expand(shares, more[i]);
  return code;
}

int shares_are(const struct shares *shares) {
  char *beside;
  int is_there;
  if (shares->count != 1) return shares->count > 1;
  if (memory_print(&beside, "%s" SHARE_ENDING, shares->part[0].path)) return 0;
  is_there = access(beside, F_OK) == 0;
  free(beside);
  return is_there;
}

/* ---- do they belong together ---- */

static int shares_differ(const struct shares *shares, size_t i, const char *what) {
  return error_report(EXIT_INPUT, "%s: another %s than that of %s", shares->part[i].path, what, shares->part[0].path);
}

static int shares_compare(const struct shares *shares, size_t i) {
  const struct share *one = &shares->part[0].about, *other = &shares->part[i].about;
  if (one->of != other->of) return shares_differ(shares, i, "number of shares");
  if (one->teachers != other->teachers) return shares_differ(shares, i, "number of teachers");
  for (int m = 0; m < SHARE_COMMON; m++)
    if (strcmp(one->mark[m], other->mark[m]) != 0) return shares_differ(shares, i, share_name((enum share_mark)m));
  return EXIT_OK;
}

/* Is this share among those that are said to be lost? */
static int shares_is_lost(const struct shares *shares, uint32_t wanted) {
  const char *at = shares->lost;
  while (at && *at) {
    if (strtoul(at, NULL, 10) == wanted) return 1;
    at += strcspn(at, ",");
    at += *at == ',';
  }
  return 0;
}

/* Lost shares are shares of this vote. */
static int shares_check_lost(const struct shares *shares) {
  const char *at = shares->lost;
  while (at && *at) {
    size_t length = strcspn(at, ",");
    uint32_t number, of;
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(length < 31 ? length : 31), at);
    if (share_parse(text, &number, &of) || of != shares->part[0].about.of)
      return error_report(EXIT_INPUT, "--lost: '%s' is no share such as 1/%u", text, shares->part[0].about.of);
    at += length + (at[length] == ',');
  }
  return EXIT_OK;
}

/* Every share once, in a file or lost. `place` has room for one pointer a share. */
static int shares_check_all(const struct shares *shares, const struct shares_part **place) {
  uint32_t of = shares->part[0].about.of, missing = 0, first = 0;
  for (size_t i = 0; i < shares->count; i++) {
    const struct shares_part *part = &shares->part[i], **at = &place[part->about.number - 1];
    if (*at)
      return error_report(EXIT_INPUT, "share %u/%u is there twice: %s and %s", part->about.number, of, (*at)->path,
                          part->path);
    *at = part;
  }
  for (uint32_t n = of; n > 0; n--) {
    if (place[n - 1] && shares_is_lost(shares, n))
      return error_report(EXIT_INPUT, "--lost %u/%u: %s is there", n, of, place[n - 1]->path);
    if (!place[n - 1] && !shares_is_lost(shares, n)) missing++, first = n;
  }
  if (missing > 1)
    return error_report(EXIT_INPUT,
                        "share %u/%u is missing, and %u more; --lost %u/%u,... if their teachers shall abstain", first,
                        of, missing - 1, first, of);
  if (missing)
    return error_report(EXIT_INPUT, "share %u/%u is missing; --lost %u/%u if its teachers shall abstain", first, of,
                        first, of);
  return EXIT_OK;
}

static int shares_check(const struct shares *shares, const struct classes *classes) {
  const struct shares_part **place;
  struct share mine = {0};
  int code = EXIT_OK;
  for (size_t i = 1; !code && i < shares->count; i++)
    code = shares_compare(shares, i);
  share_mark_classes(&mine, classes);
  if (!code && strcmp(mine.mark[SHARE_CLASSES], shares->part[0].about.mark[SHARE_CLASSES]) != 0)
    code = error_report(EXIT_INPUT, "%s: votes for other classes than --classes says", shares->part[0].path);
  if (!code) code = shares_check_lost(shares);
  if (code) return code;
  code = memory_take(&place, shares->part[0].about.of, sizeof *place);
  if (!code) code = shares_check_all(shares, place);
  free(place);
  return code;
}

/* ---- their votes ---- */

/* The file is the one that its text speaks of. */
static int shares_check_bytes(const struct shares_part *part) {
  struct share read = {0};
  struct stream stream;
  struct digest digest;
  unsigned char *block = NULL;
  size_t got = 0;
  int code = stream_open(&stream, part->path);
  if (code) return code;
  digest_init(&digest);
  code = memory_take(&block, SHARES_BLOCK, 1);
  do {
    if (!code) code = stream_read(&stream, block, SHARES_BLOCK, &got);
    if (!code) digest_add(&digest, block, got);
  } while (!code && got == SHARES_BLOCK);
  stream_close(&stream);
  free(block);
  share_mark(&read, SHARE_VOTES, &digest);
  if (!code && strcmp(read.mark[SHARE_VOTES], part->about.mark[SHARE_VOTES]) != 0)
    code =
        error_report(EXIT_INPUT, "%s: not the votes that %s" SHARE_ENDING " was written for", part->path, part->path);
  return code;
}

static int shares_open_part(struct shares *shares, struct shares_part *part) {
  enum npy_type wanted = votes_width(shares->classes) == 1 ? NPY_U8 : NPY_U16;
  uint32_t first, last;
  int code = shares_check_bytes(part);
  if (!code) code = stream_open(&part->stream, part->path);
  if (code) return code;
  part->is_open = 1;
  code = npy_open(&part->npy, &part->stream);
  if (!code) code = npy_matrix(&part->npy, part->path);
  if (code) return code;
  share_range(&part->about, &first, &last);
  if (part->npy.type != wanted || part->npy.columns != last - first || last == first)
    return error_report(EXIT_INPUT, "%s: no votes of teachers %u to %u", part->path, first + 1, last);
  if (part != shares->part && part->npy.rows != shares->rows)
    return error_report(EXIT_INPUT, "%s: another number of queries than %s", part->path, shares->part[0].path);
  shares->rows = part->npy.rows;
  shares->teachers += last - first;
  return EXIT_OK;
}

static int shares_make_room(struct shares *shares) {
  size_t row = (size_t)shares->teachers * votes_width(shares->classes);
  int code;
  shares->batch = row < SHARES_BYTES ? SHARES_BYTES / row : 1;
  code = memory_take(&shares->tally, shares->classes, sizeof *shares->tally);
  if (!code) code = memory_take(&shares->counts, shares->batch * shares->classes, sizeof *shares->counts);
  for (size_t i = 0; !code && i < shares->count; i++) {
    const struct npy *npy = &shares->part[i].npy;
    code = memory_take(&shares->part[i].raw, shares->batch * (size_t)npy->columns, npy->item);
  }
  return code;
}

int shares_open(struct shares *shares, const struct classes *classes, const char *lost) {
  int code = EXIT_OK;
  shares->classes = classes->count;
  shares->lost = lost;
  for (size_t i = 0; !code && i < shares->count; i++)
    code = share_read(&shares->part[i].about, shares->part[i].path);
  if (!code) code = shares_check(shares, classes);
  for (size_t i = 0; !code && i < shares->count; i++)
    code = shares_open_part(shares, &shares->part[i]);
  return code ? code : shares_make_room(shares);
}

/* Adds the votes of one share on the next `count` queries; a vote that is no class is counted nowhere. */
static int shares_count(struct shares *shares, struct shares_part *part, size_t count) {
  uint32_t teachers = (uint32_t)part->npy.columns, classes = shares->classes;
  size_t row = teachers * part->npy.item, got;
  int code = stream_read(&part->stream, part->raw, count * row, &got);
  if (code) return code;
  if (got < count * row) return error_report(EXIT_INPUT, "%s: cut off", part->path);
  for (size_t q = 0; q < count; q++) {
    const unsigned char *votes = part->raw + q * row;
    fumata_status status = part->npy.item == 1
                               ? fumata_ballot_tally_u8(votes, teachers, classes, shares->tally)
                               : fumata_ballot_tally_u16((const uint16_t *)votes, teachers, classes, shares->tally);
    if (status != FUMATA_OK) return error_report(EXIT_INPUT, "%s: %s", part->path, fumata_strerror(status));
    for (uint32_t c = 0; c < classes; c++)
      shares->counts[q * classes + c] += shares->tally[c];
  }
  return EXIT_OK;
}

int shares_next(struct shares *shares, size_t max, struct votes *batch) {
  uint64_t left = shares->rows - shares->at;
  size_t count = left < max ? (size_t)left : max;
  int code = EXIT_OK;
  if (count > shares->batch) count = shares->batch;
  memset(batch, 0, sizeof *batch);
  memset(shares->counts, 0, count * shares->classes * sizeof *shares->counts);
  for (size_t i = 0; !code && count && i < shares->count; i++)
    code = shares_count(shares, &shares->part[i], count);
  if (code) return code;
  shares->at += count;
  batch->count = count;
  batch->counts = shares->counts;
  return EXIT_OK;
}

void shares_close(struct shares *shares) {
  for (size_t i = 0; i < shares->count; i++) {
    if (shares->part[i].is_open) stream_close(&shares->part[i].stream);
    free(shares->part[i].path);
    free(shares->part[i].raw);
  }
  free(shares->part);
  free(shares->counts);
  free(shares->tally);
  memset(shares, 0, sizeof *shares);
}
