/* Dates in cells: what is taken is a day that there is, printed and read again it is the same one, and two orders that both take a
 * text find the same year. */
#include "data/date.h"

#include <math.h>

#include "fuzz/harness.h"

static const double seven = 7, twelve = 12;

static void check(const char *text, size_t length, enum date_order order, struct date *date) {
  char printed[DATE_TEXT];
  struct date again;
  FUZZ_MUST(isfinite(date->day) && date->day >= -719162 && date->day < 2932897); /* year 1 to 9999 */
  FUZZ_MUST(date->month >= 0 && date->month < twelve && floor(date->month) == date->month);
  FUZZ_MUST(date->weekday >= 0 && date->weekday < seven && floor(date->weekday) == date->weekday);
  FUZZ_MUST(date->time >= 0 && date->time < 1 + 2.0 / 86400); /* second 60, and a part of it */
  FUZZ_MUST(fabs(floor(date->day - date->time + 0.5) + date->time - date->day) < 1e-6);
  date_print(floor(date->day - date->time + 0.5), printed);
  FUZZ_MUST(strlen(printed) == 10 && date_parse(printed, 10, DATE_YMD, &again));
  FUZZ_MUST(again.day == floor(date->day - date->time + 0.5) && again.month == date->month && again.time == 0);
  FUZZ_MUST(again.weekday == date->weekday && fmod(fmod(again.day + 3, seven) + seven, seven) == date->weekday);
  FUZZ_MUST(atoi(printed + 5) == (int)date->month + 1);
  FUZZ_MUST(length >= 8 && length <= 40 && (order != DATE_YMD || !memcmp(text, printed, 4)));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct date date;
  char name[4] = {0}, *text = malloc(size ? size : 1); /* no byte more: a sanitizer sees what reads beyond */
  FUZZ_MUST(text != NULL);
  if (size) memcpy(text, bytes, size);
  for (int order = 0; order < DATE_ORDERS; order++) {
    FUZZ_MUST(date_order_find(date_order_name((enum date_order)order)) == (enum date_order)order);
    if (date_parse(text, size, (enum date_order)order, &date)) check(text, size, (enum date_order)order, &date);
  }
  memcpy(name, text, size < 3 ? size : 3);
  FUZZ_MUST(date_order_find(name) <= DATE_ORDERS);
  free(text);
  return 0;
}
