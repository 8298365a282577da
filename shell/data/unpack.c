#include "data/unpack.h"

#include <limits.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/memory.h"

#define UNPACK_PIECE ((size_t)1 << 28) /* zlib counts in unsigned int */

struct unpack_kind {
  const char *name, *mark;
  size_t mark_length;
  int (*begin)(void **state); /* 0, or -1 when memory is short */
  enum unpack_result (*run)(void *state, struct unpack_step *step);
  void (*again)(void *state);
  void (*end)(void *state);
};

/* ---- gzip ---- */

static int unpack_gzip_begin(void **state) {
  z_stream *z = calloc(1, sizeof *z);
  if (!z || inflateInit2(z, MAX_WBITS + 16) != Z_OK) return free(z), -1;
  *state = z;
  return 0;
}

static unsigned unpack_piece(size_t size) {
  return (unsigned)(size < UNPACK_PIECE ? size : UNPACK_PIECE);
}

static enum unpack_result unpack_gzip_run(void *state, struct unpack_step *step) {
  z_stream *z = state;
  int status;
  z->next_in = (unsigned char *)step->in;
  z->avail_in = unpack_piece(step->in_size);
  z->next_out = step->out;
  z->avail_out = unpack_piece(step->out_size);
  status = inflate(z, Z_NO_FLUSH);
  step->in_size -= (size_t)(z->next_in - step->in);
  step->in = z->next_in;
  step->out_size -= (size_t)(z->next_out - step->out);
  step->out = z->next_out;
  if (status == Z_STREAM_END) return UNPACK_END;
  if (status == Z_MEM_ERROR) return UNPACK_MEMORY;
  return status == Z_OK || status == Z_BUF_ERROR ? UNPACK_MORE : UNPACK_DAMAGED;
}

static void unpack_gzip_again(void *state) {
  inflateReset(state);
}

static void unpack_gzip_end(void *state) {
  inflateEnd(state);
  free(state);
}

/* ---- xz ---- */

static int unpack_xz_begin(void **state) {
  static const lzma_stream fresh = LZMA_STREAM_INIT;
  lzma_stream *xz = malloc(sizeof *xz);
  if (!xz) return -1;
  *xz = fresh;
  if (lzma_stream_decoder(xz, UINT64_MAX, 0) != LZMA_OK) return free(xz), -1;
  *state = xz;
  return 0;
}

static enum unpack_result unpack_xz_run(void *state, struct unpack_step *step) {
  lzma_stream *xz = state;
  lzma_ret status;
  xz->next_in = step->in;
  xz->avail_in = step->in_size;
  xz->next_out = step->out;
  xz->avail_out = step->out_size;
  status = lzma_code(xz, LZMA_RUN);
  step->in = xz->next_in;
  step->in_size = xz->avail_in;
  step->out = xz->next_out;
  step->out_size = xz->avail_out;
  if (status == LZMA_STREAM_END) return UNPACK_END;
  if (status == LZMA_MEM_ERROR) return UNPACK_MEMORY;
  return status == LZMA_OK || status == LZMA_BUF_ERROR ? UNPACK_MORE : UNPACK_DAMAGED;
}

/* What fails here is found in the next step. */
static void unpack_xz_again(void *state) {
  if (lzma_stream_decoder(state, UINT64_MAX, 0) != LZMA_OK) lzma_end(state);
}

static void unpack_xz_end(void *state) {
  lzma_end(state);
  free(state);
}

/* ---- zstd ---- */

static int unpack_zstd_begin(void **state) {
  *state = ZSTD_createDCtx();
  return *state ? 0 : -1;
}

static enum unpack_result unpack_zstd_run(void *state, struct unpack_step *step) {
  ZSTD_inBuffer in = {step->in, step->in_size, 0};
  ZSTD_outBuffer out = {step->out, step->out_size, 0};
  size_t status = ZSTD_decompressStream(state, &out, &in);
  step->in += in.pos;
  step->in_size -= in.pos;
  step->out += out.pos;
  step->out_size -= out.pos;
  if (ZSTD_isError(status)) return UNPACK_DAMAGED;
  return status == 0 ? UNPACK_END : UNPACK_MORE;
}

static void unpack_zstd_again(void *state) {
  ZSTD_DCtx_reset(state, ZSTD_reset_session_only);
}

static void unpack_zstd_end(void *state) {
  ZSTD_freeDCtx(state);
}

/* ---- which ---- */

static const struct unpack_kind unpack_kinds[] = {
    {"gzip", "\x1f\x8b", 2, unpack_gzip_begin, unpack_gzip_run, unpack_gzip_again, unpack_gzip_end},
    {"xz",
     "\xfd"
     "7zXZ\0",
     6, unpack_xz_begin, unpack_xz_run, unpack_xz_again, unpack_xz_end},
    {"zstd", "\x28\xb5\x2f\xfd", 4, unpack_zstd_begin, unpack_zstd_run, unpack_zstd_again, unpack_zstd_end}};

int unpack_is_undecided(const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < sizeof unpack_kinds / sizeof *unpack_kinds; i++)
    if (length < unpack_kinds[i].mark_length && memcmp(bytes, unpack_kinds[i].mark, length) == 0) return 1;
  return 0;
}

int unpack_open(struct unpack *unpack, const unsigned char *bytes, size_t length) {
  memset(unpack, 0, sizeof *unpack);
  for (size_t i = 0; i < sizeof unpack_kinds / sizeof *unpack_kinds; i++) {
    const struct unpack_kind *kind = &unpack_kinds[i];
    if (length < kind->mark_length || memcmp(bytes, kind->mark, kind->mark_length) != 0) continue;
    if (kind->begin(&unpack->state)) return memory_short();
    unpack->kind = kind;
  }
  return EXIT_OK;
}

const char *unpack_name(const struct unpack *unpack) {
  return unpack->kind->name;
}

enum unpack_result unpack_run(struct unpack *unpack, struct unpack_step *step) {
  return unpack->kind->run(unpack->state, step);
}

void unpack_again(struct unpack *unpack) {
  unpack->kind->again(unpack->state);
}

void unpack_close(struct unpack *unpack) {
  if (unpack->kind) unpack->kind->end(unpack->state);
  memset(unpack, 0, sizeof *unpack);
}
