/* Labels in a file beside the records, and the .npy rows and idx images that have them. */
#include "base/error.h"
#include "data/reader.h"
#include "gate/chunks.h"
#include "support/scratch.h"

static struct encoding encoding;

/* A .npy file of these cells. */
static void write_npy(const char *name, const char *type, const char *shape, const void *cells, size_t size) {
  char text[128 + 4096] = "\x93NUMPY\x01";
  int length = snprintf(text + 10, 118, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
  memset(text + 10 + length, ' ', (size_t)(117 - length));
  text[8] = 118;
  text[127] = '\n';
  ck_assert_uint_le(size, 4096);
  memcpy(text + 128, cells, size);
  scratch_write(name, text, 128 + size);
}

static int load(struct rows *rows, const char *path, enum labels labels) {
  struct reader_options options = {.labels = labels};
  return reader_load(rows, path, &encoding, &options);
}

static void refuse(const char *path, const char *part) {
  struct rows rows;
  scratch_expect(EXIT_INPUT, load(&rows, path, LABELS_REQUIRE), part);
  ck_assert_uint_eq(rows.count, 0);
}

static void make(const char *public, const char *label, const char *unit) {
  struct encoding_request request = {
      .public_path = public, .label = label, .unit = unit, .classes = "-1,7,10|ten", .features = "raw"};
  ck_assert_int_eq(encoding_make(&encoding, &request), EXIT_OK);
}

static const float cells[8] = {0, 1, 2, 3, 4, 5, -6, 7.5f};
static const int64_t numbers[4] = {7, -1, 10, 7};
static const int32_t wanted[4] = {1, 0, 2, 1};

static void expect_rows(const char *path, size_t first, size_t count) {
  struct rows rows;
  ck_assert_int_eq(load(&rows, path, LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, count);
  ck_assert_uint_eq(rows.columns, 2);
  for (size_t i = 0; i < count; i++) {
    ck_assert_int_eq(rows.label[i], wanted[first + i]);
    ck_assert_float_eq(rows.dense[2 * i], cells[2 * (first + i)]);
    ck_assert_float_eq(rows.dense[2 * i + 1], cells[2 * (first + i) + 1]);
    ck_assert_uint_eq(rows.line[i], first + i + 1);
  }
  rows_free(&rows);
}

/* The same records in each type of numbers, with the same labels in each kind of file. */
START_TEST(test_every_kind) {
  static const double doubles[8] = {0, 1, 2, 3, 4, 5, -6, 7.5}, whole[4] = {7, -1, 10, 7};
  static const int8_t bytes[4] = {7, -1, 10, 7};
  static const char *const labels[] = {"y8.npy", "y1.npy", "y2.npy", "yf.npy", "y.csv", "y.csv.gz"};
  static const char text[] = "label\n7\n-1\n\"ten\"\n7\n";
  char path[64];
  write_npy("x4.npy", "<f4", "(4, 2)", cells, sizeof cells);
  write_npy("x8.npy", "<f8", "(4, 2)", doubles, sizeof doubles);
  write_npy("y8.npy", "<i8", "(4,)", numbers, sizeof numbers);
  write_npy("y2.npy", "<i8", "(4, 1)", numbers, sizeof numbers);
  write_npy("y1.npy", "|i1", "(4,)", bytes, sizeof bytes);
  write_npy("yf.npy", "<f8", "(4,)", whole, sizeof whole);
  scratch_text("y.csv", text);
  scratch_gzip("y.csv.gz", text, sizeof text - 1);
  make("x4.npy", NULL, NULL);
  for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
    for (int wide = 0; wide < 2; wide++) {
      snprintf(path, sizeof path, "x%d.npy,%s", wide ? 8 : 4, labels[i]);
      expect_rows(path, 0, 4);
      strcat(path, "@1:3");
      expect_rows(path, 1, 2);
    }
  encoding_free(&encoding);
}
END_TEST

/* uint8 is taken as it is; labels that are not asked for are not opened; "," in a name that exists is part of it. */
START_TEST(test_bytes_and_names) {
  static const unsigned char pixels[8] = {0, 255, 2, 3, 4, 5, 6, 7};
  struct rows rows;
  write_npy("x.npy", "|u1", "(4, 2)", pixels, 8);
  make("x.npy,absent.npy@0:3", NULL, NULL);
  ck_assert_int_eq(load(&rows, "x.npy,absent.npy", LABELS_IGNORE), EXIT_OK);
  ck_assert_float_eq(rows.dense[1], 255);
  rows_free(&rows);
  refuse("x.npy,absent.npy", "absent.npy: cannot read");
  refuse("x.npy", "x.npy: no labels: name their file after a comma, as in x.npy,y.npy");
  write_npy("a,b", "|u1", "(4, 2)", pixels, 8);
  ck_assert_int_eq(load(&rows, "a,b@1:2", LABELS_IGNORE), EXIT_OK);
  ck_assert_float_eq(rows.dense[0], 2);
  rows_free(&rows);
  refuse("a,b", "a,b: no labels");
  write_npy("y.npy", "<i8", "(4,)", numbers, sizeof numbers);
  ck_assert_int_eq(load(&rows, "a,b,y.npy", LABELS_REQUIRE), EXIT_OK);
  ck_assert_int_eq(rows.label[2], 2);
  rows_free(&rows);
  scratch_text("a.csv", "x,y\n1,2\n");
  refuse("a.csv,y.npy", "a.csv: labels in a second file are for .npy or idx; this is CSV");
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_images) {
  static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 51, 0, 102, 255};
  static const unsigned char labels[] = {0, 0, 8, 1, 0, 0, 0, 2, 10, 7};
  struct rows rows;
  scratch_write("images", images, sizeof images);
  scratch_write("labels", labels, sizeof labels);
  scratch_text("labels.csv", "l,other\nten,\n7,\n");
  make("images", "l", NULL);
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(load(&rows, i ? "images,labels.csv" : "images,labels", LABELS_REQUIRE), EXIT_OK);
    ck_assert_int_eq(rows.label[0], 2);
    ck_assert_int_eq(rows.label[1], 1);
    ck_assert_float_eq(rows.dense[3], 1);
    rows_free(&rows);
  }
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_refuses) {
  static const float nan[4] = {1, 2, 3, 0.0f / 0.0f};
  static const double large[4] = {1, 1e39, 1, 1}, half[2] = {7, 7.5}, endless[2] = {7, 1.0 / 0.0};
  static const int64_t strange[2] = {7, 8};
  write_npy("x.npy", "<f4", "(2, 2)", cells, 16);
  write_npy("y.npy", "<i8", "(2,)", numbers, 16);
  make("x.npy", NULL, NULL);
  write_npy("bad.npy", "<f4", "(2, 2)", nan, 16);
  refuse("bad.npy,y.npy", "bad.npy[1, 1]: not a finite number");
  write_npy("bad.npy", "<f8", "(2, 2)", large, 32);
  refuse("bad.npy,y.npy", "bad.npy[0, 1]: not a finite number, or too large");
  write_npy("bad.npy", "<f4", "(4,)", cells, 16);
  refuse("bad.npy,y.npy", "bad.npy: the .npy array does not have two dimensions");
  write_npy("bad.npy", ">f4", "(2, 2)", cells, 16);
  refuse("bad.npy,y.npy", "bad.npy: the .npy array is not of little-endian");
  write_npy("bad.npy", "<f4", "(2, 2)", cells, 15);
  refuse("bad.npy,y.npy", "bad.npy: 143 bytes, but the .npy header asks for 144");
  write_npy("bad.npy", "<f4", "(1, 4)", cells, 16);
  refuse("bad.npy,y.npy", "bad.npy: records of 4 numbers, but the encoding is for 2");
  write_npy("bad.npy", "<i8", "(1,)", numbers, 8);
  refuse("x.npy,bad.npy", "bad.npy: 1 labels for 2 records");
  write_npy("bad.npy", "<i8", "(1, 2)", numbers, 16);
  refuse("x.npy,bad.npy", "bad.npy: labels have one dimension");
  write_npy("bad.npy", "<i8", "(2,)", strange, 16);
  refuse("x.npy,bad.npy", "bad.npy: item 2: the label is not one of the declared classes");
  write_npy("bad.npy", "<f8", "(2,)", half, 16);
  refuse("x.npy,bad.npy", "bad.npy: item 2: the label is not a whole number");
  write_npy("bad.npy", "<f8", "(2,)", endless, 16);
  refuse("x.npy,bad.npy", "bad.npy: item 2: the label is not a whole number");
  scratch_text("bad.csv", "label\n7\n");
  refuse("x.npy,bad.csv", "bad.csv: only 1 labels, but there are more records");
  scratch_text("bad.csv", "label\n7\n7\n7\n");
  refuse("x.npy,bad.csv", "bad.csv: more labels than the 2 records");
  scratch_text("bad.csv", "a,b\n7,1\n7,1\n");
  refuse("x.npy,bad.csv", "bad.csv: which column is the label?");
  scratch_text("bad.csv", "label\n7\n8\n");
  refuse("x.npy,bad.csv", "bad.csv:3:1 (\"label\"): the label is not one of the declared classes");
  scratch_text("bad.svm", "7 1:1\n7 1:1\n");
  refuse("x.npy,bad.svm", "labels come as .npy, idx or CSV");
  encoding_free(&encoding);
}
END_TEST

static int load_units(struct rows *rows, const char *path) {
  struct coins coins;
  struct partition partition;
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &partition};
  int code;
  coins_seed(&coins, 5);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  code = reader_load(rows, path, &encoding, &options);
  partition_free(&partition);
  return code;
}

/* The units stand beside the labels: equal names are one unit. Without --unit each record is its own, whatever its
 * bytes. */
START_TEST(test_units) {
  struct rows rows;
  write_npy("x.npy", "<f4", "(4, 2)", cells, sizeof cells);
  write_npy("y.npy", "<i8", "(4,)", numbers, sizeof numbers);
  scratch_text("y.csv", "who,label\nann,7\nbob,7\nann,-1\ncy,7\n");
  make("x.npy", "label", "who");
  ck_assert_int_eq(load_units(&rows, "x.npy,y.csv"), EXIT_OK);
  ck_assert_uint_eq(rows.unit[0], rows.unit[2]);
  ck_assert_uint_ne(rows.unit[0], rows.unit[1]);
  ck_assert_uint_ne(rows.unit[1], rows.unit[3]);
  rows_free(&rows);
  scratch_expect(EXIT_INPUT, load_units(&rows, "x.npy,y.npy"), "y.npy: --unit names a CSV column");
  scratch_text("y.csv", "label\n7\n7\n7\n7\n");
  scratch_expect(EXIT_INPUT, load_units(&rows, "x.npy,y.csv"), "y.csv:1: no column \"who\"");
  scratch_text("y.csv", "who,label\nann,7\n,7\nann,-1\ncy,7\n");
  scratch_expect(EXIT_INPUT, load_units(&rows, "x.npy,y.csv"), "y.csv:3:1 (\"who\"): the unit is empty");
  encoding_free(&encoding);
  write_npy("same.npy", "|u1", "(4, 2)", "aaaaaaaa", 8);
  make("same.npy", NULL, NULL);
  ck_assert_int_eq(load_units(&rows, "same.npy,y.npy"), EXIT_OK);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      ck_assert_uint_ne(rows.unit[i], rows.unit[j]);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

/* Leaving out one record moves no other: the units of the others stay the same, of equal records as a set. */
START_TEST(test_removal_moves_nobody) {
  enum { N = 30 };
  unsigned char pixels[2 * N];
  int64_t labels[N];
  struct rows all, less;
  for (int i = 0; i < N; i++) {
    pixels[2 * i] = pixels[2 * i + 1] = (unsigned char)(i % 11);
    labels[i] = i % 3 == 0 ? 7 : 10;
  }
  write_npy("x.npy", "|u1", "(30, 2)", pixels, 2 * N);
  write_npy("y.npy", "<i8", "(30,)", labels, sizeof labels);
  make("x.npy", NULL, NULL);
  ck_assert_int_eq(load_units(&all, "x.npy,y.npy"), EXIT_OK);
  write_npy("less.npy", "|u1", "(29, 2)", pixels + 2,
            2 * N - 2); /* record 0 and its like are 0, 11 (other label), 22 */
  write_npy("labels.npy", "<i8", "(29,)", labels + 1, sizeof labels - 8);
  ck_assert_int_eq(load_units(&less, "less.npy,labels.npy"), EXIT_OK);
  for (int i = 1; i < N; i++)
    ck_assert_uint_eq(all.unit[i], less.unit[i - 1]);
  rows_free(&all);
  rows_free(&less);
  encoding_free(&encoding);
}
END_TEST

SCRATCH_MAIN("labels", test_every_kind, test_bytes_and_names, test_images, test_refuses, test_units,
             test_removal_moves_nobody)
