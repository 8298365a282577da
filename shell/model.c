#include "model.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "learner_linear.h"
#include "output.h"
#include "say.h"

#define FUMATA_MODEL_MARK "fumata-model 1\n"
#define FUMATA_MODEL_SEAL (7 + FUMATA_DIGEST_TEXT) /* "sha256 ", the digits, a line end */

int fumata_model_write(const char *path, const fumata_encoding *encoding, const fumata_learner *learner,
                       const fumata_learned *learned) {
  char name[4200], seal[FUMATA_DIGEST_TEXT];
  uint8_t value[FUMATA_DIGEST_SIZE];
  char *text = NULL;
  size_t size = 0;
  fumata_digest digest;
  fumata_output output;
  FILE *stream = open_memstream(&text, &size);
  int code;
  if (!stream) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  fumata_learner_print(learner, name, sizeof name);
  fprintf(stream, FUMATA_MODEL_MARK "learner %s\nscale %a\nsize %zu\n", name, (double)learner->scale, learned->size);
  code = fumata_encoding_save(encoding, stream);
  fwrite(learned->bytes, 1, learned->size, stream);
  if (fclose(stream) != 0 && !code) code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  if (!code) code = fumata_output_open(&output, path);
  if (!code) {
    fumata_digest_init(&digest);
    fumata_digest_add(&digest, text, size);
    fumata_digest_read(&digest, value);
    fumata_digest_print(value, seal);
    fwrite(text, 1, size, output.stream);
    fprintf(output.stream, "sha256 %s\n", seal);
    code = fumata_output_commit(&output);
  }
  free(text);
  return code;
}

static int fumata_model_slurp(const char *path, char **text, size_t *size) {
  FILE *stream = fopen(path, "rb");
  size_t room = 1 << 16;
  *size = 0;
  *text = NULL;
  if (!stream) return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  for (;;) {
    char *more = realloc(*text, room);
    size_t got;
    if (!more) {
      fclose(stream);
      return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
    }
    *text = more;
    got = fread(*text + *size, 1, room - *size, stream);
    *size += got;
    if (*size < room) break;
    room *= 2;
  }
  if (ferror(stream)) {
    fclose(stream);
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: cannot read: %s", path, strerror(errno));
  }
  fclose(stream);
  return FUMATA_EXIT_OK;
}

static int fumata_model_is_whole(const char *text, size_t size) {
  char seal[FUMATA_DIGEST_TEXT];
  uint8_t value[FUMATA_DIGEST_SIZE];
  fumata_digest digest;
  size_t above = size - FUMATA_MODEL_SEAL;
  if (size < FUMATA_MODEL_SEAL + sizeof FUMATA_MODEL_MARK || memcmp(text + above, "sha256 ", 7) ||
      text[size - 1] != '\n')
    return 0;
  fumata_digest_init(&digest);
  fumata_digest_add(&digest, text, above);
  fumata_digest_read(&digest, value);
  fumata_digest_print(value, seal);
  return !memcmp(text + above + 7, seal, FUMATA_DIGEST_TEXT - 1);
}

static int fumata_model_parse(fumata_model *model, const char *path, FILE *stream) {
  char line[4300];
  double scale = 0;
  size_t size = 0, scores;
  int code, linear;
  if (!fgets(line, sizeof line, stream) || !fgets(line, sizeof line, stream) || strncmp(line, "learner ", 8))
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: no learner", path);
  line[strcspn(line, "\n")] = 0;
  code = fumata_learner_parse(&model->learner, path, line + 8);
  if (code) return code;
  if (!fgets(line, sizeof line, stream) || sscanf(line, "scale %la", &scale) != 1 || !(scale > 0) ||
      !fgets(line, sizeof line, stream) || sscanf(line, "size %zu", &size) != 1)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: no scale or no size", path);
  code = fumata_encoding_load(&model->encoding, stream, path);
  if (code) return code;
  model->learner.scale = (float)scale;
  model->learner.classes = model->encoding.classes.count;
  model->learner.columns = model->encoding.columns;
  linear = model->learner.kind == FUMATA_LEARNER_LOGISTIC || model->learner.kind == FUMATA_LEARNER_SVM;
  scores = (size_t)fumata_linear_scores(model->learner.classes) * (model->learner.columns + 1) * sizeof(float);
  if (model->learner.classes < 2 || (linear && size && size != scores))
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the model does not fit its encoding", path);
  model->learned.bytes = malloc(size + 1);
  if (!model->learned.bytes) return fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
  model->learned.size = size;
  if (fread(model->learned.bytes, 1, size, stream) != size)
    return fumata_say_error(FUMATA_EXIT_INPUT, "%s: the file ends too early", path);
  return FUMATA_EXIT_OK;
}

int fumata_model_read(fumata_model *model, const char *path) {
  char *text;
  size_t size;
  int code;
  memset(model, 0, sizeof *model);
  fumata_encoding_init(&model->encoding);
  code = fumata_model_slurp(path, &text, &size);
  if (!code && (size < strlen(FUMATA_MODEL_MARK) || memcmp(text, FUMATA_MODEL_MARK, strlen(FUMATA_MODEL_MARK))))
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: not a student model", path);
  if (!code && !fumata_model_is_whole(text, size))
    code = fumata_say_error(FUMATA_EXIT_INPUT, "%s: damaged or cut short (its digest does not match)", path);
  if (!code) {
    FILE *stream = fmemopen(text, size - FUMATA_MODEL_SEAL, "rb");
    if (!stream)
      code = fumata_say_error(FUMATA_EXIT_SYSTEM, "out of memory");
    else {
      code = fumata_model_parse(model, path, stream);
      fclose(stream);
    }
  }
  free(text);
  if (code) fumata_model_free(model);
  return code;
}

void fumata_model_free(fumata_model *model) {
  fumata_encoding_free(&model->encoding);
  fumata_learner_free(&model->learner);
  fumata_learned_free(&model->learned);
}
