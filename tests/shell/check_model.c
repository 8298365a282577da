/* student.model: what is written is read back, and nothing but that. */
#include "base/error.h"
#include "data/reader.h"
#include "learn/ensemble.h"
#include "learn/model.h"
#include "support/lessons.h"
#include "support/scratch.h"

static void make_model(const char *path, const char *learner_text) {
  static const char csv[] =
      "age,job,sick\n30,cook,no\n40,baker,yes\n50,,no\n60,\"a, b\",yes\n20,cook,no\n35,baker,yes\n";
  struct encoding_request request = {.public_path = "public.csv", .label = "sick", .classes = "no,yes|true"};
  struct reader_options options = {.labels = LABELS_REQUIRE};
  struct encoding encoding;
  struct learner learner;
  struct learned learned;
  struct lesson lesson;
  struct rows rows;
  size_t *order;
  scratch_text("public.csv", csv);
  ck_assert_int_eq(encoding_make(&encoding, &request), 0);
  ck_assert_int_eq(reader_load(&rows, "public.csv", &encoding, &options), 0);
  lessons_learner(&learner, learner_text, &rows, 2);
  order = lessons_order(rows.count);
  lesson = (struct lesson){.rows = &rows, .row = order, .count = rows.count};
  ck_assert_int_eq(learner_train(&learner, &lesson, &learned), 0);
  ck_assert_int_eq(model_write(path, &encoding, &learner, &learned), 0);
  free(order);
  learned_free(&learned);
  learner_free(&learner);
  rows_free(&rows);
  encoding_free(&encoding);
}

static size_t slurp(const char *path, unsigned char *bytes, size_t room) {
  FILE *file = fopen(path, "rb");
  size_t size;
  ck_assert_ptr_nonnull(file);
  size = fread(bytes, 1, room, file);
  fclose(file);
  ck_assert_uint_lt(size, room);
  return size;
}

START_TEST(round_trip) {
  static const char *const texts[] = {"logistic",
                                      "svm:C=0.25",
                                      "trees:rounds=3",
                                      "committee:4,logistic:C=3,balance=1",
                                      "committee:2,trees:rounds=2",
                                      "logistic:scale=2"};
  static unsigned char first[1 << 20], second[1 << 20];
  for (int i = 0; i < 6; i++) {
    struct student_model model;
    size_t size;
    make_model("one.model", texts[i]);
    ck_assert_int_eq(model_read(&model, "one.model"), 0);
    ck_assert_uint_eq(model.learner.classes, 2);
    ck_assert_str_eq(model.encoding.classes.name[1], "yes");
    ck_assert_int_eq(model_write("two.model", &model.encoding, &model.learner, &model.learned), 0);
    size = slurp("one.model", first, sizeof first);
    ck_assert_uint_eq(slurp("two.model", second, sizeof second), size);
    ck_assert_mem_eq(first, second, size);
    model_free(&model);
  }
}
END_TEST

/* Any byte changed, any length cut: refused in one line. */
START_TEST(damaged) {
  static unsigned char bytes[1 << 20];
  struct student_model model;
  size_t size;
  make_model("m", "logistic");
  size = slurp("m", bytes, sizeof bytes);
  for (size_t i = 0; i < size; i += 1 + size / 97) {
    bytes[i] ^= 4;
    scratch_write("bad", bytes, size);
    bytes[i] ^= 4;
    scratch_expect(EXIT_INPUT, model_read(&model, "bad"), i < 15 ? "not a student model" : "damaged");
    scratch_write("bad", bytes, i);
    scratch_expect(EXIT_INPUT, model_read(&model, "bad"), i < 15 ? "not a student model" : "damaged");
  }
  scratch_expect(EXIT_INPUT, model_read(&model, "none"), "none: cannot read");
  scratch_expect(EXIT_INPUT, model_read(&model, "public.csv"), "not a student model");
  scratch_expect(EXIT_INPUT, model_read(&model, "."), ".: cannot read");
}
END_TEST

SCRATCH_MAIN("model", round_trip, damaged)
