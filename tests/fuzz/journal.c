/* What a crash leaves of a ledger's answers. FILE-mark with any bytes, or with answers that are as they should be up to one that is
 * not: the next open takes in exactly the answers before that one, once. And a batch in FILE whose answers, text or state were changed
 * behind its back: the ledger is refused. */
#include "gate/journal.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "fuzz/harness.h"
#include "gate/key.h"
#include "gate/ledger.h"

#define MOST  64  /* answers in FILE-mark */
#define START 256 /* where they begin there, behind two marks */
#define PLACE 48
#define SIZE  24 /* bytes of an answer in FILE */

static const char *const suffixes[] = {"", "-wal", "-mark", "-key", "-shm", "-journal"};
static char folder[64], path[96];
static struct {
  unsigned char bytes[1 << 17];
  size_t size;
} kept[4]; /* of a ledger at work: the first four, as a crash leaves them */
static uint64_t last_row;

static const char *name_of(size_t i) {
  static char name[128];
  snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
  return name;
}

static void remove_all(void) {
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    unlink(name_of(i));
}

static void remove_folder(void) {
  remove_all();
  rmdir(folder);
}

static void put(size_t i, const void *bytes, size_t size) {
  FILE *file = fopen(name_of(i), "wb");
  FUZZ_MUST(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 && chmod(name_of(i), 0600) == 0);
}

static void begin(struct ledger *ledger, struct plan_quota *left) {
  static const uint64_t table[1] = {1}, named[1] = {UINT64_C(1) << 63};
  struct plan_box box = {.mechanism = PLAN_MECHANISM_BOTH,
                         .claim = {1, 2, 1, 100000, 8, UINT64_C(1) << 33, UINT64_C(1) << 33},
                         .meter = {table, 1, 1000},
                         .toll = {named, 1, 1000}};
  struct plan_terms terms;
  plan_terms(&box, &terms);
  FUZZ_MUST(ledger_begin(ledger, &terms, LEDGER_ONCE, left) == EXIT_OK);
}

/* A ledger with a plan of which a hundred of each kind are reserved. */
static void prepare(void) {
  struct ledger_options options = {.make = 1, .keep = 1};
  struct ledger ledger;
  struct plan_quota left;
  if (*folder) return;
  strcpy(folder, "/dev/shm/fumata-fuzz-XXXXXX");
  FUZZ_MUST(mkdtemp(folder) != NULL);
  atexit(remove_folder);
  snprintf(path, sizeof path, "%s/ledger", folder);
  FUZZ_MUST(ledger_open(&ledger, path, &options) == EXIT_OK);
  begin(&ledger, &left);
  FUZZ_MUST(ledger_reserve(&ledger, (struct plan_quota){900, 1000}) == EXIT_OK);
  FUZZ_MUST(ledger_reserve(&ledger, (struct plan_quota){900, 900}) == EXIT_OK);
  FUZZ_MUST(journal_room(&ledger, 1) == EXIT_OK);
  last_row = ledger.journal.last;
  for (size_t i = 0; i < 4; i++) {
    FILE *file = fopen(name_of(i), "rb");
    if (!file) continue;
    kept[i].size = fread(kept[i].bytes, 1, sizeof kept[i].bytes, file);
    FUZZ_MUST(kept[i].size < sizeof kept[i].bytes);
    fclose(file);
  }
  ledger_shut(&ledger);
}

/* ---- answers, and how they come back ---- */

static unsigned char *put_number(unsigned char *bytes, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(value >> (8 * i));
  return bytes + size;
}

static unsigned char *pack(unsigned char *bytes, const struct journal_answer *answer) {
  bytes = put_number(put_number(bytes, answer->query, 8), (uint64_t)answer->kind, 4);
  bytes = put_number(put_number(bytes, answer->first, 4), answer->second, 4);
  return put_number(bytes, (uint32_t)answer->answer, 4);
}

/* Row, number, answer, and what checks them. */
static void place(unsigned char *bytes, uint64_t number, const struct journal_answer *answer) {
  static const uint64_t key[2] = {UINT64_C(0x66756d6174612061), UINT64_C(0x6e737765722e2e2e)};
  unsigned char *end = pack(put_number(put_number(bytes, last_row, 8), number, 8), answer);
  put_number(end, key_hash(key, bytes, PLACE - 8), 8);
}

static struct journal_answer wanted[MOST];
static size_t wanted_count, seen_count;

static int see(void *context, const struct journal_batch *batch) {
  (void)context;
  for (size_t i = 0; i < batch->count; i++, seen_count++) {
    const struct journal_answer *a = &batch->answer[i], *b = &wanted[seen_count];
    FUZZ_MUST(seen_count < wanted_count && a->query == b->query && a->kind == b->kind && a->first == b->first &&
              a->second == b->second && a->answer == b->answer);
  }
  return EXIT_OK;
}

static struct journal_answer draw(struct fuzz *fuzz) {
  uint8_t how = fuzz_byte(fuzz);
  struct journal_answer answer = {.query = fuzz_number(fuzz, how & 4 ? 8 : 1),
                                  .kind = (enum plan_kind)(how % PLAN_KINDS)};
  if (how & 8) answer.first = (uint32_t)fuzz_number(fuzz, 2), answer.second = (uint32_t)fuzz_number(fuzz, 4);
  answer.answer = how & 16 ? -1 : (int32_t)(fuzz_number(fuzz, how & 32 ? 2 : 1));
  return answer;
}

static void crash(const void *mark, size_t size) {
  for (size_t i = 0; i < 4; i++)
    if (kept[i].size) put(i, kept[i].bytes, kept[i].size);
  put(2, mark, size);
}

static int look(int is_look) {
  struct ledger_options options = {.look = is_look};
  struct ledger ledger;
  int code = ledger_open(&ledger, path, &options);
  seen_count = 0;
  if (!code) code = journal_visit(&ledger, 0, see, NULL);
  ledger_shut(&ledger);
  return code;
}

/* The mark's two places stay as they were; answers follow. */
static void try_answers(struct fuzz *fuzz) {
  static unsigned char mark[sizeof kept[2].bytes];
  size_t torn = fuzz_byte(fuzz), at = START, count = 0;
  wanted_count = 0;
  memcpy(mark, kept[2].bytes, kept[2].size);
  for (; fuzz->left && count < MOST - 1; count++, at += PLACE) {
    struct journal_answer answer = draw(fuzz);
    place(mark + at, count, &answer);
    if (count == torn) mark[at + fuzz_byte(fuzz) % PLACE] ^= (unsigned char)(1 << fuzz_byte(fuzz) % 8);
    if (count < torn) wanted[wanted_count++] = answer;
  }
  crash(mark, at > kept[2].size ? at : kept[2].size);
  for (int time = 0; time < 3; time++) { /* one who only looks; one who takes them in; and again */
    fuzz_listen();
    if (fuzz_judge(look(time == 0)) != EXIT_OK) { /* more than was reserved, or of a kind that was not */
      FUZZ_MUST(wanted_count > 0);
      return;
    }
    FUZZ_MUST(seen_count == wanted_count);
  }
}

static void try_bytes(struct fuzz *fuzz) {
  static unsigned char mark[sizeof kept[2].bytes];
  size_t at = fuzz_byte(fuzz) % 2 ? START : 0;
  int code;
  memcpy(mark, kept[2].bytes, kept[2].size);
  if (at + fuzz->left > kept[2].size) fuzz->left = kept[2].size - at;
  memcpy(mark + at, fuzz->at, fuzz->left);
  crash(mark, at ? kept[2].size : fuzz->left);
  wanted_count = 0;
  fuzz_listen();
  code = fuzz_judge(look(0));
  FUZZ_MUST(!at || code == EXIT_OK); /* no bytes that a fuzzer finds have a right check */
}

/* Behind the back of the trigger that keeps rows as they are. */
static void change(sqlite3 *file, const char *text, const struct fuzz *value) {
  sqlite3_stmt *statement;
  FUZZ_MUST(sqlite3_db_config(file, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) == SQLITE_OK);
  FUZZ_MUST(sqlite3_prepare_v2(file, text, -1, &statement, NULL) == SQLITE_OK);
  sqlite3_bind_blob(statement, 1, value->left ? value->at : (const uint8_t *)"", (int)value->left, SQLITE_STATIC);
  FUZZ_MUST(sqlite3_step(statement) == SQLITE_DONE && sqlite3_finalize(statement) == SQLITE_OK);
}

/* A batch is written, its bytes changed, and its ledger no longer taken. */
static void try_batch(struct fuzz *fuzz) {
  static const char *const changes[] = {"UPDATE journal SET answers = ? WHERE row = (SELECT max(row) FROM journal)",
                                        "UPDATE journal SET about = ? WHERE row = (SELECT max(row) FROM journal)",
                                        "UPDATE state SET bytes = ?", "UPDATE state SET salt = ?"};
  struct ledger_options options = {0};
  struct ledger ledger;
  struct plan_quota left;
  uint8_t how = fuzz_byte(fuzz), packed[SIZE];
  struct fuzz about = fuzz_cut(fuzz, 5), state = fuzz_cut(fuzz, 5);
  struct journal_answer answer = {.query = 3, .kind = PLAN_KIND_TOLL, .first = 1, .second = 3, .answer = 3};
  void *found = NULL;
  size_t size = 0;
  int is_same, code;
  crash(kept[2].bytes, kept[2].size);
  FUZZ_MUST(ledger_open(&ledger, path, &options) == EXIT_OK);
  begin(&ledger, &left);
  FUZZ_MUST(ledger_reserve(&ledger, (struct plan_quota){left.silences, left.answers - 9}) == EXIT_OK);
  FUZZ_MUST(journal_append(&ledger, &answer, 1, about.at, about.left, state.at, state.left) == EXIT_OK);
  FUZZ_MUST(ledger_finish(&ledger, (struct plan_quota){left.silences, left.answers - 1}) == EXIT_OK);
  change(ledger.file, changes[how % 4], fuzz);
  ledger_shut(&ledger);
  pack(packed, &answer);
  is_same = how % 4 == 0   ? fuzz->left == sizeof packed && !memcmp(fuzz->at, packed, sizeof packed)
            : how % 4 == 1 ? fuzz->left == about.left && !memcmp(fuzz->at, about.at, about.left)
            : how % 4 == 2 ? fuzz->left == state.left && !memcmp(fuzz->at, state.at, state.left)
                           : 0;
  wanted[0] = answer, wanted_count = 1;
  fuzz_listen();
  code = ledger_open(&ledger, path, &options);
  if (!code) code = journal_state(&ledger, 1, &found, &size);
  FUZZ_MUST(code || (size == state.left && !memcmp(found, state.at, size)));
  FUZZ_MUST(fuzz_judge_input(code) == (is_same ? EXIT_OK : EXIT_INPUT));
  free(found);
  ledger_shut(&ledger);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t how = fuzz_byte(&fuzz) % 3;
  prepare();
  fuzz_listen();
  remove_all();
  if (how == 0)
    try_answers(&fuzz);
  else if (how == 1)
    try_bytes(&fuzz);
  else
    try_batch(&fuzz);
  return 0;
}
