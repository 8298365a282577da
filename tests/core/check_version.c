#include "core/version.h"

#include "support/suite.h"

START_TEST(test_the_number_is_the_headers) {
  ck_assert_uint_eq(fumata_version() / 1000000u, FUMATA_VERSION_MAJOR);
  ck_assert_uint_eq(fumata_version() / 1000u % 1000u, FUMATA_VERSION_MINOR);
  ck_assert_uint_eq(fumata_version() % 1000u, FUMATA_VERSION_PATCH);
}
END_TEST

SUITE_MAIN("version", test_the_number_is_the_headers)
