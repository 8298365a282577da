#include "base/threads.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/started.h"

struct seen {
  atomic_uint by[THREADS_MAX + 1];
};

static void see(void *context, unsigned number) {
  struct seen *seen = context;
  usleep(2000); /* who does not wait for the end sees too little */
  atomic_fetch_add(&seen->by[number], 1);
}

static void run(unsigned wanted, unsigned expected) {
  struct seen seen = {0};
  struct threads threads;
  threads_start(&threads, wanted, see, &seen);
  ck_assert_uint_eq(threads.count, expected);
  threads_join(&threads);
  for (unsigned i = 0; i <= THREADS_MAX; i++)
    ck_assert_uint_eq(atomic_load(&seen.by[i]), i >= 1 && i <= expected);
  started_expect(expected);
}

START_TEST(test_each_works_once_and_is_waited_for) {
  static const unsigned counts[] = {0, 1, 2, 7, THREADS_MAX};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    run(counts[i], counts[i]);
  run(THREADS_MAX + 1, THREADS_MAX);
}
END_TEST

START_TEST(test_fewer_where_the_system_refuses) {
  for (unsigned allowed = 0; allowed < 3; allowed++) {
    started_allowed = allowed;
    run(3, allowed);
  }
}
END_TEST

START_TEST(test_cores_are_those_of_the_process) {
  cpu_set_t all, one;
  ck_assert_int_eq(sched_getaffinity(0, sizeof all, &all), 0);
  ck_assert_uint_eq(threads_cores(), CPU_COUNT(&all) < (int)THREADS_MAX ? (unsigned)CPU_COUNT(&all) : THREADS_MAX);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
  ck_assert_uint_eq(threads_cores(), 1);
}
END_TEST

SUITE_MAIN_BETWEEN("threads", started_begin, NULL, test_each_works_once_and_is_waited_for,
                   test_fewer_where_the_system_refuses, test_cores_are_those_of_the_process)
