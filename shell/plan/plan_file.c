#include "plan/plan_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "plan/mechanism.h"
#include "plan/plan_text.h"

#define PLAN_FILE_VERSION 3 /* the last one, of polls */

int plan_file_print(FILE *stream, const struct plan_box *box) {
  const struct mechanism *mechanism = mechanism_of(box->mechanism);
  const fumata_claim *claim = &box->claim;
  const struct plan_quota limit = mechanism->limit(box);
  struct plan_text_writer writer = {.stream = stream};
  uint8_t digest[DIGEST_SIZE];
  char text[DIGEST_TEXT];
  digest_init(&writer.digest);
  plan_text_write(&writer, "fumata-plan %d", mechanism->version);
  plan_text_write(&writer, "mechanism %s", mechanism->name);
  plan_text_write(&writer, "epsilon %" PRIu32 "/%" PRIu32, claim->epsilon_num, claim->epsilon_den);
  plan_text_write(&writer, "delta %" PRIu64 "/%" PRIu64, claim->delta_num, claim->delta_den);
  plan_text_write(&writer, "alpha %" PRIu32, claim->alpha);
  if (mechanism->version < 3) plan_text_write(&writer, "v %" PRIu64, claim->v);
  if (mechanism->version > 1) plan_text_write(&writer, "u %" PRIu64, claim->u);
  if (mechanism->version < 3) plan_text_write(&writer, "silences %" PRIu32, limit.silences);
  if (mechanism->version == 2) plan_text_write(&writer, "answers %" PRIu32, limit.answers);
  if (mechanism->version == 3) plan_text_write(&writer, "votes %" PRIu32, plan_votes(box));
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

/* The first line is the version, which the mechanism has to fit: one plan has one text. */
static int plan_file_read_version(struct plan_text_reader *reader, int *version) {
  int code = plan_text_next(reader, 0);
  if (code) return code;
  for (*version = 1; *version <= PLAN_FILE_VERSION; ++*version) {
    char known[32];
    snprintf(known, sizeof known, "fumata-plan %d", *version);
    if (!strcmp(reader->line, known)) return EXIT_OK;
  }
  if (!strncmp(reader->line, "fumata-plan ", 12))
    return plan_text_bad(reader, "a version of plan files that this program does not know");
  return plan_text_expected(reader, "fumata-plan 1");
}

static int plan_file_read_mechanism(struct plan_text_reader *reader, int version, struct plan_box *box) {
  char known[64] = "mechanism ";
  const char *name;
  int code = plan_text_next(reader, 0);
  if (code) return code;
  name = plan_text_after(reader, "mechanism");
  if (name && mechanism_find(name, &box->mechanism) == 0)
    return mechanism_of(box->mechanism)->version == version
               ? EXIT_OK
               : plan_text_bad(reader, "a mechanism that stands in plan files of another version");
  mechanism_names("|", known + strlen(known), sizeof known - strlen(known));
  return plan_text_expected(reader, known);
}

static int plan_file_read_claim(struct plan_text_reader *reader, int version, fumata_claim *claim) {
  uint64_t num = 0, den = 0, alpha = 0;
  int code = plan_text_ratio(reader, "epsilon", "epsilon NUMBER/NUMBER", UINT32_MAX, &num, &den);
  if (code) return code;
  claim->epsilon_num = (uint32_t)num;
  claim->epsilon_den = (uint32_t)den;
  code = plan_text_ratio(reader, "delta", "delta NUMBER/NUMBER", UINT64_MAX, &claim->delta_num, &claim->delta_den);
  if (!code) code = plan_text_field(reader, "alpha", "alpha NUMBER", UINT32_MAX, &alpha);
  claim->alpha = (uint32_t)alpha;
  if (!code && version < 3) code = plan_text_field(reader, "v", "v NUMBER", UINT64_MAX, &claim->v);
  if (!code && version > 1) code = plan_text_field(reader, "u", "u NUMBER", UINT64_MAX, &claim->u);
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

/* A poll's votes stand where a toll has its answers. */
static int plan_file_read_limit(struct plan_text_reader *reader, int version, struct plan_quota *limit) {
  uint64_t silences = 0, answers = 0;
  int code = EXIT_OK;
  if (version < 3) code = plan_text_field(reader, "silences", "silences NUMBER", UINT32_MAX, &silences);
  if (!code && version == 2) code = plan_text_field(reader, "answers", "answers NUMBER", UINT32_MAX, &answers);
  if (!code && version == 3) code = plan_text_field(reader, "votes", "votes NUMBER", UINT32_MAX, &answers);
  *limit = (struct plan_quota){(uint32_t)silences, (uint32_t)answers};
  return code;
}

/* What a mechanism has no use for is 0, and nothing else. */
static int plan_file_check_unused(const struct plan_text_reader *reader, const struct plan_box *box,
                                  struct plan_quota limit) {
  if (mechanism_of(box->mechanism)->miss[PLAN_KIND_METER] || (!limit.silences && !box->claim.v)) return EXIT_OK;
  return plan_text_bad(reader, "a plan without silences has `v 0` and `silences 0`");
}

static int plan_file_parse(struct plan_text_reader *reader, struct plan_box *box) {
  struct plan_quota limit = {0, 0};
  int version, code = plan_file_read_version(reader, &version);
  if (!code) code = plan_file_read_mechanism(reader, version, box);
  if (!code) code = plan_file_read_claim(reader, version, &box->claim);
  if (!code) code = plan_file_read_limit(reader, version, &limit);
  if (!code) code = plan_file_check_unused(reader, box, limit);
  if (!code) code = mechanism_of(box->mechanism)->read_tables(reader, limit, box);
  return code ? code : plan_file_end(reader);
}

int plan_file_read(const char *path, struct plan_box *box) {
  struct plan_text_reader reader;
  int code;
  memset(box, 0, sizeof *box);
  memset(&reader, 0, sizeof reader);
  reader.path = path;
  reader.stream = fopen(path, "r");
  if (!reader.stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  digest_init(&reader.digest);
  code = plan_file_parse(&reader, box);
  free(reader.line);
  fclose(reader.stream);
  if (code) plan_free(box);
  return code;
}
