/* Counts the threads that the code under test starts and waits for, and refuses some: its calls come here before they reach
 * the system. */
#ifndef SUPPORT_STARTED_H
#define SUPPORT_STARTED_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "support/suite.h"

static unsigned started_count, started_joined;
static unsigned started_allowed = 1000; /* how many more may start */

static inline void started_real(const char *name, void *call) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  memcpy(call, &found, sizeof found);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*start)(void *), void *argument) {
  int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (!started_allowed) return EAGAIN;
  started_real("pthread_create", &real);
  started_allowed--;
  started_count++;
  return real(thread, how, start, argument);
}

int pthread_join(pthread_t thread, void **result) {
  int (*real)(pthread_t, void **);
  started_real("pthread_join", &real);
  started_joined++;
  return real(thread, result);
}

/* For each test: libraries start threads of their own when they are loaded, and end them at a fork. */
static inline void started_begin(void) {
  started_count = started_joined = 0;
}

/* `count` threads were started since the last call, and none of them runs any more. */
static inline void started_expect(unsigned count) {
  ck_assert_uint_eq(started_count, count);
  ck_assert_uint_eq(started_joined, count);
  started_count = started_joined = 0;
}

#endif
