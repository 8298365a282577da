/* Random lives with crashes against a model that only counts. The proof says the same of every life
 * (proofs/wp/history_meter.c, proofs/wp/history_classic.c); this looks at the compiled code. */
#include <stdlib.h>
#include <string.h>

#include "core/classic.h"
#include "core/meter.h"
#include "support/suite.h"

#define TENTH (UINT64_MAX / 10 + 1)

static const uint64_t silence[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const uint64_t threshold_cdf[] = {TENTH / 2, 5 * TENTH};
static const uint64_t query_cdf[] = {TENTH, 3 * TENTH, 6 * TENTH};
static const fumata_claim claim = {60, 1, 99, 100, 2, UINT64_C(4) << 32, 0};

/* SplitMix64: the lives have to be many and the same every time, nothing else. */
static uint64_t next(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* The two machines behind one face. */
typedef struct {
  int is_classic;
  fumata_meter_plan meter_plan;
  fumata_classic_plan classic_plan;
  fumata_meter meter;
  fumata_classic classic;
} machine;

static void make(machine *m, int is_classic, uint32_t limit) {
  fumata_meter_plan meter_plan = {silence, 4, limit};
  fumata_classic_plan classic_plan = {{threshold_cdf, 2, -1}, {query_cdf, 3, -1}, 2, limit};
  memset(m, 0, sizeof *m);
  m->is_classic = is_classic;
  m->meter_plan = meter_plan;
  m->classic_plan = classic_plan;
  ck_assert_int_eq(is_classic ? fumata_classic_init(&m->classic, &m->classic_plan, &claim)
                              : fumata_meter_init(&m->meter, &m->meter_plan, &claim),
                   FUMATA_OK);
}

static int resume(machine *m, uint32_t left) {
  return m->is_classic ? fumata_classic_resume(&m->classic, &m->classic_plan, &claim, left)
                       : fumata_meter_resume(&m->meter, &m->meter_plan, &claim, left);
}

static int reserve(machine *m, uint64_t coin) {
  return m->is_classic ? fumata_classic_reserve(&m->classic, coin) : fumata_meter_reserve(&m->meter, 1);
}

static int answer(machine *m, const fumata_verdict *verdict, uint64_t coin, int32_t *out) {
  return m->is_classic ? fumata_classic_answer(&m->classic, verdict, coin, out)
                       : fumata_meter_answer(&m->meter, verdict, coin, out);
}

static int end(machine *m) {
  return m->is_classic ? fumata_classic_close(&m->classic) : fumata_meter_close(&m->meter);
}

static uint32_t left_of(const machine *m) {
  return m->is_classic ? m->classic.left : m->meter.left;
}
static uint32_t reserved_of(const machine *m) {
  return m->is_classic ? m->classic.reserved : m->meter.reserved;
}

/* One life of `steps` steps; returns the silences seen. `stores` says whether the program stores before it answers. */
static uint32_t live(int is_classic, uint32_t limit, int steps, int stores, uint64_t seed) {
  machine m;
  uint32_t left = limit;
  uint32_t reserved = 0;
  uint32_t stored = limit;
  uint32_t silences = 0;
  make(&m, is_classic, limit);
  while (steps-- > 0) {
    uint64_t dice = next(&seed) % 16;
    uint64_t coin = next(&seed);
    int status;
    if (dice < 4) {
      status = reserve(&m, coin);
      ck_assert_int_eq(status, reserved ? FUMATA_ERR_RESERVED : left == 0 ? FUMATA_ERR_SPENT : FUMATA_OK);
      if (status == FUMATA_OK) {
        left--;
        reserved = 1;
      }
    } else if (dice < 7) {
      if (stores) stored = left_of(&m);
    } else if (dice < 13) {
      fumata_verdict verdict = {(uint32_t)(next(&seed) % 10), (uint32_t)(next(&seed) % 7)};
      int32_t out = -2;
      if (stores && stored > left) continue;
      status = answer(&m, &verdict, coin, &out);
      ck_assert_int_eq(status, reserved ? FUMATA_OK : FUMATA_ERR_CLOSED);
      if (status != FUMATA_OK) {
        ck_assert_int_eq(out, -2);
      } else if (out == FUMATA_SILENT) {
        silences++;
        reserved = 0;
      } else {
        ck_assert_int_eq(out, (int32_t)verdict.winner);
        ck_assert(is_classic || verdict.distance > 0);
      }
    } else if (dice < 14) {
      ck_assert_int_eq(end(&m), FUMATA_OK);
      left += is_classic ? 0 : reserved;
      reserved = 0;
    } else {
      memset(&m.meter, (int)(coin & 0xff), sizeof m.meter);
      memset(&m.classic, (int)(coin & 0xff), sizeof m.classic);
      ck_assert_int_eq(resume(&m, stored), FUMATA_OK);
      left = stored;
      reserved = 0;
    }
    ck_assert_uint_eq(left_of(&m), left);
    ck_assert_uint_eq(reserved_of(&m), reserved);
    if (stores) {
      ck_assert_uint_le(silences + reserved + left, limit);
      ck_assert_uint_le(silences + stored, limit);
    }
  }
  return silences;
}

START_TEST(test_lives) {
  uint64_t seed;
  uint32_t most[2] = {0, 0};
  for (seed = 0; seed < 400; seed++) {
    int kind = (int)(seed % 2);
    uint32_t limit = 1 + (uint32_t)(seed / 2 % 5);
    uint32_t silences = live(kind, limit, 150, 1, seed);
    ck_assert_uint_le(silences, limit);
    if (silences > most[kind]) most[kind] = silences;
  }
  /* The lives are long enough to reach the limit. */
  ck_assert_uint_eq(most[0], 5);
  ck_assert_uint_eq(most[1], 5);
}
END_TEST

/* A program that forgets to store does overrun: the lives above would show it. */
START_TEST(test_unstored_lives_overrun) {
  ck_assert_uint_gt(live(0, 3, 400, 0, 1), 3);
  ck_assert_uint_gt(live(1, 3, 400, 0, 1), 3);
}
END_TEST

/* Crashes at the three awkward moments. */
START_TEST(test_crash_between) {
  int kind;
  for (kind = 0; kind < 2; kind++) {
    fumata_verdict tie = {0, 0};
    machine m;
    int32_t out;
    uint32_t stored = 2;
    make(&m, kind, 2);
    /* Between reserving and storing: nothing was asked, nothing is lost. */
    ck_assert_int_eq(reserve(&m, 0), FUMATA_OK);
    ck_assert_int_eq(resume(&m, stored), FUMATA_OK);
    ck_assert_uint_eq(left_of(&m), 2);
    ck_assert_int_eq(answer(&m, &tie, 0, &out), FUMATA_ERR_CLOSED);
    /* Between storing and answering: the reservation is lost. */
    ck_assert_int_eq(reserve(&m, 0), FUMATA_OK);
    stored = left_of(&m);
    ck_assert_int_eq(resume(&m, stored), FUMATA_OK);
    ck_assert_uint_eq(left_of(&m), 1);
    ck_assert_int_eq(answer(&m, &tie, 0, &out), FUMATA_ERR_CLOSED);
    /* Between closing and storing: what the close gave back is lost. */
    ck_assert_int_eq(reserve(&m, 0), FUMATA_OK);
    stored = left_of(&m);
    ck_assert_int_eq(end(&m), FUMATA_OK);
    ck_assert_int_eq(resume(&m, stored), FUMATA_OK);
    ck_assert_uint_eq(left_of(&m), 0);
    ck_assert_int_eq(reserve(&m, 0), FUMATA_ERR_SPENT);
  }
}
END_TEST

SUITE_MAIN("history", test_lives, test_unstored_lives_overrun, test_crash_between)
