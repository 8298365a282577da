#include "plan/plan_file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/output.h"

struct plan_file_out {
  FILE *stream;
  struct digest digest;
};

static void plan_file_line(struct plan_file_out *out, const char *format, ...) ERROR_PRINTF(2, 3);

static void plan_file_line(struct plan_file_out *out, const char *format, ...) {
  char line[128];
  va_list arguments;
  int length;
  va_start(arguments, format);
  length = vsnprintf(line, sizeof line - 1, format, arguments);
  va_end(arguments);
  line[length++] = '\n';
  digest_add(&out->digest, line, (size_t)length);
  fwrite(line, 1, (size_t)length, out->stream);
}

static void plan_file_table(struct plan_file_out *out, const char *name, int64_t first, const uint64_t *entry,
                            uint32_t size) {
  uint32_t i;
  plan_file_line(out, "table %s %" PRIu32, name, size);
  for (i = 0; i < size; i++)
    plan_file_line(out, "%" PRId64 " %" PRIu64, first + (int64_t)i, entry[i]);
}

int plan_file_print(FILE *stream, const struct plan_box *box) {
  struct plan_file_out out;
  uint8_t digest[DIGEST_SIZE];
  char text[DIGEST_TEXT];
  out.stream = stream;
  digest_init(&out.digest);
  plan_file_line(&out, "fumata-plan 1");
  plan_file_line(&out, "mechanism %s", box->mechanism == PLAN_MECHANISM_METER ? "meter" : "classic");
  plan_file_line(&out, "epsilon %" PRIu32 "/%" PRIu32, box->claim.epsilon_num, box->claim.epsilon_den);
  plan_file_line(&out, "delta %" PRIu64 "/%" PRIu64, box->claim.delta_num, box->claim.delta_den);
  plan_file_line(&out, "alpha %" PRIu32, box->claim.alpha);
  plan_file_line(&out, "v %" PRIu64, box->claim.v);
  plan_file_line(&out, "silences %" PRIu32, plan_limit(box));
  if (box->mechanism == PLAN_MECHANISM_METER)
    plan_file_table(&out, "silence", 1, box->meter.silence, box->meter.size);
  else {
    const fumata_noise *one = &box->classic.threshold, *two = &box->classic.query;
    plan_file_line(&out, "width %" PRId64, box->classic.width);
    plan_file_table(&out, "threshold", one->first, one->cdf, one->size);
    plan_file_table(&out, "query", two->first, two->cdf, two->size);
  }
  digest_read(&out.digest, digest);
  digest_print(digest, text);
  fprintf(stream, "end %s\n", text);
  return ferror(stream) ? -1 : 0;
}

int plan_file_write(const char *path, const struct plan_box *box) {
  struct output output;
  int code = output_open(&output, path);
  if (code) return code;
  plan_file_print(output.stream, box);
  return output_commit(&output);
}

/* The line that is being read, and where it stands. */
struct plan_file_in {
  const char *path;
  FILE *stream;
  char *line;
  size_t room;
  uint64_t number;
  struct digest digest;
};

static int plan_file_bad(const struct plan_file_in *in, const char *cause) {
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": %s", in->path, in->number, cause);
}

/* Takes one line, without its newline; `last` leaves it out of the digest. */
static int plan_file_next(struct plan_file_in *in, int last) {
  ssize_t length;
  in->number++;
  errno = 0;
  length = getline(&in->line, &in->room, in->stream);
  if (length < 0 && ferror(in->stream))
    return error_report(errno == EISDIR ? EXIT_INPUT : EXIT_SYSTEM, "%s: cannot read: %s", in->path, strerror(errno));
  if (length < 0 && errno == ENOMEM) return error_report(EXIT_SYSTEM, "out of memory");
  if (length < 0) return plan_file_bad(in, "the file ends here without its 'end' line: it is cut short");
  if (in->line[length - 1] != '\n') return plan_file_bad(in, "the line has no end: the file is cut short");
  if (strlen(in->line) != (size_t)length) return plan_file_bad(in, "a zero byte: this is not a plan file");
  if (!last) digest_add(&in->digest, in->line, (size_t)length);
  in->line[length - 1] = 0;
  return EXIT_OK;
}

/* A decimal integer in its one way of writing, at most `most`. */
static int plan_file_number(const char **text, uint64_t most, uint64_t *number) {
  const char *c = *text;
  if (!isdigit((unsigned char)*c) || (*c == '0' && isdigit((unsigned char)c[1]))) return -1;
  for (*number = 0; isdigit((unsigned char)*c); c++) {
    unsigned digit = (unsigned)(*c - '0');
    if (*number > (UINT64_MAX - digit) / 10) return -1;
    *number = *number * 10 + digit;
  }
  *text = c;
  return *number <= most ? 0 : -1;
}

static int plan_file_signed(const char **text, int64_t *number) {
  uint64_t size;
  int minus = **text == '-';
  *text += minus;
  if (plan_file_number(text, (uint64_t)FUMATA_NOISE_RANGE * 2, &size) || (minus && size == 0)) return -1;
  *number = minus ? -(int64_t)size : (int64_t)size;
  return 0;
}

static const char *plan_file_after(const struct plan_file_in *in, const char *word) {
  size_t length = strlen(word);
  if (strncmp(in->line, word, length) || in->line[length] != ' ') return NULL;
  return in->line + length + 1;
}

static int plan_file_expected(const struct plan_file_in *in, const char *what) {
  char seen[40];
  size_t i;
  for (i = 0; i < sizeof seen - 1 && in->line[i]; i++)
    seen[i] = isprint((unsigned char)in->line[i]) ? in->line[i] : '?';
  seen[i] = 0;
  return error_report(EXIT_INPUT, "%s:%" PRIu64 ": expected '%s', found '%s%s'", in->path, in->number, what, seen,
                      in->line[i] ? "..." : "");
}

static int plan_file_field(struct plan_file_in *in, const char *word, const char *what, uint64_t most,
                           uint64_t *number) {
  const char *text;
  int code = plan_file_next(in, 0);
  if (code) return code;
  text = plan_file_after(in, word);
  if (!text || plan_file_number(&text, most, number) || *text) return plan_file_expected(in, what);
  return EXIT_OK;
}

static int plan_file_ratio(struct plan_file_in *in, const char *word, const char *what, uint64_t most, uint64_t *num,
                           uint64_t *den) {
  const char *text;
  int code = plan_file_next(in, 0);
  if (code) return code;
  text = plan_file_after(in, word);
  if (!text || plan_file_number(&text, most, num) || *text++ != '/' || plan_file_number(&text, most, den) || *text ||
      *den == 0)
    return plan_file_expected(in, what);
  return EXIT_OK;
}

static int plan_file_entries(struct plan_file_in *in, const char *word, const char *what, uint32_t most, int64_t *first,
                             uint64_t **entry, uint32_t *size) {
  uint64_t count, i;
  int code = plan_file_field(in, word, what, most, &count);
  if (code) return code;
  if (count == 0) return plan_file_bad(in, "an empty table");
  *entry = malloc(count * sizeof **entry);
  if (!*entry) return error_report(EXIT_SYSTEM, "out of memory");
  for (i = 0; i < count; i++) {
    const char *text;
    int64_t outcome;
    code = plan_file_next(in, 0);
    if (code) return code;
    text = in->line;
    if (plan_file_signed(&text, &outcome) || *text++ != ' ' || plan_file_number(&text, UINT64_MAX, *entry + i) || *text)
      return plan_file_expected(in, "NUMBER NUMBER");
    if (i == 0) *first = outcome;
    if (outcome != *first + (int64_t)i) return plan_file_bad(in, "a line of the table is missing or out of order");
  }
  *size = (uint32_t)count;
  return EXIT_OK;
}

static int plan_file_meter(struct plan_file_in *in, struct plan_box *box) {
  int64_t first = 0;
  int code = plan_file_entries(in, "table silence", "table silence SIZE", FUMATA_TABLE_MAX, &first, &box->memory[0],
                               &box->meter.size);
  if (code) return code;
  if (first != 1) {
    in->number -= box->meter.size - 1;
    return plan_file_bad(in, "the silence table must begin at distance 1");
  }
  box->meter.silence = box->memory[0];
  return EXIT_OK;
}

static int plan_file_classic(struct plan_file_in *in, struct plan_box *box) {
  const char *text;
  int code = plan_file_next(in, 0);
  if (code) return code;
  text = plan_file_after(in, "width");
  if (!text || plan_file_signed(&text, &box->classic.width) || *text) return plan_file_expected(in, "width NUMBER");
  code = plan_file_entries(in, "table threshold", "table threshold SIZE", FUMATA_NOISE_MAX,
                           &box->classic.threshold.first, &box->memory[0], &box->classic.threshold.size);
  if (code) return code;
  box->classic.threshold.cdf = box->memory[0];
  code = plan_file_entries(in, "table query", "table query SIZE", FUMATA_NOISE_MAX, &box->classic.query.first,
                           &box->memory[1], &box->classic.query.size);
  box->classic.query.cdf = box->memory[1];
  return code;
}

static int plan_file_end(struct plan_file_in *in) {
  uint8_t digest[DIGEST_SIZE];
  char wanted[DIGEST_TEXT];
  const char *text;
  int code = plan_file_next(in, 1);
  if (code) return code;
  text = plan_file_after(in, "end");
  if (!text) return plan_file_expected(in, "end SHA-256");
  digest_read(&in->digest, digest);
  digest_print(digest, wanted);
  if (strcmp(text, wanted)) return plan_file_bad(in, "the checksum differs: the file was changed or damaged");
  if (getc(in->stream) != EOF) {
    in->number++;
    return plan_file_bad(in, "text after the 'end' line");
  }
  return EXIT_OK;
}

static int plan_file_parse(struct plan_file_in *in, struct plan_box *box) {
  uint64_t num, den, number;
  int code = plan_file_next(in, 0);
  if (code) return code;
  if (!strncmp(in->line, "fumata-plan ", 12) && strcmp(in->line, "fumata-plan 1"))
    return plan_file_bad(in, "a version of plan files that this program does not know");
  if (strcmp(in->line, "fumata-plan 1")) return plan_file_expected(in, "fumata-plan 1");
  if ((code = plan_file_next(in, 0))) return code;
  if (!strcmp(in->line, "mechanism meter"))
    box->mechanism = PLAN_MECHANISM_METER;
  else if (!strcmp(in->line, "mechanism classic"))
    box->mechanism = PLAN_MECHANISM_CLASSIC;
  else
    return plan_file_expected(in, "mechanism meter|classic");
  if ((code = plan_file_ratio(in, "epsilon", "epsilon NUMBER/NUMBER", UINT32_MAX, &num, &den))) return code;
  box->claim.epsilon_num = (uint32_t)num;
  box->claim.epsilon_den = (uint32_t)den;
  if ((code = plan_file_ratio(in, "delta", "delta NUMBER/NUMBER", UINT64_MAX, &num, &den))) return code;
  box->claim.delta_num = num;
  box->claim.delta_den = den;
  if ((code = plan_file_field(in, "alpha", "alpha NUMBER", UINT32_MAX, &number))) return code;
  box->claim.alpha = (uint32_t)number;
  if ((code = plan_file_field(in, "v", "v NUMBER", UINT64_MAX, &box->claim.v))) return code;
  if ((code = plan_file_field(in, "silences", "silences NUMBER", UINT32_MAX, &number))) return code;
  if (box->mechanism == PLAN_MECHANISM_METER) {
    box->meter.limit = (uint32_t)number;
    code = plan_file_meter(in, box);
  } else {
    box->classic.limit = (uint32_t)number;
    code = plan_file_classic(in, box);
  }
  return code ? code : plan_file_end(in);
}

int plan_file_read(const char *path, struct plan_box *box) {
  struct plan_file_in in;
  int code;
  memset(box, 0, sizeof *box);
  memset(&in, 0, sizeof in);
  in.path = path;
  in.stream = fopen(path, "r");
  if (!in.stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  digest_init(&in.digest);
  code = plan_file_parse(&in, box);
  free(in.line);
  fclose(in.stream);
  if (code) plan_free(box);
  return code;
}
