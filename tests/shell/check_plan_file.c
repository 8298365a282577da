#include "base/digest.h"
#include "base/error.h"
#include "plan/plan_file.h"
#include "support/scratch.h"

static const char path[] = "a.plan";
static uint64_t table[3] = {UINT64_C(18446744073709551000), UINT64_C(1) << 60, 17};
static uint64_t one[2] = {5, UINT64_C(1) << 63}, two[3] = {1, 2, UINT64_MAX};

static void meter_box(struct plan_box *box) {
  memset(box, 0, sizeof *box);
  box->mechanism = PLAN_MECHANISM_METER;
  box->claim = (fumata_claim){79, 25, 1, 100000, 9, UINT64_C(4785073409), 0};
  box->meter = (fumata_meter_plan){table, 3, 20};
}

static void classic_box(struct plan_box *box) {
  memset(box, 0, sizeof *box);
  box->mechanism = PLAN_MECHANISM_CLASSIC;
  box->claim = (fumata_claim){1, 1, 1, 100000, 51, 0, 0};
  box->classic.threshold = (fumata_noise){one, 2, -7};
  box->classic.query = (fumata_noise){two, 3, -1};
  box->classic.width = -3;
  box->classic.limit = 4;
}

static uint64_t named[2] = {UINT64_C(1) << 63, UINT64_MAX};

static void toll_box(struct plan_box *box) {
  memset(box, 0, sizeof *box);
  box->mechanism = PLAN_MECHANISM_TOLL;
  box->claim = (fumata_claim){1, 4, 1, 100000, 50, 0, UINT64_C(4300000000)};
  box->toll = (fumata_toll_plan){named, 2, 400};
}

static void both_box(struct plan_box *box) {
  toll_box(box);
  box->mechanism = PLAN_MECHANISM_BOTH;
  box->claim.v = UINT64_C(4785073409);
  box->meter = (fumata_meter_plan){table, 3, 20};
}

static void poll_box(struct plan_box *box) {
  toll_box(box);
  box->mechanism = PLAN_MECHANISM_POLL;
}

static char *text_of(const struct plan_box *box, size_t *size) {
  char *text = NULL;
  FILE *stream = open_memstream(&text, size);
  ck_assert_ptr_nonnull(stream);
  ck_assert_int_eq(plan_file_print(stream, box), 0);
  fclose(stream);
  return text;
}

static int read_text(const char *text, size_t size, struct plan_box *box) {
  FILE *stream;
  unlink(path); /* truncating a file that exists makes some file systems wait for the disk */
  stream = fopen(path, "w");
  ck_assert_ptr_nonnull(stream);
  ck_assert_uint_eq(fwrite(text, 1, size, stream), size);
  ck_assert_int_eq(fclose(stream), 0);
  return plan_file_read(path, box);
}

/* A body that someone wrote by hand, with the right checksum. */
static int read_signed(const char *body, struct plan_box *box) {
  struct digest digest;
  uint8_t value[DIGEST_SIZE];
  char hex[DIGEST_TEXT], *text = NULL;
  int code, size;
  digest_init(&digest);
  digest_add(&digest, body, strlen(body));
  digest_read(&digest, value);
  digest_print(value, hex);
  size = asprintf(&text, "%send %s\n", body, hex);
  ck_assert_int_gt(size, 0);
  code = read_text(text, (size_t)size, box);
  free(text);
  return code;
}

static void expect_empty(const struct plan_box *box) {
  ck_assert_ptr_null(box->memory[0]);
  ck_assert_ptr_null(box->memory[1]);
  ck_assert_ptr_null(box->meter.silence);
}

START_TEST(test_meter_there_and_back) {
  struct plan_box box, back;
  meter_box(&box);
  ck_assert_int_eq(plan_file_write(path, &box), 0);
  ck_assert_int_eq(plan_file_read(path, &back), 0);
  ck_assert_int_eq(back.mechanism, PLAN_MECHANISM_METER);
  ck_assert_mem_eq(&back.claim, &box.claim, sizeof box.claim);
  ck_assert_uint_eq(back.meter.limit, 20);
  ck_assert_uint_eq(back.meter.size, 3);
  ck_assert_mem_eq(back.meter.silence, table, sizeof table);
  plan_free(&back);
}
END_TEST

START_TEST(test_classic_there_and_back) {
  struct plan_box box, back;
  classic_box(&box);
  ck_assert_int_eq(plan_file_write(path, &box), 0);
  ck_assert_int_eq(plan_file_read(path, &back), 0);
  ck_assert_int_eq(back.mechanism, PLAN_MECHANISM_CLASSIC);
  ck_assert_int_eq(back.classic.width, -3);
  ck_assert_uint_eq(back.classic.limit, 4);
  ck_assert_int_eq(back.classic.threshold.first, -7);
  ck_assert_uint_eq(back.classic.threshold.size, 2);
  ck_assert_mem_eq(back.classic.threshold.cdf, one, sizeof one);
  ck_assert_int_eq(back.classic.query.first, -1);
  ck_assert_uint_eq(back.classic.query.size, 3);
  ck_assert_mem_eq(back.classic.query.cdf, two, sizeof two);
  plan_free(&back);
}
END_TEST

START_TEST(test_votes_there_and_back) {
  struct plan_box box, back;
  poll_box(&box);
  ck_assert_int_eq(plan_file_write(path, &box), 0);
  ck_assert_int_eq(plan_file_read(path, &back), 0);
  ck_assert_int_eq(back.mechanism, PLAN_MECHANISM_POLL);
  ck_assert_mem_eq(&back.claim, &box.claim, sizeof box.claim);
  ck_assert_uint_eq(plan_votes(&back), 400);
  ck_assert_uint_eq(back.toll.size, 2);
  ck_assert_mem_eq(back.toll.named, named, sizeof named);
  ck_assert(plan_limit(&back).silences == 0 && plan_limit(&back).answers == 0);
  plan_free(&back);
}
END_TEST

START_TEST(test_answers_there_and_back) {
  for (int i = 0; i < 2; i++) {
    struct plan_box box, back;
    (i ? both_box : toll_box)(&box);
    ck_assert_int_eq(plan_file_write(path, &box), 0);
    ck_assert_int_eq(plan_file_read(path, &back), 0);
    ck_assert_int_eq(back.mechanism, i ? PLAN_MECHANISM_BOTH : PLAN_MECHANISM_TOLL);
    ck_assert_mem_eq(&back.claim, &box.claim, sizeof box.claim);
    ck_assert_uint_eq(back.toll.limit, 400);
    ck_assert_uint_eq(back.toll.size, 2);
    ck_assert_mem_eq(back.toll.named, named, sizeof named);
    ck_assert_uint_eq(back.meter.limit, i ? 20 : 0);
    if (i) ck_assert_mem_eq(back.meter.silence, table, sizeof table);
    plan_free(&back);
  }
}
END_TEST

static void expect_every_cut_noticed(void (*fill)(struct plan_box *)) {
  struct plan_box box, back;
  size_t size, cut;
  char *text;
  fill(&box);
  text = text_of(&box, &size);
  for (cut = 0; cut < size; cut++) {
    ck_assert_int_eq(read_text(text, cut, &back), EXIT_INPUT);
    expect_empty(&back);
  }
  free(text);
}

START_TEST(test_every_cut_is_noticed) {
  expect_every_cut_noticed(meter_box);
  expect_every_cut_noticed(classic_box);
  expect_every_cut_noticed(toll_box);
  expect_every_cut_noticed(both_box);
}
END_TEST

static void expect_every_flip_noticed(void (*fill)(struct plan_box *)) {
  struct plan_box box, back;
  size_t size, i;
  char *text;
  fill(&box);
  text = text_of(&box, &size);
  for (i = 0; i < size; i++) {
    int bit;
    for (bit = 0; bit < 8; bit++) {
      text[i] = (char)(text[i] ^ (1 << bit));
      ck_assert_msg(read_text(text, size, &back) == EXIT_INPUT, "byte %zu bit %d", i, bit);
      expect_empty(&back);
      text[i] = (char)(text[i] ^ (1 << bit));
    }
  }
  ck_assert_int_eq(read_text(text, size, &back), 0);
  plan_free(&back);
  free(text);
}

START_TEST(test_every_flip_is_noticed) {
  expect_every_flip_noticed(meter_box);
  expect_every_flip_noticed(classic_box);
  expect_every_flip_noticed(both_box);
  expect_every_flip_noticed(poll_box);
}
END_TEST

#define HEAD    "fumata-plan 3\nmechanism meter\nepsilon 1/1\ndelta 1/100000\nalpha 9\nv 5000000000\nsilences 5\n"
#define CLASSIC "fumata-plan 3\nmechanism classic\nepsilon 1/1\ndelta 1/100000\nalpha 9\nsilences 5\n"

#define POLL "fumata-plan 3\nmechanism poll\nepsilon 1/1\ndelta 1/100000\nalpha 9\n"
#define TOLL "fumata-plan 3\nmechanism toll\nepsilon 1/1\ndelta 1/100000\nalpha 9\nu 5000000000\n"

static void expect_refused(const char *const *bad, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct plan_box box;
    ck_assert_msg(read_signed(bad[i], &box) == EXIT_INPUT, "case %zu was read", i);
    expect_empty(&box);
  }
}

START_TEST(test_signed_nonsense_of_a_poll_is_refused) {
  static const char *const bad[] = {
      "fumata-plan 4\nmechanism poll\n",
      "fumata-plan 3\nmechanism toll\nepsilon 1/1\ndelta 1/100000\nalpha 9\nu 5\nvotes 5\ntable named 1\n1 5\n",
      POLL "v 0\nu 5\nvotes 5\ntable named 1\n1 5\n",
      POLL "u 5\nanswers 5\ntable named 1\n1 5\n",
      POLL "u 5\nsilences 0\nvotes 5\ntable named 1\n1 5\n",
      POLL "u 5\nvotes 4294967296\ntable named 1\n1 5\n",
      POLL "u 5\nvotes 5\ntable named 1\n0 5\n"};
  struct plan_box box;
  expect_refused(bad, sizeof bad / sizeof *bad);
  ck_assert_int_eq(read_signed(POLL "u 5\nvotes 5\ntable named 1\n1 5\n", &box), 0);
  plan_free(&box);
}
END_TEST

START_TEST(test_signed_nonsense_is_refused) {
  static const char *const bad[] = {
      "",
      "fumata-plan 1\nmechanism meter\nepsilon 1/1\ndelta 1/100000\nalpha 9\nv 5\nsilences 5\ntable silence 1\n1 5\n",
      "fumata-plan 3\nmechanism toll\n",
      "fumata-plan 3\nmechanism meter\nepsilon 1/1\ndelta 1/100000\nalpha 9\nv 5\nu 0\nsilences 5\ntable silence 1\n1 "
      "5\n",
      TOLL "table named 1\n1 5\n",
      TOLL "silences 0\nanswers 5\ntable named 1\n1 5\n",
      TOLL "answers 5\nsilences 0\ntable named 1\n1 5\n",
      TOLL "answers 5\ntable named 1\n0 5\n",
      TOLL "answers 5\ntable silence 1\n1 5\ntable named 1\n1 5\n",
      "fumata-plan 3\nmechanism none\n",
      HEAD,
      HEAD "table silence 0\n",
      HEAD "table silence 262145\n1 5\n",
      HEAD "table silence 2\n1 5\n",
      HEAD "table silence 1\n1 5\n2 4\n",
      HEAD "table silence 2\n1 5\n3 4\n",
      HEAD "table silence 2\n2 5\n3 4\n",
      HEAD "table silence 1\n1 05\n",
      HEAD "table silence 1\n1 -5\n",
      HEAD "table silence 1\n1 +5\n",
      HEAD "table silence 1\n1 5 \n",
      HEAD "table silence 1\n1  5\n",
      HEAD "table silence 1\n1 5\r\n",
      HEAD "table silence 1\n1 18446744073709551616\n",
      HEAD "table silence 99999999999999999999\n1 5\n",
      HEAD "\ntable silence 1\n1 5\n",
      "fumata-plan 3\nmechanism meter\nepsilon 1\ndelta 1/100000\nalpha 9\nv 5\nsilences 5\ntable silence 1\n1 5\n",
      "fumata-plan 3\nmechanism meter\nepsilon 1/0\ndelta 1/100000\nalpha 9\nv 5\nsilences 5\ntable silence 1\n1 5\n",
      "fumata-plan 3\nmechanism meter\nepsilon 4294967296/1\ndelta 1/100000\nalpha 9\nv 5\nsilences 5\ntable silence "
      "1\n1 5\n",
      "fumata-plan 3\nmechanism meter\ndelta 1/100000\nepsilon 1/1\nalpha 9\nv 5\nsilences 5\ntable silence 1\n1 5\n",
      CLASSIC "table threshold 1\n0 5\ntable query 1\n0 5\n",
      CLASSIC "width 3\ntable threshold 1\n0 5\n",
      CLASSIC "width -0\ntable threshold 1\n0 5\ntable query 1\n0 5\n",
      CLASSIC "width 9999999999999999\ntable threshold 1\n0 5\ntable query 1\n0 5\n",
      CLASSIC "width 3\ntable threshold 1048577\n0 5\ntable query 1\n0 5\n"};
  struct plan_box box;
  expect_refused(bad, sizeof bad / sizeof *bad);
  ck_assert_int_eq(read_signed(HEAD "table silence 1\n1 5\n", &box), 0);
  plan_free(&box);
  ck_assert_int_eq(read_signed(TOLL "answers 5\ntable named 1\n1 5\n", &box), 0);
  plan_free(&box);
  ck_assert_int_eq(read_signed(CLASSIC "width 3\ntable threshold 1\n0 5\ntable query 1\n-4 5\n", &box), 0);
  plan_free(&box);
}
END_TEST

START_TEST(test_no_file) {
  struct plan_box box;
  ck_assert_int_eq(plan_file_read("/dev/null/a.plan", &box), EXIT_INPUT);
  expect_empty(&box);
  ck_assert_int_eq(plan_file_read(".", &box), EXIT_INPUT);
  meter_box(&box);
  ck_assert_int_eq(plan_file_write("/dev/null/a.plan", &box), EXIT_SYSTEM);
}
END_TEST

SCRATCH_MAIN("plan_file", test_meter_there_and_back, test_classic_there_and_back, test_answers_there_and_back,
             test_votes_there_and_back, test_every_cut_is_noticed, test_every_flip_is_noticed,
             test_signed_nonsense_is_refused, test_signed_nonsense_of_a_poll_is_refused, test_no_file)
