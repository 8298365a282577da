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
#include "command/candidates.h"
#include "command/commands.h"
#include "command/spread.h"
#include "command/training.h"
#include "data/ballots.h"
#include "data/identity.h"
#include "data/shares.h"
#include "gate/answers.h"
#include "learn/ranks.h"

#define ANSWER_BATCH     4096u /* queries read at a time, unless they come through a pipe */
#define ANSWER_BATCH_MAX 1000000
#define ANSWER_KIND_OPEN (-1)

struct answer {
  struct training training;
  const char *votes_path, *queries_path, *output_path, *candidates_path;
  int meaning; /* of the votes: an enum ballots_meaning */
  int header;  /* their first line is one */
  int force;
  int json;
  int kind; /* an enum plan_kind; ANSWER_KIND_OPEN: not given */
  struct candidates candidates;
  int has_run_out;        /* there were more queries than candidates */
  uint32_t batch;         /* 0: not given */
  struct classes classes; /* ready votes: declared here */
  const struct classes *names;
  struct session session;
  struct ballots ballots; /* one of the three inputs is open */
  struct shares shares;
  char *lost; /* shares, "5/16,9/16" */
  struct reader reader;
  int has_ballots, has_shares, has_reader;
  FILE *out;
  char *text;    /* the end of a line for each class, then for a silence, one after the other ... */
  size_t *start; /* ... and where each begins */
  uint64_t id;
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
    {"kind", "K", options_choice, ANSWER_AT(kind), .choices = answer_kinds,
     .help = "meter (a label or silence; the default of a plan with silences) or toll (one of two candidates)"},
    {"candidates", "FILE", options_text, ANSWER_AT(candidates_path),
     .help =
         "CSV first,second: the two classes between which the toll chooses, one row a query; of two classes it needs "
         "none. A row of two empty cells is the meter's"},
    {0}};

static const struct options_row answer_votes_options[] = {
    {"votes", "FILE", options_text, ANSWER_AT(votes_path),
     .help = ".npy or CSV, also gzip'ed, - for standard input: one row a query; one column a teacher (labels, uint8 or "
             "uint16) or one column a class (counts); or shares that `fumata vote` wrote: 'votes-*.npy', or several "
             "files"},
    {"lost", "I/N", answer_lost, ANSWER_AT(lost),
     .help = "this share of the votes is lost for good: its teachers abstain (several with commas)"},
    {"votes-are", "M", options_choice, ANSWER_AT(meaning), .choices = answer_meanings,
     .help = "labels or counts, where the file does not tell"},
    {"header", NULL, options_flag, ANSWER_AT(header),
     .help = "the first line of CSV votes is a header (--no-header: it is none); else its look decides, and is said"},
    {0}};

static const struct options_row answer_results[] = {
    {"output", "FILE", options_text, ANSWER_AT(output_path), .letter = 'o',
     .help = "write there instead of to standard output; folders on the way are made"},
    {"force", NULL, options_flag, ANSWER_AT(force), .help = "overwrite the file of -o, unless it is an input"},
    {"json", NULL, options_flag, ANSWER_AT(json),
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
        "       fumata answer --private FILE --public FILE --classes A,B --teachers K --epsilon E --delta D --silences "
        "T\n"
        "                     [OPTION...] [QUERIES]\n"
        "\n"
        "Writes one line a query, `id,answer`, as they come: the label that the teachers agree on, or `silent`. Labels "
        "are\n"
        "free; after T silences the session closes. With --answers L, or a plan that has them, the toll names one of "
        "two\n"
        "candidates, always, and L answers are paid for. The ledger remembers what was spent: the same command goes "
        "on\n"
        "where it stopped.\n"
        "\n"
        "  fumata plan --epsilon 2 --delta 1e-5 --silences 100 -o two.plan\n"
        "  fumata answer --votes votes.npy --classes no,yes --plan two.plan --ledger clinic.ledger\n"
        "  fumata answer --votes votes.npy --classes no,yes --epsilon 1 --delta 1e-5 --answers 400 --ledger "
        "clinic.ledger\n"
        "  my-teachers | fumata answer --votes - --classes no,yes --plan two.plan --ledger clinic.ledger\n"
        "  fumata answer --private clinic.csv --public survey.csv --label sick --classes no,yes --teachers 250 \\\n"
        "                --epsilon 2 --delta 1e-5 --silences 100 new.csv\n"
        "\n",
    .groups = answer_groups,
    .after = training_schema_help,
    .arguments = OPTIONS_ANY};

static int answer_check(const struct answer *answer) {
  const struct training *training = &answer->training;
  const struct plan_target *target = &training->target;
  if (!training->session.ledger_path && answer->votes_path)
    return error_report(EXIT_INPUT, "--ledger FILE is missing: where spending is recorded");
  if (training->plan_path && (target->epsilon_den || target->delta_den || target->silences || target->answers))
    return error_report(EXIT_INPUT, "--plan already says epsilon, delta, silences and answers");
  if (!training->plan_path && !(target->epsilon_den && target->delta_den && (target->silences || target->answers)))
    return error_report(EXIT_INPUT, "--plan FILE, or --epsilon, --delta and --silences or --answers, are missing");
  if (answer->kind != ANSWER_KIND_OPEN && answer->candidates_path)
    return error_report(EXIT_INPUT, "--candidates already say which queries are the toll's: --kind is too much");
  if (answer->votes_path && (training->private_path || training->key_path))
    return error_report(EXIT_INPUT, "--votes are ready: --%s is too much", training->private_path ? "private" : "key");
  if (answer->header && training->request.style.no_header)
    return error_report(EXIT_INPUT, "--header and --no-header exclude each other");
  if (answer->votes_path && !training->request.classes)
    return error_report(EXIT_INPUT, "--classes is missing, for instance --classes no,yes");
  if (!answer->votes_path && !training->private_path)
    return error_report(EXIT_INPUT, "--votes FILE or --private FILE is missing");
  if (!answer->votes_path && !training->teachers)
    return error_report(EXIT_INPUT, "--teachers K is missing; fumata plan says how many it takes");
  return spread_check(training);
}

/* Through a pipe an answer must not wait for the queries after it. */
static size_t answer_batch(const struct answer *answer, const char *path) {
  struct stat about;
  int is_known = (strcmp(path, "-") ? stat(path, &about) : fstat(STDIN_FILENO, &about)) == 0;
  if (answer->batch) return answer->batch;
  return is_known && !S_ISREG(about.st_mode) ? 1 : ANSWER_BATCH;
}

/* What may follow an id is known beforehand. */
static int answer_texts(struct answer *answer) {
  uint32_t count = answer->names->count;
  size_t size = 0;
  FILE *stream;
  int code = memory_take(&answer->start, count + 2, sizeof *answer->start);
  if (code) return code;
  stream = open_memstream(&answer->text, &size);
  if (!stream) return memory_short();
  for (uint32_t i = 0; i <= count; i++) {
    if (answer->json)
      answers_print_json(stream, i < count ? answer->names->name[i] : NULL);
    else
      answers_print(stream, i < count ? answer->names->name[i] : NULL);
    fflush(stream);
    answer->start[i + 1] = size;
  }
  return fclose(stream) == 0 ? EXIT_OK : memory_short();
}

static void answer_write(void *context, int32_t label) {
  struct answer *answer = context;
  char digits[24], *digit = digits + sizeof digits;
  uint64_t id = answer->id++;
  uint32_t which = label == FUMATA_SILENT ? answer->names->count : (uint32_t)label;
  *--digit = ',';
  do
    *--digit = (char)('0' + id % 10);
  while (id /= 10);
  if (answer->json) fputs_unlocked("{\"id\": ", answer->out);
  fwrite_unlocked(digit, 1, (size_t)(digits + sizeof digits - digit), answer->out);
  fwrite_unlocked(answer->text + answer->start[which], 1, answer->start[which + 1] - answer->start[which], answer->out);
}

static int answer_flush(struct answer *answer) {
  if (fflush(answer->out) == 0 && !ferror(answer->out)) return EXIT_OK;
  return error_unwritten("the answers");
}

/* Queries first .. first + count - 1 of some. */
static struct votes answer_some(const struct answer *answer, const struct votes *votes, size_t first, size_t count) {
  struct votes some = *votes;
  some.count = count;
  if (votes->labels8) some.labels8 += first * votes->teachers;
  if (votes->labels16) some.labels16 += first * votes->teachers;
  if (votes->counts) some.counts += first * answer->names->count;
  return some;
}

/* Ballots of one kind. */
static int answer_alike(struct answer *answer, const struct votes *votes, const struct session_pair *pairs,
                        enum plan_kind kind) {
  if (kind == PLAN_KIND_METER) return session_answer_batch(&answer->session, votes, answer_write, answer);
  return session_choose_batch(&answer->session, votes, pairs, answer_write, answer);
}

/* Ballots of the kinds that the candidates say, as far as these go. */
static int answer_mixed(struct answer *answer, const struct votes *votes) {
  const struct candidates *candidates = &answer->candidates;
  size_t done = 0;
  while (done < votes->count && answer->id < candidates->count) {
    size_t at = (size_t)answer->id, count = candidates_alike(candidates, at, votes->count - done);
    struct votes some = answer_some(answer, votes, done, count);
    int code = answer_alike(answer, &some, candidates->pairs + at, candidates_kind(candidates, at));
    if (code || answer->id < at + count) return code;
    done += count;
  }
  answer->has_run_out = done < votes->count;
  return EXIT_OK;
}

/* One batch of ballots; *open = 0 when the budget has closed. */
static int answer_ballots(struct answer *answer, const struct votes *votes, int *open) {
  uint64_t before = answer->id;
  int code = answer->candidates_path ? answer_mixed(answer, votes)
                                     : answer_alike(answer, votes, NULL, (enum plan_kind)answer->kind);
  *open = answer->id - before == votes->count;
  return code ? code : answer_flush(answer);
}

static int answer_votes(struct answer *answer) {
  struct votes batch = {0};
  size_t size = answer_batch(answer, answer->votes_path);
  int open = 1, code;
  do {
    code = interrupt_check();
    if (!code)
      code = answer->has_shares ? shares_next(&answer->shares, size, &batch)
                                : ballots_next(&answer->ballots, size, &batch);
    if (!code && batch.count) code = answer_ballots(answer, &batch, &open);
  } while (!code && open && batch.count);
  return code;
}

static int answer_queries(struct answer *answer) {
  const struct training *training = &answer->training;
  size_t size = answer_batch(answer, answer->queries_path);
  struct votes batch = {0};
  struct rows rows;
  void *room;
  int open = 1, code = training_room(training, size, &room);
  if (code) return code;
  rows_init(&rows, training->encoding.columns, training->encoding.is_dense);
  do {
    rows_clear(&rows);
    code = reader_next(&answer->reader, &rows, size);
    if (!code && rows.count) code = training_vote(training, &rows, 0, rows.count, room, &batch);
    if (!code && rows.count) code = answer_ballots(answer, &batch, &open);
  } while (!code && open && !answer->reader.is_finished);
  rows_free(&rows);
  free(room);
  return code;
}

/* Teachers: the public rows give the scale, the private ones the lessons. */
static int answer_load(struct answer *answer) {
  struct training *training = &answer->training;
  struct reader_options unlabelled = {.labels = LABELS_IGNORE};
  struct rows all;
  int code;
  if (training->request.public_path) {
    code = reader_load(&all, training->request.public_path, &training->encoding, &unlabelled);
    if (code) return code;
    learner_fit(&training->learner, &all, training->encoding.classes.count);
    rows_free(&all);
  }
  return training_load(training);
}

/* Opens what will be asked, so that a wrong file is found before anything is spent. */
static int answer_open(struct answer *answer) {
  struct reader_options options = {.labels = LABELS_IGNORE};
  const struct csv_style *csv = &answer->training.request.style;
  struct ballots_style style = {.meaning = (enum ballots_meaning)answer->meaning, .delimiter = csv->delimiter};
  int code;
  style.header = answer->header ? BALLOTS_HEADER : csv->no_header ? BALLOTS_NO_HEADER : BALLOTS_LOOK;
  if (answer->has_shares) {
    code = shares_open(&answer->shares, &answer->classes, answer->lost);
  } else if (answer->votes_path) {
    code = ballots_open(&answer->ballots, answer->votes_path, &answer->classes, &style);
    answer->has_ballots = !code;
  } else {
    code = reader_open(&answer->reader, answer->queries_path, &answer->training.encoding, &options);
    answer->has_reader = !code;
  }
  return code;
}

/* A file that says how many queries it has, and candidates for another number of them. */
static int answer_check_rows(const struct answer *answer) {
  uint64_t rows = answer->candidates.count;
  if (answer->has_ballots && answer->ballots.is_npy) rows = answer->ballots.npy.rows;
  if (answer->has_shares) rows = answer->shares.rows;
  if (rows == answer->candidates.count) return EXIT_OK;
  return error_report(EXIT_INPUT, "%s: candidates for %zu queries, but %s has %" PRIu64, answer->candidates_path,
                      answer->candidates.count, answer->votes_path, rows);
}

static int answer_check_kinds(const struct answer *answer, struct plan_quota asked) {
  struct plan_quota limit = plan_limit(&answer->training.plan);
  if (asked.silences && !limit.silences)
    return error_report(EXIT_INPUT, "queries for the meter, but the plan has no silences");
  if (asked.answers && !limit.answers)
    return error_report(EXIT_INPUT, "queries for the toll, but the plan has no answers");
  if (asked.answers && !answer->candidates_path && answer->names->count != 2)
    return error_report(EXIT_INPUT, "of %u classes the toll asks which two are the candidates: --candidates FILE",
                        answer->names->count);
  return EXIT_OK;
}

/* What the queries ask, and whether the plan pays for that; before anything is spent. */
static int answer_settle_kinds(struct answer *answer) {
  struct plan_quota asked = {0, 0};
  int code = EXIT_OK;
  if (answer->candidates_path) {
    code = candidates_load(&answer->candidates, answer->candidates_path, answer->names);
    if (!code) code = answer_check_rows(answer);
    asked = answer->candidates.asked;
  } else {
    if (answer->kind == ANSWER_KIND_OPEN)
      answer->kind = plan_limit(&answer->training.plan).silences ? PLAN_KIND_METER : PLAN_KIND_TOLL;
    *plan_quota_of(&asked, (enum plan_kind)answer->kind) = 1;
  }
  return code ? code : answer_check_kinds(answer, asked);
}

static uint32_t answer_teachers(const struct answer *answer) {
  if (answer->has_shares) return answer->shares.teachers;
  return answer->votes_path ? answer->ballots.teachers : answer->training.teachers;
}

static int answer_prepare(struct answer *answer) {
  struct training *training = &answer->training;
  struct rational nothing = {0, 0};
  int code = training_budget_check(training, nothing);
  if (!code) code = identity_apart(training->private_path, training->request.public_path, "--public");
  if (!code) code = identity_apart(training->private_path, answer->queries_path, "QUERIES");
  if (!code) code = training_ledger(training);
  if (code) return code;
  if (answer->votes_path) {
    training_coins(training);
    code = classes_parse(&answer->classes, training->request.classes);
    answer->names = &answer->classes;
  } else {
    code = training_prepare(training);
    answer->names = &training->encoding.classes;
    if (!code) code = answer_load(answer);
    if (!code) training_tell_columns(training);
  }
  if (!code) code = answer_texts(answer);
  if (!code) code = answer_open(answer);
  /* Of votes that are counts the teachers' number is not known yet. */
  if (!code) code = training_plan(training, answer_teachers(answer));
  return code ? code : answer_settle_kinds(answer);
}

static int answer_all(struct answer *answer) {
  struct training *training = &answer->training;
  struct plan_terms terms;
  int finish, code = training_open(training, &answer->session);
  plan_terms(&training->plan, &terms);
  if (!code) code = ledger_allow_plan(&answer->session.ledger, &terms, training->session.again, training->raise_total);
  if (!code) code = session_begin(&answer->session, &training->session, &training->plan, answer->names->count);
  if (!code && !answer->votes_path) code = training_teach(training);
  if (code) return code;
  if (answer->has_ballots) ballots_tell(&answer->ballots);
  interrupt_keeps("%s%s, and the ledger %s has what they cost",
                  ranks_count() > 1 ? "a rank has died, or mpirun was stopped: " : "",
                  answer->output_path ? "the answers so far are written" : "the answers so far stand",
                  training->session.ledger_path);
  answer->session.out = answer->out;
  answer->session.source = answer->votes_path;
  if (!answer->json) fputs("id,answer\n", answer->out);
  code = answer->votes_path ? answer_votes(answer) : answer_queries(answer);
  /* Whatever went wrong, what was answered stays answered and an unused reservation goes back. */
  finish = session_finish(&answer->session);
  return code ? code : finish;
}

/* "12 labels and 3 silences", "40 answers", or both. */
static void answer_given(const struct session *session, struct plan_quota limit, char *text, size_t size) {
  int used = 0;
  if (limit.silences)
    used = snprintf(text, size, "%" PRIu64 " labels and %" PRIu64 " silences", session->labels, session->silences);
  if (limit.answers)
    snprintf(text + used, size - (size_t)used, "%s%" PRIu64 " answers", used ? ", " : "", session->answers);
}

/* "5 of 9 silences" likewise. */
static void answer_remaining(struct plan_quota left, struct plan_quota limit, char *text, size_t size) {
  int used = 0;
  if (limit.silences) used = snprintf(text, size, "%u of %u silences", left.silences, limit.silences);
  if (limit.answers)
    snprintf(text + used, size - (size_t)used, "%s%u of %u answers", used ? " and " : "", left.answers, limit.answers);
}

static void answer_tell(const struct answer *answer) {
  const struct session *session = &answer->session;
  struct plan_quota left = session_left(session), limit = plan_limit(&answer->training.plan);
  char given[128], remaining[128], whole[PLAN_QUOTA_TEXT];
  answer_given(session, limit, given, sizeof given);
  answer_remaining(left, limit, remaining, sizeof remaining);
  if (answer->has_run_out)
    error_note("%s ends after %" PRIu64 " queries; %s; %s left", answer->candidates_path, answer->id, given, remaining);
  else if (left.silences == 0 && left.answers == 0)
    error_note("the budget is closed: all %s are used; %s now", plan_quota_print(limit, whole), given);
  else
    error_note("%s; %s left", given, remaining);
}

/* Answers never take the place of a file that this run reads, nor of its ledger. */
static int answer_allow(const struct answer *answer) {
  const struct training *training = &answer->training;
  const char *const all[] = {answer->votes_path,
                             answer->queries_path,
                             training->private_path,
                             training->request.public_path,
                             training->request.schema_path,
                             training->plan_path,
                             answer->candidates_path,
                             training->session.ledger_path};
  const char *inputs[sizeof all / sizeof *all + 1];
  size_t count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i]) inputs[count++] = all[i];
  inputs[count] = NULL;
  if (!answer->output_path) return EXIT_OK;
  for (size_t i = 0; i < answer->shares.count; i++) {
    const char *share[] = {answer->shares.part[i].path, NULL};
    int code = output_allow(answer->output_path, 1, share);
    if (code) return code;
  }
  return output_allow(answer->output_path, answer->force, inputs);
}

/* One file of votes, or several, which are shares. */
static int answer_find(struct answer *answer, const struct options_rest *rest) {
  int code;
  if (!answer->votes_path) {
    answer->queries_path = rest->count ? rest->word[0] : "-";
    return rest->count > 1 ? error_report(EXIT_INPUT, "%s: one file of queries is enough", rest->word[1]) : EXIT_OK;
  }
  code = shares_find(&answer->shares, answer->votes_path, rest->word, (size_t)rest->count);
  if (code) return code;
  answer->has_shares = shares_are(&answer->shares);
  if (answer->shares.count == 1) answer->votes_path = answer->shares.part[0].path;
  if (answer->lost && !answer->has_shares)
    return error_report(EXIT_INPUT, "--lost %s: %s is no share of votes", answer->lost, answer->votes_path);
  return EXIT_OK;
}

/* Answers are paid for: they are kept when somebody stops the run. */
static int answer_keep(const struct answer *answer, struct output *output, int code) {
  int failed;
  if (!answer->output_path) return code;
  if (code && !(code == EXIT_STOPPED && answer->id)) {
    output_discard(output);
    return code;
  }
  failed = output_commit(output);
  return failed ? failed : code;
}

static int answer_run(struct answer *answer) {
  struct output output = {0};
  int code = answer_allow(answer);
  if (!code) code = answer_prepare(answer);
  if (!code && answer->output_path) code = output_open(&output, answer->output_path);
  if (code) return code;
  training_warn(&answer->training);
  answer->out = answer->output_path ? output.stream : stdout;
  code = answer_keep(answer, &output, answer_all(answer));
  if (!code || (answer->id && (code == EXIT_STOPPED || code == EXIT_UNREAD))) answer_tell(answer);
  return code;
}

static void answer_free(struct answer *answer) {
  if (answer->has_ballots) ballots_close(&answer->ballots);
  if (answer->has_reader) reader_close(&answer->reader);
  shares_close(&answer->shares);
  free(answer->lost);
  session_shut(&answer->session);
  free(answer->text);
  free(answer->start);
  candidates_free(&answer->candidates);
  training_free(&answer->training);
  classes_free(&answer->classes);
  free(answer);
}

int command_answer(int argc, char **argv) {
  struct options_rest rest;
  struct answer *answer;
  int code = ranks_open(argc, argv);
  if (!code) code = memory_take(&answer, 1, sizeof *answer);
  if (code) return code;
  answer->kind = ANSWER_KIND_OPEN;
  training_init(&answer->training);
  answer->training.is_answering = 1;
  classes_init(&answer->classes);
  code = options_parse(&answer_command, argc, argv, answer, &rest);
  if (ranks_number() > 0) {
    code = spread_serve(&answer->training, code);
  } else if (!code && !rest.is_help) {
    code = answer_find(answer, &rest);
    if (!code) code = answer_check(answer);
    if (!code) code = answer_run(answer);
  }
  spread_end();
  answer_free(answer);
  ranks_close();
  return code;
}
