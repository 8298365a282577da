#include "learn/ranks.h"

#include <dlfcn.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "learn/ranks_engine.h"

#define RANKS_PLUG_IN "libfumata-mpi.so"
#define RANKS_SPINS   64       /* looks before the first nap */
#define RANKS_NAP     20000L   /* nanoseconds of the first nap */
#define RANKS_NAP_MAX 2000000L /* and of the longest */
#define RANKS_LINE    1024     /* characters of another rank's message */

static struct {
  const struct ranks_engine *engine; /* NULL: alone */
  int number, count;
  int is_broken; /* an operation failed: the other ranks no longer listen */
  char *said;    /* above rank 0: what was written to stderr */
  size_t length;
} ranks = {.count = 1};

int ranks_count(void) {
  return ranks.count;
}

int ranks_number(void) {
  return ranks.number;
}

int ranks_is_broken(void) {
  return ranks.is_broken;
}

void ranks_part(uint32_t all, uint32_t *first, uint32_t *last) {
  *first = (uint32_t)((uint64_t)all * (uint64_t)ranks.number / (uint64_t)ranks.count);
  *last = (uint32_t)((uint64_t)all * ((uint64_t)ranks.number + 1) / (uint64_t)ranks.count);
}

/* ---- how the processes were started ---- */

/* The value of the first variable that is set; -1 if none is. */
static int ranks_variable(const char *const *names) {
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value) return atoi(value);
  }
  return -1;
}

int ranks_launched(void) {
  static const char *const count[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", NULL};
  static const char *const number[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", NULL};
  int rank = ranks_variable(number);
  return ranks_variable(count) > 1 && rank >= 0 ? rank : -1;
}

/* Looks beside the program, where it is built; below its prefix, where it is installed; and in the usual places for
 * libraries. */
static void *ranks_load(void) {
  static const char *const places[] = {"/", "/../lib/"};
  char self[PATH_MAX], path[PATH_MAX + 64];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  char *folder;
  if (length > 0) {
    self[length] = '\0';
    folder = dirname(self);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
      snprintf(path, sizeof path, "%s%s" RANKS_PLUG_IN, folder, places[i]);
      if (access(path, R_OK) == 0) return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    }
  }
  return dlopen(RANKS_PLUG_IN, RTLD_NOW | RTLD_GLOBAL);
}

/* Says once what is missing. */
static int ranks_refuse(int launched, const char *cause) {
  if (launched) fclose(stderr), stderr = fopen("/dev/null", "w");
  return error_report(EXIT_SYSTEM, "started as one of several ranks, but %s", cause);
}

static int ranks_start(int launched) {
  void *plug_in = ranks_load();
  const struct ranks_engine *engine = plug_in ? dlsym(plug_in, RANKS_ENGINE_SYMBOL) : NULL;
  if (!engine) return ranks_refuse(launched, dlerror());
  if (engine->start(&ranks.number, &ranks.count) != 0) return ranks_refuse(launched, "MPI does not start");
  if (ranks.count < 2) {
    ranks.count = 1;
    ranks.number = 0;
    return ranks_refuse(launched, RANKS_PLUG_IN " does not speak with what started them");
  }
  ranks.engine = engine;
  return EXIT_OK;
}

/* Above rank 0 nothing is printed; the last line of its messages is kept for rank 0. */
static int ranks_hush(void) {
  FILE *said, *nowhere;
  if (ranks.number == 0) return EXIT_OK;
  said = open_memstream(&ranks.said, &ranks.length);
  nowhere = fopen("/dev/null", "w");
  if (!said || !nowhere) return memory_short();
  fflush(stdout);
  stderr = said;
  stdout = nowhere;
  return EXIT_OK;
}

static int ranks_compare_words(int argc, char **argv) {
  uint8_t mine[DIGEST_SIZE], first[DIGEST_SIZE];
  struct digest digest;
  int code;
  digest_init(&digest);
  digest_add(&digest, FUMATA_VERSION, sizeof FUMATA_VERSION);
  for (int i = 0; i < argc; i++)
    digest_add(&digest, argv[i], strlen(argv[i]) + 1);
  digest_read(&digest, mine);
  memcpy(first, mine, sizeof first);
  code = ranks_send(first, sizeof first);
  if (code) return code;
  if (memcmp(first, mine, sizeof first) != 0)
    code = error_report(EXIT_INPUT, "started with other options, or of another version, than rank 0");
  return ranks_agree(code);
}

int ranks_open(int argc, char **argv) {
  int launched = ranks_launched(), code;
  if (launched < 0 || ranks.engine) return EXIT_OK;
  code = ranks_start(launched);
  if (!code) code = ranks_hush();
  return code ? code : ranks_compare_words(argc, argv);
}

void ranks_close(void) {
  if (!ranks.engine) return;
  if (!ranks.is_broken) ranks.engine->stop();
  ranks.engine = NULL;
}

/* ---- one operation at a time ---- */

static int ranks_fail(int code) {
  ranks.is_broken = 1;
  return code;
}

/* Waits until the operation is done. A signal ends the wait: the other ranks may be gone. */
static int ranks_wait(int begun) {
  long nap = RANKS_NAP;
  int is_done = 0;
  for (unsigned looks = 0; begun == 0; looks++) {
    int code = interrupt_check();
    if (code) return ranks_fail(code);
    if (ranks.engine->test(&is_done) != 0) break;
    if (is_done) return EXIT_OK;
    if (looks >= RANKS_SPINS) {
      struct timespec time = {0, nap};
      nanosleep(&time, NULL);
      if (nap < RANKS_NAP_MAX) nap += nap / 2;
    }
  }
  return ranks_fail(error_report(EXIT_SYSTEM, "the ranks have lost each other: MPI failed"));
}

static int ranks_send_from(void *bytes, size_t size, int from) {
  unsigned char *at = bytes;
  int code = EXIT_OK;
  if (ranks.count > 1 && ranks.is_broken) return EXIT_SYSTEM;
  while (!code && size && ranks.count > 1) {
    size_t part = size < RANKS_ENGINE_MOST ? size : RANKS_ENGINE_MOST;
    code = ranks_wait(ranks.engine->send(at, part, from));
    at += part;
    size -= part;
  }
  return code;
}

int ranks_send(void *bytes, size_t size) {
  return ranks_send_from(bytes, size, 0);
}

int ranks_give(void *bytes, size_t size, int from) {
  unsigned char *at = bytes;
  int code = EXIT_OK;
  if (ranks.count > 1 && ranks.is_broken) return EXIT_SYSTEM;
  if (from == 0 || (ranks.number != 0 && ranks.number != from)) return EXIT_OK;
  while (!code && size) {
    size_t part = size < RANKS_ENGINE_MOST ? size : RANKS_ENGINE_MOST;
    code = ranks_wait(ranks.engine->give(at, part, from));
    at += part;
    size -= part;
  }
  return code;
}

int ranks_add(uint32_t *numbers, size_t count) {
  int code = EXIT_OK;
  if (ranks.count > 1 && ranks.is_broken) return EXIT_SYSTEM;
  while (!code && count && ranks.count > 1) {
    size_t part = count < RANKS_ENGINE_MOST ? count : RANKS_ENGINE_MOST;
    code = ranks_wait(ranks.engine->add(numbers, part));
    numbers += part;
    count -= part;
  }
  return code;
}

/* ---- agreement ---- */

/* The last line that this rank would have printed, and its host. */
static void ranks_line(char line[RANKS_LINE]) {
  static const char prefix[] = "fumata: ";
  char host[256] = "";
  const char *text = "it failed";
  gethostname(host, sizeof host - 1);
  fflush(stderr);
  if (ranks.said && ranks.length) {
    char *end = ranks.said + ranks.length, *last;
    if (end[-1] == '\n') *--end = '\0';
    last = strrchr(ranks.said, '\n');
    text = last ? last + 1 : ranks.said;
    if (!strncmp(text, prefix, sizeof prefix - 1)) text += sizeof prefix - 1;
  }
  snprintf(line, RANKS_LINE, "rank %d on %.60s: %.900s", ranks.number, host, text);
}

int ranks_agree(int code) {
  char line[RANKS_LINE] = "";
  uint32_t *codes;
  int failed, first = 0;
  if (ranks.count == 1) return code;
  failed = memory_take(&codes, (size_t)ranks.count, sizeof *codes);
  if (failed) return ranks_fail(failed);
  codes[ranks.number] = (uint32_t)code;
  failed = ranks_add(codes, (size_t)ranks.count);
  if (!failed) failed = ranks_send(codes, (size_t)ranks.count * sizeof *codes);
  while (!failed && first < ranks.count && !codes[first])
    first++;
  if (!failed && first == ranks.count) return free(codes), EXIT_OK;
  if (!failed) code = (int)codes[first];
  free(codes);
  if (failed) return failed;
  if (first == ranks.number) ranks_line(line);
  failed = ranks_send_from(line, sizeof line, first);
  if (failed) return failed;
  return ranks.number == 0 && first > 0 ? error_report(code, "%s", line) : code;
}
