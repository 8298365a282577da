/* Dates as people write them, read one way in every locale:
 *
 *   2024-03-05   2024/3/5   2024.03.05       year first
 *   05.03.2024   5/3/2024   5-Mar-2024       day first;  also 5 March 2024
 *   03/05/2024   3-5-2024   Mar 5, 2024      month first
 *
 * A year has four digits, a name is an English one of three letters or more. A time may follow, behind a blank or a T:
 * 14:05, 14:05:09, 14:05:09.123, 2:05 PM; and a zone behind it (Z, UTC, +01:00), which is passed over: the clock that
 * was looked at counts. */
#ifndef DATA_DATE_H
#define DATA_DATE_H

#include <stddef.h>

enum date_order { DATE_YMD, DATE_DMY, DATE_MDY, DATE_ORDERS };

struct date {
  double day;     /* days since 1970-01-01, the time as a part of one */
  double month;   /* 0: January .. 11 */
  double weekday; /* 0: Monday .. 6 */
  double time;    /* share of the day that has passed */
};

/* "ymd", "dmy", "mdy", in a schema or a model; and the order of that name, or DATE_ORDERS. */
const char *date_order_name(enum date_order order);
enum date_order date_order_find(const char *name);

/* Is the whole text a date in that order? */
int date_parse(const char *text, size_t length, enum date_order order, struct date *date);

/* "2024-03-05" of a day. */
#define DATE_TEXT 64
const char *date_print(double day, char text[DATE_TEXT]);

#endif
