/* What the JSON writer writes is JSON, as commands have it laid out. */
#include "base/json.h"

#include "support/suite.h"

static void expect(void (*write)(struct json *json), const char *wanted) {
  char *text = NULL;
  size_t size;
  struct json json = {.out = open_memstream(&text, &size)};
  write(&json);
  fclose(json.out);
  ck_assert_str_eq(text, wanted);
  free(text);
}

static void write_lines(struct json *json) {
  json_open(json, NULL, '{', 1);
  json_string(json, "a", "x\"\\\n\x7f\xc3\xa9");
  json_string(json, "none", NULL);
  json_open(json, "list", '[', 1);
  json_open(json, NULL, '{', 0);
  json_print(json, "n", "%d", 1);
  json_print(json, "m", "%.2f", 0.5);
  json_close(json);
  json_print(json, NULL, "2");
  json_close(json);
  json_open(json, "empty", '[', 1);
  json_close(json);
  json_close(json);
}

static void write_one_line(struct json *json) {
  json_open(json, NULL, '{', 0);
  json_print(json, "id", "0");
  json_open(json, "p", '{', 0);
  json_print(json, "\"", "1");
  json_print(json, "b", "2");
  json_close(json);
  json_close(json);
}

static void write_floats(struct json *json) {
  static const float number[] = {0.1f, 1, 16777216, 3, -0.5f};
  json_open(json, NULL, '[', 0);
  json_floats(json, NULL, number, 3, 2);
  json_floats(json, NULL, NULL, 0, 1);
  json_close(json);
}

START_TEST(layout) {
  expect(write_lines,
         "{\n  \"a\": \"x\\\"\\\\\\u000a\x7f\xc3\xa9\",\n  \"none\": null,\n  \"list\": [\n    {\"n\": 1, \"m\": "
         "0.50},\n    2\n  ],\n  \"empty\": []\n}\n");
  expect(write_one_line, "{\"id\": 0, \"p\": {\"\\\"\": 1, \"b\": 2}}\n");
  expect(write_floats, "[[0.100000001, 16777216, -0.5], []]\n");
}
END_TEST

SUITE_MAIN("json", layout)
