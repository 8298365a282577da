#include "core/crowd.h"

#include <stdlib.h>
#include <string.h>

#include "support/suite.h"
#include "support/words.h"

#define MOST_RECORDS 600u
#define MOST_CENTRES 9u

static int16_t places[MOST_RECORDS * 128u], centre_places[MOST_CENTRES * FUMATA_DIMENSIONS_MAX];
static uint32_t norms[MOST_RECORDS], centre_norms[MOST_CENTRES];
static uint32_t distances[MOST_RECORDS * MOST_CENTRES + 1u];

static void scatter(int16_t *into, size_t count) {
  for (size_t i = 0; i < count; i++)
    into[i] = (int16_t)((int32_t)below(2047) - 1023);
}

/* Exact, in 64 bits, one coordinate after the other. */
static uint64_t far_apart(const int16_t *a, const int16_t *b, uint32_t dimensions) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < dimensions; i++)
    sum += (uint64_t)((int64_t)(a[i] - b[i]) * (a[i] - b[i]));
  return sum;
}

START_TEST(test_settle_clips) {
  int16_t some[32] = {INT16_MIN, -1024, -1023, -1022, -1, 0, 1, 1022, 1023, 1024, INT16_MAX};
  static const int16_t clipped[] = {-1023, -1023, -1023, -1022, -1, 0, 1, 1022, 1023, 1023, 1023};
  uint32_t norm[3] = {7, 7, 7};
  fumata_points points = {some, norm, 2, 16};
  some[16] = -3;
  some[31] = 4;
  ck_assert_int_eq(fumata_crowd_settle(&points), FUMATA_OK);
  ck_assert_mem_eq(some, clipped, sizeof clipped);
  ck_assert_uint_eq(norm[0], 6u * 1023 * 1023 + 2u * 1022 * 1022 + 2);
  ck_assert_uint_eq(norm[1], 25);
  ck_assert_uint_eq(norm[2], 7);
}
END_TEST

START_TEST(test_settle_refuses) {
  static const struct {
    uint32_t size, dimensions;
    int status;
  } cases[] = {{FUMATA_UNITS_MAX + 1, 16, FUMATA_ERR_UNITS},
               {UINT32_MAX, 0, FUMATA_ERR_UNITS},
               {1, 0, FUMATA_ERR_DIMENSIONS},
               {1, 15, FUMATA_ERR_DIMENSIONS},
               {1, 17, FUMATA_ERR_DIMENSIONS},
               {1, FUMATA_DIMENSIONS_MAX + 16, FUMATA_ERR_DIMENSIONS}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int16_t place = 5000;
    uint32_t norm = 9;
    fumata_points points = {&place, &norm, cases[i].size, cases[i].dimensions};
    ck_assert_int_eq(fumata_crowd_settle(&points), cases[i].status);
    ck_assert_int_eq(place, 5000);
    ck_assert_uint_eq(norm, 9);
  }
}
END_TEST

static void compare(uint32_t records, uint32_t centres, uint32_t dimensions) {
  fumata_points points = {places, norms, records, dimensions};
  fumata_points questions = {centre_places, centre_norms, centres, dimensions};
  scatter(places, (size_t)records * dimensions);
  scatter(centre_places, (size_t)centres * dimensions);
  ck_assert_int_eq(fumata_crowd_settle(&points), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_settle(&questions), FUMATA_OK);
  memset(distances, 0xa5, sizeof distances);
  ck_assert_int_eq(fumata_crowd_find(&points, &questions, distances), FUMATA_OK);
  for (uint32_t q = 0; q < centres; q++) {
    for (uint32_t r = 0; r < records; r++)
      ck_assert_uint_eq(distances[records * q + r],
                        far_apart(places + r * dimensions, centre_places + q * dimensions, dimensions));
  }
  ck_assert_uint_eq(distances[records * centres], 0xa5a5a5a5u);
}

/* Both sides of a tile, of a pair of records and of a few centres. */
START_TEST(test_find) {
  static const uint32_t records[] = {0, 1, 2, 3, 255, 256, 257, 512, 513, 600}, dimensions[] = {16, 48, 112, 128};
  for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
    for (uint32_t centres = 0; centres <= MOST_CENTRES; centres++)
      compare(records[i], centres, dimensions[(i + centres) % 4]);
  }
}
END_TEST

/* The farthest that points can be apart: no sum on the way exceeds its type. */
START_TEST(test_find_the_farthest) {
  fumata_points points = {places, norms, 3, FUMATA_DIMENSIONS_MAX};
  fumata_points questions = {centre_places, centre_norms, 2, FUMATA_DIMENSIONS_MAX};
  for (uint32_t i = 0; i < FUMATA_DIMENSIONS_MAX; i++) {
    places[i] = places[FUMATA_DIMENSIONS_MAX + i] = 1023;
    places[2 * FUMATA_DIMENSIONS_MAX + i] = (int16_t)(i % 2 ? 1023 : -1023);
    centre_places[i] = -1023;
    centre_places[FUMATA_DIMENSIONS_MAX + i] = 1023;
  }
  ck_assert_int_eq(fumata_crowd_settle(&points), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_settle(&questions), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_find(&points, &questions, distances), FUMATA_OK);
  ck_assert_uint_eq(distances[0], UINT32_C(4286582784));
  ck_assert_uint_eq(distances[2], UINT32_C(2143291392));
  ck_assert_uint_eq(distances[3], 0);
  ck_assert_uint_eq(distances[5], UINT32_C(2143291392));
}
END_TEST

START_TEST(test_find_refuses) {
  fumata_points points = {places, norms, 2, 16}, questions = {centre_places, centre_norms, 1, 32};
  uint32_t far[2] = {1, 2};
  ck_assert_int_eq(fumata_crowd_settle(&points), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_settle(&questions), FUMATA_OK);
  ck_assert_int_eq(fumata_crowd_find(&points, &questions, far), FUMATA_ERR_DIMENSIONS);
  ck_assert_uint_eq(far[0], 1);
  ck_assert_uint_eq(far[1], 2);
}
END_TEST

/* The distance of a record is the same whoever else is there. */
START_TEST(test_find_is_local) {
  fumata_points questions = {centre_places, centre_norms, 5, 112};
  static uint32_t alone[5];
  scatter(centre_places, 5 * 112);
  ck_assert_int_eq(fumata_crowd_settle(&questions), FUMATA_OK);
  for (uint32_t records = 1; records < 20; records++) {
    fumata_points points = {places, norms, records, 112}, one = points;
    scatter(places, (size_t)records * 112);
    ck_assert_int_eq(fumata_crowd_settle(&points), FUMATA_OK);
    ck_assert_int_eq(fumata_crowd_find(&points, &questions, distances), FUMATA_OK);
    one.places += 112 * (records - 1);
    one.norms += records - 1;
    one.size = 1;
    ck_assert_int_eq(fumata_crowd_find(&one, &questions, alone), FUMATA_OK);
    for (uint32_t q = 0; q < 5; q++)
      ck_assert_uint_eq(alone[q], distances[records * q + records - 1]);
  }
}
END_TEST

/* One record, the first of two that are as near, the last, none, and one that is as far as can be. */
START_TEST(test_speak) {
  static const uint32_t first[] = {0, 1, 4, 7, 7, 9}, far[] = {5, 9, 3, 3, 8, 8, 2, UINT32_MAX, UINT32_MAX};
  static const uint16_t labels[] = {10, 11, 12, 13, 14, 15, 16, 17, 18};
  static const uint32_t nearest[] = {5, 3, 2, UINT32_MAX, UINT32_MAX};
  static const uint16_t spoken[] = {10, 12, 16, 65535, 17};
  uint32_t found[6] = {[5] = 77};
  uint16_t said[6] = {[5] = 77};
  ck_assert_int_eq(fumata_crowd_speak(first, 5, far, labels, found, said), FUMATA_OK);
  ck_assert_mem_eq(found, nearest, sizeof nearest);
  ck_assert_mem_eq(said, spoken, sizeof spoken);
  ck_assert_uint_eq(found[5], 77);
  ck_assert_uint_eq(said[5], 77);
  ck_assert_int_eq(fumata_crowd_speak(first, 0, far, labels, found, said), FUMATA_OK);
  ck_assert_mem_eq(found, nearest, sizeof nearest);
}
END_TEST

START_TEST(test_speak_refuses) {
  static const uint32_t first[] = {0, 2, 1}, far[] = {1, 2};
  static const uint16_t labels[] = {1, 2};
  uint32_t found[2] = {7, 7};
  uint16_t said[2] = {7, 7};
  ck_assert_int_eq(fumata_crowd_speak(first, 2, far, labels, found, said), FUMATA_ERR_LIST);
  ck_assert_uint_eq(found[0] + found[1], 14);
  ck_assert_uint_eq(said[0] + said[1], 14);
}
END_TEST

SUITE_MAIN("crowd", test_settle_clips, test_settle_refuses, test_find, test_find_the_farthest, test_find_refuses,
           test_find_is_local, test_speak, test_speak_refuses)
