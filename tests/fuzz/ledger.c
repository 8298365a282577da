/* Ledgers: rows of all kinds with a chain that fits, so that the rules for rows are tried and not the digests; or a file of
 * any bytes. A ledger that opens says nothing impossible, opens again after it was shut, and is then as it was.
 *
 * The source of the rows is included for the digest of a row. */
#include "gate/ledger_rows.c" /* NOLINT */

#include <sys/stat.h>

#include "fuzz/harness.h"

static char folder[64], path[96];
static unsigned char *base; /* a ledger without a plan, as a file */
static size_t base_size;

static void remove_all(void) {
  static const char *const suffixes[] = {"", "-mark", "-wal", "-shm", "-journal"};
  char name[128];
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
    snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
    unlink(name);
  }
}

static void remove_folder(void) {
  remove_all();
  rmdir(folder);
}

/* A folder in memory, and the new ledger that every input begins with. */
static void prepare(void) {
  struct ledger_options options = {.make = 1, .keep = 1};
  struct ledger ledger;
  struct stat about;
  FILE *file;
  if (base) return;
  strcpy(folder, "/dev/shm/fumata-fuzz-XXXXXX");
  FUZZ_MUST(mkdtemp(folder) != NULL);
  atexit(remove_folder);
  snprintf(path, sizeof path, "%s/ledger", folder);
  FUZZ_MUST(ledger_open(&ledger, path, &options) == EXIT_OK);
  ledger_shut(&ledger);
  FUZZ_MUST(stat(path, &about) == 0 && (base = malloc((size_t)about.st_size)) != NULL);
  base_size = (size_t)about.st_size;
  file = fopen(path, "rb");
  FUZZ_MUST(file && fread(base, 1, base_size, file) == base_size);
  fclose(file);
}

static void put(const char *suffix, const void *bytes, size_t size) {
  char name[128];
  FILE *file;
  snprintf(name, sizeof name, "%s%s", path, suffix);
  file = fopen(name, "wb");
  FUZZ_MUST(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* ---- rows out of bytes ---- */

/* Small mostly, absent often, any number now and then. */
static int64_t any_number(struct fuzz *fuzz) {
  uint8_t byte = fuzz_byte(fuzz);
  if (byte == 255) return -1;
  return byte == 254 ? (int64_t)(fuzz_number(fuzz, 8) >> 1) : byte;
}

static const char *any_cost(struct fuzz *fuzz, char text[48]) {
  uint8_t byte = fuzz_byte(fuzz);
  if (byte == 255) return NULL;
  if (byte == 254)
    snprintf(text, 48, "%.*s", (int)(fuzz->left < 8 ? fuzz->left : 8), (const char *)fuzz_cut(fuzz, 8).at);
  else if (byte == 253)
    snprintf(text, 48, "%llu/%llu", (unsigned long long)fuzz_number(fuzz, 8), (unsigned long long)fuzz_number(fuzz, 8));
  else
    snprintf(text, 48, "%u/%u", byte % 16, byte / 16);
  return text;
}

static const char *any_note(struct fuzz *fuzz, char text[16]) {
  static const char *const known[] = {NULL, "meter", "classic", "toll", "both", "5 units", "0 units", "-1 units"};
  uint8_t byte = fuzz_byte(fuzz);
  if (byte < 8) return known[byte];
  snprintf(text, 16, "%.*s", (int)(fuzz->left < 8 ? fuzz->left : 8), (const char *)fuzz_cut(fuzz, 8).at);
  return text;
}

/* Adds one row behind the ledger's last, whether it may stand there or not. */
static void add_row(struct ledger *ledger, struct fuzz *fuzz, uint64_t number) {
  static const char *const kinds[] = {"made",  "data",   "total", "plan", "resume",  "reserve",
                                      "close", "charge", "count", "none", "reserve", "close"};
  static const uint8_t mark[DIGEST_SIZE] = {7};
  char epsilon[48], delta[48], note[16];
  uint8_t kind = fuzz_byte(fuzz);
  struct ledger_row row = ledger_rows_blank(kinds[kind % 12]);
  row.number = number;
  row.time = "-";
  row.plan = any_number(fuzz);
  row.left = any_number(fuzz);
  row.labels = any_number(fuzz);
  row.silences = any_number(fuzz);
  row.answers_left = any_number(fuzz);
  row.answers = any_number(fuzz);
  row.epsilon = any_cost(fuzz, epsilon);
  row.delta = any_cost(fuzz, delta);
  row.note = any_note(fuzz, note);
  row.mark = kind & 128 ? NULL : mark;
  ledger->rows = number;
  ledger_rows_digest(ledger->head, &row, ledger->head);
  FUZZ_MUST(ledger_rows_insert(ledger, &row) == 0);
}

static void add_rows(struct fuzz *fuzz) {
  struct ledger_options options = {.look = 1};
  struct ledger ledger;
  put("", base, base_size);
  FUZZ_MUST(ledger_open(&ledger, path, &options) == EXIT_OK);
  sqlite3_exec(ledger.file, "COMMIT; PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY; BEGIN", NULL, NULL, NULL);
  for (uint64_t number = ledger.rows + 1; fuzz->left && number < 40; number++)
    add_row(&ledger, fuzz, number);
  FUZZ_MUST(sqlite3_exec(ledger.file, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
  ledger_shut(&ledger);
}

/* ---- what must hold ---- */

static void check_plan(const struct ledger_plan *plan) {
  FUZZ_MUST(plan->left.silences <= plan->terms.limit.silences && plan->left.answers <= plan->terms.limit.answers);
  FUZZ_MUST(plan->silences + plan->left.silences + plan->reserved.silences <= plan->terms.limit.silences);
  FUZZ_MUST(plan->answers + plan->left.answers + plan->reserved.answers <= plan->terms.limit.answers);
  FUZZ_MUST(plan->terms.epsilon.den && plan->terms.delta.den && plan->unclosed <= plan->sessions);
}

static void check(const struct ledger *ledger) {
  struct rational epsilon = {0, 0}, sum;
  for (size_t i = 0; i < ledger->plan_count; i++) {
    check_plan(&ledger->plans[i]);
    FUZZ_MUST(ledger_sum_add(epsilon, ledger->plans[i].terms.epsilon, &sum) == 0);
    epsilon = sum;
  }
  if (epsilon.den) FUZZ_MUST(!ledger_sum_exceeds(epsilon, ledger->spent_epsilon));
  if (ledger->spent_epsilon.den) FUZZ_MUST(!ledger_sum_exceeds(ledger->spent_epsilon, ledger->total_epsilon));
  if (ledger->spent_delta.den) FUZZ_MUST(!ledger_sum_exceeds(ledger->spent_delta, ledger->total_delta));
}

static void count_row(void *context, const struct ledger_row *row) {
  ++*(uint64_t *)context;
  FUZZ_MUST(row->kind && row->time);
}

/* Opens, goes through the rows, takes up a plan and reserves, as a process at work does. */
static int use(uint8_t head[DIGEST_SIZE], int look, int work) {
  struct ledger_options options = {.look = look};
  struct ledger ledger;
  struct plan_quota left;
  uint64_t rows = 0;
  int code = ledger_open(&ledger, path, &options);
  if (!code) {
    check(&ledger);
    FUZZ_MUST(ledger_visit(&ledger, count_row, &rows) == EXIT_OK && rows == ledger.rows);
    if (work && ledger.plan_count) {
      struct plan_terms terms = ledger.plans[0].terms;
      code = ledger_begin(&ledger, &terms, 0, &left);
      if (!code && left.silences) code = ledger_reserve(&ledger, (struct plan_quota){left.silences - 1, left.answers});
      check(&ledger);
      if (code) fuzz_judge(code), fuzz_listen(), code = EXIT_OK;
    }
    memcpy(head, ledger.head, DIGEST_SIZE);
  }
  ledger_shut(&ledger);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz), first[DIGEST_SIZE], second[DIGEST_SIZE];
  int code, look = how >> 1 & 1;
  prepare();
  fuzz_listen();
  remove_all();
  if (how & 1) {
    struct fuzz mark = fuzz_cut(&fuzz, how & 4 ? 256 : 0);
    if (mark.left) put("-mark", mark.at, mark.left);
    put("", fuzz.at, fuzz.left);
  } else {
    add_rows(&fuzz);
  }
  fuzz_listen();
  code = fuzz_judge(use(first, look, how & 8));
  FUZZ_MUST(code != EXIT_SYSTEM || how & 1); /* of any bytes SQLite may say that the disk fails */
  if (code == EXIT_OK) {
    FUZZ_MUST(fuzz_judge(use(second, 1, 0)) == EXIT_OK);
    FUZZ_MUST(!memcmp(first, second, DIGEST_SIZE));
  }
  return 0;
}
