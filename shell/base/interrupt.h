/* Ctrl-C and SIGTERM. The first one asks: work stops at the next place that looks, the way of every error is taken, so
 * that reservations go back and nothing half-made stays, and one line says what is kept. A second one kills. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include "base/error.h"

/* Begins to listen; without it the signals kill. */
void interrupt_watch(void);

/* What the line will say is kept from now on. */
void interrupt_keeps(const char *format, ...) ERROR_PRINTF(1, 2);

/* EXIT_OK, or EXIT_STOPPED once a signal has come; the first to ask prints the line. */
int interrupt_check(void);

/* The signal that came, or 0. */
int interrupt_signal(void);

#endif
