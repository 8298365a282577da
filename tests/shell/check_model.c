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
                                      "kernel:landmarks=20",
                                      "committee:4,logistic:C=3,balance=1",
                                      "committee:2,trees:rounds=2",
                                      "logistic:scale=2"};
  static unsigned char first[1 << 20], second[1 << 20];
  for (int i = 0; i < 7; i++) {
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

/* The model "m" with one text in it exchanged for another, and a seal that fits: what a stranger can write. */
static void forge(const char *from, const char *to) {
  static unsigned char bytes[1 << 20];
  size_t size = slurp("m", bytes, sizeof bytes) - (7 + DIGEST_TEXT), before;
  unsigned char *at = memmem(bytes, size, from, strlen(from)), value[DIGEST_SIZE];
  char seal[DIGEST_TEXT];
  struct digest digest;
  FILE *file = fopen("forged", "wb");
  ck_assert_msg(file && at, "no %s in %.120s", from, (char *)bytes);
  before = (size_t)(at - bytes);
  digest_init(&digest);
  digest_add(&digest, bytes, before);
  digest_add(&digest, to, strlen(to));
  digest_add(&digest, at + strlen(from), size - before - strlen(from));
  digest_read(&digest, value);
  digest_print(value, seal);
  fwrite(bytes, 1, before, file);
  fputs(to, file);
  fwrite(at + strlen(from), 1, size - before - strlen(from), file);
  fprintf(file, "sha256 %s\n", seal);
  ck_assert_int_eq(fclose(file), 0);
}

START_TEST(forged) {
  static const struct {
    const char *from, *to, *cause;
  } forgeries[] = {{"size ", "size 999999999999999", "the file ends too early"},
                   {"size ", "size -", "the file ends too early"},
                   {"size 56", "size 5", "bytes after the end"},
                   {"scale 0x", "scale inf 0x", "no scale"},
                   {"scale 0x", "scale 1e-300 0x", "no scale"}};
  struct student_model model;
  make_model("m", "logistic");
  for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; i++) {
    forge(forgeries[i].from, forgeries[i].to);
    scratch_expect(EXIT_INPUT, model_read(&model, "forged"), forgeries[i].cause);
  }
}
END_TEST

/* Trees of two classes under an encoding of three: there are fewer margins than would be read. */
START_TEST(forged_trees) {
  struct student_model model;
  struct ensemble single;
  float share[6 * 3];
  struct rows rows;
  make_model("m", "trees:rounds=2");
  forge("class yes\n", "class yes\nclass maybe\n");
  ck_assert_int_eq(model_read(&model, "forged"), 0);
  ck_assert_int_eq(reader_load(&rows, "public.csv", &model.encoding, NULL), 0);
  ck_assert_int_eq(ensemble_single(&single, &model.learner, &model.learned), 0);
  scratch_expect(EXIT_INPUT, ensemble_probability(&single, &rows, share), "another number of classes");
  ensemble_free(&single);
  rows_free(&rows);
  model_free(&model);
}
END_TEST

SCRATCH_MAIN("model", round_trip, damaged, forged, forged_trees)
