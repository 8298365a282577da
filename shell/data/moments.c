#include "data/moments.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOMENTS_BLOCK 512 /* rows of one matrix product: enough for its speed, and 16 MB at the most columns */

int moments_init(struct moments *moments, uint32_t inputs, int is_full) {
  size_t d = inputs, most = is_full ? MOMENTS_FULL_MAX : MOMENTS_DIAGONAL_MAX;
  int code;
  memset(moments, 0, sizeof *moments);
  if (d > most)
    return error_report(EXIT_INPUT, "--features %s is for at most %zu columns; the data have %zu",
                        is_full ? "pca" : "standard or range", most, d);
  moments->inputs = inputs;
  moments->is_full = is_full;
  moments->block = is_full ? MOMENTS_BLOCK : 1;
  code = memory_take(&moments->origin, d, sizeof(double));
  if (!code) code = memory_take(&moments->low, d, sizeof(double));
  if (!code) code = memory_take(&moments->high, d, sizeof(double));
  if (!code) code = memory_take(&moments->sum, d, sizeof(double));
  if (!code) code = memory_take(&moments->square, is_full ? d * d : d, sizeof(double));
  if (!code) code = memory_take(&moments->work, d * moments->block, sizeof(double));
  if (code) moments_free(moments);
  return code;
}

void moments_free(struct moments *moments) {
  free(moments->origin);
  free(moments->low);
  free(moments->high);
  free(moments->sum);
  free(moments->square);
  free(moments->work);
  memset(moments, 0, sizeof *moments);
}

/* Row i, less the origin, in double precision. */
static void moments_row(const struct moments *moments, const struct rows *rows, size_t i, double *out) {
  if (rows->is_dense) {
    const float *row = rows->dense + i * rows->columns;
    for (size_t j = 0; j < rows->columns; j++)
      out[j] = (double)row[j] - moments->origin[j];
    return;
  }
  for (size_t j = 0; j < rows->columns; j++)
    out[j] = -moments->origin[j];
  for (size_t j = rows->start[i]; j < rows->start[i + 1]; j++)
    out[rows->index[j]] += (double)rows->value[j];
}

/* The mean of the first batch: about it, sums do not cancel. */
static void moments_begin(struct moments *moments, const struct rows *rows) {
  size_t d = moments->inputs;
  for (size_t i = 0; i < rows->count; i++) {
    moments_row(moments, rows, i, moments->work); /* the origin is still zero */
    for (size_t j = 0; j < d; j++)
      moments->sum[j] += moments->work[j];
  }
  for (size_t j = 0; j < d; j++) {
    moments->origin[j] = moments->sum[j] / (double)rows->count;
    moments->sum[j] = 0;
  }
}

int moments_add(struct moments *moments, const struct rows *rows) {
  size_t d = moments->inputs;
  if (rows->count == 0) return EXIT_OK;
  if (moments->count == 0) moments_begin(moments, rows);
  for (size_t begin = 0; begin < rows->count; begin += moments->block) {
    size_t n = rows->count - begin < moments->block ? rows->count - begin : moments->block;
    for (size_t i = 0; i < n; i++) {
      double *row = moments->work + i * d;
      moments_row(moments, rows, begin + i, row);
      for (size_t j = 0; j < d; j++)
        moments->sum[j] += row[j];
      for (size_t j = 0; !moments->is_full && j < d; j++) {
        double value = row[j] + moments->origin[j];
        int is_first = moments->count + begin + i == 0;
        moments->square[j] += row[j] * row[j];
        if (is_first || value < moments->low[j]) moments->low[j] = value;
        if (is_first || value > moments->high[j]) moments->high[j] = value;
      }
    }
    if (moments->is_full)
      cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, (int)d, (int)n, 1.0, moments->work, (int)d, 1.0,
                  moments->square, (int)d);
  }
  moments->count += rows->count;
  return EXIT_OK;
}

double moments_mean(const struct moments *moments, size_t i) {
  return moments->origin[i] + moments->sum[i] / (double)moments->count;
}

double moments_covariance(const struct moments *moments, size_t i, size_t j) {
  double n = (double)moments->count, square = moments->square[moments->is_full ? i * moments->inputs + j : i];
  return square / n - moments->sum[i] / n * (moments->sum[j] / n);
}

int moments_principal(const struct moments *moments, size_t wanted, double *axis, double *variance) {
  size_t d = moments->inputs;
  lapack_int *support = NULL, found = 0, failed = 0;
  double *matrix;
  int code = memory_take(&matrix, d * d, sizeof *matrix);
  if (!code) code = memory_take(&support, 2 * d, sizeof *support);
  if (!code) {
    for (size_t i = 0; i < d; i++)
      for (size_t j = 0; j <= i; j++)
        matrix[i * d + j] = moments_covariance(moments, i, j);
    /* The lower triangle by rows is the upper one by columns. */
    failed =
        LAPACKE_dsyevr(LAPACK_COL_MAJOR, 'V', 'I', 'U', (lapack_int)d, matrix, (lapack_int)d, 0, 0,
                       (lapack_int)(d - wanted + 1), (lapack_int)d, 0, &found, variance, axis, (lapack_int)d, support);
    if (failed < 0)
      code = memory_short();
    else if (failed || (size_t)found != wanted)
      code = error_report(EXIT_SYSTEM, "the principal components did not converge");
  }
  free(matrix);
  free(support);
  return code;
}
