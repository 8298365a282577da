/* The ledger's rows: what each means, what may follow what, the chain of their digests. */
#ifndef GATE_LEDGER_ROWS_H
#define GATE_LEDGER_ROWS_H

#include "gate/ledger.h"

/* Of what a row's claim is about: the neighbours alone. */
#define LEDGER_ROWS_SEEDED "seeded "
const char *ledger_rows_neighbours(const char *protects);

/* A row of this kind in which everything else is absent. */
struct ledger_row ledger_rows_blank(const char *kind);

/* Exit codes (error.h); a failure has printed its line. */

/* One row, durable on return; its number and time are filled in here. `doing` says what for, in the message. */
int ledger_rows_append(struct ledger *ledger, struct ledger_row *row, const char *doing);

/* Every row again from the first, so that what is resumed is what was written. */
int ledger_rows_replay(struct ledger *ledger, const uint8_t *milestone);

/* The session at work, if there is one, ended without a row of its own: what it had reserved is spent. */
void ledger_rows_end_session(struct ledger *ledger);

int ledger_rows_visit(struct ledger *ledger, ledger_visitor *visit, void *context);

/* What a charge was for, in one text, to be freed; an exit code (error.h). */
int ledger_rows_print_charge(const char *what, const char *protects, char **text);

/* Counts, and a charge without one, belong to one version of the file. */
void ledger_rows_forget_counts(struct ledger *ledger);
void ledger_rows_forget_charge(struct ledger *ledger);

#endif
