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
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hush.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "data/npy.h"
#include "learn/learner.h"

#define EXEC_PATIENCE 20u      /* so that a run that computes is not stopped on a busy machine */
#define EXEC_PATH     512      /* bytes of a path */
#define EXEC_NAP      200000L  /* nanoseconds of the first wait for a command: short scripts end at once */
#define EXEC_NAP_MAX  10000000 /* and the longest wait */
#define EXEC_TRIAL    8        /* made-up rows on which a command is tried: all classes if there are at most eight */

#define EXEC_FOLDER "fumata.exec."
#define EXEC_STALE  60 /* seconds: an unlocked folder this old was left by a process that was killed */

/* The files of one run. */
struct exec_run {
  int lock; /* on the folder, for as long as the process lives */
  char folder[EXEC_PATH - 16];
  char rows[EXEC_PATH], labels[EXEC_PATH], model[EXEC_PATH], answers[EXEC_PATH];
};

static int exec_remove(const char *path, const struct stat *about, int type, struct FTW *where) {
  (void)about;
  (void)type;
  (void)where;
  remove(path);
  return 0;
}

/* Removes a folder with private rows that a killed process of this user left. */
static void exec_sweep_one(const char *folder) {
  int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat about;
  if (fd < 0) return;
  if (fstat(fd, &about) == 0 && about.st_uid == geteuid() && time(NULL) - about.st_mtime >= EXEC_STALE &&
      flock(fd, LOCK_EX | LOCK_NB) == 0)
    nftw(folder, exec_remove, 8, FTW_DEPTH | FTW_PHYS);
  close(fd);
}

/* Runs once in each process. */
static void exec_sweep(const char *place) {
  static atomic_int is_swept;
  char *pattern = NULL;
  glob_t found;
  if (atomic_exchange(&is_swept, 1) || memory_print(&pattern, "%s/" EXEC_FOLDER "??????", place)) return;
  if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      exec_sweep_one(found.gl_pathv[i]);
    globfree(&found);
  }
  free(pattern);
}

static int exec_begin(struct exec_run *run) {
  const char *named = getenv("TMPDIR"), *place = named && *named ? named : "/tmp";
  int length = snprintf(run->folder, sizeof run->folder, "%s/" EXEC_FOLDER "XXXXXX", place);
  if (length < 0 || (size_t)length >= sizeof run->folder) return error_report(EXIT_INPUT, "TMPDIR is too long");
  exec_sweep(place);
  if (!mkdtemp(run->folder)) return error_report(EXIT_SYSTEM, "%s: cannot write: %s", run->folder, strerror(errno));
  run->lock = open(run->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (run->lock >= 0) flock(run->lock, LOCK_SH | LOCK_NB);
  snprintf(run->rows, sizeof run->rows, "%s/rows.npy", run->folder);
  snprintf(run->labels, sizeof run->labels, "%s/labels.npy", run->folder);
  snprintf(run->model, sizeof run->model, "%s/model", run->folder);
  snprintf(run->answers, sizeof run->answers, "%s/answers", run->folder);
  return EXIT_OK;
}

/* Removes the folder with all files that the command put there. */
static void exec_end(struct exec_run *run) {
  nftw(run->folder, exec_remove, 8, FTW_DEPTH | FTW_PHYS);
  if (run->lock >= 0) close(run->lock);
}

static int exec_close(FILE *stream, const char *path) {
  int failed = !stream || ferror(stream);
  if (stream && fclose(stream) != 0) failed = 1;
  return failed ? error_report(EXIT_SYSTEM, "%s: cannot write: %s", path, strerror(errno)) : EXIT_OK;
}

/* `lesson->row` NULL means rows first .. first + count - 1. */
static int exec_write_rows(const char *path, const struct lesson *lesson, size_t first) {
  const struct rows *rows = lesson->rows;
  char shape[64];
  FILE *stream;
  float *row;
  int code = memory_take(&row, rows->columns, sizeof *row);
  if (code) return code;
  snprintf(shape, sizeof shape, "(%zu, %u)", lesson_size(lesson), rows->columns);
  stream = fopen(path, "wb");
  if (stream) npy_write_head(stream, "<f4", shape);
  for (size_t e = 0; stream && e < lesson->count; e++) {
    rows_expand(rows, lesson->row ? lesson->row[e] : first + e, row);
    for (size_t n = lesson_times(lesson, e); n; n--)
      fwrite(row, sizeof *row, rows->columns, stream);
  }
  free(row);
  return exec_close(stream, path);
}

static int exec_write_labels(const char *path, const struct lesson *lesson) {
  FILE *stream = fopen(path, "wb");
  char shape[64];
  snprintf(shape, sizeof shape, "(%zu,)", lesson_size(lesson));
  if (stream) npy_write_head(stream, "<i4", shape);
  for (size_t e = 0; stream && e < lesson->count; e++) {
    int32_t label = lesson_label(lesson, e);
    for (size_t n = lesson_times(lesson, e); n; n--)
      fwrite(&label, sizeof label, 1, stream);
  }
  return exec_close(stream, path);
}

/* In the child: sets the limits and starts the shell. */
static void exec_become(const struct learner *learner, char *const argv[]) {
  struct rlimit cpu = {learner->seconds, learner->seconds + 1}, core = {0, 0};
  int null = open("/dev/null", O_RDWR);
  setpgid(0, 0);
  if (null < 0 || setrlimit(RLIMIT_CPU, &cpu) != 0 || setrlimit(RLIMIT_CORE, &core) != 0) _exit(126);
  dup2(null, 0);
  dup2(learner->verbose ? hush_descriptor() : null, 1);
  dup2(learner->verbose ? 1 : null, 2);
  signal(SIGPIPE, SIG_DFL);
  execv("/bin/sh", argv);
  _exit(127);
}

/* Waits for the command to end by itself, up to a limit or a signal to stop; returns whether it ended with status 0. */
static int exec_wait(const struct learner *learner, pid_t child) {
  double until = clock_now() + (double)learner->seconds * EXEC_PATIENCE;
  long nap = EXEC_NAP;
  int status = 0;
  pid_t ended;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && clock_now() < until && !interrupt_signal()) {
    struct timespec wait = {0, nap};
    nanosleep(&wait, NULL);
    if (nap < EXEC_NAP_MAX) nap += nap / 2;
  }
  /* ends whatever it left running */
  kill(-child, SIGKILL);
  if (ended == 0) waitpid(child, &status, 0);
  return ended != 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs COMMAND VERB A B C CLASSES; *failed = 0 only if it ended by itself with status 0. */
static int exec_spawn(const struct learner *learner, const char *verb, const char *a, const char *b, const char *c,
                      int *failed) {
  char classes[16], *script;
  char *argv[] = {"sh", "-c", NULL, "fumata", (char *)verb, (char *)a, (char *)b, (char *)c, classes, NULL};
  int code = memory_print(&script, "%s \"$@\"", learner->command);
  pid_t child;
  *failed = 1;
  if (code) return code;
  snprintf(classes, sizeof classes, "%u", learner->classes);
  argv[2] = script;
  child = fork();
  if (child == 0) exec_become(learner, argv);
  free(script);
  if (child < 0) return error_report(EXIT_SYSTEM, "cannot start a process: %s", strerror(errno));
  setpgid(child, child);
  *failed = !exec_wait(learner, child);
  return interrupt_check(); /* a command that was stopped has not failed */
}

/* Reads the whole file and puts a NUL behind it; *failed if the file is missing or empty. */
static int exec_read(const char *path, unsigned char **bytes, size_t *size, int *failed) {
  FILE *stream = fopen(path, "rb");
  struct stat about;
  int code = EXIT_OK;
  *failed = 1;
  *bytes = NULL;
  if (!stream) return EXIT_OK;
  if (fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0) {
    *size = (size_t)about.st_size;
    code = memory_take(bytes, *size + 1, 1);
    *failed = code || fread(*bytes, 1, *size, stream) != *size;
    if (*failed) {
      free(*bytes);
      *bytes = NULL;
    }
  }
  fclose(stream);
  return code;
}

static int exec_train(const struct learner *learner, const struct lesson *lesson, struct learned *learned) {
  struct exec_run run;
  int failed = 0, code = exec_begin(&run);
  if (code) return code;
  code = exec_write_rows(run.rows, lesson, 0);
  if (!code) code = exec_write_labels(run.labels, lesson);
  if (!code) code = exec_spawn(learner, "train", run.rows, run.labels, run.model, &failed);
  if (!code && !failed) code = exec_read(run.model, &learned->bytes, &learned->size, &failed);
  if (code || failed) learned_free(learned);
  exec_end(&run);
  return code;
}

/* Reads exactly `count` lines, each a label. A NUL follows the text; the text contains none. */
static int exec_parse_labels(const char *text, size_t size, size_t count, uint32_t classes, uint32_t *labels) {
  const char *end = text + size;
  for (size_t i = 0; i < count; i++) {
    uint32_t label = 0;
    if (*text < '0' || *text > '9') return -1;
    for (; *text >= '0' && *text <= '9'; text++)
      if ((label = label * 10 + (uint32_t)(*text - '0')) >= classes) return -1;
    if (*text == '\r') text++;
    if (*text == '\n')
      text++;
    else if (*text || i + 1 < count)
      return -1;
    labels[i] = label;
  }
  return text == end ? 0 : -1;
}

/* Keeps the bytes where they are: each run has a file of its own. */
static int exec_open(const struct learner *learner, const struct learned *learned, void **model) {
  (void)learner;
  *model = (void *)learned;
  return EXIT_OK;
}

/* All labels are 0 when the command fails. */
static int exec_label(const struct learner *learner, void *model, const struct rows *rows, size_t first, size_t count,
                      uint32_t *labels, int *failed) {
  const struct learned *learned = model;
  struct lesson batch = {.rows = rows, .count = count};
  struct exec_run run;
  unsigned char *text = NULL;
  size_t size = 0;
  FILE *stream;
  int code;
  *failed = 0;
  memset(labels, 0, count * sizeof *labels);
  if (!learned->size) return EXIT_OK;
  code = exec_begin(&run);
  if (code) return code;
  code = exec_write_rows(run.rows, &batch, first);
  if (!code) {
    stream = fopen(run.model, "wb");
    if (stream) fwrite(learned->bytes, 1, learned->size, stream);
    code = exec_close(stream, run.model);
  }
  if (!code) code = exec_spawn(learner, "predict", run.rows, run.model, run.answers, failed);
  if (!code && !*failed) code = exec_read(run.answers, &text, &size, failed);
  if (!code && !*failed && exec_parse_labels((char *)text, size, count, learner->classes, labels) != 0) *failed = 1;
  if (code || *failed) memset(labels, 0, count * sizeof *labels);
  free(text);
  exec_end(&run);
  return code;
}

/* Tries on made-up rows whether the command keeps the protocol. */
static int exec_try(const struct learner *learner) {
  size_t order[EXEC_TRIAL];
  uint32_t labels[EXEC_TRIAL];
  struct rows rows;
  struct learned learned = {0};
  struct lesson lesson = {.rows = &rows, .row = order, .count = EXEC_TRIAL};
  int failed = 1, code;
  rows_init(&rows, learner->columns, 1);
  code = rows_reserve(&rows, EXEC_TRIAL, 0);
  for (uint32_t i = 0; !code && i < EXEC_TRIAL; i++) {
    float *row = rows_push_dense(&rows, (int32_t)(i % learner->classes), 0, 0);
    for (uint32_t j = 0; j < learner->columns; j++)
      row[j] = (float)((i * 7 + j * 3) % 5) / 5;
    order[i] = i;
  }
  /* All cores are in use already: more threads of the command would only slow it down. */
  setenv("OMP_NUM_THREADS", "1", 0);
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  if (!code) code = exec_train(learner, &lesson, &learned);
  if (!code && learned.size) code = exec_label(learner, &learned, &rows, 0, EXEC_TRIAL, labels, &failed);
  if (!code && failed)
    code = error_report(EXIT_INPUT,
                        "exec: '%.60s' %s on made-up rows; --unsafe-verbose shows what it says, and "
                        "man fumata-learn the protocol",
                        learner->command, learned.size ? "does not predict" : "writes no model");
  learned_free(&learned);
  rows_free(&rows);
  return code;
}

static int exec_parse(struct learner *learner, const char *option, const char *text) {
  if (text && *text) return memory_print(&learner->command, "%s", text);
  return error_report(EXIT_INPUT, "%s: exec needs a command, for instance exec:./learner.py", option);
}

static void exec_print(const struct learner *learner, char *text, size_t size) {
  snprintf(text, size, "%s", learner->command);
}

const struct learner_kind learner_exec = {.name = "exec",
                                          .form = "exec:COMMAND",
                                          .traits = LEARNER_COMMAND,
                                          .parse = exec_parse,
                                          .print = exec_print,
                                          .train = exec_train,
                                          .try_out = exec_try,
                                          .open = exec_open,
                                          .label = exec_label,
                                          .unlikely = "a command gives labels only"};
