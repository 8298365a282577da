#include "gate/chunks.h"

#include <math.h>

#include "base/error.h"
#include "core/partition.h"
#include "data/rows.h"
#include "gate/partition.h"
#include "support/scratch.h"

static void fill(struct rows *rows, size_t n) {
  size_t i;
  rows_init(rows, 1, 1);
  ck_assert_int_eq(rows_reserve(rows, n, 0), EXIT_OK);
  for (i = 0; i < n; i++)
    *rows_push_dense(rows, 0, 0, i + 1) = (float)i;
}

/* Chunks are a partition of the kept rows, and each row is in the chunk of its word. */
START_TEST(test_chunks) {
  enum { ROWS = 5000, TEACHERS = 77 };
  struct coins coins;
  struct partition partition;
  struct chunks chunks;
  struct rows rows;
  unsigned char keep[ROWS], seen[ROWS] = {0};
  size_t i, t, kept = 0;
  double chi = 0;
  coins_init(&coins);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  fill(&rows, ROWS);
  for (i = 0; i < ROWS; i++) {
    ck_assert_int_eq(partition_record(&partition, NULL, 0, &rows.unit[i]), EXIT_OK);
    kept += keep[i] = (unsigned char)partition_half(&partition, rows.unit[i]);
  }
  ck_assert_uint_gt(kept, 2200); /* six standard deviations around a half */
  ck_assert_uint_lt(kept, 2800);
  ck_assert_int_eq(chunks_make(&chunks, rows.unit, rows.count, keep, TEACHERS), EXIT_OK);
  ck_assert_uint_eq(chunks.start[0], 0);
  ck_assert_uint_eq(chunks.start[TEACHERS], kept);
  for (t = 0; t < TEACHERS; t++) {
    double mean = (double)kept / TEACHERS, off;
    ck_assert_uint_le(chunks.start[t], chunks.start[t + 1]);
    off = (double)(chunks.start[t + 1] - chunks.start[t]) - mean;
    chi += off * off / mean;
    for (i = chunks.start[t]; i < chunks.start[t + 1]; i++) {
      ck_assert_int_eq(seen[chunks.row[i]]++, 0);
      ck_assert_int_eq(keep[chunks.row[i]], 1);
      ck_assert_uint_eq(fumata_partition_teacher(rows.unit[chunks.row[i]], TEACHERS), t);
    }
  }
  ck_assert_double_lt(fabs(chi - (TEACHERS - 1)), 8 * sqrt(2.0 * (TEACHERS - 1)));
  chunks_free(&chunks);
  rows_free(&rows);
  partition_free(&partition);
}
END_TEST

START_TEST(test_empty_chunks) {
  struct chunks chunks;
  struct rows rows;
  fill(&rows, 1);
  rows.unit[0] = UINT64_C(1) << 63;
  ck_assert_int_eq(chunks_make(&chunks, rows.unit, rows.count, NULL, 4), EXIT_OK);
  ck_assert_uint_eq(chunks.start[2], 0);
  ck_assert_uint_eq(chunks.start[3], 1);
  ck_assert_uint_eq(chunks.start[4], 1);
  chunks_free(&chunks);
  rows_free(&rows);
}
END_TEST

/* Some teachers' chunks are those that they have among all. */
START_TEST(test_slice) {
  struct chunks all, some;
  struct rows rows;
  fill(&rows, 100);
  for (size_t i = 0; i < rows.count; i++)
    rows.unit[i] = i * UINT64_C(0x9e3779b97f4a7c15);
  ck_assert_int_eq(chunks_make(&all, rows.unit, rows.count, NULL, 10), EXIT_OK);
  ck_assert_int_eq(chunks_make(&some, rows.unit, rows.count, NULL, 10), EXIT_OK);
  chunks_slice(&some, 3, 7);
  ck_assert_uint_eq(some.teachers, 4);
  for (uint32_t t = 0; t <= 4; t++)
    ck_assert_uint_eq(some.start[t], all.start[3 + t]);
  chunks_free(&all);
  chunks_free(&some);
  rows_free(&rows);
}
END_TEST

SCRATCH_MAIN("chunks", test_chunks, test_empty_chunks, test_slice)
