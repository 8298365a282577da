#include "data/ballots.h"

#include "base/error.h"
#include "support/scratch.h"

static struct classes classes;

/* A .npy file, as NumPy writes it. */
static void write_npy(const char *name, const char *descr, unsigned rows, unsigned columns, const void *cells,
                      size_t size, int is_packed) {
  char file[4096] = "\x93NUMPY\x01";
  int n = sprintf(file + 10, "{'descr': '%s', 'fortran_order': False, 'shape': (%u, %u), }", descr, rows, columns);
  memset(file + 10 + n, ' ', (size_t)(117 - n));
  file[8] = 118;
  file[127] = '\n';
  memcpy(file + 128, cells, size);
  (is_packed ? scratch_gzip : scratch_write)(name, file, 128 + size);
}

static void declare(const char *list) {
  ck_assert_int_eq(classes_parse(&classes, list), EXIT_OK);
}

/* Reads the whole file, a few rows at a time, as 32-bit cells. */
static int read_all(const char *name, enum ballots_meaning meaning, size_t max, uint32_t *cells, size_t *rows,
                    struct ballots *about) {
  struct ballots ballots;
  struct votes batch;
  int code = ballots_open(&ballots, name, &classes, meaning);
  *rows = 0;
  if (code != EXIT_OK) return code;
  while ((code = ballots_next(&ballots, max, &batch)) == EXIT_OK && batch.count) {
    size_t i;
    ck_assert_uint_le(batch.count, max);
    ck_assert_int_eq((batch.labels8 != NULL) + (batch.labels16 != NULL) + (batch.counts != NULL), 1);
    for (i = 0; i < batch.count * ballots.width; i++)
      *cells++ = batch.labels8 ? batch.labels8[i] : batch.labels16 ? batch.labels16[i] : batch.counts[i];
    *rows += batch.count;
  }
  if (about) *about = ballots; /* only its numbers are looked at */
  ballots_close(&ballots);
  return code;
}

static void expect_cells(const char *name, enum ballots_meaning meaning, enum ballots_meaning found, uint32_t teachers,
                         size_t n, const uint32_t *wanted) {
  size_t max;
  for (max = 1; max < 4; max++) {
    uint32_t cells[64];
    size_t rows;
    struct ballots about;
    ck_assert_int_eq(read_all(name, meaning, max, cells, &rows, &about), EXIT_OK);
    ck_assert_int_eq(about.meaning, found);
    ck_assert_uint_eq(about.teachers, teachers);
    ck_assert_uint_eq(rows * about.width, n);
    ck_assert_mem_eq(cells, wanted, n * sizeof *wanted);
  }
}

START_TEST(test_npy_labels) {
  static const uint8_t small[] = {0, 1, 2, 2, 1, 0, 0, 0};
  static const uint16_t wide[] = {0, 1, 2, 2, 1, 0, 0, 0};
  static const int64_t whole[] = {0, 1, 2, 2, 1, 0, 0, 0};
  static const uint32_t wanted[] = {0, 1, 2, 2, 1, 0, 0, 0};
  int is_packed;
  declare("a,b,c");
  for (is_packed = 0; is_packed < 2; is_packed++) {
    write_npy("v.npy", "|u1", 2, 4, small, sizeof small, is_packed);
    expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_LABELS, 4, 8, wanted);
    write_npy("v.npy", "<u2", 2, 4, wide, sizeof wide, is_packed);
    expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_LABELS, 4, 8, wanted);
    write_npy("v.npy", "<i8", 2, 4, whole, sizeof whole, is_packed);
    expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_LABELS, 4, 8, wanted);
  }
  classes_free(&classes);
}
END_TEST

START_TEST(test_npy_counts) {
  static const double floats[] = {3, 4, 3, 10, 0, 0};
  static const uint32_t wanted[] = {3, 4, 3, 10, 0, 0};
  static const uint8_t bytes[] = {3, 4, 3, 10, 0, 0};
  declare("a,b,c");
  write_npy("v.npy", "<f8", 2, 3, floats, sizeof floats, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 10, 6, wanted);
  write_npy("v.npy", "<u4", 2, 3, wanted, sizeof wanted, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 10, 6, wanted);
  write_npy("v.npy", "|u1", 2, 3, bytes, sizeof bytes, 0);
  expect_cells("v.npy", BALLOTS_COUNTS, BALLOTS_COUNTS, 10, 6, wanted);
  classes_free(&classes);
}
END_TEST

START_TEST(test_csv) {
  static const uint32_t labels[] = {0, 1, 2, 2};
  static const uint32_t counts[] = {3, 4, 3, 10, 0, 0};
  declare("a,b,c");
  scratch_text("v.csv", "t1,t2\na,b\nc,\"c\"\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 2, 4, labels);
  scratch_text("v.csv", "b,c,a\r\n4,3,3\r\n0,0,10.0\r\n"); /* the classes in another order */
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_COUNTS, 10, 6, counts);
  classes_free(&classes);
}
END_TEST

/* More rows than one batch holds. */
START_TEST(test_long_file) {
  enum { ROWS = 30000 };
  static char text[ROWS * 8 + 16];
  static uint32_t cells[ROWS * 3];
  size_t rows, i, n = (size_t)sprintf(text, "x,y,z\n");
  for (i = 0; i < ROWS; i++)
    n += (size_t)sprintf(text + n, "%zu,%zu,1\n", i % 2, i % 3 / 2);
  scratch_write("v.csv", text, n);
  declare("0,1");
  ck_assert_int_eq(read_all("v.csv", BALLOTS_AUTO, SIZE_MAX, cells, &rows, NULL), EXIT_OK);
  ck_assert_uint_eq(rows, ROWS);
  for (i = 0; i < ROWS; i++) {
    ck_assert_uint_eq(cells[3 * i], i % 2);
    ck_assert_uint_eq(cells[3 * i + 1], i % 3 / 2);
  }
  classes_free(&classes);
}
END_TEST

/* Labels of a plain file are handed out where they lie: any number at once, and no judgement of them. */
START_TEST(test_plain_labels) {
  static const uint8_t small[] = {0, 1, 2, 3, 1, 0};
  static const uint16_t wide[] = {0, 700, 2, 3, 1, 0};
  struct ballots ballots;
  struct votes batch;
  declare("a,b,c");
  write_npy("v.npy", "|u1", 3, 2, small, sizeof small, 0);
  ck_assert_int_eq(ballots_open(&ballots, "v.npy", &classes, BALLOTS_AUTO), EXIT_OK);
  ck_assert_ptr_null(ballots.raw);
  ck_assert_int_eq(ballots_next(&ballots, 2, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 2);
  ck_assert_uint_eq(batch.teachers, 2);
  ck_assert_mem_eq(batch.labels8, small, 4);
  ck_assert_int_eq(ballots_next(&ballots, SIZE_MAX, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 1);
  ck_assert_mem_eq(batch.labels8, small + 4, 2);
  ck_assert_int_eq(ballots_next(&ballots, 2, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 0);
  ballots_close(&ballots);
  write_npy("v.npy", "<u2", 2, 3, wide, sizeof wide, 0);
  ck_assert_int_eq(ballots_open(&ballots, "v.npy", &classes, BALLOTS_AUTO), EXIT_OK);
  ck_assert_int_eq(ballots_next(&ballots, SIZE_MAX, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 2);
  ck_assert_mem_eq(batch.labels16, wide, sizeof wide);
  ballots_close(&ballots);
  classes_free(&classes);
}
END_TEST

static void refuse(const char *name, enum ballots_meaning meaning, const char *part) {
  uint32_t cells[64];
  size_t rows;
  scratch_expect(EXIT_INPUT, read_all(name, meaning, 3, cells, &rows, NULL), part);
}

START_TEST(test_refuses) {
  static const uint8_t labels[] = {0, 1, 2, 3, 1, 0, 0, 0};
  static const uint16_t wide[] = {0, 1, 2, 2, 1, 0, 700, 0};
  static const int64_t negative[] = {0, 1, -2, 2, 1, 0, 0, 0};
  static const double floats[] = {3, 4, 3, 10, 0, 0}, halves[] = {3, 4, 3, 9.5, 0.5, 0}, nans[] = {0.0 / 0.0, 4, 3};
  static const uint32_t uneven[] = {3, 4, 3, 10, 1, 0}, none[] = {0, 0, 0}, many[] = {4000000000u, 0, 0};
  declare("a,b,c");
  write_npy("v.npy", "|u1", 2, 4, labels, sizeof labels, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: row 0, column 3: a label that is none of the classes");
  write_npy("v.npy", "<u2", 2, 4, wide, sizeof wide, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: row 1, column 2: a label that is none of the classes");
  write_npy("v.npy", "<i8", 2, 4, negative, sizeof negative, 0);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: row 0, column 2: not a whole number");
  write_npy("v.npy", "<f8", 2, 3, halves, sizeof halves, 0);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: row 1, column 0: not a whole number of votes");
  write_npy("v.npy", "<f8", 1, 3, nans, sizeof nans, 0);
  refuse("v.npy", BALLOTS_AUTO, "not a whole number of votes");
  write_npy("v.npy", "<u4", 2, 3, uneven, sizeof uneven, 0);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: row 1, column 0: the counts do not add up");
  write_npy("v.npy", "<u4", 1, 3, none, sizeof none, 0);
  refuse("v.npy", BALLOTS_AUTO, "no votes at all");
  write_npy("v.npy", "<u4", 1, 3, many, sizeof many, 0);
  refuse("v.npy", BALLOTS_AUTO, "more votes than teachers are allowed");
  write_npy("v.npy", "<f8", 3, 2, floats, sizeof floats, 0);
  refuse("v.npy", BALLOTS_AUTO, "2 columns of floats");
  refuse("v.npy", BALLOTS_COUNTS, "2 columns of counts for 3 classes");
  write_npy("v.npy", "|u1", 1, 2000000, labels, sizeof labels, 1);
  refuse("v.npy", BALLOTS_AUTO, "more columns than teachers are allowed");
  write_npy("v.npy", "|u1", 4000000000u, 4, "\0\0\0\0", 4, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: cut off in row 1 of 4000000000");
  write_npy("v.npy", "|u1", 1, 2, "\0\0\0", 3, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: bytes after the last row");
  scratch_text("v.csv", "x,y\na,d\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:2:2: a label that is none of the classes");
  scratch_text("v.csv", "x,y\na\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:2: 1 cells, but the header has 2");
  scratch_text("v.csv", "a,b,c\n1,x,2\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:2:2: not a whole number of votes");
  scratch_text("v.csv", "a,b,c\n1,1,1\n1,1,2\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:3:1: the counts do not add up");
  scratch_text("v.csv", "a,b,b\n1,1,1\n");
  refuse("v.csv", BALLOTS_COUNTS, "v.csv:1: the header of counts names the classes");
  scratch_text("v.csv", "");
  refuse("v.csv", BALLOTS_AUTO, "v.csv: the file is empty");
  refuse("absent", BALLOTS_AUTO, "absent: cannot read");
  classes_free(&classes);
}
END_TEST

SCRATCH_MAIN("ballots", test_npy_labels, test_npy_counts, test_csv, test_long_file, test_plain_labels, test_refuses)
