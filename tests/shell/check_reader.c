#include "data/reader.h"

#include "base/error.h"
#include "gate/chunks.h"
#include "support/scratch.h"

static struct encoding encoding;

static void make(const char *public, const char *label, const char *unit, const char *classes, const char *features) {
  struct encoding_request request = {
      .public_path = public, .label = label, .unit = unit, .classes = classes, .features = features ? features : "raw"};
  ck_assert_int_eq(encoding_make(&encoding, &request), EXIT_OK);
}

static int load(struct rows *rows, const char *path, enum labels labels) {
  struct reader_options options = {.labels = labels};
  return reader_load(rows, path, &encoding, &options);
}

static void refuse(const char *path, enum labels labels, const char *part) {
  struct rows rows;
  scratch_expect(EXIT_INPUT, load(&rows, path, labels), part);
  ck_assert_uint_eq(rows.count, 0);
}

/* Images of two by two pixels with their labels, by the usual names. */
static void write_images(const char *stem, size_t n, int is_packed) {
  unsigned char images[16 + 4 * 256] = {0, 0, 8, 3, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2};
  unsigned char labels[8 + 256] = {0, 0, 8, 1};
  char name[64];
  size_t i;
  images[7] = labels[7] = (unsigned char)n;
  for (i = 0; i < 4 * n; i++)
    images[16 + i] = (unsigned char)(37 * i);
  for (i = 0; i < n; i++)
    labels[8 + i] = i % 3;
  snprintf(name, sizeof name, "%s-images-idx3-ubyte", stem);
  (is_packed ? scratch_gzip : scratch_write)(name, images, 16 + 4 * n);
  snprintf(name, sizeof name, "%s-labels-idx1-ubyte", stem);
  (is_packed ? scratch_gzip : scratch_write)(name, labels, 8 + n);
}

/* Without a header the first record counts, and columns are called by their numbers. */
START_TEST(test_csv_style) {
  struct encoding_request request = {
      .public_path = "public.csv", .label = "3", .classes = "no,yes", .style = {.delimiter = ';', .no_header = 1}};
  struct rows rows;
  scratch_text("public.csv", "0.5;1.5;no\n2.5;3.25;no\n");
  scratch_text("private.csv", "0.5;1.5;yes\n2.5;3.25;no\n");
  ck_assert_int_eq(encoding_make(&encoding, &request), EXIT_OK);
  ck_assert_int_eq(load(&rows, "private.csv", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 2);
  ck_assert_uint_eq(rows.columns, 4);
  ck_assert_int_eq(rows.label[0], 1);
  ck_assert_int_eq(rows.label[1], 0);
  ck_assert_float_eq(rows.dense[4], 1);
  rows_free(&rows);
  ck_assert_int_eq(load(&rows, "private.csv@1:", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 1);
  ck_assert_int_eq(rows.label[0], 0);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_csv) {
  struct rows rows;
  scratch_text("public.csv", "x,y,class\n0.5,1.5,no\n2.5,3.25,no\n");
  scratch_text("private.csv", "class,extra,y,x\nno,?,1.5,0.5\nyes,?,3.25,2.5\n"); /* another order, one column more */
  make("public.csv", "class", NULL, "no,yes", NULL);
  ck_assert_int_eq(load(&rows, "private.csv", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 2);
  ck_assert_uint_eq(rows.columns, 4);
  ck_assert_int_eq(rows.is_dense, 1);
  ck_assert_int_eq(rows.label[0], 0);
  ck_assert_int_eq(rows.label[1], 1);
  ck_assert_uint_eq(rows.line[1], 3);
  ck_assert_float_eq(rows.dense[0], 0);
  ck_assert_float_eq(rows.dense[4], 1);
  ck_assert_float_eq(rows.dense[6], 1);
  ck_assert_uint_eq((uintptr_t)rows.dense % 64, 0);
  rows_free(&rows);
  ck_assert_int_eq(load(&rows, "private.csv", LABELS_IGNORE), EXIT_OK);
  ck_assert_int_eq(rows.label[1], ROWS_UNLABELLED);
  rows_free(&rows);
  scratch_text("private.csv", "class,y,x\n,1.5,0.5\nyes,3.25,2.5\n");
  ck_assert_int_eq(load(&rows, "private.csv", LABELS_OPTIONAL), EXIT_OK);
  ck_assert_int_eq(rows.label[0], ROWS_UNLABELLED);
  ck_assert_int_eq(rows.label[1], 1);
  rows_free(&rows);
  scratch_text("private.csv", "y,x\n1.5,0.5\n");
  ck_assert_int_eq(load(&rows, "private.csv", LABELS_OPTIONAL), EXIT_OK);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_libsvm) {
  struct rows rows;
  scratch_text("public.svm", "0 1:1\n1 9:1\n");
  scratch_text("private.svm", "# remark\n+1 1:2 9:3 12:5\n\n0\n1.0 2:1 # x\n");
  make("public.svm", NULL, NULL, "0,1", NULL);
  ck_assert_uint_eq(encoding.columns, 9);
  ck_assert_int_eq(load(&rows, "private.svm", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 3);
  ck_assert_int_eq(rows.is_dense, 0);
  ck_assert_int_eq(rows.label[0], 1);
  ck_assert_int_eq(rows.label[1], 0);
  ck_assert_int_eq(rows.label[2], 1);
  ck_assert_uint_eq(rows.start[1], 2); /* index 12 is beyond the public columns */
  ck_assert_uint_eq(rows.start[2], 2);
  ck_assert_uint_eq(rows.start[3], 3);
  ck_assert_uint_eq(rows.line[2], 5);
  rows_free(&rows);
  scratch_text("queries.svm", "1:1 3:1\n2:1\n");
  ck_assert_int_eq(load(&rows, "queries.svm", LABELS_OPTIONAL), EXIT_OK);
  ck_assert_int_eq(rows.label[1], ROWS_UNLABELLED);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_libsvm_dense) {
  struct rows rows;
  scratch_text("public.svm", "0 1:1 2:2\n1 1:3 3:4\n");
  make("public.svm", NULL, NULL, "0,1", NULL);
  ck_assert_int_eq(load(&rows, "public.svm", LABELS_REQUIRE), EXIT_OK);
  ck_assert_int_eq(rows.is_dense, 1);
  ck_assert_float_eq(rows.dense[1], 2);
  ck_assert_float_eq(rows.dense[2], 0);
  ck_assert_float_eq(rows.dense[5], 4);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_idx) {
  struct rows rows;
  int is_packed;
  for (is_packed = 0; is_packed < 2; is_packed++) {
    write_images("t", 10, is_packed);
    make("t-images-idx3-ubyte", NULL, NULL, "0,1,2", NULL);
    ck_assert_int_eq(load(&rows, "t-images-idx3-ubyte", LABELS_REQUIRE), EXIT_OK);
    ck_assert_uint_eq(rows.count, 10);
    ck_assert_uint_eq(rows.columns, 4);
    ck_assert_int_eq(rows.label[5], 2);
    ck_assert_float_eq(rows.dense[1], 37.0f / 255);
    rows_free(&rows);
    ck_assert_int_eq(load(&rows, "t-images-idx3-ubyte@4:6", LABELS_REQUIRE), EXIT_OK);
    ck_assert_uint_eq(rows.count, 2);
    ck_assert_int_eq(rows.label[1], 2);
    ck_assert_uint_eq(rows.line[1], 6);
    rows_free(&rows);
    encoding_free(&encoding);
  }
}
END_TEST

/* hog: the shape of the idx file, or the one that was said; LIBSVM leaves out dark pixels at the end. Fitted steps come
 * after it. */
START_TEST(test_images_become_histograms) {
  struct encoding_request request = {.classes = "0,1"};
  struct rows rows, same;
  unsigned char images[16 + 9 * 64] = {0, 0, 8, 3, 0, 0, 0, 9, 0, 0, 0, 8, 0, 0, 0, 8};
  FILE *text = fopen("a.svm", "w");
  for (int i = 0; i < 9; i++) {
    fputs("1", text);
    for (int p = 0; p < 50; p++) {
      images[16 + 64 * i + p] = (unsigned char)(255 * ((p * (i + 3) >> 3) % 2));
      if (images[16 + 64 * i + p]) fprintf(text, " %d:1", p + 1);
    }
    fputs("\n", text);
  }
  fclose(text);
  scratch_write("t-images", images, sizeof images);
  make("t-images", NULL, NULL, "0,1", "raw+hog");
  ck_assert_uint_eq(encoding.columns, 64 + 3 * 3 * 4 * HOG_BINS);
  ck_assert_int_eq(load(&rows, "t-images", LABELS_IGNORE), EXIT_OK);
  ck_assert_float_eq(rows.dense[encoding.columns + 9], images[16 + 64 + 9] / 255.0f);
  encoding_free(&encoding);
  make("a.svm", NULL, NULL, "0,1", "raw+hog:8x8");
  ck_assert_int_eq(load(&same, "a.svm", LABELS_IGNORE), EXIT_OK);
  ck_assert_uint_eq(same.columns, rows.columns);
  ck_assert_mem_eq(rows.dense, same.dense, rows_entries(&rows) * sizeof(float));
  rows_free(&rows);
  rows_free(&same);
  encoding_free(&encoding);
  make("t-images", NULL, NULL, "0,1", "hog+pca:3+standard");
  ck_assert_int_eq(load(&rows, "t-images", LABELS_IGNORE), EXIT_OK);
  ck_assert_uint_eq(rows.columns, 3);
  for (size_t j = 0; j < 3; j++) {
    float square = 0;
    for (size_t i = 0; i < 9; i++)
      square += rows.dense[3 * i + j] * rows.dense[3 * i + j];
    ck_assert_float_eq_tol(square, 9, 1e-3);
  }
  rows_free(&rows);
  encoding_free(&encoding);
  request.public_path = "a.svm";
  request.features = "hog";
  scratch_expect(EXIT_INPUT, encoding_make(&encoding, &request), "say the images' rows and columns, such as hog:28x28");
  request.features = "hog:7x7";
  scratch_expect(EXIT_INPUT, encoding_make(&encoding, &request), "hog:7x7, but a record has 50 numbers");
  request.public_path = "t-images";
  scratch_expect(EXIT_INPUT, encoding_make(&encoding, &request), "hog:7x7, but a record has 64 numbers");
}
END_TEST

START_TEST(test_ranges) {
  struct rows rows;
  scratch_text("a.svm", "0 1:1\n1 1:2\n0 1:3\n1 1:4\n");
  make("a.svm@2:", NULL, NULL, "0,1", NULL);
  ck_assert_int_eq(load(&rows, "a.svm@1:3", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 2);
  ck_assert_float_eq(rows.dense[0], 2);
  ck_assert_float_eq(rows.dense[1], 3);
  rows_free(&rows);
  ck_assert_int_eq(load(&rows, "a.svm@:1", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 1);
  rows_free(&rows);
  refuse("a.svm@3:3", LABELS_REQUIRE, "the range after @ is empty");
  refuse("a.svm@9:", LABELS_REQUIRE, "4 records, but the range starts at 9");
  refuse("a.svm@4:", LABELS_REQUIRE, "no records");
  refuse("a.svm@x:", LABELS_REQUIRE, "a.svm@x:: cannot read");
  scratch_text("b@0:1", "0 1:1\n1 1:2\n"); /* a file of that very name */
  ck_assert_int_eq(load(&rows, "b@0:1", LABELS_REQUIRE), EXIT_OK);
  ck_assert_uint_eq(rows.count, 2);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

/* Batches of any size give the rows of the whole. */
START_TEST(test_batches) {
  static const char *const features[] = {"raw", "pca:2"};
  FILE *file = fopen("a.csv", "w");
  size_t i, f;
  fputs("x,y,z,class\n", file);
  for (i = 0; i < 1000; i++)
    fprintf(file, "%zu.5,%zu,%s,%s\n", i % 97, i, i % 3 ? "a" : "b", i % 2 ? "no" : "yes");
  fclose(file);
  for (f = 0; f < 2; f++) {
    struct reader_options options = {.labels = LABELS_REQUIRE};
    struct reader reader;
    struct rows whole, batch;
    size_t seen = 0;
    make("a.csv", "class", NULL, "no,yes", features[f]);
    ck_assert_int_eq(load(&whole, "a.csv", LABELS_REQUIRE), EXIT_OK);
    ck_assert_uint_eq(whole.count, 1000);
    ck_assert_int_eq(reader_open(&reader, "a.csv", &encoding, &options), EXIT_OK);
    rows_init(&batch, encoding.columns, encoding.is_dense);
    while (!reader.is_finished) {
      rows_clear(&batch);
      ck_assert_int_eq(reader_next(&reader, &batch, 300), EXIT_OK);
      ck_assert_uint_le(batch.count, 300);
      ck_assert_uint_le(batch.capacity, 1000); /* memory follows the batch, not the file */
      for (i = 0; i < batch.count; i++, seen++) {
        float a[16], b[16];
        rows_expand(&whole, seen, a);
        rows_expand(&batch, i, b);
        ck_assert_mem_eq(a, b, encoding.columns * sizeof(float));
        ck_assert_int_eq(whole.label[seen], batch.label[i]);
      }
    }
    ck_assert_uint_eq(seen, 1000);
    ck_assert_int_eq(reader_next(&reader, &batch, 300), EXIT_OK);
    reader_close(&reader);
    rows_free(&whole);
    rows_free(&batch);
    encoding_free(&encoding);
  }
}
END_TEST

/* Room is guessed from the first records: a file that goes on with shorter or longer ones is read all the same. Cells of every
 * kind, dense and sparse. */
START_TEST(test_wrong_guesses) {
  enum { RECORDS = 6000 };
  for (int f = 0; f < 4; f++) {
    FILE *file = fopen("a.csv", "w");
    struct rows rows;
    fputs("x,a,class\n", file);
    for (int i = 0; i < RECORDS; i++)
      fprintf(file, "%.*e,u%d,%s\n", (i < 2000) == (f % 2) ? 1 : 60, i * 0.25, i % (f / 2 ? 2 : 17),
              i % 3 ? "no" : "yes");
    fclose(file);
    make("a.csv", "class", NULL, "no,yes", NULL);
    ck_assert_int_eq(encoding.is_dense, f / 2);
    ck_assert_int_eq(load(&rows, "a.csv", LABELS_REQUIRE), EXIT_OK);
    ck_assert_uint_eq(rows.count, RECORDS);
    for (size_t i = 0; i < RECORDS; i++) {
      char text[128];
      float row[32];
      rows_expand(&rows, i, row);
      snprintf(text, sizeof text, "%.*e", (i < 2000) == (f % 2) ? 1 : 60, (double)i * 0.25);
      ck_assert_float_eq(row[0], column_scaled(&encoding.column[0], strtod(text, NULL)));
      ck_assert_int_eq(rows.label[i], i % 3 == 0);
      ck_assert_uint_eq(rows.line[i], i + 2);
    }
    rows_free(&rows);
    encoding_free(&encoding);
  }
}
END_TEST

START_TEST(test_refuses_csv) {
  scratch_text("public.csv", "x,y,class,id\n0.5,a,no,1\n2.5,b,no,2\n");
  make("public.csv", "class", NULL, "no,yes", NULL);
  scratch_text("a.csv", "x,y,id\n1,a,1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:1: no column \"class\" in the header");
  scratch_text("a.csv", "x,class,id\n1,no,1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:1: no column \"y\" in the header");
  scratch_text("a.csv", "x,y,class,id\n1,a,no,1\n2,b,perhaps,1\n");
  refuse("a.csv", LABELS_REQUIRE,
         "a.csv:3:3 (\"class\"): the label is not one of the declared classes: \"no\", \"yes\"");
  refuse("a.csv", LABELS_OPTIONAL, "a.csv:3:3 (\"class\"): the label is not one");
  scratch_text("a.csv", "x,y,class,id\n1,a,,1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:2:3 (\"class\"): the label is missing");
  scratch_text("a.csv", "x,y,class,id\n1,a,no,1\nsecret,b,no,1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:3:1 (\"x\"): the cell is not a number\n");
  scratch_text("a.csv", "x,y,class,id\ninf,a,no,1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:2:1 (\"x\"): the cell is not a finite number");
  scratch_text("a.csv", "x,y,class,id\n1,a,no\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv:2: 3 cells, but the header has 4");
  scratch_text("a.csv", "x,y,class,id\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv: no records");
  scratch_text("a.csv", "1 1:1\n");
  refuse("a.csv", LABELS_REQUIRE, "a.csv: this is LIBSVM, but the public file or schema is CSV");
  encoding_free(&encoding);
  make("public.csv", "class", NULL, NULL, NULL);
  refuse("public.csv", LABELS_REQUIRE, "the classes must be declared");
  encoding_free(&encoding);
  make("public.csv", NULL, NULL, "no,yes", NULL);
  refuse("public.csv", LABELS_REQUIRE, "which column is the label?");
  encoding_free(&encoding);
}
END_TEST

/* After an error the rows are those before it. */
START_TEST(test_error_adds_nothing) {
  struct reader reader;
  struct rows rows;
  scratch_text("public.csv", "x,y\n0.5,1.5\n2.5,3.5\n");
  scratch_text("a.csv", "x,y\n1,1\n2,x\n");
  make("public.csv", NULL, NULL, NULL, NULL);
  rows_init(&rows, encoding.columns, encoding.is_dense);
  ck_assert_int_eq(reader_open(&reader, "a.csv", &encoding, NULL), EXIT_OK);
  scratch_expect(EXIT_INPUT, reader_next(&reader, &rows, 10), "a.csv:3:2 (\"y\")");
  ck_assert_uint_eq(rows.count, 1);
  reader_close(&reader);
  rows_free(&rows);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_refuses_libsvm) {
  scratch_text("public.svm", "0 1:1\n1 9:1\n");
  make("public.svm", NULL, NULL, "0,1", NULL);
  scratch_text("a.svm", "0 1:1\n2 1:1\n");
  refuse("a.svm", LABELS_REQUIRE, "a.svm:2: the label is not one of the declared classes");
  scratch_text("a.svm", "0 1:1\n1:1\n");
  refuse("a.svm", LABELS_REQUIRE, "a.svm:2: the label is missing");
  scratch_text("a.svm", "0 1:1\n1 0:1\n");
  refuse("a.svm", LABELS_REQUIRE, "a.svm:2:3: index 0");
  scratch_text("a.svm", "0 1:1\n1 1:nan\n");
  refuse("a.svm", LABELS_REQUIRE, "a.svm:2:5: the value is not finite");
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_refuses_idx) {
  static const unsigned char header[] = {0, 0, 8, 3, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4, 5};
  static const unsigned char few[] = {0, 0, 8, 1, 0, 0, 0, 1, 0};
  static const unsigned char huge[] = {0, 0, 8, 3, 255, 255, 255, 255, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4};
  write_images("t", 10, 0);
  make("t-images-idx3-ubyte", NULL, NULL, "0,1", NULL);
  refuse("t-images-idx3-ubyte", LABELS_REQUIRE, "t-labels-idx1-ubyte: item 3: the label is not one");
  scratch_write("few", few, sizeof few);
  refuse("t-images-idx3-ubyte,few", LABELS_REQUIRE, "few: 1 labels for 10 records");
  refuse("t-images-idx3-ubyte,t-images-idx3-ubyte", LABELS_REQUIRE, "labels have one dimension");
  scratch_gzip("lone.gz", header, sizeof header);
  refuse("lone.gz", LABELS_REQUIRE, "lone.gz: no labels");
  refuse("lone.gz", LABELS_IGNORE, "lone.gz: cut off in item 2 of 9");
  scratch_gzip("huge.gz", huge, sizeof huge); /* a header that asks for 16 GB costs nothing */
  refuse("huge.gz", LABELS_IGNORE, "huge.gz: cut off in item 2 of 4294967295");
  write_images("s", 3, 0);
  scratch_write("small",
                "\0\0\x08\x02\0\0\0\x01\0\0\0\x02"
                "ab",
                14);
  refuse("small", LABELS_IGNORE, "small: records of 2 numbers, but the encoding is for 4");
  encoding_free(&encoding);
}
END_TEST

/* What each teacher sees, as bytes: labels and features of its rows, in order. */
typedef struct {
  char *bytes[64];
  size_t size[64];
} sight;

static void look(sight *seen, const char *path, uint32_t teachers) {
  struct coins coins;
  struct partition partition;
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &partition};
  struct chunks chunks;
  struct rows rows;
  uint32_t t;
  coins_seed(&coins, 99);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  ck_assert_int_eq(reader_load(&rows, path, &encoding, &options), EXIT_OK);
  ck_assert_int_eq(chunks_make(&chunks, rows.unit, rows.count, NULL, teachers), EXIT_OK);
  for (t = 0; t < teachers; t++) {
    FILE *stream = open_memstream(&seen->bytes[t], &seen->size[t]);
    float *row = malloc(rows.columns * sizeof *row);
    size_t e;
    for (e = chunks.start[t]; e < chunks.start[t + 1]; e++) {
      rows_expand(&rows, chunks.row[e], row);
      fwrite(&rows.label[chunks.row[e]], sizeof *rows.label, 1, stream);
      fwrite(row, sizeof *row, rows.columns, stream);
    }
    free(row);
    fclose(stream);
  }
  chunks_free(&chunks);
  rows_free(&rows);
  partition_free(&partition);
}

static int differences(sight *a, sight *b, uint32_t teachers) {
  int n = 0;
  uint32_t t;
  for (t = 0; t < teachers; t++) {
    n += a->size[t] != b->size[t] || memcmp(a->bytes[t], b->bytes[t], a->size[t]) != 0;
    free(b->bytes[t]);
  }
  return n;
}

static void release(sight *a, uint32_t teachers) {
  uint32_t t;
  for (t = 0; t < teachers; t++)
    free(a->bytes[t]);
}

/* Without a unit column: leaving out or adding any one record changes what exactly one teacher sees. Many records are
 * equal, so the order among equals matters. */
START_TEST(test_removal_changes_one_teacher) {
  enum { N = 60, TEACHERS = 8 };
  static const char *const features[] = {"raw", "standard", "pca:2"};
  int format;
  for (format = 0; format < 6; format++) {
    int is_csv = format % 2;
    const char *name = is_csv ? "a.csv" : "a.svm";
    sight all, less;
    int without, i;
    for (without = -1; without < N; without++) {
      FILE *file = fopen(name, "w");
      if (is_csv) fputs("x,y,class\n", file);
      for (i = 0; i < N; i++)
        if (i != without) fprintf(file, is_csv ? "%d.25,\"%d\",%d\n" : "%3$d 1:%1$d.25 3:%2$d\n", i % 7, i % 3, i % 2);
      fclose(file);
      if (without < 0) {
        make(name, "class", NULL, "0,1", features[format / 2]);
        look(&all, name, TEACHERS);
      } else {
        look(&less, name, TEACHERS);
        ck_assert_int_eq(differences(&all, &less, TEACHERS), 1);
      }
    }
    release(&all, TEACHERS);
    encoding_free(&encoding);
  }
}
END_TEST

START_TEST(test_image_removal_changes_one_teacher) {
  enum { N = 40, TEACHERS = 8 };
  sight all, less;
  int without;
  write_images("t", N, 0);
  make("t-images-idx3-ubyte", NULL, NULL, "0,1,2", NULL);
  look(&all, "t-images-idx3-ubyte", TEACHERS);
  for (without = 0; without < N; without++) {
    unsigned char images[16 + 4 * N] = {0, 0, 8, 3, 0, 0, 0, N - 1, 0, 0, 0, 2, 0, 0, 0, 2};
    unsigned char labels[8 + N] = {0, 0, 8, 1, 0, 0, 0, N - 1};
    int i, n = 0;
    for (i = 0; i < N; i++) {
      int p;
      if (i == without) continue;
      for (p = 0; p < 4; p++)
        images[16 + 4 * n + p] = (unsigned char)(37 * (4 * i + p));
      labels[8 + n++] = (unsigned char)(i % 3);
    }
    scratch_write("u-images-idx3-ubyte", images, 16 + 4 * (N - 1));
    scratch_write("u-labels-idx1-ubyte", labels, 8 + N - 1);
    look(&less, "u-images-idx3-ubyte", TEACHERS);
    ck_assert_int_eq(differences(&all, &less, TEACHERS), 1);
  }
  release(&all, TEACHERS);
  encoding_free(&encoding);
}
END_TEST

/* People of several rows each. change: 0 nothing, 1 leave the person out, 2 other rows, 3 one row more. */
static void write_people(const char *name, int person, int change) {
  FILE *file = fopen(name, "w");
  int p, r;
  fputs("id,x,y,class\n", file);
  for (r = 0; r < 4; r++)
    for (p = 0; p < 30; p++) {
      if (r >= 1 + p % 3 + (p == person && change == 3)) continue;
      if (p == person && change == 1) continue;
      fprintf(file, "person %d,%d.5,%d,%d\n", p, p + r, p == person && change == 2 ? 77 : p * r, (p + r) % 2);
    }
  fclose(file);
}

START_TEST(test_units_stay_together) {
  enum { TEACHERS = 8 };
  sight all, other;
  int person, change, t, busy = 0;
  write_people("a.csv", -1, 0);
  make("a.csv", "class", "id", "0,1", NULL);
  look(&all, "a.csv", TEACHERS);
  for (t = 0; t < TEACHERS; t++)
    busy += all.size[t] > 0;
  ck_assert_int_gt(busy, 4); /* thirty people are not all with one teacher */
  for (person = 0; person < 30; person++)
    for (change = 1; change <= 3; change++) {
      write_people("b.csv", person, change);
      look(&other, "b.csv", TEACHERS);
      ck_assert_int_eq(differences(&all, &other, TEACHERS), 1);
    }
  release(&all, TEACHERS);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_refuses_units) {
  struct coins coins;
  struct partition partition;
  struct reader_options options = {.labels = LABELS_REQUIRE, .partition = &partition};
  struct rows rows;
  coins_init(&coins);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  scratch_text("public.csv", "x,class\n0.5,no\n2.5,no\n");
  make("public.csv", "class", "id", "no,yes", NULL);
  scratch_expect(EXIT_INPUT, reader_load(&rows, "public.csv", &encoding, &options), "public.csv:1: no column \"id\"");
  scratch_text("a.csv", "x,class,id\n0.5,no,1\n2.5,no,\n");
  scratch_expect(EXIT_INPUT, reader_load(&rows, "a.csv", &encoding, &options), "a.csv:3:3 (\"id\"): the unit is empty");
  partition_free(&partition);
  encoding_free(&encoding);
}
END_TEST

SCRATCH_MAIN("reader", test_csv, test_csv_style, test_libsvm, test_libsvm_dense, test_idx,
             test_images_become_histograms, test_ranges, test_batches, test_wrong_guesses, test_refuses_csv,
             test_error_adds_nothing, test_refuses_libsvm, test_refuses_idx, test_removal_changes_one_teacher,
             test_image_removal_changes_one_teacher, test_units_stay_together, test_refuses_units)
