/* Lives of the core's machines: any calls in any order, crashes between them, against a model that only counts. Over a life
 * there are at most T silences and L answers, an error changes nothing, and only the winner or a candidate is named.
 *
 * The accountant is stood in for: it has a harness of its own (core_certify.c) and would take nearly all the time. */
#include "core/budget.h"
#include "core/classic.h"
#include "core/count.h"
#include "fuzz/harness.h"

#define TENTH (UINT64_MAX / 10 + 1)

static const uint64_t silence[] = {9 * (TENTH - 1), 7 * TENTH + TENTH / 2, 5 * TENTH + TENTH / 2, 4 * TENTH};
static const uint64_t named[] = {6 * TENTH, 8 * TENTH, 9 * (TENTH - 1)};
static const uint64_t threshold[] = {TENTH / 2, 5 * TENTH};
static const uint64_t query[] = {TENTH, 3 * TENTH, 6 * TENTH};
static const fumata_claim claim = {60, 1, 99, 100, 2, UINT64_C(4) << 32, UINT64_C(4) << 32};

/* Claims are refused by their epsilon alone; plans are all as they should be. */
static fumata_status certified(const fumata_claim *said, fumata_fault *fault) {
  *fault = (fumata_fault){said->epsilon_num ? FUMATA_FAULT_NONE : FUMATA_FAULT_CLAIM, 0};
  return said->epsilon_num ? FUMATA_OK : FUMATA_ERR_CLAIM;
}
fumata_status fumata_certify_meter(const fumata_meter_plan *plan, const fumata_claim *said, fumata_fault *fault) {
  FUZZ_MUST(plan->silence == silence);
  return certified(said, fault);
}
fumata_status fumata_certify_toll(const fumata_toll_plan *plan, const fumata_claim *said, fumata_fault *fault) {
  FUZZ_MUST(plan->named == named);
  return certified(said, fault);
}
fumata_status fumata_certify_budget(const fumata_budget_plan *plan, const fumata_claim *said, fumata_fault *fault) {
  FUZZ_MUST(plan->meter.silence == silence && plan->toll.named == named);
  return certified(said, fault);
}
fumata_status fumata_certify_classic(const fumata_classic_plan *plan, const fumata_claim *said, fumata_fault *fault) {
  FUZZ_MUST(plan->threshold.cdf == threshold && plan->query.cdf == query);
  return certified(said, fault);
}
fumata_status fumata_certify_noise(const fumata_noise *noise, uint32_t sensitivity, const fumata_claim *said,
                                   fumata_fault *fault) {
  FUZZ_MUST(noise->cdf == query && sensitivity == 1);
  return certified(said, fault);
}

/* What is left and reserved of one kind, what was used in all, and what the disk has. */
struct lane {
  uint32_t limit, left, reserved, used, stored;
};

struct life {
  int is_classic;
  int is_apart; /* a meter and a toll by their own functions, and not a budget */
  fumata_budget_plan plan;
  fumata_classic_plan classic_plan;
  fumata_budget budget;
  fumata_classic classic;
  struct lane silences, answers;
};

static struct lane lane_of(uint32_t limit) {
  return (struct lane){limit, limit, 0, 0, limit};
}

/* The machine's numbers are the model's, and a life's sum holds with what may still come, here or after a crash. */
static void check_lane(const struct lane *lane, uint32_t left, uint32_t reserved) {
  FUZZ_MUST(left == lane->left && reserved == lane->reserved);
  FUZZ_MUST((uint64_t)lane->used + lane->reserved + lane->left <= lane->limit);
  FUZZ_MUST((uint64_t)lane->used + lane->stored <= lane->limit);
}

static void check(const struct life *life) {
  if (life->is_classic) {
    const fumata_classic *machine = &life->classic;
    int64_t least = machine->plan.width + machine->plan.threshold.first;
    check_lane(&life->silences, machine->left, machine->reserved);
    FUZZ_MUST(machine->reserved <= 1 && (machine->reserved || machine->threshold == 0));
    FUZZ_MUST(!machine->reserved ||
              (machine->threshold >= least && machine->threshold <= least + machine->plan.threshold.size));
  } else {
    check_lane(&life->silences, life->budget.meter.left, life->budget.meter.reserved);
    check_lane(&life->answers, life->budget.toll.left, life->budget.toll.reserved);
    FUZZ_MUST(life->budget.meter.plan.silence == silence && life->budget.toll.plan.named == named);
  }
}

static void check_same(const struct life *now, const struct life *before) {
  FUZZ_MUST(!memcmp(&now->budget, &before->budget, sizeof now->budget));
  FUZZ_MUST(!memcmp(&now->classic, &before->classic, sizeof now->classic));
}

static fumata_status init(struct life *life) {
  fumata_status status;
  if (life->is_classic) return fumata_classic_init(&life->classic, &life->classic_plan, &claim);
  if (!life->is_apart) return fumata_budget_init(&life->budget, &life->plan, &claim);
  status = fumata_meter_init(&life->budget.meter, &life->plan.meter, &claim);
  return status == FUMATA_OK ? fumata_toll_init(&life->budget.toll, &life->plan.toll, &claim) : status;
}

static fumata_status resume(struct life *life, const fumata_claim *said, uint32_t silences, uint32_t answers) {
  fumata_status status;
  if (life->is_classic) return fumata_classic_resume(&life->classic, &life->classic_plan, said, silences);
  if (!life->is_apart) return fumata_budget_resume(&life->budget, &life->plan, said, silences, answers);
  status = fumata_meter_resume(&life->budget.meter, &life->plan.meter, said, silences);
  return status == FUMATA_OK ? fumata_toll_resume(&life->budget.toll, &life->plan.toll, said, answers) : status;
}

static void begin(struct life *life, uint8_t choice) {
  uint32_t limit = 1 + choice / 2 % 5, other = 1 + choice / 10 % 5;
  memset(life, 0, sizeof *life);
  life->is_classic = choice & 1;
  life->is_apart = choice / 50 % 2;
  life->plan = (fumata_budget_plan){{silence, 4, limit}, {named, 3, other}};
  life->classic_plan = (fumata_classic_plan){{threshold, 2, -1}, {query, 3, -1}, 2, limit};
  life->silences = lane_of(limit);
  life->answers = lane_of(other);
  FUZZ_MUST(init(life) == FUMATA_OK);
}

static void reserve(struct life *life, struct lane *lane, uint32_t n, uint64_t coin) {
  struct life before;
  fumata_status status, wanted;
  memcpy(&before, life, sizeof before);
  if (life->is_classic) {
    lane = &life->silences;
    n = 1;
  }
  wanted = lane->reserved ? FUMATA_ERR_RESERVED : n < 1 || n > lane->left ? FUMATA_ERR_SPENT : FUMATA_OK;
  status = life->is_classic          ? fumata_classic_reserve(&life->classic, coin)
           : lane == &life->silences ? fumata_meter_reserve(&life->budget.meter, n)
                                     : fumata_toll_reserve(&life->budget.toll, n);
  FUZZ_MUST(status == wanted);
  if (status != FUMATA_OK) {
    check_same(life, &before);
    return;
  }
  lane->left -= n;
  lane->reserved = n;
}

/* Is this ballot met with silence? Said as MECHANISM says it. */
static int is_silent(const struct life *life, uint32_t distance, uint64_t coin) {
  int64_t noise = -1;
  if (!life->is_classic) return distance == 0 || coin < silence[(distance < 4 ? distance : 4) - 1];
  for (size_t i = 0; i < 3; i++)
    noise += query[i] <= coin;
  return noise == -1 || distance + noise <= life->classic.threshold;
}

static void answer(struct life *life, uint32_t winner, uint32_t distance, uint64_t coin) {
  fumata_verdict verdict = {winner, distance};
  struct life before;
  int32_t said = 4711;
  int silent = is_silent(life, distance, coin);
  fumata_status status;
  memcpy(&before, life, sizeof before);
  status = life->is_classic ? fumata_classic_answer(&life->classic, &verdict, coin, &said)
                            : fumata_meter_answer(&life->budget.meter, &verdict, coin, &said);
  FUZZ_MUST(status == (winner >= FUMATA_CLASSES_MAX   ? FUMATA_ERR_VOTE
                       : life->silences.reserved == 0 ? FUMATA_ERR_CLOSED
                                                      : FUMATA_OK));
  if (status != FUMATA_OK) {
    check_same(life, &before);
    FUZZ_MUST(said == 4711);
    return;
  }
  FUZZ_MUST(said == (silent ? FUMATA_SILENT : (int32_t)winner));
  life->silences.used += (uint32_t)silent;
  life->silences.reserved -= (uint32_t)silent;
}

static void duel(struct life *life, uint32_t winner, uint32_t loser, uint32_t distance, uint64_t coin) {
  fumata_duel asked = {winner, loser, distance};
  struct life before;
  int32_t said = 4711;
  int is_named = coin < (distance == 0 ? UINT64_C(1) << 63 : named[(distance < 3 ? distance : 3) - 1]);
  fumata_status status;
  if (life->is_classic) return;
  memcpy(&before, life, sizeof before);
  status = fumata_toll_answer(&life->budget.toll, &asked, coin, &said);
  FUZZ_MUST(status == (winner >= FUMATA_CLASSES_MAX || loser >= FUMATA_CLASSES_MAX || winner == loser ? FUMATA_ERR_VOTE
                       : life->answers.reserved == 0 ? FUMATA_ERR_CLOSED
                                                     : FUMATA_OK));
  if (status != FUMATA_OK) {
    check_same(life, &before);
    FUZZ_MUST(said == 4711);
    return;
  }
  FUZZ_MUST(said == (int32_t)(is_named ? winner : loser));
  life->answers.used++;
  life->answers.reserved--;
}

static void end(struct life *life) {
  if (life->is_classic) {
    FUZZ_MUST(fumata_classic_close(&life->classic) == FUMATA_OK);
  } else {
    FUZZ_MUST(fumata_meter_close(&life->budget.meter) == FUMATA_OK);
    FUZZ_MUST(fumata_toll_close(&life->budget.toll) == FUMATA_OK);
    life->silences.left += life->silences.reserved;
    life->answers.left += life->answers.reserved;
    life->answers.reserved = 0;
  }
  life->silences.reserved = 0;
}

static void crash(struct life *life, uint8_t garbage) {
  memset(&life->budget, garbage, sizeof life->budget);
  memset(&life->classic, garbage, sizeof life->classic);
  FUZZ_MUST(resume(life, &claim, life->silences.stored, life->answers.stored) == FUMATA_OK);
  life->silences.left = life->silences.stored;
  life->answers.left = life->answers.stored;
  life->silences.reserved = life->answers.reserved = 0;
}

/* What must be refused, and then changes nothing: more than the limit, another claim. */
static void refuse(struct life *life, uint8_t how) {
  struct life before;
  fumata_claim other = claim;
  fumata_status status;
  uint32_t more = life->silences.limit + 1 + how % 3;
  memcpy(&before, life, sizeof before);
  if (how & 64) other.epsilon_num = 0;
  status = resume(life, &other, how & 64 ? 0 : more, 0);
  FUZZ_MUST(status == (how & 64 ? FUMATA_ERR_CLAIM : FUMATA_ERR_LEFT));
  check_same(life, &before);
}

static void step(struct life *life, struct fuzz *fuzz) {
  uint8_t what = fuzz_byte(fuzz);
  uint32_t a = (uint32_t)fuzz_number(fuzz, what & 128 ? 4 : 1), b = fuzz_byte(fuzz), distance = what >> 3 & 7;
  uint64_t coin = fuzz_number(fuzz, 8);
  int is_stored = life->silences.stored <= life->silences.left && life->answers.stored <= life->answers.left;
  switch (what & 7) {
  case 0:
    reserve(life, &life->silences, a, coin);
    break;
  case 1:
    reserve(life, &life->answers, a, coin);
    break;
  case 2: /* to the disk */
    life->silences.stored = life->silences.left;
    life->answers.stored = life->answers.left;
    break;
  case 3:
    if (is_stored) answer(life, a, distance == 7 ? b : distance, coin);
    break;
  case 4:
    if (is_stored) duel(life, a, b, distance == 7 ? a : distance, coin);
    break;
  case 5:
    end(life);
    break;
  case 6:
    crash(life, b);
    break;
  default:
    refuse(life, b);
    break;
  }
}

/* A count is released once. */
static void count(struct fuzz *fuzz) {
  fumata_noise noise = {query, 3, -(int64_t)fuzz_byte(fuzz)};
  uint64_t number = fuzz_number(fuzz, 8), coin = fuzz_number(fuzz, 8);
  int64_t said = 0, wanted = (int64_t)(number < (UINT64_C(1) << 40) ? number : UINT64_C(1) << 40) + noise.first;
  fumata_counter counter, before;
  memset(&counter, 0, sizeof counter);
  FUZZ_MUST(fumata_count_init(&counter, &noise, 1, &claim) == FUMATA_OK);
  for (size_t i = 0; i < 3; i++)
    wanted += query[i] <= coin;
  FUZZ_MUST(fumata_count_release(&counter, number, coin, &said) == FUMATA_OK && said == wanted);
  memcpy(&before, &counter, sizeof before);
  FUZZ_MUST(fumata_count_release(&counter, number, ~coin, &said) == FUMATA_ERR_CLOSED && said == wanted);
  FUZZ_MUST(!memcmp(&counter, &before, sizeof counter));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  uint8_t choice = fuzz_byte(&fuzz);
  struct life life;
  if (choice == 255) {
    count(&fuzz);
    return 0;
  }
  begin(&life, choice);
  while (fuzz.left) {
    step(&life, &fuzz);
    check(&life);
  }
  return 0;
}
