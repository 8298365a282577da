#include "data/schema.h"

#include "base/error.h"
#include "data/reader.h"
#include "support/scratch.h"

static int read_text(struct encoding *encoding, const char *text, size_t length, int must_end) {
  FILE *stream;
  int code;
  scratch_write("a.schema", text, length);
  stream = fopen("a.schema", "r");
  ck_assert_ptr_nonnull(stream);
  code = schema_read(encoding, stream, "a.schema", must_end);
  fclose(stream);
  return code;
}

static char *written(const struct encoding *encoding) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  ck_assert_int_eq(schema_write(encoding, stream), EXIT_OK);
  fclose(stream);
  return text;
}

static const char example[] =
    "# people\r\n\nformat csv\nlabel income\nunit id\nclass <=50K\nclass >50K\nalias >50K.\nmissing ?\n"
    "column age\n  number 17 90\ncolumn gain\n\tlog 0 99999 0.25\ncolumn work place\n  category\n  value Private\n"
    "  value a\\\\b\\tc\ncolumn fnlwgt\n  skip\ncolumn height\n  number\ncolumn plain\nfeatures pca 60\n";

START_TEST(test_style) {
  static const char *const texts[] = {"format csv\ndelimiter ;\nheader no\nmissing -99\n",
                                      "format csv\ndelimiter tab\n"};
  for (size_t i = 0; i < 2; i++) {
    struct encoding encoding, again;
    char *text;
    ck_assert_int_eq(read_text(&encoding, texts[i], strlen(texts[i]), 0), EXIT_OK);
    ck_assert_int_eq(encoding.style.delimiter, i ? '\t' : ';');
    ck_assert_int_eq(encoding.style.no_header, !i);
    text = written(&encoding);
    ck_assert_int_eq(read_text(&again, text, strlen(text), 1), EXIT_OK);
    ck_assert_int_eq(again.style.delimiter, encoding.style.delimiter);
    ck_assert_int_eq(again.style.no_header, encoding.style.no_header);
    ck_assert_uint_eq(again.missing.count, encoding.missing.count);
    free(text);
    encoding_free(&encoding);
    encoding_free(&again);
  }
}
END_TEST

START_TEST(test_statements) {
  struct encoding encoding;
  ck_assert_int_eq(read_text(&encoding, example, sizeof example - 1, 0), EXIT_OK);
  ck_assert_ptr_eq(encoding.format, &format_csv);
  ck_assert_str_eq(encoding.label, "income");
  ck_assert_str_eq(encoding.unit, "id");
  ck_assert_uint_eq(encoding.classes.count, 2);
  ck_assert_int_eq(classes_find(&encoding.classes, ">50K.", 5), 1);
  ck_assert_uint_eq(encoding.missing.count, 1);
  ck_assert_uint_eq(encoding.column_count, 6);
  ck_assert_int_eq(encoding.column[0].kind, COLUMN_NUMBER);
  ck_assert_double_eq(encoding.column[0].low, 17);
  ck_assert_double_eq(encoding.column[0].empty, 0.5);
  ck_assert_int_eq(encoding.column[1].kind, COLUMN_LOG);
  ck_assert_double_eq(encoding.column[1].empty, 0.25);
  ck_assert_str_eq(encoding.column[2].name, "work place");
  ck_assert_uint_eq(encoding.column[2].categories.count, 2);
  ck_assert_str_eq(nameset_text(&encoding.column[2].categories, 1), "a\\b\tc");
  ck_assert_int_eq(encoding.column[3].kind, COLUMN_SKIP);
  ck_assert_int_eq(encoding.column[4].is_fitted, 0);
  ck_assert_int_eq(encoding.column[5].kind, COLUMN_AUTO);
  ck_assert_uint_eq(encoding.features.count, 1);
  ck_assert_int_eq(encoding.features.step[0].kind, FEATURES_PCA);
  ck_assert_uint_eq(encoding.features.step[0].outputs, 60);
  encoding_free(&encoding);
}
END_TEST

/* Write, read, write: the same bytes. */
START_TEST(test_round_trip) {
  struct encoding first, second;
  char *one, *two;
  ck_assert_int_eq(read_text(&first, example, sizeof example - 1, 0), EXIT_OK);
  one = written(&first);
  ck_assert_int_eq(read_text(&second, one, strlen(one), 1), EXIT_OK);
  two = written(&second);
  ck_assert_str_eq(one, two);
  free(one);
  free(two);
  encoding_free(&first);
  encoding_free(&second);
}
END_TEST

/* Writes an encoding, loads it again and finds the same text. */
static void reload(const struct encoding *encoding, struct encoding *again) {
  char *one = written(encoding), *two;
  FILE *stream;
  scratch_text("b", one);
  stream = fopen("b", "r");
  ck_assert_int_eq(encoding_load(again, stream, "b"), EXIT_OK);
  fclose(stream);
  two = written(again);
  ck_assert_str_eq(one, two);
  free(one);
  free(two);
}

START_TEST(test_maps) {
  static const char text[] = "format libsvm\ninputs 2\nlayout sparse\nfeatures pca 3\n"
                             "map 0.1 1 2 3\nmap -0.333333343 4 5 6e-20\nend\nrest\n";
  struct encoding encoding, again;
  ck_assert_int_eq(read_text(&encoding, text, sizeof text - 1, 1), EXIT_OK);
  ck_assert_uint_eq(encoding.features.step[0].inputs, 2);
  ck_assert_float_eq(encoding.features.step[0].mean[1], -0.333333343f);
  ck_assert_float_eq(encoding.features.step[0].axes[5], 6e-20f);
  reload(&encoding, &again);
  ck_assert_uint_eq(again.columns, 3);
  ck_assert_int_eq(again.is_dense, 1);
  ck_assert_int_eq(again.raw_is_dense, 0);
  encoding_free(&encoding);
  encoding_free(&again);
}
END_TEST

/* Several steps, each with its own map: read, written and read again. */
START_TEST(test_steps) {
  struct encoding encoding, again;
  char text[4000] = "format idx\ninputs 16\nlayout dense\nfeatures raw+hog 4 4\nfeatures pca 2\n";
  size_t inputs = 16 + 4 * HOG_BINS;
  FILE *stream;
  for (size_t i = 0; i < inputs; i++)
    snprintf(text + strlen(text), 40, "map 0.5 %zu -1\n", i);
  strcat(text, "features range\nmap 1 2\nmap 3 4\nend\n");
  ck_assert_int_eq(read_text(&encoding, text, strlen(text), 1), EXIT_OK);
  ck_assert_uint_eq(encoding.features.count, 3);
  ck_assert_int_eq(encoding.features.step[0].keeps, 1);
  ck_assert_uint_eq(encoding.features.step[1].inputs, inputs);
  ck_assert_float_eq(encoding.features.step[2].scale[1], 4);
  reload(&encoding, &again);
  ck_assert_uint_eq(again.columns, 2);
  encoding_free(&encoding);
  encoding_free(&again);
  scratch_text("b", "format idx\ninputs 15\nlayout dense\nfeatures hog 4 4\nend\n");
  stream = fopen("b", "r");
  scratch_expect(EXIT_INPUT, encoding_load(&again, stream, "b"), "a step for 16 numbers where there are 15");
  fclose(stream);
}
END_TEST

START_TEST(test_refuses) {
  static const struct {
    const char *text, *cause;
  } bad[] = {{"nonsense\n", "a.schema:1: a statement that is not known"},
             {"\nformat xml\n", "a.schema:2: the format is"},
             {"label a\nlabel b\n", "a.schema:2: stated twice"},
             {"label\n", "a name is missing"},
             {"label a\\x\n", "an escape that is not known"},
             {"class a\nclass a\n", "a.schema:2: class \"a\" is declared twice"},
             {"alias a\n", "a.schema:1: a spelling before the first class"},
             {"class \n", "empty"},
             {"number 1 2\n", "below a column"},
             {"value a\n", "below a column"},
             {"column a\nvalue b\n", "not a category"},
             {"column a\ncategory\nvalue b\nvalue b\n", "a.schema:4: stated twice"},
             {"column a\nnumber 1\n", "LOW HIGH"},
             {"column a\nnumber 1 x\n", "LOW HIGH"},
             {"column a\nnumber nan 2\n", "LOW HIGH"},
             {"column a\nnumber 1 2 3 4\n", "LOW HIGH"},
             {"column a\nnumber 2 1\n", "ends before"},
             {"column a\nskip\nskip\n", "a kind already"},
             {"column a\nskip 5\n", "nothing may follow"},
             {"column a\ncolumn a\n", "a column stated twice"},
             {"inputs 0\n", "inputs is a number"},
             {"inputs 16777217\n", "inputs is a number"},
             {"inputs 1.5\n", "inputs is a number"},
             {"layout thin\n", "dense or sparse"},
             {"features pca 0\n", "features is"},
             {"features pca 5000\n", "features is"},
             {"features pca 1e300\n", "features is"},
             {"features pca 2\nfeatures raw\n", "stated twice"},
             {"features hog 28\n", "hog is the first step"},
             {"features hog 28 28 28\n", "hog is the first step"},
             {"features hog 28.5 28\n", "hog is the first step"},
             {"features hog 28 1e300\n", "hog is the first step"},
             {"features hog 0 28\n", "hog is the first step"},
             {"features standard\nfeatures hog 28 28\n", "hog is the first step"},
             {"features hog 28 3\n", "too narrow"},
             {"features hog 4 4\nmap 1 2\n", "raw or hog"},
             {"features range\nfeatures range\nfeatures range\nfeatures range\nfeatures range\n", "too many steps"},
             {"map 1 2\n", "features are raw"},
             {"features pca 2\nmap 1 2\n", "one number for each output"},
             {"features standard\nmap 1 2 3\n", "one number for each output"}};
  struct encoding encoding;
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++)
    scratch_expect(EXIT_INPUT, read_text(&encoding, bad[i].text, strlen(bad[i].text), 0), bad[i].cause);
  scratch_expect(EXIT_INPUT, read_text(&encoding, "label \0a\n", 9, 0), "a.schema:1: a NUL byte");
  scratch_expect(EXIT_INPUT, read_text(&encoding, example, sizeof example - 1, 1), "cut off");
}
END_TEST

START_TEST(test_load_wants_all) {
  static const struct {
    const char *text, *cause;
  } bad[] = {{"format csv\ncolumn a\nnumber\nend\n", "without range or categories"},
             {"format csv\ncolumn a\nend\n", "without range or categories"},
             {"class a\nend\n", "no format"},
             {"format csv\ncolumn a\nskip\nend\n", "no feature columns"},
             {"format idx\nend\n", "no feature columns"},
             {"format idx\ninputs 3\nfeatures standard\nend\n", "a step for 0 numbers where there are 3"},
             {"format idx\ninputs 3\nfeatures standard\nmap 1 1\nend\n", "a step for 1 numbers where there are 3"},
             {"format idx\ninputs 3\n", "cut off"}};
  struct encoding encoding;
  size_t i;
  for (i = 0; i < sizeof bad / sizeof *bad; i++) {
    FILE *stream;
    scratch_text("a.schema", bad[i].text);
    stream = fopen("a.schema", "r");
    scratch_expect(EXIT_INPUT, encoding_load(&encoding, stream, "a.schema"), bad[i].cause);
    fclose(stream);
  }
}
END_TEST

/* Items of idx are read whole: what the text says of their layout, or does not say, changes nothing. */
START_TEST(test_items_are_dense) {
  static const char *const layouts[] = {"", "layout sparse\n", "layout dense\n"};
  static const char labels[] = "\0\0\x08\1\0\0\0\2\0\xff";
  for (size_t i = 0; i < 3; i++) {
    struct encoding_request request = {.schema_path = "a.schema"};
    struct encoding encoding;
    struct rows rows;
    char text[64];
    snprintf(text, sizeof text, "format idx\ninputs 1\n%s", layouts[i]);
    scratch_text("a.schema", text);
    scratch_write("items", labels, sizeof labels - 1);
    ck_assert_int_eq(encoding_make(&encoding, &request), EXIT_OK);
    ck_assert_int_eq(reader_load(&rows, "items", &encoding, NULL), EXIT_OK);
    ck_assert_uint_eq(rows.count, 2);
    ck_assert_float_eq(rows.dense[1], 1);
    rows_free(&rows);
    encoding_free(&encoding);
  }
}
END_TEST

SCRATCH_MAIN("schema", test_style, test_statements, test_round_trip, test_maps, test_steps, test_refuses,
             test_load_wants_all, test_items_are_dense)
