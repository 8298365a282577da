/* Any program as a learner: `exec:COMMAND`.
 *
 * The command is run by the shell, with words after it that say what to do; files are in a directory of their own,
 * which is removed afterwards.
 *
 *   COMMAND train   ROWS LABELS MODEL CLASSES     learn from ROWS and LABELS, write the file MODEL
 *   COMMAND predict ROWS MODEL ANSWERS CLASSES    write to ANSWERS one label a line, as many as there are rows
 *
 * ROWS is a NumPy file (.npy) of float32, one row a record; LABELS one of int32, labels 0 .. CLASSES - 1; MODEL is the
 * command's own; ANSWERS is text. Exit status 0 means done. Standard output and standard error are discarded, since
 * what a teacher says may be private (--unsafe-verbose lets them through).
 *
 * A teacher whose run fails, is stopped after --seconds of CPU time, or writes something else, abstains. The limit is on
 * CPU time because wall time depends on what else the machine does, so also on other teachers; a run that neither
 * computes nor ends is stopped after EXEC_PATIENCE times as many seconds of wall time. A command should give the same
 * model for the same rows: one that draws its own randomness stays private, but its runs cannot be repeated. */
#ifndef LEARN_EXEC_H
#define LEARN_EXEC_H

#include "learn/learner.h"

#define EXEC_PATIENCE 20u /* so that a busy machine does not stop a run that computes */

int exec_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned);

/* Labels of rows first .. first + count - 1; all 0 when the command fails, and then *failed is 1. */
int exec_predict(const struct learner *learner, const struct learned *learned, const struct rows *rows, size_t first,
                 size_t count, uint32_t *labels, int *failed);

/* Does the command keep the protocol, on rows that are made up? */
int exec_try(const struct learner *learner);

#endif
