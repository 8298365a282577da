/* Teachers spread over the ranks of one run (learn/ranks.h): each rank reads the private file, keeps the records of its own
 * teachers, trains these and votes; how many teachers name each class is added up at rank 0. Rank 0 alone has the plan, the
 * ledger, the session, the student and the output; the others serve it until it ends. */
#ifndef COMMAND_SPREAD_H
#define COMMAND_SPREAD_H

#include "command/training.h"

/* Each returns an exit code (error.h). */

/* Rank 0 reads the private file once without keeping a record, and counts what the planner may ask about (training->surveyed,
 * training->words); the others make sure that they have the same file. So what is wrong is found before anything is spent. */
int spread_survey(struct training *training);

/* Are there teachers for all ranks, as far as their number is known? Are there so many chunks, which are called `what`? */
int spread_check(const struct training *training);
int spread_check_chunks(uint32_t chunks, const char *what);

/* All ranks examine their part of the chunks (training_examine). */
int spread_examine(struct training *training, uint32_t chunks, uint32_t *sum);

/* All ranks train. */
int spread_teach(struct training *training);

/* Bytes of room for a vote on `count` queries; and the vote, as counts. */
size_t spread_room(const struct training *training, size_t count);
int spread_vote(const struct training *training, const struct rows *rows, size_t first, size_t count, void *room,
                struct votes *votes);

/* What a rank above 0 does: obey until rank 0 ends. `code`: whether its own options were understood. */
int spread_serve(struct training *training, int code);

/* Rank 0 at the end, whatever came of it: the others may go. */
void spread_end(void);

#endif
