/* What the fault tests need besides the fumata program.
 *
 *   faults answer LEDGER PLAN COUNT SEED [FLIP]   answer COUNT ready verdicts with the core and the ledger, one
 *                                                 `id,answer` line each on stdout, by write(); FLIP turns one round
 *   faults kill COUNT MS SEED WORKERS OUT -- COMMAND...   run COMMAND over and over, stdout to OUT.1, OUT.2, ...; end
 *                                                 each with SIGKILL after 0 .. MS milliseconds, until COUNT were killed
 *                                                 at work; "{}" in COMMAND becomes the number of the run
 *   faults account LEDGER CRASHES OUT...          compare what was written with what the ledger says */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/coins.h"
#include "base/error.h"
#include "ledger/ledger.h"
#include "plan/plan_file.h"
#include "release/machine.h"

static uint64_t mix(uint64_t z) {
  z += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* ---- answer ---- */

/* One query in four is a tie, which is always met with silence; the others are as clear as the table knows. */
static fumata_verdict query(uint64_t seed, uint64_t i, uint64_t flip, uint32_t clear) {
  uint64_t word = mix(seed * 1000003 + i);
  int is_tie = word % 4 == 0;
  fumata_verdict verdict;
  if (i == flip) is_tie = !is_tie;
  verdict.winner = (uint32_t)(word >> 8) % 3;
  verdict.distance = is_tie ? 0 : clear;
  return verdict;
}

static int put(uint64_t i, int32_t answer) {
  char line[48];
  int size = answer == FUMATA_SILENT ? snprintf(line, sizeof line, "%" PRIu64 ",silent\n", i)
                                     : snprintf(line, sizeof line, "%" PRIu64 ",%" PRId32 "\n", i, answer);
  if (write(STDOUT_FILENO, line, (size_t)size) != size) return error_report(EXIT_SYSTEM, "cannot write the answer");
  return EXIT_OK;
}

static int answer_all(struct ledger *ledger, const struct plan_box *box, char **argv, int argc) {
  uint64_t count = strtoull(argv[2], NULL, 10), seed = strtoull(argv[3], NULL, 10), i;
  uint64_t flip = argc > 4 ? strtoull(argv[4], NULL, 10) : UINT64_MAX;
  struct plan_terms terms;
  struct machine machine;
  struct coins coins;
  struct plan_quota left;
  int code;
  coins_seed(&coins, seed);
  plan_terms(box, &terms);
  code = ledger_begin(ledger, &terms, 0, &left);
  if (code) return code;
  if (machine_resume(&machine, box, left) != FUMATA_OK) return error_report(EXIT_REFUSED, "the plan does not resume");
  for (i = 0; i < count && machine_left(&machine).silences; i++) {
    fumata_verdict verdict;
    uint64_t coin;
    int32_t result;
    if (!machine_reserved(&machine).silences) code = machine_reserve(&machine, ledger, &coins, PLAN_KIND_METER, 1);
    if (code) return code;
    verdict = query(seed, i, flip, box->meter.size);
    code = coins_draw(&coins, &coin);
    if (code) return code;
    if (machine_answer(&machine, &verdict, coin, &result) != FUMATA_OK)
      return error_report(EXIT_SYSTEM, "the core does not answer");
    code = put(i, result);
    if (code) return code;
    ledger_record(ledger, PLAN_KIND_METER, result);
  }
  return machine_close(&machine, ledger);
}

static int do_answer(int argc, char **argv) {
  struct ledger_options options;
  struct plan_box box;
  struct ledger ledger;
  int code;
  if (argc < 4) return EXIT_INPUT;
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

/* Runs that ended by themselves (in use, stream at its end, spent) are not crashes. */
static int do_kill(int argc, char **argv) {
  unsigned wanted, workers, run = 0, killed = 0, ended[256] = {0}, i;
  uint64_t longest, seed;
  const char *out;
  char said[4096];
  pid_t child[8] = {0};
  if (argc < 7 || strcmp(argv[5], "--") != 0) return EXIT_INPUT;
  wanted = (unsigned)atoi(argv[0]);
  longest = strtoull(argv[1], NULL, 10) * 1000;
  seed = strtoull(argv[2], NULL, 10);
  workers = (unsigned)atoi(argv[3]);
  out = argv[4];
  snprintf(said, sizeof said, "%s.said", out);
  if (workers < 1 || workers > 8) return EXIT_INPUT;
  while (killed < wanted && run < 20 * wanted + 100) {
    int status;
    for (i = 0; i < workers; i++) {
      if (child[i]) continue;
      run++;
      child[i] = fork();
      if (child[i] == 0) run_command(argv + 6, out, run, said);
    }
    nap(mix(seed + run * 8 + killed) % (longest + 1) / workers);
    i = (unsigned)(mix(seed + run * 8 + killed + 1) % workers);
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

/* One session of the ledger: what its rows counted. */
typedef struct {
  uint64_t answers;
  uint8_t mark[DIGEST_SIZE];
  int reserved; /* some reservation was made */
  int closed;
} session;

static session sessions[PARTS];
static size_t session_count;

static void collect(void *context, const struct ledger_row *row) {
  session *s = session_count ? sessions + session_count - 1 : NULL;
  (void)context;
  if (!strcmp(row->kind, "plan") || !strcmp(row->kind, "resume")) {
    if (session_count < PARTS) memset(sessions + session_count++, 0, sizeof *s);
  } else if (s && (!strcmp(row->kind, "reserve") || !strcmp(row->kind, "close"))) {
    s->answers += (uint64_t)row->labels + (uint64_t)row->silences;
    memcpy(s->mark, row->mark, DIGEST_SIZE);
    if (!strcmp(row->kind, "close"))
      s->closed = 1;
    else
      s->reserved = 1;
  }
}

typedef struct {
  int32_t *answer;
  size_t size, silences;
} tape;

/* Lines `id,answer`; other lines (a head line) are passed over. A line that was cut off counts if its answer can be
 * told from what is there. */
static int read_tape(const char *path, tape *t) {
  FILE *file = fopen(path, "r");
  char line[4096];
  size_t room = 0;
  memset(t, 0, sizeof *t);
  if (!file) return -1;
  while (fgets(line, sizeof line, file)) {
    const char *comma = strchr(line, ',');
    if (!comma || (comma[1] != 's' && (comma[1] < '0' || comma[1] > '9'))) continue;
    if (t->size == room) t->answer = realloc(t->answer, (room = 2 * room + 64) * sizeof *t->answer);
    if (!t->answer) return -1;
    t->answer[t->size] = comma[1] == 's' ? FUMATA_SILENT : (int32_t)atoi(comma + 1);
    t->silences += t->answer[t->size++] == FUMATA_SILENT;
  }
  fclose(file);
  return 0;
}

/* Is this what session `s` may have written? What its rows count must be there as digested; beyond that, only the
 * stretch of the last reservation: labels, then at most one silence. */
static int fits(const session *s, const tape *t) {
  struct digest digest;
  uint8_t mark[DIGEST_SIZE];
  size_t i;
  if (t->size < s->answers || (t->size > s->answers && (!s->reserved || s->closed))) return 0;
  digest_init(&digest);
  for (i = 0; i < s->answers; i++) {
    uint8_t bytes[3];
    digest_add(&digest, bytes, ledger_encode(t->answer[i], bytes));
  }
  digest_read(&digest, mark);
  if (s->answers && memcmp(mark, s->mark, sizeof mark) != 0) return 0;
  for (; i < t->size; i++)
    if (t->answer[i] == FUMATA_SILENT && i + 1 != t->size) return 0;
  return 1;
}

static tape tapes[PARTS];
static size_t tape_count;
static char *may; /* may[i * session_count + j]: tape i may be of session j */

/* Which tape is of which session is not written anywhere: look for a pairing in which each has its own (augmenting
 * paths). `from_tapes` 1 pairs every tape, 0 every session that counts answers. Returns how many stay alone. */
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

static int count_alone(int from_tapes) {
  size_t ones = from_tapes ? tape_count : session_count, others = from_tapes ? session_count : tape_count, i;
  static int partner[PARTS];
  static char seen[PARTS];
  int alone = 0;
  for (i = 0; i < PARTS; i++)
    partner[i] = -1;
  for (i = 0; i < ones; i++) {
    if (from_tapes ? tapes[i].size == 0 : sessions[i].answers == 0) continue;
    memset(seen, 0, sizeof seen);
    alone += !pair(i, others, from_tapes, partner, seen);
  }
  return alone;
}

static int do_account(int argc, char **argv) {
  struct ledger_options options;
  struct ledger ledger;
  uint64_t crashes = argc > 1 ? strtoull(argv[1], NULL, 10) : 0, silences = 0, answers = 0, charged, counted = 0;
  int code, i, strangers, unwritten;
  size_t j;
  if (argc < 2 || argc - 2 > PARTS) return EXIT_INPUT;
  memset(&options, 0, sizeof options);
  options.look = 1;
  code = ledger_open(&ledger, argv[0], &options);
  if (code == EXIT_OK) code = ledger_visit(&ledger, collect, NULL);
  if (code != EXIT_OK) return code;
  if (ledger.plan_count != 1 || session_count == PARTS)
    return error_report(EXIT_INPUT, "%s: not one plan, or too many sessions", argv[0]);
  charged = ledger.plans[0].terms.limit.silences - ledger.plans[0].left.silences;
  may = malloc(PARTS * session_count + 1);
  if (!may) return EXIT_SYSTEM;
  for (i = 2; i < argc; i++) {
    tape *t = tapes + tape_count;
    if (read_tape(argv[i], t)) return error_report(EXIT_INPUT, "%s: cannot read", argv[i]);
    silences += t->silences;
    answers += t->size;
    for (j = 0; j < session_count; j++)
      may[tape_count * session_count + j] = (char)fits(sessions + j, t);
    tape_count++;
  }
  for (j = 0; j < session_count; j++)
    counted += sessions[j].answers;
  strangers = count_alone(1);
  unwritten = count_alone(0);
  printf("%" PRIu64 " answers, %" PRIu64 " counted in rows; %" PRIu64 " silences of %" PRIu32 ", %" PRIu64
         " charged, %" PRIu64 " lost in %" PRIu64 " crashes; sessions %zu\n",
         answers, counted, silences, ledger.plans[0].terms.limit.silences, charged, charged - silences, crashes,
         session_count);
  if (silences > ledger.plans[0].terms.limit.silences) code = error_report(EXIT_REFUSED, "more silences than T");
  if (silences > charged)
    code = error_report(EXIT_REFUSED, "a silence that was not paid for");
  else if (charged - silences > crashes)
    code = error_report(EXIT_REFUSED, "more than one silence lost a crash");
  if (strangers) code = error_report(EXIT_REFUSED, "%d outputs that no session accounts for", strangers);
  if (unwritten) code = error_report(EXIT_REFUSED, "%d sessions count answers that nobody wrote", unwritten);
  for (j = 0; j < tape_count; j++)
    free(tapes[j].answer);
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
