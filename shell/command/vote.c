/* fumata vote: one share of the teachers learns and votes, on one of several machines; fumata answer puts the shares
 * together. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/training.h"
#include "data/identity.h"
#include "gate/key.h"
#include "run/casting.h"

struct vote {
  struct training training;
  struct casting casting;
  const char *new_key;
  int force;
};

#define VOTE_AT(member) offsetof(struct vote, member)

static int vote_share(const struct options_row *row, const char *text, void *value) {
  struct share *share = value;
  if (share_parse(text, &share->number, &share->of) == 0) return EXIT_OK;
  return error_report(EXIT_INPUT, "--%s: '%.40s' is not a share such as 3/16", row->name, text);
}

/* The questions of a poll follow from its answers, which a share does not get. */
static int vote_voters(const struct options_row *row, const char *text, void *value) {
  (void)value;
  if (!strcmp(text, "teachers")) return EXIT_OK;
  return error_report(EXIT_INPUT,
                      "--%s: only teachers vote by shares; a poll is spread over machines by "
                      "mpirun -n N fumata learn",
                      row->name);
}

static const struct options_row vote_shares[] = {
    {"share", "I/N", vote_share, VOTE_AT(casting.share),
     .help = "the I-th of N equal shares of the teachers; each of the N takes a run of its own"},
    {"voters", "V", vote_voters, 0, .help = NULL},
    {"new-key", "FILE", options_text, VOTE_AT(new_key), .help = "only make a key for --key"},
    {"rows", "FILE", options_text, VOTE_AT(casting.rows_path),
     .help = "vote on these records of the pool only, in this order: one number a line, counted from 0"},
    {0}};

static const struct options_row vote_results[] = {
    {"output", "FILE", options_text, VOTE_AT(casting.output_path), .letter = 'o',
     .help = "the votes, a .npy file of labels, and FILE.share, which describes them; both PRIVATE"},
    {"force", NULL, options_flag, VOTE_AT(force),
     .help = "overwrite the files of -o or --new-key, unless one is an input"},
    {"anyway", NULL, options_flag, VOTE_AT(casting.anyway),
     .help = "vote even if public records seem to be private ones"},
    {"core-dumps", NULL, options_flag, VOTE_AT(training.core_dumps),
     .help = "let a crash leave a memory image, which has private records in it"},
    {"unsafe-verbose", NULL, options_flag, VOTE_AT(training.teachers.verbose), .help = "show what exec learners print"},
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
        "Trains a share of the teachers and writes how they vote on every public record, so that many machines can\n"
        "work without a connection. `fumata answer --votes 'votes-*.npy'` puts the shares together and releases\n"
        "answers within a budget. Keys and votes are private: they are not answers, and must not be published.\n"
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
  const struct teachers *teachers = &vote->training.teachers;
  const struct casting *casting = &vote->casting;
  if (!casting->share.of) return error_report(EXIT_INPUT, "--share I/N is missing, for instance --share 3/16");
  if (!teachers->key_path)
    return error_report(EXIT_INPUT, "--key FILE is missing; fumata vote --new-key FILE makes one for all shares");
  if (!teachers->count) return error_report(EXIT_INPUT, "--teachers K is missing; fumata plan says how many it takes");
  if (!casting->output_path) return error_report(EXIT_INPUT, "-o FILE is missing: where the votes go");
  if (!casting->queries_path)
    return error_report(EXIT_INPUT, "--public FILE or QUERIES is missing: the records to vote on");
  if (casting->share.of > teachers->count)
    return error_report(EXIT_INPUT, "--share %u/%u: more shares than the %u teachers", casting->share.number,
                        casting->share.of, teachers->count);
  return EXIT_OK;
}

/* May both files be written? */
static int vote_allow(const struct vote *vote) {
  const struct teachers *teachers = &vote->training.teachers;
  const struct casting *casting = &vote->casting;
  const char *const inputs[] = {OUTPUT_INPUT(teachers->path),
                                OUTPUT_INPUT(teachers->request.public_path),
                                OUTPUT_INPUT(teachers->key_path),
                                OUTPUT_INPUT(teachers->request.schema_path),
                                OUTPUT_INPUT(casting->rows_path),
                                OUTPUT_INPUT(casting->queries_path),
                                NULL};
  char *beside;
  int code = memory_print(&beside, "%s" SHARE_ENDING, casting->output_path);
  if (!code) code = output_allow(casting->output_path, vote->force, inputs);
  if (!code) code = output_allow(beside, vote->force, inputs);
  free(beside);
  return code;
}

static int vote_run(struct vote *vote) {
  struct training *training = &vote->training;
  struct teachers *teachers = &training->teachers;
  struct casting *casting = &vote->casting;
  int code = vote_allow(vote);
  if (!code) code = identity_apart(teachers->path, teachers->request.public_path, "--public");
  if (!code) code = identity_apart(teachers->path, casting->queries_path, "QUERIES");
  training_coins(training, 0, &training->coins);
  if (!code) code = teachers_prepare(teachers, &training->coins);
  if (code) return code;
  training_tell_columns(training);
  code = casting_run(casting);
  if (!code)
    error_note(
        "%s: PRIVATE, not to be published: votes of teachers %u to %u of %u on %zu queries; `fumata answer --votes` "
        "puts the shares together",
        casting->output_path, teachers->first + 1, teachers->last, teachers->count, casting->pool.count);
  return code;
}

static int vote_make_key(const struct vote *vote) {
  struct coins coins;
  int code = output_allow(vote->new_key, vote->force, (const char *const[]){NULL});
  if (code) return code;
  coins_init(&coins);
  code = key_make(vote->new_key, &coins);
  explicit_bzero(&coins, sizeof coins);
  if (!code) error_note("%s: a secret key; it shows which teacher a unit reached", vote->new_key);
  return code;
}

int command_vote(int argc, char **argv) {
  struct options_rest rest;
  struct vote *vote;
  int code = memory_take(&vote, 1, sizeof *vote);
  if (code) return code;
  umask(077); /* votes, and what an exec learner leaves, are for their owner only */
  training_init(&vote->training);
  vote->training.is_answering = 1;
  vote->casting.teachers = &vote->training.teachers;
  rows_init(&vote->casting.pool, 1, 1);
  code = options_parse(&vote_command, argc, argv, vote, &rest);
  training_close_memory(&vote->training);
  if (!code && !rest.is_help && vote->new_key) {
    code = vote_make_key(vote);
  } else if (!code && !rest.is_help) {
    vote->casting.queries_path = rest.count ? rest.word[0] : vote->training.teachers.request.public_path;
    code = vote_check(vote);
    if (!code) code = vote_run(vote);
  }
  rows_free(&vote->casting.pool);
  training_free(&vote->training);
  free(vote);
  return code;
}
