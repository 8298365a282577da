/* fumata answer: queries or ready votes in, one line each out, until the budget is closed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/output.h"
#include "command/commands.h"
#include "command/training.h"
#include "data/ballots.h"
#include "data/identity.h"
#include "data/share.h"
#include "learn/ranks.h"
#include "run/answering.h"

#define ANSWER_BATCH     4096u /* queries read at a time, unless they come through a pipe */
#define ANSWER_BATCH_MAX 1000000

struct answer {
  struct training training;
  struct answering answering;
  const char *votes_path, *queries_path, *output_path;
  int meaning; /* of the votes: an enum ballots_meaning */
  int header;  /* the first line of CSV votes is one */
  int force;
  uint32_t batch;         /* 0: not given */
  struct classes classes; /* ready votes: declared here */
  struct ballots ballots; /* one of the three inputs is open */
  struct share_set shares;
  char *lost;       /* shares, "5/16,9/16" */
  uint64_t queries; /* their number; UINT64_MAX: not known */
  struct reader reader;
  int has_ballots, has_shares, has_reader;
};

#define ANSWER_AT(member) offsetof(struct answer, member)

/* One more share, or several with commas. */
static int answer_lost(const struct options_row *row, const char *text, void *value) {
  char **lost = value, *before = *lost;
  int code = before ? memory_print(lost, "%s,%s", before, text) : memory_print(lost, "%s", text);
  (void)row;
  free(before);
  return code;
}

static const struct options_choice answer_meanings[] = {
    {"labels", BALLOTS_LABELS}, {"counts", BALLOTS_COUNTS}, {NULL, 0}};

static const struct options_choice answer_kinds[] = {{"meter", PLAN_KIND_METER}, {"toll", PLAN_KIND_TOLL}, {NULL, 0}};

static const struct options_row answer_queries_options[] = {
    {"kind", "K", options_choice, ANSWER_AT(answering.kind), .choices = answer_kinds,
     .help = "meter (a label or silence; the default of a plan with silences) or toll (one of two candidates)"},
    {"candidates", "FILE", options_text, ANSWER_AT(answering.candidates_path),
     .help = "CSV first,second: the two classes between which the toll decides, one row a query; not needed with two "
             "classes. A row of two empty cells is a query of the meter"},
    {0}};

static const struct options_row answer_votes_options[] = {
    {"votes", "FILE", options_text, ANSWER_AT(votes_path),
     .help = ".npy or CSV, also gzip'ed, - for standard input: one row a query; one column a teacher (labels, uint8 or "
             "uint16) or one column a class (counts); or shares that `fumata vote` wrote: 'votes-*.npy', or several "
             "files"},
    {"lost", "I/N", answer_lost, ANSWER_AT(lost),
     .help = "this share of the votes is lost for good: its teachers abstain (several with commas)"},
    {"votes-are", "M", options_choice, ANSWER_AT(meaning), .choices = answer_meanings,
     .help = "labels or counts, if the file does not show which"},
    {"header", NULL, options_flag, ANSWER_AT(header),
     .help = "the first line of CSV votes is a header (--no-header: it is not); without either it is guessed, and a "
             "note says which"},
    {0}};

static const struct options_row answer_results[] = {
    {"output", "FILE", options_text, ANSWER_AT(output_path), .letter = 'o',
     .help = "write there instead of to standard output; missing folders are made"},
    {"force", NULL, options_flag, ANSWER_AT(force), .help = "overwrite the file of -o, unless it is an input"},
    {"json", NULL, options_flag, ANSWER_AT(answering.json),
     .help = "a JSON object a line, {\"id\": 0, \"answer\": \"no\"}, null for silence"},
    {"batch", "N", options_count, ANSWER_AT(batch), .most = ANSWER_BATCH_MAX,
     .help = "queries read at a time (4096; 1 when they come through a pipe)"},
    {0}};

static const struct options_group answer_groups[] = {
    {"votes of teachers that were trained elsewhere", answer_votes_options, 0},
    {"teachers trained here (QUERIES is a file like the public one, or - for standard input)", training_data,
     ANSWER_AT(training)},
    {NULL, training_teachers, ANSWER_AT(training)},
    {NULL, training_key, ANSWER_AT(training)},
    {"queries", answer_queries_options, 0},
    {"budget", training_budget, ANSWER_AT(training)},
    {NULL, training_answers, ANSWER_AT(training)},
    {"output", answer_results, 0},
    {NULL, training_tests, ANSWER_AT(training)},
    {0}};

static const struct options_command answer_command = {
    .name = "answer",
    .before =
        "usage: fumata answer --votes FILE --classes A,B --plan FILE --ledger FILE [OPTION...]\n"
        "       fumata answer --private FILE --public FILE --classes A,B --teachers K --epsilon E --delta D\n"
        "                     --silences T [OPTION...] [QUERIES]\n"
        "\n"
        "Writes one line a query, `id,answer`, as they come: the label that the teachers agree on, or `silent`. "
        "Labels\n"
        "are free; after T silences the session closes. With --answers L, or a plan that has them, the toll answers\n"
        "every query with one of two candidates, and L answers are paid for. The ledger keeps what was spent: the "
        "same\n"
        "command goes on where it stopped.\n"
        "\n"
        "  fumata plan --epsilon 2 --delta 1e-5 --silences 100 -o two.plan\n"
        "  fumata answer --votes votes.npy --classes no,yes --plan two.plan --ledger clinic.ledger\n"
        "  fumata answer --votes votes.npy --classes no,yes --epsilon 1 --delta 1e-5 --answers 400 \\\n"
        "                --ledger clinic.ledger\n"
        "  my-teachers | fumata answer --votes - --classes no,yes --plan two.plan --ledger clinic.ledger\n"
        "  fumata answer --private clinic.csv --public survey.csv --label sick --classes no,yes --teachers 250 \\\n"
        "                --epsilon 2 --delta 1e-5 --silences 100 new.csv\n"
        "\n",
    .groups = answer_groups,
    .after = training_schema_help,
    .arguments = OPTIONS_ANY};

static int answer_check(const struct answer *answer) {
  const struct teachers *teachers = &answer->training.teachers;
  const struct budget *budget = &answer->training.budget;
  const struct plan_target *target = &budget->target;
  if (!budget->session.ledger_path && answer->votes_path)
    return error_report(EXIT_INPUT, "--ledger FILE is missing: where spending is recorded");
  if (budget->plan_path && (target->epsilon_den || target->delta_den || target->silences || target->answers))
    return error_report(EXIT_INPUT, "--plan already sets epsilon, delta, silences and answers: leave out the options "
                                    "for these");
  if (!budget->plan_path && !(target->epsilon_den && target->delta_den && (target->silences || target->answers)))
    return error_report(EXIT_INPUT, "the budget is missing: give --plan FILE, or --epsilon, --delta and --silences or "
                                    "--answers");
  if (answer->answering.kind != ANSWERING_OPEN && answer->answering.candidates_path)
    return error_report(EXIT_INPUT, "--candidates already says which queries are for the toll: leave out --kind");
  if (answer->votes_path && (teachers->path || teachers->key_path))
    return error_report(EXIT_INPUT, "with --votes no teachers are trained: leave out --%s",
                        teachers->path ? "private" : "key");
  if (answer->header && teachers->request.style.no_header)
    return error_report(EXIT_INPUT, "--header and --no-header exclude each other: give one");
  if (answer->votes_path && !teachers->request.classes)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes");
  if (!answer->votes_path && !teachers->path)
    return error_report(EXIT_INPUT, "--votes FILE or --private FILE is missing");
  if (!answer->votes_path && !teachers->count)
    return error_report(EXIT_INPUT, "--teachers K is missing; fumata plan says how many it takes");
  return spread_check(teachers->count, "teachers");
}

/* ---- what is asked ---- */

/* Finds the files: one of votes, several that are shares, or one of queries. */
static int answer_find(struct answer *answer, const struct options_rest *rest) {
  int code;
  if (!answer->votes_path) {
    answer->queries_path = rest->count ? rest->word[0] : "-";
    return rest->count > 1 ? error_report(EXIT_INPUT, "%s: give only one file of queries", rest->word[1]) : EXIT_OK;
  }
  code = share_set_find(&answer->shares, answer->votes_path, rest->word, (size_t)rest->count);
  if (code) return code;
  answer->has_shares = share_set_is(&answer->shares);
  if (answer->shares.count == 1) answer->votes_path = answer->shares.part[0].path;
  if (answer->lost && !answer->has_shares)
    return error_report(EXIT_INPUT, "--lost %s: %s is not a share of votes: leave out --lost", answer->lost,
                        answer->votes_path);
  return EXIT_OK;
}

/* Answers never overwrite a file that this run reads, nor its ledger. */
static int answer_allow(const struct answer *answer) {
  const struct teachers *teachers = &answer->training.teachers;
  const struct budget *budget = &answer->training.budget;
  const char *const inputs[] = {OUTPUT_INPUT(answer->votes_path),
                                OUTPUT_INPUT(answer->queries_path),
                                OUTPUT_INPUT(teachers->path),
                                OUTPUT_INPUT(teachers->request.public_path),
                                OUTPUT_INPUT(teachers->request.schema_path),
                                OUTPUT_INPUT(budget->plan_path),
                                OUTPUT_INPUT(answer->answering.candidates_path),
                                OUTPUT_INPUT(budget->session.ledger_path),
                                NULL};
  int code;
  if (!answer->output_path) return EXIT_OK;
  if (!*answer->output_path) return error_report(EXIT_INPUT, "-o '': the file's name is empty");
  code = output_allow(answer->output_path, answer->force, inputs);
  for (size_t i = 0; !code && i < answer->shares.count; i++)
    code = output_allow(answer->output_path, 1, (const char *const[]){answer->shares.part[i].path, NULL});
  return code ? code : budget_apart(budget, answer->output_path);
}

/* Opens what will be asked, so that a wrong file is found before anything is spent. *queries is the number of queries (UINT64_MAX:
 * not known), *teachers that of teachers (0: not known, as with counts). */
static int answer_open(struct answer *answer, uint64_t *queries, uint32_t *teachers) {
  struct reader_options options = {.labels = LABELS_IGNORE};
  const struct csv_style *csv = &answer->training.teachers.request.style;
  struct ballots_style style = {.meaning = (enum ballots_meaning)answer->meaning, .delimiter = csv->delimiter};
  int code;
  style.header = answer->header ? BALLOTS_HEADER : csv->no_header ? BALLOTS_NO_HEADER : BALLOTS_LOOK;
  *queries = UINT64_MAX;
  if (answer->has_shares) {
    code = share_set_open(&answer->shares, &answer->classes, answer->lost);
    *queries = answer->shares.rows;
    *teachers = answer->shares.teachers;
  } else if (answer->votes_path) {
    code = ballots_open(&answer->ballots, answer->votes_path, &answer->classes, &style);
    answer->has_ballots = !code;
    if (!code && answer->ballots.is_npy) *queries = answer->ballots.npy.rows;
    *teachers = answer->ballots.teachers;
  } else {
    code = reader_open(&answer->reader, answer->queries_path, &answer->training.teachers.encoding, &options);
    answer->has_reader = !code;
    *teachers = answer->training.teachers.count;
  }
  return code;
}

/* Teachers: the public rows give the scale, the private ones the lessons. */
static int answer_load(struct training *training) {
  struct teachers *teachers = &training->teachers;
  const char *path = teachers->request.public_path;
  struct overlap records = {0};
  struct rows all;
  int code = teachers_prepare(teachers, &training->coins);
  if (code) return code;
  rows_init(&all, 1, 1);
  if (path) code = teachers_load_public(teachers, path, &all, &records);
  if (!code && path) learner_fit(&teachers->learner, &all, teachers->learner.classes);
  if (!code) code = teachers_load(teachers);
  if (!code && path && !training->budget.anyway) code = teachers_apart(teachers, &records, "--public", path);
  overlap_free(&records);
  rows_free(&all);
  if (!code) training_tell_columns(training);
  return code;
}

static int answer_prepare(struct answer *answer) {
  struct training *training = &answer->training;
  struct teachers *teachers = &training->teachers;
  struct budget *budget = &training->budget;
  uint64_t queries = UINT64_MAX;
  uint32_t count = 0;
  int code = budget_check(budget);
  if (!code) code = identity_apart(teachers->path, teachers->request.public_path, "--public");
  if (!code) code = identity_apart(teachers->path, answer->queries_path, "QUERIES");
  training_coins(training, 0, &training->coins);
  if (code) return code;
  code = answer->votes_path ? classes_parse(&answer->classes, teachers->request.classes) : answer_load(training);
  if (!code)
    code = answering_name(&answer->answering, answer->votes_path ? &answer->classes : &teachers->encoding.classes);
  if (!code) code = answer_open(answer, &queries, &count);
  if (!code) code = budget_plan(budget, count);
  answer->queries = queries;
  return code ? code : answering_settle(&answer->answering, &budget->plan, answer->votes_path, queries);
}

/* Takes disk space for the answers before the first of them is paid for, if their number is known. */
static int answer_reserve(const struct answer *answer, struct output *output) {
  static const size_t around = 40; /* bytes of a line without its class */
  const struct classes *names = answer->answering.names;
  size_t longest = 0;
  if (answer->queries == UINT64_MAX) return EXIT_OK;
  for (uint32_t i = 0; i < names->count; i++)
    if (strlen(names->name[i]) > longest) longest = strlen(names->name[i]);
  return output_reserve(output, answer->queries * (around + longest));
}

/* ---- answers ---- */

/* Through a pipe an answer must not wait for the next query. */
static size_t answer_batch(const struct answer *answer, const char *path) {
  struct stat about;
  int is_known = (strcmp(path, "-") ? stat(path, &about) : fstat(STDIN_FILENO, &about)) == 0;
  if (answer->batch) return answer->batch;
  return is_known && !S_ISREG(about.st_mode) ? 1 : ANSWER_BATCH;
}

static int answer_votes(struct answer *answer) {
  struct votes batch = {0};
  size_t size = answer_batch(answer, answer->votes_path);
  int open = 1, code;
  do {
    code = interrupt_check();
    if (!code)
      code = answer->has_shares ? share_set_next(&answer->shares, size, &batch)
                                : ballots_next(&answer->ballots, size, &batch);
    if (!code && batch.count) code = answering_batch(&answer->answering, &batch, &open);
  } while (!code && open && batch.count);
  return code;
}

static int answer_queries(struct answer *answer) {
  const struct teachers *teachers = &answer->training.teachers;
  size_t size = answer_batch(answer, answer->queries_path);
  struct votes batch = {0};
  struct rows rows;
  void *room;
  int open = 1, code = teachers_room(teachers, size, &room);
  if (code) return code;
  rows_init(&rows, teachers->encoding.columns, teachers->encoding.is_dense);
  do {
    rows_clear(&rows);
    code = reader_next(&answer->reader, &rows, size);
    if (!code && rows.count) code = teachers_vote(teachers, &rows, 0, rows.count, room, &batch);
    if (!code && rows.count) code = answering_batch(&answer->answering, &batch, &open);
  } while (!code && open && !answer->reader.is_finished);
  rows_free(&rows);
  free(room);
  return code;
}

/* Notes who is asked what, and finds what was answered before. */
static int answer_recall(struct answer *answer) {
  const struct teachers *teachers = &answer->training.teachers;
  struct budget *budget = &answer->training.budget;
  struct questions *before = &answer->answering.before;
  int code = EXIT_OK;
  questions_begin(before, &answer->answering.session.ledger, "answer");
  questions_add_number(before, (uint64_t)answer->meaning);
  questions_add_text(before, answer->lost);
  questions_add_text(before, answer->votes_path ? NULL : teachers->learner_text);
  questions_add_number(before, teachers->count);
  for (size_t i = 0; !code && answer->has_shares && i < answer->shares.count; i++)
    code = questions_add_file(before, answer->shares.part[i].path);
  if (!code && !answer->has_shares)
    code = questions_add_file(before, answer->votes_path ? answer->votes_path : answer->queries_path);
  return code ? code : answering_recall(&answer->answering, &budget->plan, &budget->session.again);
}

static int answer_all(struct answer *answer) {
  struct training *training = &answer->training;
  struct budget *budget = &training->budget;
  struct answering *answering = &answer->answering;
  struct session *session = &answering->session;
  struct plan_terms terms;
  int finish, code = training_protects(training, answer->votes_path ? LEDGER_VOTES : NULL);
  if (!code) code = budget_open(budget, training->teachers.path, session, &training->coins);
  plan_terms(&budget->plan, &terms);
  if (!code) code = answer_recall(answer);
  if (!code) code = ledger_allow_plan(&session->ledger, &terms, budget->session.again, budget->raise_total);
  if (!code) code = session_begin(session, &budget->session, &budget->plan, answering->names->count);
  if (!code) code = budget_link(budget);
  if (!code && !answer->votes_path) code = teachers_teach(&training->teachers);
  if (code) return code;
  if (answer->has_ballots) ballots_tell(&answer->ballots);
  interrupt_keeps(
      "%s%s, and the ledger %s has what they cost", ranks_count() > 1 ? "a rank has died, or mpirun was stopped: " : "",
      answer->output_path ? "the answers so far are written" : "the answers so far stand", budget->session.ledger_path);
  session->out = answering->out;
  session->source = answer->votes_path;
  if (!answering->json) fputs("id,answer\n", answering->out);
  code = answer->votes_path ? answer_votes(answer) : answer_queries(answer);
  /* Whatever went wrong, answers are kept and an unused reservation goes back. */
  finish = session_finish(session);
  return code ? code : finish;
}

/* "12 labels and 3 silences, 40 answers; 5 of 9 silences and 10 of 50 answers left" */
static void answer_tell(const struct answer *answer) {
  const struct answering *answering = &answer->answering;
  const struct session *session = &answering->session;
  struct plan_quota left = session_left(session), limit = plan_limit(&answer->training.budget.plan);
  char labels[96] = "", answers[64] = "", silences[64] = "", rest[64] = "", whole[PLAN_QUOTA_TEXT];
  if (limit.silences) {
    snprintf(labels, sizeof labels, "%" PRIu64 " labels and %" PRIu64 " silences", session->labels, session->silences);
    snprintf(silences, sizeof silences, "%u of %u silences", left.silences, limit.silences);
  }
  if (limit.answers) {
    snprintf(answers, sizeof answers, "%s%" PRIu64 " answers", limit.silences ? ", " : "", session->answers);
    snprintf(rest, sizeof rest, "%s%u of %u answers", limit.silences ? " and " : "", left.answers, limit.answers);
  }
  if (answering->has_run_out)
    error_note("%s ends after %" PRIu64 " queries; %s%s; %s%s left", answering->candidates_path, answering->id, labels,
               answers, silences, rest);
  else if (left.silences == 0 && left.answers == 0)
    error_note("the budget is closed: all %s are used; %s%s now", plan_quota_print(limit, whole), labels, answers);
  else
    error_note("%s%s; %s%s left", labels, answers, silences, rest);
}

static int answer_run(struct answer *answer) {
  struct answering *answering = &answer->answering;
  struct output output = {0};
  int failed, code = budget_find_ledger(&answer->training.budget, answer->training.teachers.path);
  if (!code) code = answer_allow(answer);
  if (!code) code = answer_prepare(answer);
  if (!code && answer->output_path) code = output_open(&output, answer->output_path);
  if (!code && answer->output_path) code = answer_reserve(answer, &output);
  if (code) {
    output_discard(&output);
    return code;
  }
  training_warn(&answer->training);
  answering->out = answer->output_path ? output.stream : stdout;
  code = answer_all(answer);
  /* Answers are paid for: they are kept, whatever ended the run. */
  if (answer->output_path && code && !answering->id) {
    output_discard(&output);
  } else if (answer->output_path) {
    failed = output_commit(&output);
    if (failed) code = failed;
  }
  if (!code || (answering->id && (code == EXIT_STOPPED || code == EXIT_UNREAD))) answer_tell(answer);
  return code;
}

int command_answer(int argc, char **argv) {
  struct options_rest rest;
  struct answer *answer;
  int code = ranks_open(argc, argv);
  if (!code) code = memory_take(&answer, 1, sizeof *answer);
  if (code) return code;
  answer->answering.kind = ANSWERING_OPEN;
  training_init(&answer->training);
  answer->training.is_answering = 1;
  classes_init(&answer->classes);
  code = options_parse(&answer_command, argc, argv, answer, &rest);
  training_close_memory(&answer->training);
  if (ranks_number() > 0) {
    code = spread_serve(&answer->training.teachers, code);
  } else if (!code && !rest.is_help) {
    code = answer_find(answer, &rest);
    if (!code) code = answer_check(answer);
    if (!code) code = answer_run(answer);
  }
  spread_end();
  if (answer->has_ballots) ballots_close(&answer->ballots);
  if (answer->has_reader) reader_close(&answer->reader);
  share_set_close(&answer->shares);
  free(answer->lost);
  answering_free(&answer->answering);
  training_free(&answer->training);
  classes_free(&answer->classes);
  free(answer);
  ranks_close();
  return code;
}
