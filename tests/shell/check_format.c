#include "data/format.h"

#include "support/scratch.h"

START_TEST(test_names) {
  char text[FORMAT_NAMES];
  for (size_t i = 0; format_at(i); i++)
    ck_assert_ptr_eq(format_find(format_at(i)->keyword), format_at(i));
  ck_assert_ptr_null(format_find("LIBSVM"));
  ck_assert_ptr_null(format_find(""));
  ck_assert_str_eq(format_names(FORMAT_HOLDS_LABELS, text), ".npy, idx or CSV");
  ck_assert_str_eq(format_names(FORMAT_LABELS_BESIDE, text), ".npy or idx");
  ck_assert_str_eq(format_names(FORMAT_OMITS_ZEROS, text), "LIBSVM");
}
END_TEST

/* What a table promises is there. */
START_TEST(test_tables) {
  for (size_t i = 0; format_at(i); i++) {
    const struct format *format = format_at(i);
    ck_assert(format->recognise && format->next && format->add);
    ck_assert(format->fit || format->traits & FORMAT_DENSE);
    ck_assert_int_eq(format->label_number != NULL, (format->traits & (FORMAT_HOLDS_LABELS | FORMAT_NUMBERS)) ==
                                                       (FORMAT_HOLDS_LABELS | FORMAT_NUMBERS));
  }
}
END_TEST

SCRATCH_MAIN("format", test_names, test_tables)
