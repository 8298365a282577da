/* What the fault tests need besides the fumata program.
 *
 *   faults answer LEDGER PLAN COUNT SEED RESERVE [FLIP]   answer COUNT ready ballots with the core and the ledger, one
 *                                                 `id,answer` line each on stdout, by write(), where an answer of the
 *                                                 toll has a colon before it; reserve RESERVE at a time; FLIP turns one
 *                                                 ballot round
 *   faults kill COUNT MS SEED WORKERS OUT -- COMMAND...   run COMMAND over and over, stdout to OUT.1, OUT.2, ...; end
 *                                                 each with SIGKILL after 0 .. MS milliseconds, or where MS is a number
 *                                                 and `B` once that number of bytes or fewer are written, until COUNT were killed
 *                                                 at work; "{}" in COMMAND becomes the number of the run
 *   faults account LEDGER CRASHES RESERVE OUT...  compare what was written with what the ledger says; RESERVE `used`: no
 *                                                 more silences at a time than one more than the session has used; with a
 *                                                 `+` after it each run goes on with the answers of those before it */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "gate/coins.h"
#include "gate/ledger.h"
#include "gate/machine.h"
#include "plan/plan_file.h"

static uint64_t mix(uint64_t z) {
  z += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* ---- answer ---- */

/* Of a plan that has both kinds every second query, by chance, is the toll's. */
static enum plan_kind kind_of(const struct plan_box *box, uint64_t word) {
  struct plan_quota limit = plan_limit(box);
  if (!limit.answers) return PLAN_KIND_METER;
  return limit.silences && word >> 40 & 1 ? PLAN_KIND_METER : PLAN_KIND_TOLL;
}

/* One ballot in four is a tie, which the meter always meets with silence; the others are as clear as the table knows. */
static fumata_verdict ballot(uint64_t word, int is_turned, uint32_t clear) {
  int is_tie = (word % 4 == 0) != is_turned;
  fumata_verdict verdict = {.winner = (uint32_t)(word >> 8) % 3, .distance = is_tie ? 0 : clear};
  return verdict;
}

static int put(uint64_t i, enum plan_kind kind, int32_t answer) {
  const char *colon = kind == PLAN_KIND_TOLL ? ":" : "";
  char line[48];
  int size = answer == FUMATA_SILENT ? snprintf(line, sizeof line, "%" PRIu64 ",silent\n", i)
                                     : snprintf(line, sizeof line, "%" PRIu64 ",%s%" PRId32 "\n", i, colon, answer);
  if (write(STDOUT_FILENO, line, (size_t)size) != size) return error_report(EXIT_SYSTEM, "cannot write the answer");
  return EXIT_OK;
}

/* A machine at work. */
struct work {
  struct ledger *ledger;
  const struct plan_box *box;
  struct machine machine;
  struct coins coins;
  uint32_t reserve;
};

/* Reserves if it must, then looks and answers. *open = 0: nothing of the kind is left. */
static int answer_one(struct work *work, uint64_t word, int is_turned, uint64_t i, int *open) {
  enum plan_kind kind = kind_of(work->box, word);
  struct plan_quota left = machine_left(&work->machine), reserved = machine_reserved(&work->machine);
  fumata_verdict verdict;
  fumata_duel duel;
  fumata_status status;
  uint64_t coin;
  int32_t result;
  int code = EXIT_OK;
  *open = *plan_quota_of(&left, kind) > 0;
  if (!*open) return EXIT_OK;
  if (!*plan_quota_of(&reserved, kind))
    code = machine_reserve(&work->machine, work->ledger, &work->coins, kind, work->reserve);
  if (!code) code = journal_room(work->ledger, 1);
  if (!code) code = coins_draw(&work->coins, &coin);
  if (code) return code;
  verdict = ballot(word, is_turned, kind == PLAN_KIND_METER ? work->box->meter.size : work->box->toll.size);
  duel = (fumata_duel){verdict.winner, (verdict.winner + 1) % 3, verdict.distance};
  status = kind == PLAN_KIND_METER ? machine_answer(&work->machine, &verdict, coin, &result)
                                   : machine_answer_duel(&work->machine, &duel, coin, &result);
  if (status != FUMATA_OK) return error_report(EXIT_SYSTEM, "the core does not answer");
  code = ledger_record(work->ledger, kind, result);
  return code ? code : put(i, kind, result);
}

static int answer_all(struct ledger *ledger, const struct plan_box *box, char **argv, int argc) {
  uint64_t count = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10), i;
  uint64_t flip = argc > 5 ? strtoull(argv[5], NULL, 10) : UINT64_MAX;
  struct work work = {.ledger = ledger, .box = box, .reserve = (uint32_t)strtoul(argv[4], NULL, 10)};
  struct plan_terms terms;
  struct plan_quota left;
  int code, open = 1;
  coins_seed(&work.coins, seed);
  plan_terms(box, &terms);
  code = ledger_begin(ledger, &terms, 0, &left);
  if (code) return code;
  if (machine_resume(&work.machine, box, left) != FUMATA_OK)
    return error_report(EXIT_REFUSED, "the plan does not resume");
  for (i = 0; i < count && open && !code; i++)
    code = answer_one(&work, mix(seed * 1000003 + i), i == flip, i, &open);
  return code ? code : machine_close(&work.machine, ledger);
}

static int do_answer(int argc, char **argv) {
  struct ledger_options options;
  struct plan_box box;
  struct ledger ledger;
  int code;
  if (argc < 5) return EXIT_INPUT;
  memset(&box, 0, sizeof box);
  code = plan_file_read(argv[1], &box);
  if (code != EXIT_OK) return code;
  memset(&options, 0, sizeof options);
  options.make = 1;
  code = ledger_open(&ledger, argv[0], &options);
  if (code == EXIT_OK) code = answer_all(&ledger, &box, argv, argc);
  ledger_shut(&ledger);
  plan_free(&box);
  return code;
}

/* ---- kill ---- */

static void nap(uint64_t microseconds) {
  struct timespec t = {(time_t)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000};
  nanosleep(&t, NULL);
}

static void run_command(char **command, const char *out, unsigned run, const char *said) {
  char number[16], path[4096];
  int fd, error, i;
  snprintf(number, sizeof number, "%u", run);
  snprintf(path, sizeof path, "%s.%u", out, run);
  fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  error = open(said, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (fd < 0 || error < 0) _exit(127);
  dup2(fd, STDOUT_FILENO);
  dup2(error, STDERR_FILENO);
  close(fd);
  close(error);
  for (i = 0; command[i]; i++) {
    char *hole = strstr(command[i], "{}"), *filled;
    if (!hole) continue;
    if (asprintf(&filled, "%.*s%s%s", (int)(hole - command[i]), command[i], number, hole + 2) < 0) _exit(127);
    command[i] = filled;
  }
  execvp(command[0], command);
  _exit(127);
}

/* Until run `run`, which is `child`, has written so much or has ended. */
static void wait_for_bytes(pid_t child, const char *out, unsigned run, uint64_t bytes) {
  char path[4096];
  struct stat file;
  siginfo_t end = {0};
  snprintf(path, sizeof path, "%s.%u", out, run);
  while (!end.si_pid && (stat(path, &file) != 0 || (uint64_t)file.st_size < bytes)) {
    nap(100);
    if (waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT) != 0) return;
  }
}

/* Runs that ended by themselves (in use, stream at its end, spent) are not crashes. */
static int do_kill(int argc, char **argv) {
  unsigned wanted, workers, run = 0, killed = 0, ended[256] = {0}, number[8] = {0}, i;
  uint64_t longest, seed, moment;
  const char *out;
  char *unit;
  char said[4096];
  pid_t child[8] = {0};
  if (argc < 7 || strcmp(argv[5], "--") != 0) return EXIT_INPUT;
  wanted = (unsigned)atoi(argv[0]);
  longest = strtoull(argv[1], &unit, 10);
  seed = strtoull(argv[2], NULL, 10);
  workers = (unsigned)atoi(argv[3]);
  out = argv[4];
  snprintf(said, sizeof said, "%s.said", out);
  if (workers < 1 || workers > 8) return EXIT_INPUT;
  while (killed < wanted && run < 20 * wanted + 100) {
    int status;
    for (i = 0; i < workers; i++) {
      if (child[i]) continue;
      number[i] = ++run;
      child[i] = fork();
      if (child[i] == 0) run_command(argv + 6, out, run, said);
    }
    moment = mix(seed + run * 8 + killed);
    i = (unsigned)(mix(seed + run * 8 + killed + 1) % workers);
    if (*unit == 'B')
      wait_for_bytes(child[i], out, number[i], moment % (longest + 1));
    else
      nap(moment % (1000 * longest + 1) / workers);
    kill(child[i], SIGKILL);
    if (waitpid(child[i], &status, 0) != child[i]) return EXIT_SYSTEM;
    child[i] = 0;
    if (WIFSIGNALED(status))
      killed++;
    else
      ended[WEXITSTATUS(status) & 255]++;
    for (i = 0; i < workers; i++)
      if (child[i] && waitpid(child[i], &status, WNOHANG) == child[i]) child[i] = 0, ended[WEXITSTATUS(status) & 255]++;
  }
  for (i = 0; i < workers; i++) {
    int status;
    if (!child[i]) continue;
    kill(child[i], SIGKILL);
    waitpid(child[i], &status, 0);
    if (WIFSIGNALED(status)) killed++;
  }
  printf("%u %u", run, killed);
  for (i = 0; i < 256; i++)
    if (ended[i]) printf(" exit%u=%u", i, ended[i]);
  printf("\n");
  return killed >= wanted ? EXIT_OK : EXIT_REFUSED;
}

/* ---- account ---- */

#define PARTS 4096

typedef struct {
  int32_t *answer;
  char *is_toll;
  size_t size;
  uint64_t silences, answers; /* what must have been paid for */
} tape;

static int put_on_tape(tape *t, size_t *room, int32_t answer, int is_toll) {
  if (t->size == *room) {
    *room = 2 * *room + 64;
    t->answer = realloc(t->answer, *room * sizeof *t->answer);
    t->is_toll = realloc(t->is_toll, *room);
    if (!t->answer || !t->is_toll) return -1;
  }
  t->answer[t->size] = answer;
  t->is_toll[t->size++] = (char)is_toll;
  t->silences += answer == FUMATA_SILENT;
  t->answers += is_toll != 0;
  return 0;
}

/* One session of the ledger: what it answered, and what was reserved and not used at its last row. */
typedef struct {
  tape journal;
  size_t room;
  char *about;
  struct plan_quota left, held;
  int closed;
} session;

static session sessions[PARTS];
static size_t session_count;
static int only_toll; /* the plan has no silences */

static struct plan_quota left_of(const struct ledger_row *row) {
  return (struct plan_quota){(uint32_t)row->left, row->answers_left < 0 ? 0 : (uint32_t)row->answers_left};
}

static int is_one_of(const char *kind, const char *const *kinds) {
  while (*kinds && strcmp(kind, *kinds) != 0)
    kinds++;
  return *kinds != NULL;
}

static void collect(void *context, const struct ledger_row *row) {
  session *s = session_count ? sessions + session_count - 1 : NULL;
  struct plan_quota left = left_of(row);
  (void)context;
  if (is_one_of(row->kind, (const char *const[]){"plan", "resume", NULL})) {
    if (session_count < PARTS) sessions[session_count++] = (session){.left = left};
  } else if (s && is_one_of(row->kind, (const char *const[]){"reserve", "answers", "close", "found", NULL})) {
    s->held.silences += s->left.silences - left.silences - (uint32_t)row->silences;
    s->held.answers += s->left.answers - left.answers - (uint32_t)(row->answers < 0 ? 0 : row->answers);
    s->left = left;
    s->closed = !strcmp(row->kind, "close");
  }
}

/* The answers of the sessions, in their order: each begins with a batch of none. */
static int collect_answers(void *context, const struct journal_batch *batch) {
  size_t *next = context;
  if (!batch->count && batch->row) {
    sessions[*next].about = malloc(batch->about_size + 1);
    if (!sessions[*next].about) return EXIT_SYSTEM;
    for (size_t i = 0; i < batch->about_size; i++)
      sessions[*next].about[i] = batch->about[i] ? batch->about[i] : ' ';
    sessions[*next].about[batch->about_size] = 0;
    ++*next;
  }
  for (size_t i = 0; i < batch->count; i++) {
    session *s = sessions + *next - 1;
    const struct journal_answer *one = batch->answer + i;
    if (put_on_tape(&s->journal, &s->room, one->answer, one->kind == PLAN_KIND_TOLL)) return EXIT_SYSTEM;
  }
  return EXIT_OK;
}

/* Lines `id,answer`; other lines (a head line) are passed over. A line that was cut off counts if its answer can be
 * told from what is there. */
static int read_tape(const char *path, tape *t) {
  FILE *file = fopen(path, "r");
  char line[4096];
  size_t room = 0;
  int failed = 0;
  memset(t, 0, sizeof *t);
  if (!file) return -1;
  while (!failed && fgets(line, sizeof line, file)) {
    const char *comma = strchr(line, ','), *answer = comma ? comma + 1 : "";
    int is_toll = *answer == ':' || only_toll;
    answer += *answer == ':';
    if (*answer != 's' && (*answer < '0' || *answer > '9')) continue;
    failed = put_on_tape(t, &room, *answer == 's' ? FUMATA_SILENT : (int32_t)atoi(answer), is_toll);
  }
  fclose(file);
  return failed;
}

/* Is this what session `s` may have written? Nothing but what the journal has, in its order; all of it, unless it crashed. */
static int fits(const session *s, const tape *t) {
  const tape *journal = &s->journal;
  if (s->closed ? t->size != journal->size : t->size > journal->size) return 0;
  return !memcmp(t->answer, journal->answer, t->size * sizeof *t->answer) &&
         !memcmp(t->is_toll, journal->is_toll, t->size);
}

static tape tapes[PARTS];
static size_t tape_count;
static char *may; /* may[i * session_count + j]: tape i may be of session j */

/* Which tape is of which session is not written anywhere: look for a pairing in which each has its own (augmenting
 * paths). `from_tapes` 1 pairs every tape, 0 every session that was closed. Returns how many stay alone. */
static int is_of(size_t one, size_t other, int from_tapes) {
  return from_tapes ? may[one * session_count + other] : may[other * session_count + one];
}

static int pair(size_t one, size_t others, int from_tapes, int *partner, char *seen) {
  size_t j;
  for (j = 0; j < others; j++) {
    if (seen[j] || !is_of(one, j, from_tapes)) continue;
    seen[j] = 1;
    if (partner[j] < 0 || pair((size_t)partner[j], others, from_tapes, partner, seen)) {
      partner[j] = (int)one;
      return 1;
    }
  }
  return 0;
}

/* Runs that go on with what those before them were answered: each tape is the beginning of all that was answered to its
 * questions. Returns how many are not. */
static int count_broken(void) {
  int broken = 0;
  for (size_t i = 0; i < tape_count; i++) {
    int is_whole = tapes[i].size == 0;
    for (size_t j = 0; j < session_count && !is_whole; j++) {
      size_t at = 0;
      for (size_t k = j; k < session_count && at < tapes[i].size; k++) {
        const tape *journal = &sessions[k].journal;
        size_t size = tapes[i].size - at < journal->size ? tapes[i].size - at : journal->size;
        if (strcmp(sessions[k].about, sessions[j].about) != 0) continue;
        if (memcmp(tapes[i].answer + at, journal->answer, size * sizeof *journal->answer) != 0) break;
        at += size;
      }
      is_whole = at == tapes[i].size;
    }
    broken += !is_whole;
  }
  return broken;
}

static int count_alone(int from_tapes) {
  size_t ones = from_tapes ? tape_count : session_count, others = from_tapes ? session_count : tape_count, i;
  static int partner[PARTS];
  static char seen[PARTS];
  int alone = 0;
  for (i = 0; i < PARTS; i++)
    partner[i] = -1;
  for (i = 0; i < ones; i++) {
    if (from_tapes ? tapes[i].size == 0 : !sessions[i].closed || sessions[i].journal.size == 0) continue;
    memset(seen, 0, sizeof seen);
    alone += !pair(i, others, from_tapes, partner, seen);
  }
  return alone;
}

/* What was released of a kind, against what was charged for it; the crashes may have lost so much. */
static int weigh(const char *what, uint64_t released, uint32_t limit, uint32_t left, uint64_t may_be_lost) {
  uint64_t charged = limit - left;
  if (!limit && !released) return EXIT_OK;
  printf("%" PRIu64 " %s of %" PRIu32 ", %" PRIu64 " charged, %" PRIu64 " lost; ", released, what, limit, charged,
         charged - released);
  if (released > limit) return error_report(EXIT_REFUSED, "more %s than the plan has", what);
  if (released > charged) return error_report(EXIT_REFUSED, "%s that were not paid for", what);
  if (charged - released > may_be_lost)
    return error_report(EXIT_REFUSED, "more than %" PRIu64 " %s lost in the crashes", may_be_lost, what);
  return EXIT_OK;
}

/* Without --reserve: each session that no row closed was a crash and held, at its last row, at most one
 * silence more than its rows say were used. In *may_be_lost the sum of these. */
static int weigh_sessions(uint64_t crashes, uint64_t *may_be_lost) {
  uint64_t open = 0, most = 0;
  int code = EXIT_OK;
  *may_be_lost = 0;
  for (const session *s = sessions; s < sessions + session_count; s++) {
    if (s->closed) continue;
    open++;
    if (s->held.silences > s->journal.silences + 1)
      code = error_report(EXIT_REFUSED, "%" PRIu32 " silences lost in a crash, %" PRIu64 " used before",
                          s->held.silences, s->journal.silences);
    if (s->held.silences > most) most = s->held.silences;
    *may_be_lost += s->held.silences;
  }
  printf("held in a crash: %" PRIu64 " or fewer; ", most);
  if (open > crashes) code = error_report(EXIT_REFUSED, "more sessions without an end than crashes");
  return code;
}

static int read_tapes(char **path, int count) {
  for (int i = 0; i < count; i++) {
    tape *t = tapes + tape_count;
    if (read_tape(path[i], t)) return error_report(EXIT_INPUT, "%s: cannot read", path[i]);
    for (size_t j = 0; j < session_count; j++)
      may[tape_count * session_count + j] = (char)fits(sessions + j, t);
    tape_count++;
  }
  return EXIT_OK;
}

/* What was written and cannot be printed from the journal is on a tape that no session accounts for. */
static int judge(const struct ledger_plan *plan, uint64_t crashes, const char *reserve) {
  uint64_t written = 0, may_be_lost = crashes * strtoull(reserve, NULL, 10);
  int goes_on = strchr(reserve, '+') != NULL;
  int code = EXIT_OK, silences, tolls, strangers = goes_on ? count_broken() : count_alone(1);
  int unwritten = goes_on ? 0 : count_alone(0);
  tape all = {0};
  for (size_t i = 0; i < tape_count; i++)
    written += tapes[i].size;
  for (size_t j = 0; j < session_count; j++) {
    all.size += sessions[j].journal.size;
    all.silences += sessions[j].journal.silences;
    all.answers += sessions[j].journal.answers;
  }
  printf("%zu answers in the journal, %" PRIu64 " written; ", all.size, written);
  if (!strncmp(reserve, "used", 4)) code = weigh_sessions(crashes, &may_be_lost);
  silences = weigh("silences", all.silences, plan->terms.limit.silences, plan->left.silences, may_be_lost);
  tolls = weigh("tolls", all.answers, plan->terms.limit.answers, plan->left.answers, may_be_lost);
  printf("%" PRIu64 " crashes, %s at a time; sessions %zu\n", crashes, reserve, session_count);
  if (!code) code = silences ? silences : tolls;
  if (strangers) code = error_report(EXIT_REFUSED, "%d outputs that no session accounts for", strangers);
  if (unwritten) code = error_report(EXIT_REFUSED, "%d closed sessions have answers that no subject wrote", unwritten);
  return code;
}

static int do_account(int argc, char **argv) {
  struct ledger_options options = {.look = 1};
  struct ledger ledger;
  size_t next = 0;
  int code;
  if (argc < 3 || argc - 3 > PARTS) return EXIT_INPUT;
  code = ledger_open(&ledger, argv[0], &options);
  if (code == EXIT_OK) code = ledger_visit(&ledger, collect, NULL);
  if (code == EXIT_OK) code = journal_visit(&ledger, 0, collect_answers, &next);
  if (code != EXIT_OK) return code;
  if (ledger.plan_count != 1 || session_count == PARTS)
    return error_report(EXIT_INPUT, "%s: not one plan, or too many sessions", argv[0]);
  only_toll = ledger.plans[0].terms.limit.silences == 0;
  may = malloc(PARTS * session_count + 1);
  if (!may) return EXIT_SYSTEM;
  code = read_tapes(argv + 3, argc - 3);
  if (!code) code = judge(ledger.plans, strtoull(argv[1], NULL, 10), argv[2]);
  for (size_t j = 0; j < tape_count; j++)
    free(tapes[j].answer), free(tapes[j].is_toll);
  for (size_t j = 0; j < session_count; j++)
    free(sessions[j].journal.answer), free(sessions[j].journal.is_toll), free(sessions[j].about);
  free(may);
  ledger_shut(&ledger);
  return code;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "answer")) return do_answer(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "kill")) return do_kill(argc - 2, argv + 2);
  if (argc > 1 && !strcmp(argv[1], "account")) return do_account(argc - 2, argv + 2);
  fputs("usage: faults answer|kill|account ...\n", stderr);
  return EXIT_INPUT;
}
