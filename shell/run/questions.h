/* The questions of a run. By them a command that is repeated finds its earlier answers: the ledger's journal has the
 * answers of every run, and none is paid for twice.
 *
 * The text about a session (gate/journal.h) is the command, a digest of its questions and of whom they ask, and the names
 * of the classes, each with a zero byte after it. The digest contains the key of the ledger, as questions may come from
 * private files. */
#ifndef RUN_QUESTIONS_H
#define RUN_QUESTIONS_H

#include "data/classes.h"
#include "gate/session.h"

struct questions {
  struct digest digest;
  int is_lasting; /* 0: they come through a pipe, and cannot be asked again */
  char *about;
  size_t size;
  uint64_t plan;                 /* whose answers these are; 0: none */
  struct journal_answer *answer; /* the earlier answers, the first one first */
  size_t count, room;
};

void questions_free(struct questions *questions);

/* Each int below is an exit code (error.h). */

/* Begins with the ledger's key; then adds the records of a path (data/identity.h; NULL: none), a text, a number. */
void questions_begin(struct questions *questions, const struct ledger *ledger, const char *command);
int questions_add_file(struct questions *questions, const char *path);
void questions_add_text(struct questions *questions, const char *text);
void questions_add_number(struct questions *questions, uint64_t number);

/* Finds the answers to the same questions by the plan that `options` would go on with, or that is spent, and describes the
 * session that is about to begin. A spent plan with answers may then begin: *again becomes LEDGER_SPENT. */
int questions_recall(struct questions *questions, struct ledger *ledger, const struct plan_terms *terms,
                     const char *command, const struct classes *names, int *again);

/* Only describes the session that is about to begin, for a caller that recalls answers in another way
 * (gate/poll_session.h). */
int questions_describe(struct questions *questions, struct ledger *ledger, const char *command,
                       const struct classes *names);

/* The name of a class in the text about a session, or NULL. */
const char *questions_name(const char *about, size_t size, int32_t label);

#endif
