#include "gate/partition.h"

#include "base/error.h"
#include "core/partition.h"
#include "support/scratch.h"

START_TEST(test_names_and_keys) {
  struct coins coins;
  struct partition a, b;
  int i, same = 0;
  coins_init(&coins);
  ck_assert_int_eq(partition_init(&a, &coins), EXIT_OK);
  ck_assert_int_eq(partition_init(&b, &coins), EXIT_OK);
  for (i = 0; i < 1000; i++) {
    char name[16];
    size_t n = (size_t)sprintf(name, "%d", i);
    ck_assert_uint_eq(partition_name(&a, name, n), partition_name(&a, name, n));
    same += fumata_partition_teacher(partition_name(&a, name, n), 100) ==
            fumata_partition_teacher(partition_name(&b, name, n), 100);
  }
  ck_assert_int_lt(same, 60); /* 10 expected: another key is another partition */
  partition_free(&a);
  ck_assert_uint_eq(a.key[0] | a.key[1], 0);
  partition_free(&b);
}
END_TEST

/* Words of records under a seed: a list of texts, one of them left out. */
static void seeded_words(const char *const *texts, size_t n, size_t without, uint64_t *words) {
  struct coins coins;
  struct partition partition;
  size_t i;
  coins_seed(&coins, 7);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  for (i = 0; i < n; i++) {
    if (i == without) continue;
    ck_assert_int_eq(partition_record(&partition, texts[i], strlen(texts[i]), words++), EXIT_OK);
  }
  partition_free(&partition);
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* With a seed, leaving out one record takes one word away and leaves all others as they were, equal records included. */
START_TEST(test_seeded_removal_is_local) {
  static const char *const texts[] = {"a", "b", "a", "c", "a", "b", "d", "e"};
  enum { N = sizeof texts / sizeof *texts };
  uint64_t all[N], less[N];
  size_t without, i;
  seeded_words(texts, N, N, all);
  qsort(all, N, sizeof *all, compare);
  for (i = 1; i < N; i++)
    ck_assert_uint_ne(all[i - 1], all[i]);
  for (without = 0; without < N; without++) {
    size_t j = 0, missing = 0;
    seeded_words(texts, N, without, less);
    qsort(less, N - 1, sizeof *less, compare);
    for (i = 0; i < N; i++) {
      if (j < N - 1 && less[j] == all[i])
        j++;
      else
        missing++;
    }
    ck_assert_uint_eq(j, N - 1);
    ck_assert_uint_eq(missing, 1);
  }
}
END_TEST

/* Many records: the table of those seen grows and keeps its counts. */
START_TEST(test_seeded_many) {
  struct coins coins;
  struct partition partition;
  uint64_t first[3000], word;
  int i, round;
  coins_seed(&coins, 1);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  for (round = 0; round < 2; round++)
    for (i = 0; i < 3000; i++) {
      ck_assert_int_eq(partition_record(&partition, &i, sizeof i, &word), EXIT_OK);
      if (round == 0)
        first[i] = word;
      else
        ck_assert_uint_ne(first[i], word);
    }
  ck_assert_uint_eq(partition.used, 3000);
  partition_free(&partition);
}
END_TEST

/* Without a seed the draw does not look at the record: replacing a record leaves the words' law and the chunks of all
 * other records as they are. */
START_TEST(test_unseeded_draws_ignore_the_record) {
  struct coins coins;
  struct partition partition;
  uint64_t a, b;
  coins_init(&coins);
  ck_assert_int_eq(partition_init(&partition, &coins), EXIT_OK);
  ck_assert_int_eq(partition_record(&partition, "same", 4, &a), EXIT_OK);
  ck_assert_int_eq(partition_record(&partition, "same", 4, &b), EXIT_OK);
  ck_assert_uint_ne(a, b);
  ck_assert_ptr_null(partition.seen);
  partition_free(&partition);
}
END_TEST

/* Processes that have one key agree on every word, and one that reads a file twice agrees with itself; equal records are apart. */
START_TEST(test_shared_key) {
  static const uint64_t key[2] = {1, 2}, other[2] = {1, 3};
  static const char *const texts[] = {"a", "b", "a"};
  struct partition one, two, odd;
  uint64_t first[3], again[3], word;
  partition_open(&one, key);
  partition_open(&two, key);
  partition_open(&odd, other);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(partition_record(&one, texts[i], 1, &first[i]), EXIT_OK);
    ck_assert_int_eq(partition_record(&two, texts[i], 1, &again[i]), EXIT_OK);
    ck_assert_int_eq(partition_record(&odd, texts[i], 1, &word), EXIT_OK);
    ck_assert_uint_eq(first[i], again[i]);
    ck_assert_uint_ne(first[i], word);
  }
  ck_assert_uint_ne(first[0], first[2]);
  partition_rewind(&one);
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(partition_record(&one, texts[i], 1, &again[i]), EXIT_OK);
    ck_assert_uint_eq(first[i], again[i]);
  }
  ck_assert_uint_eq(partition_name(&one, "p", 1), partition_name(&two, "p", 1));
  partition_free(&one);
  partition_free(&two);
  partition_free(&odd);
}
END_TEST

SCRATCH_MAIN("partition", test_names_and_keys, test_seeded_removal_is_local, test_seeded_many,
             test_unseeded_draws_ignore_the_record, test_shared_key)
