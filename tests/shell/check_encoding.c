#include "data/encoding.h"

#include <math.h>

#include "base/error.h"
#include "data/reader.h"
#include "data/schema.h"
#include "support/scratch.h"

static struct encoding encoding;

static const struct column *column(const char *name) {
  size_t i;
  for (i = 0; i < encoding.column_count; i++)
    if (strcmp(encoding.column[i].name, name) == 0) return &encoding.column[i];
  ck_abort_msg("no column %s", name);
  return NULL;
}

static int make(const char *public, const char *schema, const char *label, const char *unit, const char *features) {
  struct encoding_request request = {.public_path = public,
                                     .schema_path = schema,
                                     .label = label,
                                     .unit = unit,
                                     .classes = "no,yes",
                                     .features = features};
  return encoding_make(&encoding, &request);
}

/* Public people; the columns are of every kind. */
static void write_public(void) {
  FILE *file = fopen("public.csv", "w");
  int i;
  fputs("age,code,gain,city,empty,name,id,income,mixed\n", file);
  for (i = 0; i < 300; i++)
    fprintf(file, "%d.50625,%d,%d,%s,,name%d,%d,%s,%s\n", 20 + i % 60, i % 3, i == 7 ? 100000 : i % 20,
            i % 4 == 0   ? ""
            : i % 4 == 1 ? "Rome"
                         : "\"Paris, F\"",
            i, i / 2, i % 2 ? "yes" : "no", i % 5 ? "12" : "x");
  fclose(file);
}

START_TEST(test_kinds) {
  write_public();
  ck_assert_int_eq(make("public.csv", NULL, "income", "id", NULL), EXIT_OK);
  ck_assert_int_eq(column("age")->kind, COLUMN_NUMBER);
  ck_assert_double_eq(column("age")->low, 20.50625);
  ck_assert_double_eq(column("age")->high, 79.50625);
  ck_assert_int_eq(column("code")->kind, COLUMN_CATEGORY);
  ck_assert_int_eq(column("gain")->kind, COLUMN_LOG);
  ck_assert_int_eq(column("city")->kind, COLUMN_CATEGORY);
  ck_assert_uint_eq(column("city")->categories.count, 2);
  ck_assert_str_eq(nameset_text(&column("city")->categories, 0), "Paris, F");
  ck_assert_int_eq(column("empty")->kind, COLUMN_SKIP);
  ck_assert_int_eq(column("name")->kind, COLUMN_SKIP); /* 300 names, each seen once */
  ck_assert_int_eq(column("mixed")->kind, COLUMN_CATEGORY);
  ck_assert_uint_eq(encoding.column_count, 7); /* neither the label nor the unit */
  ck_assert_uint_eq(encoding.columns, 2 + 5 + 2 + 4 + 4);
  encoding_free(&encoding);
}
END_TEST

static void expect_row(const char *record, size_t n, const uint32_t *index, const float *value) {
  struct rows rows;
  char text[1024];
  size_t i;
  snprintf(text, sizeof text, "age,code,gain,city,empty,name,id,income,mixed\n%s\n", record);
  scratch_text("row.csv", text);
  ck_assert_int_eq(reader_load(&rows, "row.csv", &encoding, NULL), EXIT_OK);
  ck_assert_uint_eq(rows.count, 1);
  ck_assert_uint_eq(rows.line[0], 2);
  if (rows.is_dense) {
    float *wanted = calloc(rows.columns, sizeof *wanted);
    for (i = 0; i < n; i++)
      wanted[index[i]] = value[i];
    for (i = 0; i < rows.columns; i++)
      ck_assert_float_eq_tol(rows.dense[i], wanted[i], 1e-6f);
    free(wanted);
  } else {
    ck_assert_uint_eq(rows.start[1], n);
    for (i = 0; i < n; i++) {
      ck_assert_uint_eq(rows.index[i], index[i]);
      ck_assert_float_eq_tol(rows.value[i], value[i], 1e-6f);
    }
  }
  rows_free(&rows);
}

/* age 0 1 | code 2 3 4 unseen 5 empty 6 | gain 7 8 | city 9 10 unseen 11 empty 12 | mixed 13 14 15 16 */
START_TEST(test_rows) {
  float age = (50 - 20.50625f) / 59, mean;
  write_public();
  ck_assert_int_eq(make("public.csv", NULL, "income", "id", NULL), EXIT_OK);
  mean = (float)column("age")->empty;
  ck_assert_float_eq_tol(mean, 0.5f, 0.01f);
  expect_row("50,0,0,Rome,,x,1,no,12", 4, (uint32_t[]){0, 2, 10, 13}, (float[]){age, 1, 1, 1});
  expect_row("50,9,100000,Oslo,5,x,1,,zz", 5, (uint32_t[]){0, 5, 7, 11, 15}, (float[]){age, 1, 1, 1, 1});
  expect_row(",,,,,,,,", 8, (uint32_t[]){0, 1, 6, 7, 8, 12, 16, 16},
             (float[]){mean, 1, 1, (float)column("gain")->empty, 1, 1, 1, 1});
  expect_row("1e9,2,-1e9,\"Paris, F\",,,,,x", 5, (uint32_t[]){0, 4, 7, 9, 14}, (float[]){2, 1, -1, 1, 1});
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_missing_spellings) {
  write_public();
  scratch_text("a.schema", "missing Rome\nmissing NA\n");
  ck_assert_int_eq(make("public.csv", "a.schema", "income", "id", NULL), EXIT_OK);
  ck_assert_uint_eq(column("city")->categories.count, 1);
  expect_row("NA,0,0,Rome,,,,,12", 5, (uint32_t[]){0, 1, 2, 11, 12},
             (float[]){(float)column("age")->empty, 1, 1, 1, 1});
  encoding_free(&encoding);
}
END_TEST

/* A number and a category may be spellings of the missing cell, too. */
START_TEST(test_missing_numbers_and_categories) {
  uint32_t city, age, gain;
  write_public();
  scratch_text("a.schema",
               "missing -99\ncolumn city\ncategory\nvalue Rome\nvalue NA\nvalue a city of more than 24 bytes\n");
  ck_assert_int_eq(make("public.csv", "a.schema", "income", "id", NULL), EXIT_OK);
  ck_assert_int_eq(encoding.misses_number, 1);
  ck_assert_int_eq(column("city")->misses_category, 1);
  city = column("city")->first, age = column("age")->first, gain = column("gain")->first;
  expect_row("-99,0,-99,NA,,,,,12", 7,
             (uint32_t[]){city + 4, age, age + 1, column("code")->first, gain, gain + 1, column("mixed")->first},
             (float[]){1, (float)column("age")->empty, 1, 1, (float)column("gain")->empty, 1, 1});
  expect_row("-98,0,0,a city of more than 24 bytes,,,,,12", 4,
             (uint32_t[]){city + 2, age, column("code")->first, column("mixed")->first}, (float[]){1, -1, 1, 1});
  encoding_free(&encoding);
}
END_TEST

/* What a schema states is taken, the rest is learned; without a public file it must state everything. */
START_TEST(test_schema_goes_first) {
  write_public();
  scratch_text("a.schema", "label income\ncolumn code\nnumber 0 10\ncolumn gain\nskip\ncolumn age\nlog\n"
                           "column city\ncategory\nvalue Oslo\n");
  ck_assert_int_eq(make("public.csv", "a.schema", NULL, "id", NULL), EXIT_OK);
  ck_assert_int_eq(column("code")->kind, COLUMN_NUMBER);
  ck_assert_double_eq(column("code")->high, 10);
  ck_assert_int_eq(column("gain")->kind, COLUMN_SKIP);
  ck_assert_int_eq(column("age")->kind, COLUMN_LOG);
  ck_assert_double_eq(column("age")->low, 20.50625);
  ck_assert_uint_eq(column("city")->categories.count, 1);
  ck_assert_int_eq(column("mixed")->kind, COLUMN_CATEGORY);
  encoding_free(&encoding);
  scratch_expect(EXIT_INPUT, make(NULL, "a.schema", NULL, NULL, NULL), "column \"age\" has no range");
  scratch_text("a.schema", "label income\ncolumn age\nnumber 0 100\n");
  ck_assert_int_eq(make(NULL, "a.schema", NULL, NULL, NULL), EXIT_OK);
  ck_assert_uint_eq(encoding.columns, 2);
  encoding_free(&encoding);
}
END_TEST

/* Saved and loaded, an encoding gives the same rows bit by bit. */
START_TEST(test_saved_encodings) {
  static const char *const features[] = {"raw", "standard", "pca:5"};
  size_t f;
  write_public();
  for (f = 0; f < 3; f++) {
    struct encoding loaded;
    struct rows a, b;
    FILE *stream;
    ck_assert_int_eq(make("public.csv", NULL, "income", "id", features[f]), EXIT_OK);
    stream = fopen("saved", "w+");
    ck_assert_int_eq(schema_write(&encoding, stream), EXIT_OK);
    fputs("after\n", stream);
    rewind(stream);
    ck_assert_int_eq(encoding_load(&loaded, stream, "saved"), EXIT_OK);
    ck_assert_int_eq(fgetc(stream), 'a'); /* what follows is still there */
    fclose(stream);
    ck_assert_uint_eq(loaded.columns, f == 2 ? 5 : 17);
    ck_assert_int_eq(reader_load(&a, "public.csv", &encoding, NULL), EXIT_OK);
    ck_assert_int_eq(reader_load(&b, "public.csv", &loaded, NULL), EXIT_OK);
    ck_assert_int_eq(a.is_dense, b.is_dense);
    ck_assert_uint_eq(rows_entries(&a), rows_entries(&b));
    if (a.is_dense)
      ck_assert_mem_eq(a.dense, b.dense, rows_entries(&a) * sizeof(float));
    else
      ck_assert_mem_eq(a.value, b.value, rows_entries(&a) * sizeof(float));
    rows_free(&a);
    rows_free(&b);
    encoding_free(&loaded);
    encoding_free(&encoding);
  }
}
END_TEST

/* Of too many categories the most frequent are kept, and none that was seen once. */
START_TEST(test_many_categories) {
  FILE *file = fopen("public.csv", "w");
  int i;
  fputs("a,b\n", file);
  for (i = 0; i < 3000; i++)
    fprintf(file, "v%d,%d\n", i % 1000 < 600 ? i % 1000 : 5000 + i, i);
  fclose(file);
  ck_assert_int_eq(make("public.csv", NULL, NULL, NULL, NULL), EXIT_OK);
  ck_assert_uint_eq(column("a")->categories.count, 256);
  ck_assert_uint_eq(encoding.columns, 256 + 2 + 2);
  ck_assert_int_eq(encoding.is_dense, 0);
  encoding_free(&encoding);
}
END_TEST

START_TEST(test_refuses) {
  write_public();
  scratch_expect(EXIT_INPUT, make(NULL, NULL, NULL, NULL, NULL), "a public file or a schema");
  scratch_expect(EXIT_INPUT, make("absent.csv", NULL, NULL, NULL, NULL), "absent.csv: cannot read");
  scratch_expect(EXIT_INPUT, make(NULL, "absent", NULL, NULL, NULL), "absent: cannot read");
  scratch_expect(EXIT_INPUT, make("public.csv", NULL, "id", "id", NULL), "the same column");
  scratch_expect(EXIT_INPUT, make("public.csv", NULL, NULL, NULL, "pca:500"), "pca:500, but the data have only");
  scratch_text("a.schema", "column height\nnumber\n");
  scratch_expect(EXIT_INPUT, make("public.csv", "a.schema", NULL, NULL, NULL), "public.csv:1: no column \"height\"");
  scratch_text("a.schema", "column city\nnumber\n");
  scratch_expect(EXIT_INPUT, make("public.csv", "a.schema", NULL, NULL, NULL),
                 "public.csv:3:4 (\"city\"): the cell is not a number");
  scratch_text("bad.csv", "a,b\n1,2\n1.5,inf\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL),
                 "bad.csv:3:2 (\"b\"): the cell is not a finite number");
  scratch_text("bad.csv", "a,b,a\n1,2,3\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL), "bad.csv:1:3 (\"a\"): two columns");
  scratch_text("bad.csv", "a,,b\n1,2,3\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL), "bad.csv:1:2: a column without a name");
  scratch_text("bad.csv", "a,b\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL), "bad.csv: no records");
  scratch_text("bad.csv", "");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL), "bad.csv: the file is empty");
  scratch_text("bad.csv", "\n\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, NULL, NULL, NULL), "bad.csv: no header line");
  scratch_text("bad.csv", "income\nyes\n");
  scratch_expect(EXIT_INPUT, make("bad.csv", NULL, "income", NULL, NULL), "no feature columns");
  scratch_text("bad.svm", "1 1:1 2:1\n0 2:1 1:1\n");
  scratch_expect(EXIT_INPUT, make("bad.svm", NULL, NULL, NULL, NULL), "bad.svm:2:7: indices must ascend");
  scratch_text("good.svm", "1 1:1 2:1\n0 2:1\n");
  scratch_expect(EXIT_INPUT, make("good.svm", NULL, NULL, "id", NULL), "--unit names a CSV column");
  scratch_write("cut.npy", "\x93NUMPY\x01\0v\0", 10);
  scratch_expect(EXIT_INPUT, make("cut.npy", NULL, NULL, NULL, NULL), "cut.npy: the .npy header is cut off");
  scratch_text("a.schema", "format csv\ncolumn a\nnumber 0 1\nfeatures pca 1\n");
  scratch_expect(EXIT_INPUT, make(NULL, "a.schema", NULL, NULL, NULL), "learned from a public file");
}
END_TEST

/* Rows of `numbers` columns of many values and `others` of two, or of five texts; as CSV, or as LIBSVM. */
static void write_mixed(const char *path, int numbers, int others) {
  FILE *file = fopen(path, "w");
  int is_csv = strstr(path, ".csv") != NULL;
  for (int c = 0; is_csv && c < numbers + others; c++)
    fprintf(file, "%sx%d", c ? "," : "", c);
  if (is_csv) fputc('\n', file);
  for (int i = 0; i < 200; i++) {
    if (!is_csv) fprintf(file, "%d", i % 2);
    for (int c = 0; c < numbers + others; c++)
      if (is_csv && c >= numbers)
        fprintf(file, "%s%c", c ? "," : "", 'a' + (i + c) % 5);
      else if (is_csv)
        fprintf(file, "%s%d.5", c ? "," : "", i * (c + 1) % 97);
      else
        fprintf(file, " %d:%d", c + 1, c < numbers ? 1 + i * (c + 1) % 97 : 1 + i % 2);
    fputc('\n', file);
  }
  fclose(file);
}

/* Without --features: numbers are standardised if they are most of the columns. */
START_TEST(test_default_features) {
  static const char *const paths[] = {"mixed.csv", "mixed.svm"};
  for (int p = 0; p < 2; p++) {
    write_mixed(paths[p], 3, 2);
    ck_assert_int_eq(make(paths[p], NULL, NULL, NULL, NULL), EXIT_OK);
    ck_assert_uint_eq(encoding.features.count, 1);
    ck_assert_int_eq(encoding.features.step[0].kind, FEATURES_STANDARD);
    encoding_free(&encoding);
    ck_assert_int_eq(make(paths[p], NULL, NULL, NULL, "raw"), EXIT_OK);
    ck_assert_uint_eq(encoding.features.count, 0);
    encoding_free(&encoding);
    write_mixed(paths[p], 2, 3);
    ck_assert_int_eq(make(paths[p], NULL, NULL, NULL, NULL), EXIT_OK);
    ck_assert_uint_eq(encoding.features.count, 0);
    encoding_free(&encoding);
  }
  write_mixed("mixed.csv", 3, 2);
  scratch_text("mixed.schema", "column x0\n  number 0 100\n");
  ck_assert_int_eq(make("mixed.csv", "mixed.schema", NULL, NULL, NULL), EXIT_OK);
  ck_assert_uint_eq(encoding.features.count, 0);
  encoding_free(&encoding);
}
END_TEST

SCRATCH_MAIN("encoding", test_kinds, test_rows, test_missing_spellings, test_missing_numbers_and_categories,
             test_schema_goes_first, test_saved_encodings, test_many_categories, test_refuses, test_default_features)
