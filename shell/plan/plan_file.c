#include "plan/plan_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "plan/mechanism.h"
#include "plan/plan_text.h"

#define PLAN_FILE_HEAD "fumata-plan 3"

/* Numbers that a plan has as its mechanism does, in the order in which they stand after `alpha`. */
enum { PLAN_FILE_V, PLAN_FILE_U, PLAN_FILE_SILENCES, PLAN_FILE_ANSWERS, PLAN_FILE_VOTES, PLAN_FILE_FIELDS };

static const struct {
  const char *name;
  uint64_t most;
  unsigned table;      /* whose price it is, or ... */
  enum plan_kind kind; /* ... the kind of query that it limits */
} plan_file_fields[PLAN_FILE_FIELDS] = {[PLAN_FILE_V] = {"v", UINT64_MAX, .table = MECHANISM_SILENCE},
                                        [PLAN_FILE_U] = {"u", UINT64_MAX, .table = MECHANISM_NAMED},
                                        [PLAN_FILE_SILENCES] = {"silences", UINT32_MAX, .kind = PLAN_KIND_METER},
                                        [PLAN_FILE_ANSWERS] = {"answers", UINT32_MAX, .kind = PLAN_KIND_TOLL},
                                        [PLAN_FILE_VOTES] = {"votes", UINT32_MAX, .kind = PLAN_KIND_POLL}};

static int plan_file_has(const struct mechanism *mechanism, int field) {
  unsigned table = plan_file_fields[field].table;
  return table ? (mechanism->tables & table) != 0 : mechanism->miss[plan_file_fields[field].kind] != NULL;
}

int plan_file_print(FILE *stream, const struct plan_box *box) {
  const struct mechanism *mechanism = mechanism_of(box->mechanism);
  const fumata_claim *claim = &box->claim;
  const struct plan_quota limit = plan_limit(box);
  const uint64_t value[PLAN_FILE_FIELDS] = {claim->v, claim->u, limit.silences, limit.answers, plan_votes(box)};
  struct plan_text_writer writer = {.stream = stream};
  uint8_t digest[DIGEST_SIZE];
  char text[DIGEST_TEXT];
  digest_init(&writer.digest);
  plan_text_write(&writer, PLAN_FILE_HEAD);
  plan_text_write(&writer, "mechanism %s", mechanism->name);
  plan_text_write(&writer, "epsilon %" PRIu32 "/%" PRIu32, claim->epsilon_num, claim->epsilon_den);
  plan_text_write(&writer, "delta %" PRIu64 "/%" PRIu64, claim->delta_num, claim->delta_den);
  plan_text_write(&writer, "alpha %" PRIu32, claim->alpha);
  for (int i = 0; i < PLAN_FILE_FIELDS; i++)
    if (plan_file_has(mechanism, i)) plan_text_write(&writer, "%s %" PRIu64, plan_file_fields[i].name, value[i]);
  mechanism->write_tables(box, &writer);
  digest_read(&writer.digest, digest);
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

int plan_file_print_code(FILE *stream, const char *prefix, const struct plan_box *box) {
  const fumata_claim *claim = &box->claim;
  fputs("/* Made by fumata plan. The core certifies it again when a machine is started from it. */\n"
        "#include \"fumata.h\"\n\n",
        stream);
  mechanism_of(box->mechanism)->print_code(box, prefix, stream);
  fprintf(stream,
          "static const fumata_claim %sclaim = {%" PRIu32 "u, %" PRIu32 "u, %" PRIu64 "u, %" PRIu64 "u, %" PRIu32
          "u, 0x%" PRIx64 "u, 0x%" PRIx64 "u};\n",
          prefix, claim->epsilon_num, claim->epsilon_den, claim->delta_num, claim->delta_den, claim->alpha, claim->v,
          claim->u);
  return ferror(stream) ? -1 : 0;
}

/* The two lines that say what follows. */
static int plan_file_read_head(struct plan_text_reader *reader, struct plan_box *box) {
  char known[64] = "mechanism ";
  const char *name;
  int code = plan_text_next(reader, 0);
  if (code) return code;
  if (strcmp(reader->line, PLAN_FILE_HEAD) != 0)
    return plan_text_after(reader, "fumata-plan")
               ? plan_text_bad(reader, "a version of plan files that this program does not know")
               : plan_text_expected(reader, PLAN_FILE_HEAD);
  code = plan_text_next(reader, 0);
  if (code) return code;
  name = plan_text_after(reader, "mechanism");
  if (name && mechanism_find(name, &box->mechanism) == 0) return EXIT_OK;
  mechanism_names("|", known + strlen(known), sizeof known - strlen(known));
  return plan_text_expected(reader, known);
}

static int plan_file_read_claim(struct plan_text_reader *reader, fumata_claim *claim) {
  uint64_t num = 0, den = 0, alpha = 0;
  int code = plan_text_ratio(reader, "epsilon", UINT32_MAX, &num, &den);
  if (code) return code;
  claim->epsilon_num = (uint32_t)num;
  claim->epsilon_den = (uint32_t)den;
  code = plan_text_ratio(reader, "delta", UINT64_MAX, &claim->delta_num, &claim->delta_den);
  if (!code) code = plan_text_field(reader, "alpha", UINT32_MAX, &alpha);
  claim->alpha = (uint32_t)alpha;
  return code;
}

static int plan_file_end(struct plan_text_reader *reader) {
  uint8_t digest[DIGEST_SIZE];
  char wanted[DIGEST_TEXT];
  const char *text;
  int code = plan_text_next(reader, 1);
  if (code) return code;
  text = plan_text_after(reader, "end");
  if (!text) return plan_text_expected(reader, "end SHA-256");
  digest_read(&reader->digest, digest);
  digest_print(digest, wanted);
  if (strcmp(text, wanted)) return plan_text_bad(reader, "the checksum differs: the file was changed or damaged");
  if (getc(reader->stream) != EOF) {
    reader->number++;
    return plan_text_bad(reader, "text after the 'end' line");
  }
  return EXIT_OK;
}

static int plan_file_parse(struct plan_text_reader *reader, struct plan_box *box) {
  uint64_t value[PLAN_FILE_FIELDS] = {0};
  const struct mechanism *mechanism;
  struct plan_quota limit;
  int code = plan_file_read_head(reader, box);
  if (!code) code = plan_file_read_claim(reader, &box->claim);
  mechanism = mechanism_of(box->mechanism);
  for (int i = 0; !code && i < PLAN_FILE_FIELDS; i++)
    if (plan_file_has(mechanism, i))
      code = plan_text_field(reader, plan_file_fields[i].name, plan_file_fields[i].most, &value[i]);
  if (code) return code;
  box->claim.v = value[PLAN_FILE_V];
  box->claim.u = value[PLAN_FILE_U];
  limit.silences = (uint32_t)value[PLAN_FILE_SILENCES];
  limit.answers = (uint32_t)(value[PLAN_FILE_ANSWERS] + value[PLAN_FILE_VOTES]); /* a mechanism has one of the two */
  code = mechanism->read_tables(reader, limit, box);
  return code ? code : plan_file_end(reader);
}

int plan_file_read(const char *path, struct plan_box *box) {
  struct plan_text_reader reader = {.path = path, .stream = fopen(path, "r")};
  int code;
  memset(box, 0, sizeof *box);
  if (!reader.stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  digest_init(&reader.digest);
  code = plan_file_parse(&reader, box);
  free(reader.line);
  fclose(reader.stream);
  if (code) plan_free(box);
  return code;
}
