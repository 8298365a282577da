/* What a library prints about private rows is private: liblinear names a class that a teacher never saw, xgboost and BLAS warn as
 * they like. While a library works, descriptors 1 and 2 lead nowhere, whatever it prints with, and our own lines take a way of
 * their own. Descriptors belong to the process and not to a thread: the first thread to begin turns them away, the last to end
 * turns them back. */
#ifndef BASE_HUSH_H
#define BASE_HUSH_H

#include <stdio.h>

/* From now on there are private rows; before, and in programs that never call this, nothing is hushed. */
void hush_private(void);

/* Around a call of a library. They nest, and threads may overlap. What standard output has to say is flushed first. */
void hush_begin(void);
void hush_end(void);

/* Where our own lines for the operator go: stderr, or, while it is hushed, where it leads otherwise. And its descriptor. */
FILE *hush_stream(void);
int hush_descriptor(void);

/* Why the flush before a hush failed, and 0 from then on: a later look at the stream sees the failure but not its cause. */
int hush_cause(void);

#endif
