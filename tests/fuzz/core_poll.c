/* Lives of a poll: any calls in any order, crashes between them, against a model that only counts. No unit votes more than B times
 * over a life, no answer is drawn before the votes that it counts were handed out for storing, each lead is answered once and as
 * the table says, and an error changes nothing. Every build that this processor runs is asked the same questions.
 *
 * The accountant is stood in for, as in core_machines.c. */
#include "core/poll.h"
#include "fuzz/harness.h"
#include "gate/target.h"

#define TENTH  (UINT64_MAX / 10 + 1)
#define UNITS  6
#define LEADS  3
#define LABELS 4

static const uint64_t named[] = {6 * TENTH, 8 * TENTH, 9 * (TENTH - 1)};
static const fumata_claim claim = {60, 1, 99, 100, 2, 0, UINT64_C(4) << 32};

fumata_status fumata_certify_toll(const fumata_toll_plan *plan, const fumata_claim *said, fumata_fault *fault) {
  FUZZ_MUST(plan->named == named);
  *fault = (fumata_fault){said->epsilon_num ? FUMATA_FAULT_NONE : FUMATA_FAULT_CLAIM, 0};
  return said->epsilon_num ? FUMATA_OK : FUMATA_ERR_CLAIM;
}

/* The machine, and beside it what it should know. */
struct life {
  fumata_poll poll;
  fumata_toll_plan plan;
  uint16_t memory[UNITS], used[UNITS];
  uint16_t disk[UNITS];        /* what was handed out for storing, and stored */
  uint16_t told[UNITS];        /* votes that answers have counted, over the whole life */
  uint8_t voted[LEADS][UNITS]; /* who voted for each lead that waits */
  int32_t queue[LEADS], leads[LEADS];
  uint32_t asked, stored, answered, room;
  int is_closed;
};

static void check(const struct life *life) {
  const fumata_poll *poll = &life->poll;
  FUZZ_MUST(poll->asked == life->asked && poll->stored == life->stored && poll->answered == life->answered);
  FUZZ_MUST(poll->leads.size == life->room && poll->uses.size == UNITS && poll->uses.used == life->memory);
  FUZZ_MUST(!memcmp(life->memory, life->used, sizeof life->used));
  FUZZ_MUST(!memcmp(life->queue, life->leads, sizeof life->leads));
  for (int r = 0; r < UNITS; r++)
    FUZZ_MUST(life->used[r] <= life->plan.limit && life->told[r] <= life->disk[r] && life->disk[r] <= life->plan.limit);
}

/* A start with any numbers in the rest of the machine. */
static fumata_status start(struct life *life, const fumata_claim *said, int is_new, uint8_t garbage) {
  memset(&life->poll, garbage, sizeof life->poll);
  life->poll.uses = (fumata_uses){life->memory, UNITS};
  life->poll.leads = (fumata_leads){life->queue, life->room};
  return is_new ? fumata_poll_init(&life->poll, &life->plan, said) : fumata_poll_resume(&life->poll, &life->plan, said);
}

static void begin(struct life *life, uint8_t choice) {
  memset(life, 0, sizeof *life);
  life->plan = (fumata_toll_plan){named, 3, 1 + choice % 3};
  life->room = choice / 3 % (LEADS + 1);
  memset(life->memory, choice, sizeof life->memory);
  FUZZ_MUST(start(life, &claim, 1, choice) == FUMATA_OK);
}

struct question {
  int16_t weights[LABELS];
  fumata_question core;
  uint32_t distances[UNITS];
  uint16_t labels[UNITS];
  int is_right;
};

static void draw(struct question *question, struct fuzz *fuzz) {
  uint32_t radius = fuzz_byte(fuzz);
  question->core =
      (fumata_question){question->weights, 1 + fuzz_byte(fuzz) % LABELS, 0, radius == 255 ? UINT32_MAX : radius};
  question->core.most = (uint32_t)fuzz_number(fuzz, 2) % (FUMATA_WEIGHT_MAX + 3);
  question->is_right = question->core.most >= 1 && question->core.most <= FUMATA_WEIGHT_MAX;
  for (int i = 0; i < LABELS; i++)
    question->weights[i] = (int16_t)fuzz_number(fuzz, 2);
  for (uint32_t i = 0; i < question->core.size; i++)
    if (question->weights[i] > (int64_t)question->core.most || question->weights[i] < -(int64_t)question->core.most)
      question->is_right = 0;
  for (int r = 0; r < UNITS; r++) {
    uint32_t near = fuzz_byte(fuzz);
    question->distances[r] = near == 255 ? UINT32_MAX : near;
    question->labels[r] = fuzz_byte(fuzz) % (LABELS + 1);
  }
}

/* One vote of the model; what it adds to the sum. */
static int64_t vote(struct life *life, const struct question *question, uint32_t unit) {
  uint16_t label = question->labels[unit];
  int64_t weight = label < question->core.size ? question->weights[label] : 0;
  if (life->used[unit] >= life->plan.limit || weight == 0) return 0;
  life->used[unit]++;
  life->voted[life->asked][unit] = 1;
  return weight;
}

static void put(struct life *life, int64_t sum, uint32_t most) {
  life->leads[life->asked++] = (int32_t)(sum < 0 ? -(-sum / (int64_t)most) : sum / (int64_t)most);
}

/* All builds are asked; the last one's poll lives on. */
static void ask(struct life *life, struct fuzz *fuzz) {
  struct question question;
  size_t count;
  const struct target *targets = target_list(&count);
  struct life before;
  int64_t sum = 0;
  fumata_status wanted;
  draw(&question, fuzz);
  wanted = !question.is_right ? FUMATA_ERR_QUESTION : life->asked == life->room ? FUMATA_ERR_FULL : FUMATA_OK;
  memcpy(&before, life, sizeof before);
  if (wanted == FUMATA_OK) memset(life->voted[life->asked], 0, UNITS);
  for (uint32_t r = 0; wanted == FUMATA_OK && r < UNITS; r++)
    if (question.distances[r] <= question.core.radius) sum += vote(life, &question, r);
  if (wanted == FUMATA_OK) put(life, sum, question.core.most);
  for (size_t t = 0; t < count; t++) {
    fumata_voices voices = {question.distances, question.labels};
    memcpy(&life->poll, &before.poll, sizeof life->poll);
    memcpy(life->memory, before.memory, sizeof life->memory);
    memcpy(life->queue, before.queue, sizeof life->queue);
    FUZZ_MUST(targets[t].poll_vote(&life->poll, &question.core, &voices) == wanted);
    check(life);
  }
}

/* Units that were found elsewhere: any list, of which only one in ascending order and without strangers is taken. */
static void ask_listed(struct life *life, struct fuzz *fuzz) {
  struct question question;
  uint32_t units[UNITS + 2], size = fuzz_byte(fuzz) % (UNITS + 3);
  uint16_t labels[UNITS + 2];
  int is_list = size <= UNITS;
  int64_t sum = 0;
  fumata_list list = {units, labels, size};
  fumata_status wanted;
  for (uint32_t i = 0; i < size; i++) {
    units[i] = fuzz_byte(fuzz) % (UNITS + 1);
    is_list = is_list && units[i] < UNITS && (i == 0 || units[i] > units[i - 1]);
  }
  draw(&question, fuzz);
  for (uint32_t i = 0; i < size; i++)
    labels[i] = question.labels[units[i] % UNITS];
  wanted = !question.is_right          ? FUMATA_ERR_QUESTION
           : !is_list                  ? FUMATA_ERR_LIST
           : life->asked == life->room ? FUMATA_ERR_FULL
                                       : FUMATA_OK;
  if (wanted == FUMATA_OK) memset(life->voted[life->asked], 0, UNITS);
  for (uint32_t i = 0; wanted == FUMATA_OK && i < size; i++)
    sum += vote(life, &question, units[i]);
  if (wanted == FUMATA_OK) put(life, sum, question.core.most);
  FUZZ_MUST(fumata_poll_vote_listed(&life->poll, &question.core, &list) == wanted);
}

static void answer(struct life *life, uint64_t coin) {
  uint32_t yes = 4711, far;
  int32_t lead;
  uint64_t chance;
  fumata_status status = fumata_poll_answer(&life->poll, coin, &yes);
  FUZZ_MUST(status == (life->answered == life->stored ? FUMATA_ERR_UNSTORED : FUMATA_OK));
  if (status != FUMATA_OK) {
    FUZZ_MUST(yes == 4711);
    return;
  }
  for (int r = 0; r < UNITS; r++)
    life->told[r] += life->voted[life->answered][r];
  lead = life->leads[life->answered++];
  far = (uint32_t)(lead < 0 ? -lead : lead);
  chance = far == 0 ? UINT64_C(1) << 63 : named[(far < 3 ? far : 3) - 1];
  FUZZ_MUST(yes == (lead < 0 ? chance <= coin : coin < chance));
}

/* The disk takes the uses, and then the poll is told so. A poll that was closed has none to store. */
static void store(struct life *life) {
  if (life->is_closed) return;
  memcpy(life->disk, life->poll.uses.used, sizeof life->disk);
  FUZZ_MUST(fumata_poll_stored(&life->poll) == FUMATA_OK);
  life->stored = life->asked;
}

static void clear(struct life *life, int is_end) {
  FUZZ_MUST((is_end ? fumata_poll_close(&life->poll) : fumata_poll_clear(&life->poll)) == FUMATA_OK);
  life->asked = life->stored = life->answered = 0;
  for (uint32_t i = 0; i < life->room; i++)
    life->leads[i] = 0;
  if (!is_end) return;
  memset(life->used, 0, sizeof life->used);
  life->room = 0;
  life->is_closed = 1;
}

/* From what the disk has; room for leads may be another. */
static void resume(struct life *life, uint8_t choice) {
  memcpy(life->memory, life->disk, sizeof life->memory);
  memcpy(life->used, life->disk, sizeof life->used);
  life->room = choice % (LEADS + 1);
  life->is_closed = 0;
  FUZZ_MUST(start(life, &claim, 0, choice) == FUMATA_OK);
  life->asked = life->stored = life->answered = 0;
}

/* Another claim, a limit or sizes that there cannot be; then nothing has changed. */
static void refuse(struct life *life, uint8_t how) {
  struct life before;
  fumata_claim other = claim;
  fumata_toll_plan plan = life->plan;
  fumata_poll poll = life->poll;
  fumata_status wanted = FUMATA_ERR_CLAIM, status;
  other.epsilon_num = 0;
  if (how % 3 == 1) plan.limit = FUMATA_POLL_VOTES_MAX + 1, wanted = FUMATA_ERR_LIMIT;
  if (how % 3 == 2) {
    *(how & 4 ? &poll.uses.size : &poll.leads.size) = how & 4 ? FUMATA_UNITS_MAX + 1 : FUMATA_LEADS_MAX + 1;
    wanted = FUMATA_ERR_UNITS;
  }
  memcpy(&before, life, sizeof before);
  before.poll = poll;
  status = how & 8 ? fumata_poll_init(&poll, &plan, &other) : fumata_poll_resume(&poll, &plan, &other);
  FUZZ_MUST(status == wanted && !memcmp(&poll, &before.poll, sizeof poll));
  before.poll = life->poll;
  FUZZ_MUST(!memcmp(life, &before, sizeof before));
}

static void step(struct life *life, struct fuzz *fuzz) {
  uint8_t what = fuzz_byte(fuzz);
  switch (what & 7) {
  case 0:
  case 1:
    ask(life, fuzz);
    break;
  case 2:
    ask_listed(life, fuzz);
    break;
  case 3:
    store(life);
    break;
  case 4:
    answer(life, fuzz_number(fuzz, 8));
    break;
  case 5:
    clear(life, what == 0xfd);
    break;
  case 6:
    resume(life, what >> 3);
    break;
  default:
    refuse(life, what >> 3);
    break;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct fuzz fuzz = {bytes, size};
  struct life life;
  begin(&life, fuzz_byte(&fuzz));
  while (fuzz.left) {
    step(&life, &fuzz);
    check(&life);
  }
  return 0;
}
