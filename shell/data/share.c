#include "data/share.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "core/ballot.h"

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

const char *share_name(enum share_mark mark) {
  return share_marks[mark].name;
}

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
