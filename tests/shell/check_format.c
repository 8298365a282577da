#include "data/format.h"

#include "support/scratch.h"

START_TEST(test_keywords) {
  for (enum format format = FORMAT_CSV; format <= FORMAT_IDX; format++)
    ck_assert_int_eq(format_parse(format_keyword(format)), format);
  ck_assert_str_eq(format_name(FORMAT_LIBSVM), "LIBSVM");
  ck_assert_int_eq(format_parse("LIBSVM"), FORMAT_AUTO);
  ck_assert_int_eq(format_parse(""), FORMAT_AUTO);
  ck_assert_ptr_null(format_keyword(FORMAT_AUTO));
}
END_TEST

SCRATCH_MAIN("format", test_keywords)
