#include "data/share.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "core/ballot.h"

#define SHARE_BYTES ((size_t)1 << 22) /* votes read at a time, of all shares, unless one query has more */
#define SHARE_BLOCK 65536             /* bytes that are digested at a time */

static const struct {
  const char *key;  /* in the text */
  const char *name; /* for people */
} share_marks[SHARE_MARKS] = {[SHARE_KEY] = {"key", "key"},
                              [SHARE_PRIVATE] = {"private", "private file"},
                              [SHARE_POOL] = {"pool", "pool of queries"},
                              [SHARE_CLASSES] = {"classes", "set of classes"},
                              [SHARE_ENCODING] = {"encoding", "encoding"},
                              [SHARE_LEARNER] = {"learner", "learner"},
                              [SHARE_VOTES] = {"votes", "votes"}};

/* ---- one share ---- */

int share_parse(const char *text, uint32_t *number, uint32_t *of) {
  unsigned long a, b;
  char *end;
  if (*text < '1' || *text > '9') return -1;
  a = strtoul(text, &end, 10);
  if (*end != '/' || end[1] < '1' || end[1] > '9') return -1;
  b = strtoul(end + 1, &end, 10);
  if (*end || b > SHARE_MAX || a > b) return -1;
  *number = (uint32_t)a;
  *of = (uint32_t)b;
  return 0;
}

void share_range(const struct share *share, uint32_t *first, uint32_t *last) {
  *first = (uint32_t)((uint64_t)share->teachers * (share->number - 1) / share->of);
  *last = (uint32_t)((uint64_t)share->teachers * share->number / share->of);
}

void share_mark(struct share *share, enum share_mark mark, const struct digest *digest) {
  uint8_t value[DIGEST_SIZE];
  digest_read(digest, value);
  digest_print(value, share->mark[mark]);
}

void share_mark_classes(struct share *share, const struct classes *classes) {
  struct digest digest;
  digest_init(&digest);
  for (uint32_t c = 0; c < classes->count; c++) {
    size_t length = strlen(classes->name[c]);
    digest_add_u64(&digest, length);
    digest_add(&digest, classes->name[c], length);
  }
  share_mark(share, SHARE_CLASSES, &digest);
}

int share_write(const struct share *share, const char *path) {
  struct output output;
  char *beside;
  int code = memory_print(&beside, "%s" SHARE_ENDING, path);
  if (code) return code;
  code = output_open(&output, beside);
  free(beside);
  if (code) return code;
  fprintf(output.stream, "fumata share 1\nshare %u/%u\nteachers %u\n", share->number, share->of, share->teachers);
  for (int m = 0; m < SHARE_MARKS; m++)
    fprintf(output.stream, "%s %s\n", share_marks[m].key, share->mark[m]);
  return output_commit(&output);
}

/* The next line, "WORD VALUE", as its value in `value`; 0 if it is another one. */
static int share_line(FILE *stream, const char *word, char *value, size_t size) {
  char line[160];
  size_t length = strlen(word), end;
  if (!fgets(line, sizeof line, stream)) return 0;
  end = strcspn(line, "\n");
  if (line[end] != '\n' || strncmp(line, word, length) != 0 || line[length] != ' ' || end - length > size) return 0;
  memcpy(value, line + length + 1, end - length - 1);
  value[end - length - 1] = '\0';
  return value[0] != '\0';
}

static int share_parse_text(struct share *share, FILE *stream) {
  char value[DIGEST_TEXT], *end;
  unsigned long teachers;
  if (!share_line(stream, "fumata share", value, sizeof value) || strcmp(value, "1") != 0) return -1;
  if (!share_line(stream, "share", value, sizeof value) || share_parse(value, &share->number, &share->of)) return -1;
  if (!share_line(stream, "teachers", value, sizeof value)) return -1;
  teachers = strtoul(value, &end, 10);
  if (*end || *value < '1' || *value > '9' || teachers > FUMATA_TEACHERS_MAX) return -1;
  share->teachers = (uint32_t)teachers;
  for (int m = 0; m < SHARE_MARKS; m++)
    if (!share_line(stream, share_marks[m].key, share->mark[m], DIGEST_TEXT) ||
        strlen(share->mark[m]) != DIGEST_TEXT - 1)
      return -1;
  return fgetc(stream) == EOF ? 0 : -1;
}

int share_read(struct share *share, const char *path) {
  char *beside;
  FILE *stream;
  int code = memory_print(&beside, "%s" SHARE_ENDING, path);
  if (code) return code;
  memset(share, 0, sizeof *share);
  stream = fopen(beside, "rbe");
  if (!stream)
    code = error_report(EXIT_INPUT, "%s: cannot read: %s; fumata vote writes it beside a share of votes", beside,
                        strerror(errno));
  else if (share_parse_text(share, stream))
    code = error_report(EXIT_INPUT, "%s: not what fumata vote writes beside a share of votes", beside);
  if (stream) fclose(stream);
  free(beside);
  return code;
}

/* ---- which files ---- */

static int share_set_add(struct share_set *set, const char *path) {
  struct share_part part = {0};
  int code = memory_grow(&set->part, &set->capacity, set->count + 1, sizeof *set->part);
  if (!code) code = memory_print(&part.path, "%s", path);
  if (!code) set->part[set->count++] = part;
  return code;
}

static int share_set_expand(struct share_set *set, const char *pattern) {
  glob_t found;
  int code = EXIT_OK, failed;
  if (strcmp(pattern, "-") == 0 || access(pattern, F_OK) == 0 || !strpbrk(pattern, "*?["))
    return share_set_add(set, pattern);
  failed = glob(pattern, GLOB_ERR, NULL, &found);
  if (failed == GLOB_NOMATCH) return error_report(EXIT_INPUT, "%s: does not match any file", pattern);
  if (failed == GLOB_NOSPACE) return memory_short();
  if (failed) return error_report(EXIT_SYSTEM, "%s: cannot look for these files", pattern);
  for (size_t i = 0; !code && i < found.gl_pathc; i++)
    code = share_set_add(set, found.gl_pathv[i]);
  globfree(&found);
  return code;
}

int share_set_find(struct share_set *set, const char *pattern, char *const *more, size_t count) {
  int code;
  memset(set, 0, sizeof *set);
  code = share_set_expand(set, pattern);
  for (size_t i = 0; !code && i < count; i++)
    code = share_set_expand(set, more[i]);
  return code;
}

int share_set_is(const struct share_set *set) {
  char *beside;
  int is_there;
  if (set->count != 1) return set->count > 1;
  if (memory_print(&beside, "%s" SHARE_ENDING, set->part[0].path)) return 0;
  is_there = access(beside, F_OK) == 0;
  free(beside);
  return is_there;
}

/* ---- do they belong together ---- */

/* Does the share speak of the same votes as the first one? */
static int share_set_compare(const struct share_set *set, size_t i, const struct classes *classes) {
  const struct share *one = &set->part[0].about, *other = &set->part[i].about;
  const char *what = one->of != other->of               ? "number of shares"
                     : one->teachers != other->teachers ? "number of teachers"
                                                        : NULL;
  struct share mine;
  for (int m = 0; !what && m < SHARE_COMMON; m++)
    if (strcmp(one->mark[m], other->mark[m]) != 0) what = share_marks[m].name;
  if (what)
    return error_report(EXIT_INPUT, "%s: another %s than that of %s", set->part[i].path, what, set->part[0].path);
  share_mark_classes(&mine, classes);
  if (strcmp(mine.mark[SHARE_CLASSES], one->mark[SHARE_CLASSES]) != 0)
    return error_report(EXIT_INPUT, "%s: votes for other classes than --classes says", set->part[i].path);
  return EXIT_OK;
}

/* Is this share among those that are said to be lost? */
static int share_set_is_lost(const struct share_set *set, uint32_t wanted) {
  const char *at = set->lost;
  while (at && *at) {
    if (strtoul(at, NULL, 10) == wanted) return 1;
    at += strcspn(at, ",");
    at += *at == ',';
  }
  return 0;
}

/* Lost shares are shares of this vote. */
static int share_set_check_lost(const struct share_set *set) {
  const char *at = set->lost;
  while (at && *at) {
    size_t length = strcspn(at, ",");
    uint32_t number, of;
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(length < 31 ? length : 31), at);
    if (share_parse(text, &number, &of) || of != set->part[0].about.of)
      return error_report(EXIT_INPUT, "--lost: '%s' is not a share such as 1/%u", text, set->part[0].about.of);
    at += length + (at[length] == ',');
  }
  return EXIT_OK;
}

/* Every share once, in a file or lost. `place` has room for one pointer a share. */
static int share_set_check(const struct share_set *set, const struct share_part **place) {
  uint32_t of = set->part[0].about.of, missing = 0, first = 0;
  for (size_t i = 0; i < set->count; i++) {
    const struct share_part *part = &set->part[i], **at = &place[part->about.number - 1];
    if (*at)
      return error_report(EXIT_INPUT, "share %u/%u is there twice: %s and %s", part->about.number, of, (*at)->path,
                          part->path);
    *at = part;
  }
  for (uint32_t n = of; n > 0; n--) {
    if (place[n - 1] && share_set_is_lost(set, n))
      return error_report(EXIT_INPUT, "--lost %u/%u: %s is there", n, of, place[n - 1]->path);
    if (!place[n - 1] && !share_set_is_lost(set, n)) missing++, first = n;
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

/* ---- their votes ---- */

/* Is the file the one that its text speaks of? */
static int share_check_bytes(const struct share_part *part) {
  struct share read = {0};
  struct stream stream;
  struct digest digest;
  unsigned char *block = NULL;
  size_t got = SHARE_BLOCK;
  int code = stream_open(&stream, part->path);
  if (code) return code;
  digest_init(&digest);
  code = memory_take(&block, SHARE_BLOCK, 1);
  while (!code && got == SHARE_BLOCK) {
    code = stream_read(&stream, block, SHARE_BLOCK, &got);
    if (!code) digest_add(&digest, block, got);
  }
  stream_close(&stream);
  free(block);
  share_mark(&read, SHARE_VOTES, &digest);
  if (!code && strcmp(read.mark[SHARE_VOTES], part->about.mark[SHARE_VOTES]) != 0)
    code =
        error_report(EXIT_INPUT, "%s: not the votes that %s" SHARE_ENDING " was written for", part->path, part->path);
  return code;
}

static int share_open(struct share_set *set, struct share_part *part) {
  enum npy_type wanted = votes_width(set->classes) == 1 ? NPY_U8 : NPY_U16;
  uint32_t first, last;
  int code = share_check_bytes(part);
  if (!code) code = stream_open(&part->stream, part->path);
  if (code) return code;
  part->is_open = 1;
  code = npy_open(&part->npy, &part->stream);
  if (!code) code = npy_matrix(&part->npy, part->path);
  if (code) return code;
  share_range(&part->about, &first, &last);
  if (part->npy.type != wanted || part->npy.columns != last - first || last == first)
    return error_report(EXIT_INPUT, "%s: no votes of teachers %u to %u", part->path, first + 1, last);
  if (part != set->part && part->npy.rows != set->rows)
    return error_report(EXIT_INPUT, "%s: another number of queries than %s", part->path, set->part[0].path);
  set->rows = part->npy.rows;
  set->teachers += last - first;
  return EXIT_OK;
}

int share_set_open(struct share_set *set, const struct classes *classes, const char *lost) {
  const struct share_part **place = NULL;
  size_t row;
  int code = EXIT_OK;
  set->classes = classes->count;
  set->lost = lost;
  for (size_t i = 0; !code && i < set->count; i++)
    code = share_read(&set->part[i].about, set->part[i].path);
  for (size_t i = 0; !code && i < set->count; i++)
    code = share_set_compare(set, i, classes);
  if (!code) code = share_set_check_lost(set);
  if (!code) code = memory_take(&place, set->part[0].about.of, sizeof *place);
  if (!code) code = share_set_check(set, place);
  free(place);
  for (size_t i = 0; !code && i < set->count; i++)
    code = share_open(set, &set->part[i]);
  row = (size_t)set->teachers * votes_width(set->classes);
  set->batch = row && row < SHARE_BYTES ? SHARE_BYTES / row : 1;
  if (!code) code = memory_take(&set->tally, set->classes, sizeof *set->tally);
  if (!code) code = memory_take(&set->counts, set->batch * set->classes, sizeof *set->counts);
  for (size_t i = 0; !code && i < set->count; i++) {
    const struct npy *npy = &set->part[i].npy;
    code = memory_take(&set->part[i].raw, set->batch * (size_t)npy->columns, npy->item);
  }
  return code;
}

/* Adds the votes of one share on the next `count` queries; a vote that is not a class is counted nowhere. */
static int share_count(struct share_set *set, struct share_part *part, size_t count) {
  uint32_t teachers = (uint32_t)part->npy.columns, classes = set->classes;
  size_t row = teachers * part->npy.item, got;
  int code = stream_read(&part->stream, part->raw, count * row, &got);
  if (code) return code;
  if (got < count * row) return error_report(EXIT_INPUT, "%s: cut off", part->path);
  for (size_t q = 0; q < count; q++) {
    const unsigned char *votes = part->raw + q * row;
    fumata_status status = part->npy.item == 1
                               ? fumata_ballot_tally_u8(votes, teachers, classes, set->tally)
                               : fumata_ballot_tally_u16((const uint16_t *)votes, teachers, classes, set->tally);
    if (status != FUMATA_OK) return error_report(EXIT_INPUT, "%s: %s", part->path, fumata_strerror(status));
    for (uint32_t c = 0; c < classes; c++)
      set->counts[q * classes + c] += set->tally[c];
  }
  return EXIT_OK;
}

int share_set_next(struct share_set *set, size_t max, struct votes *batch) {
  uint64_t left = set->rows - set->at;
  size_t count = left < max ? (size_t)left : max;
  int code = EXIT_OK;
  if (count > set->batch) count = set->batch;
  memset(batch, 0, sizeof *batch);
  memset(set->counts, 0, count * set->classes * sizeof *set->counts);
  for (size_t i = 0; !code && count && i < set->count; i++)
    code = share_count(set, &set->part[i], count);
  if (code) return code;
  set->at += count;
  batch->count = count;
  batch->counts = set->counts;
  return EXIT_OK;
}

void share_set_close(struct share_set *set) {
  for (size_t i = 0; i < set->count; i++) {
    if (set->part[i].is_open) stream_close(&set->part[i].stream);
    free(set->part[i].path);
    free(set->part[i].raw);
  }
  free(set->part);
  free(set->counts);
  free(set->tally);
  memset(set, 0, sizeof *set);
}
