#include "base/interrupt.h"

#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int interrupt_came, interrupt_said;
static char interrupt_kept[1024] = "nothing was spent or written";

static void interrupt_note(int number) {
  atomic_store(&interrupt_came, number);
}

void interrupt_watch(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action, before;
  memset(&action, 0, sizeof action);
  action.sa_handler = interrupt_note;
  action.sa_flags = SA_RESETHAND; /* no SA_RESTART: a read that waits for a pipe must end */
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup, or a shell's background */
      sigaction(numbers[i], &action, NULL);
}

void interrupt_keeps(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(interrupt_kept, sizeof interrupt_kept, format, arguments);
  va_end(arguments);
}

int interrupt_signal(void) {
  return atomic_load(&interrupt_came);
}

int interrupt_check(void) {
  int number = interrupt_signal();
  if (!number) return EXIT_OK;
  if (atomic_exchange(&interrupt_said, 1)) return EXIT_STOPPED;
  return error_report(EXIT_STOPPED, "stopped by SIG%s: %s", sigabbrev_np(number), interrupt_kept);
}
