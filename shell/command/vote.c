/* fumata vote: one share of the teachers learns and votes, on one of several machines; fumata answer puts the shares
 * together. No ledger is touched here and nothing is released: votes are private. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/progress.h"
#include "command/commands.h"
#include "command/row_list.h"
#include "command/training.h"
#include "data/identity.h"
#include "data/npy.h"
#include "data/share.h"
#include "gate/key_file.h"

#define VOTE_BYTES     ((size_t)1 << 26) /* votes at a time, about */
#define VOTE_BLOCK     4096u             /* queries at a time at least */
#define VOTE_BLOCK_MAX 65536u            /* and at most */
#define VOTE_LEARNER   4200              /* characters of a learner's text */

struct vote {
  struct training training;
  const char *new_key, *rows_path, *queries_path, *output_path;
  int force;
  struct share share;
  struct rows pool;
};

#define VOTE_AT(member) offsetof(struct vote, member)

static int vote_share(const struct options_row *row, const char *text, void *value) {
  struct share *share = value;
  if (share_parse(text, &share->number, &share->of) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "--%s: '%.40s' is no share such as 3/16", row->name, text);
}

static const struct options_row vote_shares[] = {
    {"share", "I/N", vote_share, VOTE_AT(share),
     .help = "the I-th of N equal shares of the teachers; each of the N is voted by a run of its own"},
    {"new-key", "FILE", options_text, VOTE_AT(new_key), .help = "make a key for --key, and nothing else"},
    {"rows", "FILE", options_text, VOTE_AT(rows_path),
     .help = "vote on these records of the pool only, in this order: one number a line, counted from 0"},
    {0}};

static const struct options_row vote_results[] = {
    {"output", "FILE", options_text, VOTE_AT(output_path), .letter = 'o',
     .help = "the votes, a .npy file of labels, and FILE.share, which says what they are of; both PRIVATE"},
    {"force", NULL, options_flag, VOTE_AT(force),
     .help = "overwrite the files of -o or --new-key, unless one is an input"},
    {"unsafe-verbose", NULL, options_flag, VOTE_AT(training.verbose), .help = "show what exec learners print"},
    {0}};

static const struct options_group vote_groups[] = {
    {"shares", vote_shares, 0},
    {NULL, training_key, VOTE_AT(training)},
    {"data (as in fumata learn; the public file is the pool of queries unless QUERIES names another)", training_data,
     VOTE_AT(training)},
    {"teachers", training_teachers, VOTE_AT(training)},
    {"output", vote_results, 0},
    {0}};

static const struct options_command vote_command = {
    .name = "vote",
    .before =
        "usage: fumata vote --share I/N --key FILE --private FILE --public FILE --classes A,B --teachers K -o FILE\n"
        "                   [OPTION...] [QUERIES]\n"
        "       fumata vote --new-key FILE\n"
        "\n"
        "Trains a share of the teachers and writes how they vote on every public record, so that many machines can "
        "work side\n"
        "by side without knowing each other. `fumata answer --votes 'votes-*.npy'` puts the shares together and "
        "releases answers\n"
        "within a budget. Keys and votes are private: they are not answers, and must not be published.\n"
        "\n"
        "  fumata vote --new-key clinic.key                              once; every machine needs this file\n"
        "  fumata vote --share 3/16 --key clinic.key --private clinic.csv --public survey.csv --label sick \\\n"
        "              --classes no,yes --teachers 400 -o votes-3.npy    the third of sixteen machines\n"
        "  fumata answer --votes 'votes-*.npy' --classes no,yes --plan two.plan --ledger clinic.ledger\n"
        "  fumata vote ... --rows round-2.rows -o votes-3.npy            what a student asks next\n"
        "\n",
    .groups = vote_groups,
    .after = training_schema_help,
    .arguments = 1};

static int vote_check(const struct vote *vote) {
  const struct training *training = &vote->training;
  if (!vote->share.of) return error_report(EXIT_INPUT, "--share I/N is missing, for instance --share 3/16");
  if (!training->key_path)
    return error_report(EXIT_INPUT, "--key FILE is missing; fumata vote --new-key FILE makes one for all shares");
  if (!training->teachers)
    return error_report(EXIT_INPUT, "--teachers K is missing; fumata plan says how many it takes");
  if (!vote->output_path) return error_report(EXIT_INPUT, "-o FILE is missing: where the votes go");
  if (!vote->queries_path)
    return error_report(EXIT_INPUT, "--public FILE or QUERIES is missing: the records to vote on");
  if (vote->share.of > training->teachers)
    return error_report(EXIT_INPUT, "--share %u/%u: more shares than the %u teachers", vote->share.number,
                        vote->share.of, training->teachers);
  return EXIT_OK;
}

/* May both files be written? */
static int vote_allow(const struct vote *vote) {
  const struct training *training = &vote->training;
  const char *const all[] = {training->private_path, training->request.public_path,
                             training->key_path,     training->request.schema_path,
                             vote->rows_path,        vote->queries_path};
  const char *inputs[sizeof all / sizeof *all + 1];
  size_t count = 0;
  char *beside;
  int code = memory_print(&beside, "%s" SHARE_ENDING, vote->output_path);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]) inputs[count++] = all[i];
  inputs[count] = NULL;
  if (!code) code = output_allow(vote->output_path, vote->force, inputs);
  if (!code) code = output_allow(beside, vote->force, inputs);
  free(beside);
  return code;
}

/* ---- what the votes are of ---- */

static int vote_mark_private(struct vote *vote) {
  struct digest key, data;
  int code = training_identify(&vote->training, &key, &data);
  share_mark(&vote->share, SHARE_KEY, &key);
  share_mark(&vote->share, SHARE_PRIVATE, &data);
  explicit_bzero(&key, sizeof key);
  explicit_bzero(&data, sizeof data);
  return code;
}

static int vote_mark_pool(struct vote *vote) {
  struct digest digest;
  int code;
  digest_init(&digest);
  code = identity_add(vote->queries_path, "QUERIES", &digest);
  if (!code && vote->rows_path) code = identity_add(vote->rows_path, "--rows", &digest);
  share_mark(&vote->share, SHARE_POOL, &digest);
  return code;
}

static int vote_mark_encoding(struct vote *vote) {
  struct digest digest;
  char *text = NULL;
  size_t size = 0;
  int code = training_encoding(&vote->training, &text, &size);
  digest_init(&digest);
  digest_add(&digest, text, size);
  share_mark(&vote->share, SHARE_ENCODING, &digest);
  free(text);
  return code;
}

static void vote_mark_learner(struct vote *vote) {
  const struct learner *learner = &vote->training.learner;
  struct digest digest;
  char text[VOTE_LEARNER];
  learner_print(learner, text, sizeof text);
  digest_init(&digest);
  digest_add(&digest, text, strlen(text));
  digest_add(&digest, &learner->scale, sizeof learner->scale);
  digest_add_u64(&digest, learner->kind->traits & LEARNER_COMMAND ? learner->seconds : 0);
  share_mark(&vote->share, SHARE_LEARNER, &digest);
}

/* The files, before they are read as records. */
static int vote_mark_files(struct vote *vote) {
  int code = vote_mark_private(vote);
  return code ? code : vote_mark_pool(vote);
}

/* ---- the votes ---- */

/* The public rows give the scale; they, or those of QUERIES, are the pool. */
static int vote_load_pool(struct vote *vote) {
  struct training *training = &vote->training;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  const char *public_path = training->request.public_path;
  size_t *order = NULL, count = 0;
  struct rows all;
  int code = EXIT_OK;
  if (public_path) {
    code = reader_load(&vote->pool, public_path, &training->encoding, &unlabelled);
    if (!code) learner_fit(&training->learner, &vote->pool, training->encoding.classes.count);
  }
  if (!code && vote->queries_path != public_path) {
    rows_free(&vote->pool);
    code = reader_load(&vote->pool, vote->queries_path, &training->encoding, &unlabelled);
  }
  if (code || !vote->rows_path) return code;
  all = vote->pool;
  rows_init(&vote->pool, all.columns, all.is_dense);
  code = row_list_read(vote->rows_path, all.count, &order, &count);
  if (!code) code = rows_gather(&all, order, count, &vote->pool);
  rows_free(&all);
  free(order);
  return code;
}

/* Bytes to the file and to its digest. */
static void vote_put(FILE *stream, struct digest *digest, const void *bytes, size_t size) {
  fwrite(bytes, 1, size, stream);
  digest_add(digest, bytes, size);
}

static int vote_put_head(const struct vote *vote, FILE *stream, struct digest *digest) {
  const struct ensemble *ensemble = &vote->training.ensemble;
  char shape[64], *text = NULL;
  size_t size = 0;
  FILE *head = open_memstream(&text, &size);
  if (!head) return memory_short();
  snprintf(shape, sizeof shape, "(%zu, %u)", vote->pool.count, ensemble->teachers);
  npy_write_head(head, ensemble_width(ensemble) == 1 ? "|u1" : "<u2", shape);
  if (fclose(head) != 0) return memory_short();
  vote_put(stream, digest, text, size);
  free(text);
  return EXIT_OK;
}

/* Whole blocks of queries, so that a vote is computed as in `fumata answer`. */
static size_t vote_block(const struct vote *vote) {
  const struct ensemble *ensemble = &vote->training.ensemble;
  size_t block = VOTE_BYTES / (ensemble->teachers * ensemble_width(ensemble)) / VOTE_BLOCK * VOTE_BLOCK;
  return block < VOTE_BLOCK ? VOTE_BLOCK : block > VOTE_BLOCK_MAX ? VOTE_BLOCK_MAX : block;
}

static int vote_cast(struct vote *vote, FILE *stream, struct digest *digest) {
  const struct training *training = &vote->training;
  size_t block = vote_block(vote), row = training->ensemble.teachers * ensemble_width(&training->ensemble);
  struct progress progress;
  struct votes votes;
  void *room = NULL;
  int code = training_room(training, block, &room);
  progress_start(&progress, "voting", vote->pool.count);
  for (size_t done = 0; !code && done < vote->pool.count; done += block) {
    size_t count = vote->pool.count - done < block ? vote->pool.count - done : block;
    code = interrupt_check();
    if (!code) code = training_vote(training, &vote->pool, done, count, room, &votes);
    if (!code) vote_put(stream, digest, room, count * row);
    progress_step(&progress, done + count);
  }
  progress_end(&progress);
  free(room);
  return code;
}

/* The votes, then the text that makes them a share: votes without it are refused. */
static int vote_write(struct vote *vote) {
  struct output output = {0};
  struct digest digest;
  int code = output_open(&output, vote->output_path);
  if (code) return code;
  digest_init(&digest);
  code = vote_put_head(vote, output.stream, &digest);
  if (!code) code = vote_cast(vote, output.stream, &digest);
  if (code) {
    output_discard(&output);
    return code;
  }
  share_mark(&vote->share, SHARE_VOTES, &digest);
  code = output_commit(&output);
  return code ? code : share_write(&vote->share, vote->output_path);
}

static int vote_run(struct vote *vote) {
  struct training *training = &vote->training;
  int code = vote_allow(vote);
  if (!code) code = identity_apart(training->private_path, training->request.public_path, "--public");
  if (!code) code = identity_apart(training->private_path, vote->queries_path, "QUERIES");
  if (!code) code = training_prepare(training);
  if (code) return code;
  training_tell_columns(training);
  vote->share.teachers = training->teachers;
  share_range(&vote->share, &training->first, &training->last);
  share_mark_classes(&vote->share, &training->encoding.classes);
  code = vote_mark_files(vote);
  if (!code) code = vote_load_pool(vote);
  if (!code) code = vote_mark_encoding(vote);
  vote_mark_learner(vote);
  if (!code) code = training_load(training);
  if (!code) code = training_teach(training);
  if (!code) code = vote_write(vote);
  if (!code)
    error_note(
        "%s: PRIVATE, not to be published: votes of teachers %u to %u of %u on %zu queries; `fumata answer --votes` "
        "puts the shares together",
        vote->output_path, training->first + 1, training->last, training->teachers, vote->pool.count);
  return code;
}

static int vote_make_key(const struct vote *vote) {
  const char *none[] = {NULL};
  struct coins coins;
  int code = output_allow(vote->new_key, vote->force, none);
  if (code) return code;
  coins_init(&coins);
  code = key_file_make(vote->new_key, &coins);
  explicit_bzero(&coins, sizeof coins);
  if (!code) error_note("%s: a secret key; whoever has it can tell which teacher a unit reached", vote->new_key);
  return code;
}

static void vote_free(struct vote *vote) {
  rows_free(&vote->pool);
  training_free(&vote->training);
  free(vote);
}

int command_vote(int argc, char **argv) {
  struct options_rest rest;
  struct vote *vote;
  int code = memory_take(&vote, 1, sizeof *vote);
  if (code) return code;
  umask(077); /* votes, and what an exec learner leaves, are nobody else's */
  training_init(&vote->training);
  vote->training.is_answering = 1;
  rows_init(&vote->pool, 1, 1);
  code = options_parse(&vote_command, argc, argv, vote, &rest);
  if (!code && !rest.is_help && vote->new_key) {
    code = vote_make_key(vote);
  } else if (!code && !rest.is_help) {
    vote->queries_path = rest.count ? rest.word[0] : vote->training.request.public_path;
    code = vote_check(vote);
    if (!code) code = vote_run(vote);
  }
  vote_free(vote);
  return code;
}
