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
  int code = ballots_open(&ballots, name, &classes, &(struct ballots_style){.meaning = meaning});
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
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 6, wanted);
  write_npy("v.npy", "<u4", 2, 3, wanted, sizeof wanted, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 6, wanted);
  write_npy("v.npy", "|u1", 2, 3, bytes, sizeof bytes, 0);
  expect_cells("v.npy", BALLOTS_COUNTS, BALLOTS_COUNTS, 0, 6, wanted);
  classes_free(&classes);
}
END_TEST

/* The first line is not a header where it votes: nothing is lost, and ids do not shift. */
START_TEST(test_csv_header) {
  const uint32_t both[] = {0, 0, 0, 1, 1, 1}, one[] = {1, 1, 1}, counts[] = {7, 2, 3, 6};
  const uint32_t first[] = {1, 0, 0, 1, 1, 1};
  declare("no,yes");
  scratch_text("v.csv", "no,no,no\nyes,yes,yes\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 6, both);
  scratch_text("v.csv", "0,0,0\n1,1,1\n"); /* labels */
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 6, both);
  scratch_text("v.csv", "t1,t2,t3\n1,1,1\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 3, one);
  scratch_text("v.csv", "0,1,2\n1,1,1\n"); /* columns that a program numbered */
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 3, one);
  scratch_text("v.csv", "1,2,3\nyes,yes,yes\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 3, one);
  scratch_text("v.csv", "yes,no,no\n1,1,1\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 3, 6, first);
  scratch_text("v.csv", "7,2\n3,6\n"); /* counts */
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 4, counts);
  expect_cells("v.csv", BALLOTS_COUNTS, BALLOTS_COUNTS, 0, 4, counts);
  classes_free(&classes);
}
END_TEST

/* A cell that is not a vote changes nothing about whose row it is: one that abstains does not make a header. */
START_TEST(test_csv_abstains_in_line_1) {
  const uint32_t wanted[] = {0, 0, 0, 255, 1, 1, 1, 1};
  declare("no,yes");
  scratch_text("v.csv", "no,no,no,perhaps\nyes,yes,yes,yes\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_LABELS, 4, 8, wanted);
  classes_free(&classes);
}
END_TEST

START_TEST(test_csv_header_is_stated) {
  struct ballots_style header = {.header = BALLOTS_HEADER}, none = {.header = BALLOTS_NO_HEADER, .delimiter = ';'};
  struct ballots ballots;
  struct votes batch;
  declare("no,yes");
  scratch_text("v.csv", "no,no,no\nyes,yes,yes\n");
  ck_assert_int_eq(ballots_open(&ballots, "v.csv", &classes, &header), EXIT_OK);
  ck_assert_int_eq(ballots_next(&ballots, 10, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 1);
  ballots_tell(&ballots);
  scratch_expect(0, 0, "v.csv: votes of 3 teachers; line 1 is its header");
  ballots_close(&ballots);
  scratch_text("v.csv", "t1;t2;t3\nyes;yes;yes\n");
  ck_assert_int_eq(ballots_open(&ballots, "v.csv", &classes, &none), EXIT_OK);
  ck_assert_int_eq(ballots_next(&ballots, 10, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 2);
  ballots_tell(&ballots);
  scratch_expect(0, 0, "v.csv: votes of 3 teachers; it has no header");
  ballots_close(&ballots);
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
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 6, counts);
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
  ck_assert_int_eq(ballots_open(&ballots, "v.npy", &classes, &(struct ballots_style){0}), EXIT_OK);
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
  ck_assert_int_eq(ballots_open(&ballots, "v.npy", &classes, &(struct ballots_style){0}), EXIT_OK);
  ck_assert_int_eq(ballots_next(&ballots, SIZE_MAX, &batch), EXIT_OK);
  ck_assert_uint_eq(batch.count, 2);
  ck_assert_mem_eq(batch.labels16, wide, sizeof wide);
  ballots_close(&ballots);
  classes_free(&classes);
}
END_TEST

#define X UINT32_MAX /* stands for any vote that is not a class */

/* The whole file, whatever is in its cells. */
static void expect_bad(const char *name, enum ballots_meaning meaning, size_t n, const uint32_t *wanted) {
  uint32_t cells[64];
  size_t rows;
  struct ballots about;
  ck_assert_int_eq(read_all(name, meaning, 3, cells, &rows, &about), EXIT_OK);
  ck_assert_uint_eq(rows * about.width, n);
  for (size_t i = 0; i < n; i++)
    if (wanted[i] == X)
      ck_assert_uint_ge(cells[i], classes.count);
    else
      ck_assert_uint_eq(cells[i], wanted[i]);
}

START_TEST(test_bad_labels_abstain) {
  static const uint8_t small[] = {0, 1, 2, 3, 1, 0, 255, 0};
  static const uint16_t wide[] = {0, 1, 2, 3, 1, 0, 700, 0};
  static const int8_t bytes[] = {0, 1, 2, 3, 1, 0, -1, 0};
  static const int64_t whole[] = {0, 1, 2, INT64_MAX, 1, 0, -1, 0};
  static const uint64_t large[] = {0, 1, 2, UINT64_MAX, 1, 0, UINT64_C(1) << 32, 0};
  static const uint32_t wanted[] = {0, 1, 2, X, 1, 0, X, 0}, text[] = {0, X, X, X, 2, X};
  declare("a,b,c");
  for (int is_packed = 0; is_packed < 2; is_packed++) {
    write_npy("v.npy", "|u1", 2, 4, small, sizeof small, is_packed);
    expect_bad("v.npy", BALLOTS_AUTO, 8, wanted);
    write_npy("v.npy", "<u2", 2, 4, wide, sizeof wide, is_packed);
    expect_bad("v.npy", BALLOTS_AUTO, 8, wanted);
    write_npy("v.npy", "|i1", 2, 4, bytes, sizeof bytes, is_packed);
    expect_bad("v.npy", BALLOTS_AUTO, 8, wanted);
    write_npy("v.npy", "<i8", 2, 4, whole, sizeof whole, is_packed);
    expect_bad("v.npy", BALLOTS_AUTO, 8, wanted);
    write_npy("v.npy", "<u8", 2, 4, large, sizeof large, is_packed);
    expect_bad("v.npy", BALLOTS_AUTO, 8, wanted);
  }
  scratch_text("v.csv", "x,y\na,d\n,\"\"\nc,-1\n");
  expect_bad("v.csv", BALLOTS_AUTO, 6, text);
  classes_free(&classes);
}
END_TEST

/* With as many classes as a byte has values, a byte is too narrow to abstain. */
START_TEST(test_every_number_of_classes_leaves_room_to_abstain) {
  static const int64_t cells[] = {0, 255, 256, -1};
  for (unsigned count = 255; count <= 257; count++) {
    uint32_t wanted[] = {0, count > 255 ? 255 : X, count > 256 ? 256 : X, X};
    char list[2000];
    int n = sprintf(list, "0");
    for (unsigned c = 1; c < count; c++)
      n += sprintf(list + n, ",%u", c);
    declare(list);
    write_npy("v.npy", "<i8", 2, 2, cells, sizeof cells, 0);
    expect_bad("v.npy", BALLOTS_LABELS, 4, wanted);
    scratch_text("v.csv", "x,y\n0,255\n256,z\n");
    expect_bad("v.csv", BALLOTS_LABELS, 4, wanted);
    classes_free(&classes);
  }
}
END_TEST

/* A cell that is not a number of votes makes nothing of its ballot, and of no other one. */
START_TEST(test_bad_counts_abstain) {
  static const double floats[] = {3, 4, 3, 9.5, 0.5, 0, 0.0 / 0.0, 4, 3, 1, 1, -1, 1.0 / 0.0, 0, 0, 3, 4, 4};
  static const int32_t whole[] = {3, 4, 3, -9, 19, 0, -1, 0, 0, 1000000, 1, -1, INT32_MIN, 0, 0, 3, 4, 4};
  static const uint32_t wanted[] = {3, 4, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 4};
  declare("a,b,c");
  write_npy("v.npy", "<f8", 6, 3, floats, sizeof floats, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 18, wanted);
  write_npy("v.npy", "<i4", 6, 3, whole, sizeof whole, 1);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 18, wanted);
  scratch_text("v.csv", "b,c,a\n4,3,3\n1,x,2\n1,,2\n-1,1,1\n1.5,0,0\n4,4,3\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 18, wanted);
  classes_free(&classes);
}
END_TEST

/* No number of votes is too many: one more never empties a ballot, and what a cell cannot hold is the largest. */
START_TEST(test_any_number_of_votes) {
  static const uint64_t whole[] = {999999,  0,          1,          1000000,    0,          1, 1000001,   1000000,
                                   1000000, 4294967293, 4294967294, 4294967295, 4294967296, 0, UINT64_MAX};
  static const uint32_t wanted[] = {999999,  0,          1,          1000000,    0,          1, 1000001,   1000000,
                                    1000000, 4294967293, 4294967294, 4294967294, 4294967294, 0, 4294967294};
  static const double floats[] = {1000001, 4294967295, 1e300, 4294967294.5, 0, 0, 4294967295.5, 0, 0};
  static const uint32_t most[] = {1000001, 4294967294, 4294967294, 0, 0, 0, 0, 0, 0};
  declare("a,b,c");
  write_npy("v.npy", "<u8", 5, 3, whole, sizeof whole, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 15, wanted);
  write_npy("v.npy", "<f8", 3, 3, floats, sizeof floats, 0);
  expect_cells("v.npy", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 9, most);
  scratch_text("v.csv", "a,b,c\n999999,0,1\n1000000,0,1\n1000001,1000000,1e6\n4294967293,4294967294,4294967295\n"
                        "4294967296,0,1e300\n");
  expect_cells("v.csv", BALLOTS_AUTO, BALLOTS_COUNTS, 0, 15, wanted);
  classes_free(&classes);
}
END_TEST

/* What cannot be read twice is not looked through beforehand: there a line of another length is an empty ballot. */
START_TEST(test_a_stream_goes_on) {
  static const uint32_t labels[] = {0, 1, X, X, X, X, 2, 0}, counts[] = {1, 2, 3, 0, 0, 0, 3, 2, 1};
  declare("a,b,c");
  scratch_text("v.csv", "x,y\na,b\na\na,b,c\nc,a\n");
  ck_assert_ptr_nonnull(freopen("v.csv", "r", stdin));
  expect_bad("-", BALLOTS_AUTO, 8, labels);
  scratch_text("v.csv", "a,b,c\n1,2,3\n1,2\n3,2,1\n");
  ck_assert_ptr_nonnull(freopen("v.csv", "r", stdin));
  expect_bad("-", BALLOTS_AUTO, 9, counts);
  classes_free(&classes);
}
END_TEST

/* Refused before the first row is handed out. */
static void refuse(const char *name, enum ballots_meaning meaning, const char *part) {
  struct ballots ballots;
  scratch_expect(EXIT_INPUT, ballots_open(&ballots, name, &classes, &(struct ballots_style){.meaning = meaning}), part);
}

START_TEST(test_refuses) {
  static const uint8_t labels[] = {0, 1, 2, 3, 1, 0, 0, 0};
  static const double floats[] = {3, 4, 3, 10, 0, 0};
  declare("a,b,c");
  write_npy("v.npy", "<f8", 3, 2, floats, sizeof floats, 0);
  refuse("v.npy", BALLOTS_AUTO, "2 columns of floats");
  refuse("v.npy", BALLOTS_COUNTS, "2 columns of counts for 3 classes");
  write_npy("v.npy", "|u1", 1, 2000000, labels, sizeof labels, 1);
  refuse("v.npy", BALLOTS_AUTO, "more columns than teachers are allowed");
  write_npy("v.npy", "|u1", 4000000000u, 4, "\0\0\0\0", 4, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: cut off in row 1 of 4000000000");
  write_npy("v.npy", "|u1", 1, 2, "\0\0\0", 3, 1);
  refuse("v.npy", BALLOTS_AUTO, "v.npy: bytes after the last row");
  scratch_text("v.csv", "x,y\na,b\na\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:3: 1 cells, but the header has 2");
  scratch_text("v.csv", "x,y\na,b\n\"a\"b,b\n");
  refuse("v.csv", BALLOTS_AUTO, "v.csv:3:1: text after a closing quote");
  scratch_text("v.csv", "a,b,b\n1,1,1\n");
  refuse("v.csv", BALLOTS_COUNTS, "v.csv:1: the header of counts names the classes");
  scratch_text("v.csv", "");
  refuse("v.csv", BALLOTS_AUTO, "v.csv: the file is empty");
  refuse("absent", BALLOTS_AUTO, "absent: cannot read");
  classes_free(&classes);
}
END_TEST

SCRATCH_MAIN("ballots", test_npy_labels, test_npy_counts, test_csv, test_csv_header, test_csv_abstains_in_line_1,
             test_csv_header_is_stated, test_long_file, test_plain_labels, test_bad_labels_abstain,
             test_every_number_of_classes_leaves_room_to_abstain, test_bad_counts_abstain, test_any_number_of_votes,
             test_a_stream_goes_on, test_refuses)
