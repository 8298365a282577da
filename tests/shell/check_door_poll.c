#include "base/error.h"
#include "door/door.h"
#include "support/scratch.h"

#define RECORDS    200u
#define DIMENSIONS 3u

static int16_t places[RECORDS * DIMENSIONS];
static uint16_t labels[RECORDS];
static uint32_t first[RECORDS / 2 + 1];
static const int16_t left[DIMENSIONS] = {-100, 5, 5}, right[DIMENSIONS] = {100, 5, 5}, ask[] = {-1, 1};

/* The first half lies on the left and is of class 0, the others on the right and of class 1. */
static fumata_door_crowd crowd(void) {
  for (uint32_t r = 0; r < RECORDS; r++) {
    memcpy(&places[r * DIMENSIONS], r < RECORDS / 2 ? left : right, sizeof left);
    labels[r] = r >= RECORDS / 2;
  }
  for (uint32_t u = 0; u <= RECORDS / 2; u++)
    first[u] = 2 * u;
  return (fumata_door_crowd){.records = RECORDS, .dimensions = DIMENSIONS, .places = places, .labels = labels};
}

static void expect(int wanted, int code, const char *part) {
  ck_assert_msg(code == wanted, "code %d instead of %d: %s", code, wanted, fumata_door_error());
  ck_assert_msg(strstr(fumata_door_error(), part) != NULL, "wanted '%s', heard '%s'", part, fumata_door_error());
}

static fumata_door_plan *make(void) {
  fumata_door_plan *plan;
  expect(EXIT_OK, fumata_door_poll_plan("4", "1e-5", 6, &plan), "");
  return plan;
}

static int begin(const fumata_door_plan *plan, const fumata_door_crowd *who, fumata_door_poll **poll) {
  return fumata_door_poll_open(plan, "l", 2, who, "4", "1e-5", 0, poll);
}

/* Both sides are asked twice; *yes has the four answers. */
static void ask_all(fumata_door_poll *poll, uint8_t yes[4]) {
  fumata_door_question questions[4];
  uint64_t done;
  for (uint32_t q = 0; q < 4; q++)
    questions[q] = (fumata_door_question){q, q % 2 ? right : left, ask, 1, 50};
  expect(EXIT_OK, fumata_door_poll_ask(poll, questions, 4, yes, &done), "");
  ck_assert_uint_eq(done, 4);
}

START_TEST(test_neighbours_answer_and_are_heard_again) {
  fumata_door_plan *plan = make();
  fumata_door_crowd who = crowd();
  fumata_door_poll *poll;
  fumata_door_answer kept[8];
  uint8_t yes[4], again[4];
  uint64_t count;
  expect(EXIT_OK, begin(plan, &who, &poll), "");
  ask_all(poll, yes);
  ck_assert(!yes[0] && yes[1] && !yes[2] && yes[3]); /* a hundred of one mind */
  expect(EXIT_OK, fumata_door_poll_close(poll), "");
  expect(EXIT_OK, begin(plan, &who, &poll), "");
  ask_all(poll, again);
  ck_assert_mem_eq(yes, again, sizeof yes);
  expect(EXIT_OK, fumata_door_poll_close(poll), "");
  expect(EXIT_OK, fumata_door_ledger_answers("l", kept, 8, &count), "");
  ck_assert_uint_eq(count, 4); /* paid for once */
  ck_assert_uint_eq(kept[1].kind, 2);
  places[0]++;
  expect(EXIT_REFUSED, begin(plan, &who, &poll), "");
  ck_assert_ptr_null(poll);
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_a_unit_of_two_records_has_one_vote) {
  fumata_door_plan *plan = make();
  fumata_door_crowd who = crowd();
  fumata_door_poll *poll;
  uint8_t yes[4];
  who.first = first;
  who.units = RECORDS / 2;
  expect(EXIT_OK, begin(plan, &who, &poll), "");
  ask_all(poll, yes);
  ck_assert(!yes[0] && yes[1]);
  expect(EXIT_OK, fumata_door_poll_close(poll), "");
  first[1] = 0;
  expect(EXIT_INPUT, begin(plan, &who, &poll), "does not cut the records into units");
  fumata_door_plan_free(plan);
}
END_TEST

START_TEST(test_what_is_wrong_is_refused_and_spends_nothing) {
  fumata_door_plan *plan = make(), *meter, *refused;
  fumata_door_crowd who = crowd(), none = {0};
  fumata_door_poll *poll;
  uint64_t done;
  expect(EXIT_OK, fumata_door_plan_make("4", "1e-5", 5, "meter", &meter), "");
  expect(EXIT_INPUT, fumata_door_poll_plan("4", "1e-5", 0, &refused), "votes: 0 is not within 1 to 65535");
  expect(EXIT_INPUT, fumata_door_poll_plan("4", "1e-5", 6, NULL), "where the plan goes: nothing is given");
  expect(EXIT_INPUT, begin(meter, &who, &poll), "not the plan of a poll");
  expect(EXIT_INPUT, begin(NULL, &who, &poll), "plan: nothing is given");
  expect(EXIT_INPUT, begin(plan, NULL, &poll), "crowd: nothing is given");
  expect(EXIT_INPUT, begin(plan, &none, &poll), "places: nothing is given");
  expect(EXIT_INPUT, begin(plan, &who, NULL), "where the poll goes: nothing is given");
  ck_assert(access("l", F_OK) != 0);
  expect(EXIT_REFUSED, fumata_door_poll_open(plan, "l", 2, &who, "3", "1e-5", 0, &poll), "");
  expect(EXIT_INPUT, fumata_door_poll_ask(NULL, NULL, 0, NULL, &done), "poll: nothing is given");
  expect(EXIT_INPUT, fumata_door_poll_close(NULL), "poll: nothing is given");
  fumata_door_plan_free(plan);
  fumata_door_plan_free(meter);
}
END_TEST

SCRATCH_MAIN("door_poll", test_neighbours_answer_and_are_heard_again, test_a_unit_of_two_records_has_one_vote,
             test_what_is_wrong_is_refused_and_spends_nothing)
