#include "learn/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/output.h"
#include "data/schema.h"

#define MODEL_MARK  "fumata-model 1\n"
#define MODEL_SEAL  (7 + DIGEST_TEXT) /* "sha256 ", the digits, a line end */
#define MODEL_LINE  4300              /* bytes of a header line: the command of an exec learner is the longest */
#define MODEL_PIECE ((size_t)1 << 16) /* bytes read at once */

/* The digest of the bytes above the last line. */
static void model_digest(const char *text, size_t size, char seal[DIGEST_TEXT]) {
  uint8_t value[DIGEST_SIZE];
  struct digest digest;
  digest_init(&digest);
  digest_add(&digest, text, size);
  digest_read(&digest, value);
  digest_print(value, seal);
}

int model_write(const char *path, const struct encoding *encoding, const struct learner *learner,
                const struct learned *learned) {
  char name[MODEL_LINE - 100], seal[DIGEST_TEXT];
  char *text = NULL;
  size_t size = 0;
  struct output output = {0};
  FILE *stream = open_memstream(&text, &size);
  int code;
  if (!stream) return memory_short();
  learner_print(learner, name, sizeof name);
  fprintf(stream, MODEL_MARK "learner %s\nscale %a\nsize %zu\n", name, (double)learner->scale, learned->size);
  code = schema_write(encoding, stream);
  fwrite(learned->bytes, 1, learned->size, stream);
  if (fclose(stream) != 0 && !code) code = memory_short();
  if (!code) code = output_open(&output, path);
  if (!code) {
    model_digest(text, size, seal);
    fwrite(text, 1, size, output.stream);
    fprintf(output.stream, "sha256 %s\n", seal);
    code = output_commit(&output);
  }
  free(text);
  return code;
}

/* Reads the whole file; *text is to be freed, also after an error. */
static int model_load(const char *path, char **text, size_t *size) {
  FILE *stream = fopen(path, "rb");
  size_t room = 0, got = 1;
  int code = EXIT_OK;
  *size = 0;
  *text = NULL;
  if (!stream) return error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  while (!code && got) {
    code = memory_grow(text, &room, *size + MODEL_PIECE, 1);
    got = code ? 0 : fread(*text + *size, 1, room - *size, stream);
    *size += got;
  }
  if (!code && ferror(stream)) code = error_report(EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  fclose(stream);
  return code;
}

/* `whole`: bytes of the file. */
static int model_parse(struct student_model *model, const char *path, FILE *stream, size_t whole) {
  char line[MODEL_LINE];
  double scale = 0;
  size_t size = 0;
  int code;
  if (!fgets(line, sizeof line, stream) || !fgets(line, sizeof line, stream) || strncmp(line, "learner ", 8))
    return error_report(EXIT_INPUT, "%s: no learner", path);
  line[strcspn(line, "\n")] = 0;
  code = learner_parse(&model->learner, path, line + 8);
  if (code) return code;
  if (!fgets(line, sizeof line, stream) || sscanf(line, "scale %la", &scale) != 1 ||
      !((float)scale > 0 && isfinite((float)scale)) || !fgets(line, sizeof line, stream) ||
      sscanf(line, "size %zu", &size) != 1)
    return error_report(EXIT_INPUT, "%s: no scale or no size", path);
  code = encoding_load(&model->encoding, stream, path);
  if (code) return code;
  model->learner.scale = (float)scale;
  model->learner.classes = model->encoding.classes.count;
  model->learner.columns = model->encoding.columns;
  if (size > whole) return error_report(EXIT_INPUT, "%s: the file ends too early", path); /* no more room than that */
  code = memory_take(&model->learned.bytes, size, 1);
  if (code) return code;
  if (fread(model->learned.bytes, 1, size, stream) != size)
    return error_report(EXIT_INPUT, "%s: the file ends too early", path);
  model->learned.size = size;
  if (getc(stream) != EOF) return error_report(EXIT_INPUT, "%s: bytes after the end of the model", path);
  if (model->learner.classes < 2 || !learner_fits(&model->learner, &model->learned))
    return error_report(EXIT_INPUT, "%s: the model does not fit its encoding", path);
  return EXIT_OK;
}

int model_read(struct student_model *model, const char *path) {
  char *text, seal[DIGEST_TEXT];
  size_t size;
  int code;
  memset(model, 0, sizeof *model);
  encoding_init(&model->encoding);
  code = model_load(path, &text, &size);
  if (!code && (size < strlen(MODEL_MARK) || memcmp(text, MODEL_MARK, strlen(MODEL_MARK))))
    code = error_report(EXIT_INPUT, "%s: not a student model", path);
  if (!code && size >= MODEL_SEAL) model_digest(text, size - MODEL_SEAL, seal);
  if (!code && (size < MODEL_SEAL + sizeof MODEL_MARK || memcmp(text + size - MODEL_SEAL, "sha256 ", 7) ||
                text[size - 1] != '\n' || memcmp(text + size - DIGEST_TEXT, seal, DIGEST_TEXT - 1)))
    code = error_report(EXIT_INPUT, "%s: damaged or cut short (its digest does not match)", path);
  if (!code) {
    FILE *stream = fmemopen(text, size - MODEL_SEAL, "rb");
    code = stream ? model_parse(model, path, stream, size) : memory_short();
    if (stream) fclose(stream);
    memcpy(model->digest, text + size - DIGEST_TEXT, DIGEST_TEXT - 1);
  }
  free(text);
  if (code) model_free(model);
  return code;
}

void model_free(struct student_model *model) {
  encoding_free(&model->encoding);
  learner_free(&model->learner);
  learned_free(&model->learned);
}
