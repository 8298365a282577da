/* Test vectors for other implementations: what the core makes of plans, ballots, places and coins, as JSON. Words of 64 bits are
 * strings in hexadecimal, since many readers of JSON keep 53 bits of a number. */
#include "core/fumata.h"
#include "plans.h"
#include "write.h"

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static void text(const char *t) {
  while (*t)
    write_byte(*t++);
}

static void number(int64_t n) {
  char digits[20];
  uint32_t count = 0;
  uint64_t rest = n < 0 ? 0u - (uint64_t)n : (uint64_t)n;
  if (n < 0) write_byte('-');
  do {
    digits[count++] = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  while (count)
    write_byte(digits[--count]);
}

static void word(uint64_t w) {
  text("\"0x");
  for (int shift = 60; shift >= 0; shift -= 4)
    write_byte("0123456789abcdef"[w >> shift & 15]);
  write_byte('"');
}

static void key(const char *name) {
  write_byte('"');
  text(name);
  text("\": ");
}

static void field(const char *name, int64_t n) {
  text(", ");
  key(name);
  number(n);
}

#define LIST(name, array, count, print)                                                                                \
  do {                                                                                                                 \
    text(", ");                                                                                                        \
    key(name);                                                                                                         \
    write_byte('[');                                                                                                   \
    for (uint32_t i = 0; i < (count); i++) {                                                                           \
      if (i) text(", ");                                                                                               \
      print(array[i]);                                                                                                 \
    }                                                                                                                  \
    write_byte(']');                                                                                                   \
  } while (0)

static void begin_part(const char *name) {
  text(",\n");
  key(name);
  write_byte('[');
}

/* The next element of a list of objects. */
static void begin(uint32_t *count) {
  text((*count)++ ? ",\n  {" : "\n  {");
}

/* Coins that any implementation can make again (SplitMix64); they are listed all the same. */
static uint64_t coin(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static void claimed(const fumata_claim *claim) {
  text(", \"claim\": {\"epsilon\": [");
  number(claim->epsilon_num);
  text(", ");
  number(claim->epsilon_den);
  text("], \"delta\": [");
  number((int64_t)claim->delta_num);
  text(", ");
  number((int64_t)claim->delta_den);
  text("], \"alpha\": ");
  number(claim->alpha);
  text(", \"v\": ");
  word(claim->v);
  text(", \"u\": ");
  word(claim->u);
  write_byte('}');
}

static void certified(uint32_t *count, const char *kind, fumata_status status, const fumata_claim *claim,
                      uint32_t limit, const uint64_t *table, uint32_t size) {
  begin(count);
  key("kind");
  write_byte('"');
  text(kind);
  write_byte('"');
  claimed(claim);
  field("limit", limit);
  LIST("table", table, size, word);
  field("certified", status);
  write_byte('}');
}

/* Each plan as it is, then with one more silence, answer or vote than it is good for. */
static void plans(void) {
  uint32_t count = 0;
  begin_part("plans");
  for (uint32_t more = 0; more < 2; more++) {
    fumata_meter_plan meter = meter_plan;
    fumata_toll_plan toll = toll_plan, poll = poll_plan;
    fumata_fault fault;
    meter.limit += more;
    toll.limit += more;
    poll.limit += more;
    certified(&count, "meter", fumata_certify_meter(&meter, &meter_claim, &fault), &meter_claim, meter.limit,
              meter.silence, meter.size);
    certified(&count, "toll", fumata_certify_toll(&toll, &toll_claim, &fault), &toll_claim, toll.limit, toll.named,
              toll.size);
    certified(&count, "poll", fumata_certify_toll(&poll, &poll_claim, &fault), &poll_claim, poll.limit, poll.named,
              poll.size);
  }
  text("]");
}

static void ballots(void) {
  static const uint8_t votes[][9] = {{0, 0, 0, 0, 0, 0, 0, 0, 0},   {0, 1, 2, 0, 1, 2, 0, 1, 2},
                                     {2, 2, 2, 1, 1, 0, 2, 2, 1},   {9, 9, 9, 9, 9, 9, 9, 9, 9},
                                     {1, 0, 1, 0, 3, 3, 255, 1, 0}, {2, 1, 2, 1, 2, 1, 2, 1, 2}};
  uint32_t count = 0;
  begin_part("ballots");
  for (uint32_t b = 0; b < LENGTH(votes); b++) {
    uint32_t counts[3];
    fumata_verdict verdict;
    fumata_duel duel;
    fumata_ballot_tally_u8(votes[b], 9, 3, counts);
    fumata_ballot_decide(counts, 3, &verdict);
    fumata_ballot_duel(counts, 3, 0, 2, &duel);
    begin(&count);
    key("classes");
    number(3);
    LIST("votes", votes[b], 9, number);
    LIST("counts", counts, 3, number);
    field("winner", verdict.winner);
    field("distance", verdict.distance);
    text(", \"duel\": {\"between\": [0, 2]");
    field("winner", duel.winner);
    field("loser", duel.loser);
    field("distance", duel.distance);
    text("}}");
  }
  text("]");
}

/* Coins at the edges of what decides, then others. */
static uint64_t coin_at(uint32_t step, uint64_t edge, uint64_t *state) {
  return step == 0 ? 0 : step == 1 ? edge - 1 : step == 2 ? edge : step == 3 ? UINT64_MAX : coin(state);
}

static void answered(uint32_t *count, uint32_t distance, uint64_t c, fumata_status status, int32_t answer,
                     uint32_t left, uint32_t reserved) {
  begin(count);
  key("distance");
  number(distance);
  text(", \"coin\": ");
  word(c);
  field("status", status);
  field("answer", answer);
  field("left", left);
  field("reserved", reserved);
  write_byte('}');
}

/* One life: the winner is class 1. A reservation is made whenever there is none, until nothing is left. */
static void meter(void) {
  uint32_t count = 0;
  uint64_t state = 1;
  fumata_meter machine;
  fumata_meter_init(&machine, &meter_plan, &meter_claim);
  begin_part("meter");
  for (uint32_t step = 0; step < 48; step++) {
    fumata_verdict verdict = {1, step * 7 % 53};
    uint32_t d = verdict.distance < machine.plan.size ? verdict.distance : machine.plan.size;
    uint64_t c = coin_at(step % 5, d ? machine.plan.silence[d - 1] : 1, &state);
    int32_t answer = -2;
    fumata_status status;
    if (!machine.reserved) fumata_meter_reserve(&machine, 1);
    status = fumata_meter_answer(&machine, &verdict, c, &answer);
    answered(&count, verdict.distance, c, status, answer, machine.left, machine.reserved);
  }
  text("]");
}

/* One life: class 2 against class 5, which loses. */
static void toll(void) {
  uint32_t count = 0;
  uint64_t state = 2;
  fumata_toll machine;
  fumata_toll_init(&machine, &toll_plan, &toll_claim);
  begin_part("toll");
  for (uint32_t step = 0; step < 9; step++) {
    fumata_duel duel = {2, 5, step * 5 % 11};
    uint32_t d = duel.distance < machine.plan.size ? duel.distance : machine.plan.size;
    uint64_t c = coin_at((step + 1) % 5, d ? machine.plan.named[d - 1] : (uint64_t)1 << 63, &state);
    int32_t answer = -2;
    fumata_status status;
    if (!machine.reserved) fumata_toll_reserve(&machine, 1);
    status = fumata_toll_answer(&machine, &duel, c, &answer);
    answered(&count, duel.distance, c, status, answer, machine.left, machine.reserved);
  }
  text("]");
}

/* The first coordinate tells records apart; the other fifteen are 0. */
static void poll(void) {
  static const int16_t at[] = {0, 10, -10, 25, 400, 1023, -1023, 30000};
  static const uint16_t labels[] = {0, 1, 1, 2, 1, 0, 1, 2};
  static const struct {
    int16_t centre;
    uint32_t radius;
    int16_t weights[3];
    uint32_t most;
  } questions[] = {{0, 625, {-1, 1, 0}, 1}, {0, 624, {-1, 1, 0}, 1},        {0, 4194304, {-3, 2, 1}, 3},
                   {0, 0, {1, 1, 1}, 1},    {1000, 1000000, {1, -1, 2}, 2}, {0, 2000000, {1, 1, 1}, 1}};
  int16_t places[16 * 8] = {0}, centre[16] = {0};
  uint32_t norms[8], norm[1], distances[8], count = 0;
  uint16_t used[8];
  int32_t lead[1];
  uint64_t state = 3;
  fumata_points records = {places, norms, 8, 16}, centres = {centre, norm, 1, 16};
  fumata_poll machine = {.uses = {used, 8}, .leads = {lead, 1}};
  for (uint32_t r = 0; r < 8; r++)
    places[16 * r] = at[r];
  fumata_crowd_settle(&records);
  fumata_poll_init(&machine, &poll_plan, &poll_claim);
  begin_part("poll");
  for (uint32_t q = 0; q < LENGTH(questions); q++) {
    fumata_question question = {questions[q].weights, 3, questions[q].most, questions[q].radius};
    fumata_voices voices = {distances, labels};
    uint64_t c = coin_at(q < 4 ? 4 : q - 4, 0, &state);
    uint32_t yes = 2;
    fumata_status status;
    for (uint32_t i = 0; i < 16; i++)
      centre[i] = 0;
    centre[0] = questions[q].centre;
    fumata_crowd_settle(&centres);
    fumata_crowd_find(&records, &centres, distances);
    status = fumata_poll_vote(&machine, &question, &voices);
    fumata_poll_stored(&machine);
    if (status == FUMATA_OK) status = fumata_poll_answer(&machine, c, &yes);
    begin(&count);
    key("dimensions");
    number(16);
    LIST("first_coordinates", at, 8, number);
    LIST("labels", labels, 8, number);
    field("centre", questions[q].centre);
    field("radius", question.radius);
    LIST("weights", question.weights, 3, number);
    field("most", question.most);
    text(", \"coin\": ");
    word(c);
    LIST("distances", distances, 8, number);
    LIST("uses", used, 8, number);
    field("lead", lead[0]);
    field("status", status);
    field("yes", yes);
    write_byte('}');
    fumata_poll_clear(&machine);
  }
  text("]");
}

void vectors(void) {
  text("{\"format\": \"fumata-vectors 1\"");
  field("version", fumata_version());
  plans();
  ballots();
  meter();
  toll();
  poll();
  text("\n}\n");
}
