#include "data/feature_name.h"

#include "base/memory.h"

static int feature_name_of_column(const struct column *column, uint32_t place, char **name) {
  if (column_is_numeric(column)) return memory_print(name, place ? "%s is missing" : "%s", column->name);
  if (place < column->categories.count)
    return memory_print(name, "%s = %s", column->name, nameset_text(&column->categories, place));
  return memory_print(name, place == column->categories.count ? "%s is another" : "%s is missing", column->name);
}

int feature_name(const struct encoding *encoding, uint32_t j, char **name) {
  const char *kind = "feature";
  int is_mixed = 0;
  for (size_t s = 0; s < encoding->features.count; s++) {
    enum transform_kind step = encoding->features.step[s].kind;
    is_mixed |= step == TRANSFORM_PCA || step == TRANSFORM_HOG;
    kind = step == TRANSFORM_PCA ? "component" : kind;
  }
  for (size_t c = 0; !is_mixed && c < encoding->column_count; c++) {
    const struct column *column = &encoding->column[c];
    if (j >= column->first && j - column->first < column_width(column))
      return feature_name_of_column(column, j - column->first, name);
  }
  return memory_print(name, "%s %u", kind, j + 1);
}
