#include "base/hush.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t hush_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned hush_depth;
static int hush_wanted, hush_failed;
static int hush_null = -1, hush_kept[3] = {-1, -1, -1}; /* by descriptor: where it leads otherwise */
static _Atomic(FILE *) hush_own;                        /* while it is hushed */
static FILE *hush_made;

void hush_private(void) {
  hush_wanted = 1;
}

/* Without a way back nothing is turned away. */
static void hush_turn(int descriptor) {
  int kept = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
  if (kept < 0) return; /* closed: nothing can be printed there */
  if (dup2(hush_null, descriptor) < 0)
    close(kept);
  else
    hush_kept[descriptor] = kept;
}

void hush_begin(void) {
  if (!hush_wanted) return;
  pthread_mutex_lock(&hush_lock);
  if (hush_null < 0) hush_null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (hush_depth++ == 0 && hush_null >= 0) {
    errno = 0;
    if (fflush(stdout) == 0)
      hush_turn(STDOUT_FILENO);
    else if (!hush_failed)
      hush_failed = errno;
    hush_turn(STDERR_FILENO);
    if (hush_kept[STDERR_FILENO] >= 0) {
      hush_made = fdopen(hush_kept[STDERR_FILENO], "w");
      if (hush_made) setvbuf(hush_made, NULL, _IONBF, 0);
      atomic_store(&hush_own, hush_made);
    }
  }
  pthread_mutex_unlock(&hush_lock);
}

static void hush_return(int descriptor) {
  if (hush_kept[descriptor] < 0) return;
  dup2(hush_kept[descriptor], descriptor);
  if (descriptor == STDERR_FILENO && hush_made)
    fclose(hush_made);
  else
    close(hush_kept[descriptor]);
  hush_kept[descriptor] = -1;
}

void hush_end(void) {
  if (!hush_wanted) return;
  pthread_mutex_lock(&hush_lock);
  if (--hush_depth == 0) {
    fflush(stdout); /* what a library left in our buffer is lost too */
    atomic_store(&hush_own, NULL);
    hush_return(STDERR_FILENO);
    hush_return(STDOUT_FILENO);
    hush_made = NULL;
  }
  pthread_mutex_unlock(&hush_lock);
}

/* A rank of mpirun has put another stream in the place of stderr. */
FILE *hush_stream(void) {
  FILE *own = atomic_load(&hush_own);
  return own && fileno(stderr) == STDERR_FILENO ? own : stderr;
}

int hush_descriptor(void) {
  FILE *own = atomic_load(&hush_own);
  return own ? fileno(own) : STDERR_FILENO;
}

int hush_cause(void) {
  int cause = hush_failed;
  hush_failed = 0;
  return cause;
}
