/* What differs from mechanism to mechanism. A mechanism is one file here that fills such a table (plan_meter.c), one file
 * in gate/ that runs it (machine_budget.c), and a line in each of the two lists. */
#ifndef PLAN_MECHANISM_H
#define PLAN_MECHANISM_H

#include <stdio.h>

#include "plan/plan.h"
#include "plan/plan_text.h"

/* Tables of probabilities by distance, or lead: of silence, at the price V, and of the winner being named, at U. */
enum { MECHANISM_SILENCE = 1, MECHANISM_NAMED = 2 };

struct mechanism {
  const char *name; /* in plan files, ledgers and reports */
  uint64_t number;  /* opens the digest of a plan: given once, never changed */
  char theorem;     /* the letter of the theorem that its certificate is about (specs/MECHANISM.md) */
  unsigned tables;  /* MECHANISM_SILENCE, MECHANISM_NAMED or both; 0: tables of its own */
  int gives_back;   /* 1: a reservation that was not used may be given back at the end of a session */
  uint32_t at_once; /* how many may be reserved at once; 0: any number */

  /* The best certified plan (plan.h says what the arguments mean). Exit code. */
  int (*make)(const struct plan_target *target, const struct plan_aim *aim, struct plan_box *box);

  fumata_status (*certify)(const struct plan_box *box, const fumata_claim *claim, fumata_fault *fault);

  /* By kind of query: the probability that one at this distance, or lead, fails. NULL: it has no queries of the kind. */
  double (*miss[PLAN_KINDS])(const struct plan_box *box, uint32_t distance);
  void (*digest_tables)(const struct plan_box *box, struct digest *digest);

  /* The part of a plan file between its `silences` (or `answers`, or `votes`) and its `end`. */
  void (*write_tables)(const struct plan_box *box, struct plan_text_writer *writer);
  int (*read_tables)(struct plan_text_reader *reader, struct plan_quota limit, struct plan_box *box);

  /* The definition of `plan` in a C header. */
  void (*print_code)(const struct plan_box *box, const char *prefix, FILE *stream);
};

const struct mechanism *mechanism_of(enum plan_mechanism which);

/* By its name: 0, or -1 if the name is unknown. */
int mechanism_find(const char *name, enum plan_mechanism *which);

/* All the names, with `between` between them: "meter|toll". */
void mechanism_names(const char *between, char *text, size_t size);

/* The last four functions of a mechanism that has `tables`. */
void mechanism_digest_tables(const struct plan_box *box, struct digest *digest);
void mechanism_write_tables(const struct plan_box *box, struct plan_text_writer *writer);
int mechanism_read_tables(struct plan_text_reader *reader, struct plan_quota limit, struct plan_box *box);
void mechanism_print_code(const struct plan_box *box, const char *prefix, FILE *stream);

/* A table of 64-bit words as it enters a plan's digest, and as a C array. */
void mechanism_digest_table(struct digest *digest, const uint64_t *table, uint32_t size);
void mechanism_print_table(FILE *stream, const char *prefix, const char *name, const uint64_t *table, uint32_t size);

#endif
