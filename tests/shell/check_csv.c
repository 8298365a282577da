#include "data/csv.h"

#include <sys/stat.h>

#include "base/error.h"
#include "support/scratch.h"
#include "support/words.h"

static struct stream stream;
static struct lines lines;
static struct csv csv;

static void start(const char *name) {
  ck_assert_int_eq(stream_open(&stream, name), EXIT_OK);
  lines_init(&lines, &stream);
  csv_init(&csv, &lines, 0);
}

static void stop(void) {
  csv_free(&csv);
  lines_free(&lines);
  stream_close(&stream);
}

static void expect_cells(uint64_t line, size_t count, const char *const *cells) {
  size_t i;
  int more;
  ck_assert_int_eq(csv_next(&csv, &more), EXIT_OK);
  ck_assert_int_eq(more, 1);
  ck_assert_uint_eq(lines.line, line);
  ck_assert_uint_eq(csv.cells, count);
  for (i = 0; i < count; i++) {
    ck_assert_uint_eq(csv.cell[i].length, strlen(cells[i]));
    ck_assert_mem_eq(csv.cell[i].text, cells[i], csv.cell[i].length);
  }
}

#define CELLS(line, ...)                                                                                               \
  expect_cells(line, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static void expect_end(void) {
  int more;
  ck_assert_int_eq(csv_next(&csv, &more), EXIT_OK);
  ck_assert_int_eq(more, 0);
}

START_TEST(test_delimiters) {
  ck_assert_int_eq(csv_delimiter(";"), ';');
  ck_assert_int_eq(csv_delimiter("tab"), '\t');
  ck_assert_int_eq(csv_delimiter("\t"), '\t');
  ck_assert_int_eq(csv_delimiter("\""), 0);
  ck_assert_int_eq(csv_delimiter("x"), 0);
  ck_assert_int_eq(csv_delimiter(";;"), 0);
  ck_assert_int_eq(csv_delimiter(""), 0);
  scratch_text("a.csv", "a;b,c; \td \n1,5;\"x;y\";\n");
  start("a.csv");
  csv.delimiter = ';';
  CELLS(1, "a", "b,c", "d");
  CELLS(2, "1,5", "x;y", "");
  expect_end();
  stop();
  scratch_text("a.csv", "a\t\tb\n \"x\ty\"\t2\t3\n");
  start("a.csv");
  csv.delimiter = '\t';
  CELLS(1, "a", "", "b");
  CELLS(2, "x\ty", "2", "3");
  expect_end();
  stop();
}
END_TEST

START_TEST(test_records) {
  scratch_text("a.csv", "\xef\xbb\xbf"
                        "a,b,c\r\n1, two ,\"three\"\r\n\r\n,,\n\"x,y\",\"he said \"\"no\"\"\",\"\"\n"
                        "\"two\nlines\r\nthr\"\"\"\"ee\",5\" pipe, \"q\" \n\"a\"\"b\nc\",d,e\nlast,one,\t");
  start("a.csv");
  CELLS(1, "a", "b", "c");
  CELLS(2, "1", "two", "three");
  CELLS(4, "", "", "");
  CELLS(5, "x,y", "he said \"no\"", "");
  CELLS(6, "two\nlines\r\nthr\"\"ee", "5\" pipe", "q");
  CELLS(9, "a\"b\nc", "d", "e");
  CELLS(11, "last", "one", "");
  expect_end();
  expect_end();
  stop();
}
END_TEST

START_TEST(test_record_bytes_are_kept) {
  scratch_text("a.csv", "1,\"a\"\"b\"\n2,c\n");
  start("a.csv");
  csv.keep_record = 1;
  CELLS(1, "1", "a\"b");
  ck_assert_uint_eq(csv.record_length, 8);
  ck_assert_mem_eq(csv.record, "1,\"a\"\"b\"", 8);
  CELLS(2, "2", "c");
  ck_assert_mem_eq(csv.record, "2,c", 3);
  stop();
}
END_TEST

START_TEST(test_one_column_keeps_empty_lines) {
  scratch_text("a.csv", "a\n1\n\n2\n");
  start("a.csv");
  CELLS(1, "a");
  csv.expected = 1;
  CELLS(2, "1");
  CELLS(3, "");
  CELLS(4, "2");
  expect_end();
  stop();
}
END_TEST

/* Records of every length around the buffer's edges, and one much longer than the buffer, quoted and not. */
START_TEST(test_buffer_edges) {
  size_t size = 0, capacity = 4u << 20, i;
  char *text = malloc(capacity);
  ck_assert_ptr_nonnull(text);
  for (i = 0; i < 1200; i++) {
    size_t n = i == 700 ? 900000 : i;
    memset(text + size, 'a' + (int)(i % 26), n);
    size += n;
    size += (size_t)sprintf(text + size, i % 3 ? ",%zu\n" : ",\"%zu\n\"\r\n", i);
  }
  scratch_gzip("a.csv.gz", text, size);
  start("a.csv.gz");
  for (i = 0; i < 1200; i++) {
    char number[32];
    int more, n = sprintf(number, i % 3 ? "%zu" : "%zu\n", i);
    ck_assert_int_eq(csv_next(&csv, &more), EXIT_OK);
    ck_assert_int_eq(more, 1);
    ck_assert_uint_eq(csv.cells, 2);
    ck_assert_uint_eq(csv.cell[0].length, i == 700 ? 900000 : i);
    ck_assert_uint_eq(csv.cell[1].length, (size_t)n);
    ck_assert_mem_eq(csv.cell[1].text, number, (size_t)n);
    if (i) ck_assert_int_eq(csv.cell[0].text[csv.cell[0].length - 1], 'a' + (int)(i % 26));
  }
  expect_end();
  stop();
  free(text);
}
END_TEST

/* A record of up to 200 letters, and the same with a quoted cell behind it. Returns how many bytes. */
static size_t print_twice(char *out, char delimiter) {
  static const char letters[] = ",,, \t\rab;;|\x1f-";
  size_t length = 1 + below(200);
  for (size_t i = 0; i < length; i++)
    out[i] = letters[below(sizeof letters - 1)];
  if (out[length - 1] == '\r') out[length - 1] = 'x'; /* it would be the line's break */
  out[length] = '\n';
  memcpy(out + length + 1, out, length);
  return 2 * length + 1 + (size_t)sprintf(out + 2 * length + 1, "%c\"\"\n", delimiter);
}

/* The next record's cells but the last `without`, a line each. */
static void join_cells(char *out, size_t without) {
  int more;
  ck_assert_int_eq(csv_next(&csv, &more), EXIT_OK);
  ck_assert_int_eq(more, 1);
  *out = '\0';
  for (size_t i = 0; i + without < csv.cells; i++)
    out += sprintf(out, "%.*s\n", (int)csv.cell[i].length, csv.cell[i].text);
}

/* Blanks and delimiters wherever they may fall in a block: a record is cut as the careful way cuts it, which takes those with
 * quotes. */
START_TEST(test_plain_and_quoted_agree) {
  enum { RECORDS = 3000 };
  static char text[RECORDS * 500];
  seed = 3;
  for (const char *delimiter = ",;\t\x1f"; *delimiter; delimiter++) {
    size_t size = 0;
    for (int i = 0; i < RECORDS; i++)
      size += print_twice(text + size, *delimiter);
    scratch_write("a.csv", text, size);
    start("a.csv");
    csv.delimiter = *delimiter;
    for (int i = 0; i < RECORDS; i++) {
      char plain[1000], quoted[1000];
      join_cells(plain, 0);
      join_cells(quoted, 1);
      ck_assert_str_eq(plain, quoted);
    }
    expect_end();
    stop();
  }
}
END_TEST

static void refuse(const void *bytes, size_t length, size_t expected, const char *part) {
  int more = 1, code;
  scratch_write("bad.csv", bytes, length);
  start("bad.csv");
  csv.expected = expected;
  do
    code = csv_next(&csv, &more);
  while (code == EXIT_OK && more);
  scratch_expect(EXIT_INPUT, code, part);
  stop();
}

#define REFUSE(text, expected, part) refuse(text, sizeof(text) - 1, expected, part)

START_TEST(test_refuses) {
  REFUSE("1,2\n3\n", 2, "bad.csv:2: 1 cells, but the header has 2");
  REFUSE("1,2\n3,4,5\n", 2, "bad.csv:2: 3 cells");
  REFUSE("1,\"open\n2,3\n", 2, "bad.csv:1:1: a quote that is never closed");
  REFUSE("1,\"a\"b\n", 2, "bad.csv:1:2: text after a closing quote");
  REFUSE("1,2\n3,\0\n", 2, "bad.csv:2: a NUL byte");
  REFUSE("\xff\xfe"
         "a\n",
         0, "bad.csv:1: UTF-16");
}
END_TEST

START_TEST(test_absurd_record) {
  size_t length = LINES_LONGEST + (1u << 20), commas = CSV_COLUMNS_MAX + 1000;
  char *text = malloc(length);
  ck_assert_ptr_nonnull(text);
  memset(text, 'x', length);
  refuse(text, length, 0, "bad.csv:1: a record of more than 64 MB");
  memset(text, '\n', length);
  text[0] = '"';
  refuse(text, length, 0, "bad.csv:1: a record of more than 64 MB");
  memset(text, ',', commas);
  refuse(text, commas, 0, "too many columns");
  free(text);
}
END_TEST

START_TEST(test_gzip) {
  static const char text[] = "a,b\n1,2\n";
  unsigned char packed[256];
  size_t n, cut;
  FILE *file;
  int more, code;
  scratch_gzip("a.gz", text, sizeof text - 1);
  file = fopen("a.gz", "r");
  n = fread(packed, 1, sizeof packed, file);
  fclose(file);
  for (cut = 2; cut < n; cut++) { /* every cut is noticed, wherever it falls */
    scratch_write("cut.gz", packed, cut);
    start("cut.gz");
    do
      code = csv_next(&csv, &more);
    while (code == EXIT_OK && more);
    scratch_expect(EXIT_INPUT, code, "cut.gz: the gzip file is cut off");
    stop();
  }
  packed[n - 6] ^= 1; /* the checksum */
  scratch_write("bad.gz", packed, n);
  start("bad.gz");
  do
    code = csv_next(&csv, &more);
  while (code == EXIT_OK && more);
  scratch_expect(EXIT_INPUT, code, "bad.gz: the gzip file is damaged");
  stop();
}
END_TEST

START_TEST(test_gzip_members) {
  char bytes[512];
  size_t n;
  FILE *file;
  int more, code;
  scratch_gzip("a.gz", "a,b\n1,", 6);
  scratch_gzip("b.gz", "2\n", 2);
  ck_assert_int_eq(system("cat a.gz b.gz >ab.gz"), 0);
  start("ab.gz");
  CELLS(1, "a", "b");
  CELLS(2, "1", "2");
  expect_end();
  stop();
  file = fopen("ab.gz", "a");
  fputs("garbage", file);
  fclose(file);
  start("ab.gz");
  do
    code = csv_next(&csv, &more);
  while (code == EXIT_OK && more);
  scratch_expect(EXIT_INPUT, code, "ab.gz: the gzip file is damaged");
  stop();
  scratch_gzip("none.gz", "", 0);
  ck_assert_int_eq(stream_open(&stream, "none.gz"), EXIT_OK);
  ck_assert_int_eq(stream_read(&stream, bytes, sizeof bytes, &n), EXIT_OK);
  ck_assert_uint_eq(n, 0);
  stream_close(&stream);
}
END_TEST

/* A line that came through a pipe is there before the next one is written. */
START_TEST(test_pipe) {
  int ends[2], i;
  ck_assert_int_eq(pipe(ends), 0);
  ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
  ck_assert_int_eq((int)write(ends[1], "a,b\n", 4), 4);
  start("-");
  ck_assert_uint_eq(stream.is_plain, 0);
  CELLS(1, "a", "b");
  for (i = 0; i < 3; i++) {
    ck_assert_int_eq((int)write(ends[1], "1,", 2), 2);
    ck_assert_int_eq((int)write(ends[1], "2\n", 2), 2);
    CELLS((uint64_t)i + 2, "1", "2");
  }
  close(ends[1]);
  expect_end();
  stop();
}
END_TEST

START_TEST(test_unreadable) {
  scratch_expect(EXIT_INPUT, stream_open(&stream, "absent.csv"), "absent.csv: cannot read: No such file");
  ck_assert_int_eq(mkdir("dir", 0700), 0);
  scratch_expect(EXIT_INPUT, stream_open(&stream, "dir"), "dir: cannot read: Is a directory");
}
END_TEST

START_TEST(test_standard_input) {
  scratch_gzip("a.gz", "a,b\n1,2\n", 8);
  ck_assert_ptr_nonnull(freopen("a.gz", "r", stdin));
  start("-");
  ck_assert_str_eq(stream.path, "standard input");
  CELLS(1, "a", "b");
  CELLS(2, "1", "2");
  expect_end();
  stop();
}
END_TEST

SCRATCH_MAIN("csv", test_delimiters, test_records, test_record_bytes_are_kept, test_one_column_keeps_empty_lines,
             test_buffer_edges, test_plain_and_quoted_agree, test_refuses, test_absurd_record, test_gzip,
             test_gzip_members, test_pipe, test_unreadable, test_standard_input)
