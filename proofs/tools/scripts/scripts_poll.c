/* Random lives of polls: every call with its arguments and all that came of it, one line each, for scripts_poll.ml to
 * repeat. A script begins with a start and goes on with questions, stores, answers, clearings, closings, crashes and
 * resumptions, in any order; a crash goes on with the uses that were stored last, or with any.
 *
 *   scripts_poll NUMBER SEED */
#include "scripts.h"

#define UNITS 7
#define ROOM 6
#define LABELS 4

/* The first three are sound. Tables that end early are asked for leads past their end. */
static const fumata_toll_plan plans[] = {{named, 3, 2},
                                         {fair, 1, 1},
                                         {named, 2, FUMATA_POLL_VOTES_MAX},
                                         {named, 3, FUMATA_POLL_VOTES_MAX + 1},
                                         {unfair, 2, 5},
                                         {falling, 2, 5},
                                         {named, 3, 0}};

typedef struct {
  const fumata_claim *claim;
  const fumata_toll_plan *plan;
  fumata_poll poll;
  uint16_t used[UNITS], disk[UNITS];
  int32_t lead[ROOM];
  int alive;
} life;

typedef struct {
  fumata_question question;
  int16_t weights[FUMATA_CLASSES_MAX + 1];
} inquiry;

static void numbers(const char *name, uint32_t n) { printf(" %s %u", name, (unsigned)n); }

static void state_line(const life *l, int status) {
  uint32_t i;
  printf(" = %d", status);
  for (i = 0; i < l->poll.uses.size; i++) printf(" %u", (unsigned)l->used[i]);
  for (i = 0; i < l->poll.leads.size; i++) printf(" %d", (int)l->lead[i]);
  printf(" %u %u %u\n", (unsigned)l->poll.asked, (unsigned)l->poll.stored, (unsigned)l->poll.answered);
}

static uint16_t any_use(uint32_t limit) {
  return below(8) ? (uint16_t)below(limit + 1 < 4 ? limit + 2 : 4) : (uint16_t)word();
}

/* A beginning, or a resumption from the disk or from anything. */
static void start(life *l, uint32_t units, uint32_t room) {
  uint32_t kind = below(4), i;
  int status;
  l->poll.uses.size = units;
  l->poll.leads.size = room;
  for (i = 0; i < units; i++) l->used[i] = kind < 3 ? l->disk[i] : any_use(l->plan->limit);
  printf("%c", kind == 0 ? 'i' : 'r');
  numbers("uses", units);
  for (i = 0; i < units; i++) printf(" %u", (unsigned)l->used[i]);
  numbers("leads", room);
  for (i = 0; i < room; i++) printf(" %d", (int)l->lead[i]);
  status = kind == 0 ? fumata_poll_init(&l->poll, l->plan, l->claim) : fumata_poll_resume(&l->poll, l->plan, l->claim);
  l->alive = status == FUMATA_OK;
  state_line(l, status);
}

/* Mostly one in order; else too many labels or none, m out of range, or a weight above it. */
static void any_question(inquiry *q) {
  uint32_t kind = below(128), y;
  uint32_t size = kind == 0 ? 0 : kind == 1 ? FUMATA_CLASSES_MAX + 1 : kind == 2 ? FUMATA_CLASSES_MAX : 1 + below(LABELS);
  uint32_t most = kind == 3 ? 0 : kind < 8 ? FUMATA_WEIGHT_MAX + (kind == 4) : 1 + below(4);
  for (y = 0; y < size; y++) {
    q->weights[y] = (int16_t)((int32_t)below(2 * most + 1) - (int32_t)most);
    if (kind >= 8 && kind < 12 && below(4) == 0) q->weights[y] = (int16_t)(below(2) ? (int32_t)most + 1 : -(int32_t)most - 1);
  }
  q->question.weights = q->weights;
  q->question.size = size;
  q->question.most = most;
  q->question.radius = below(8) ? below(5) : below(2) ? UINT32_MAX : (uint32_t)word();
}

static void question_line(const inquiry *q) {
  uint32_t y;
  numbers("weights", q->question.size);
  for (y = 0; y < q->question.size; y++) printf(" %d", (int)q->weights[y]);
  printf(" %u %u", (unsigned)q->question.most, (unsigned)q->question.radius);
}

static uint16_t any_label(uint32_t labels) { return (uint16_t)(below(16) ? below(LABELS + 1) : labels - below(2)); }

static void vote(life *l) {
  uint32_t distances[UNITS], i;
  uint16_t labels[UNITS];
  fumata_voices voices;
  inquiry q;
  any_question(&q);
  voices.distances = distances;
  voices.labels = labels;
  printf("v");
  question_line(&q);
  numbers("voices", l->poll.uses.size);
  for (i = 0; i < l->poll.uses.size; i++) {
    distances[i] = below(8) ? below(6) : (uint32_t)word();
    labels[i] = any_label(q.question.size);
    printf(" %u %u", (unsigned)distances[i], (unsigned)labels[i]);
  }
  state_line(l, fumata_poll_vote(&l->poll, &q.question, &voices));
}

/* Mostly each of the units or not, in order; else one twice, two exchanged, or one that there is not. */
static void vote_listed(life *l) {
  uint32_t units[UNITS + 1], kind = below(16), n = 0, i;
  uint16_t labels[UNITS + 1];
  fumata_list list;
  inquiry q;
  any_question(&q);
  for (i = 0; i < l->poll.uses.size; i++)
    if (below(3)) units[n++] = i;
  if (kind == 0) units[n++] = l->poll.uses.size + below(2);
  if (kind == 1 && n > 0) {
    units[n] = units[n - 1];
    n++;
  }
  if (kind == 2 && n > 1) {
    i = units[0];
    units[0] = units[n - 1];
    units[n - 1] = i;
  }
  list.units = units;
  list.labels = labels;
  list.size = n;
  printf("l");
  question_line(&q);
  numbers("list", n);
  for (i = 0; i < n; i++) {
    labels[i] = any_label(q.question.size);
    printf(" %u %u", (unsigned)units[i], (unsigned)labels[i]);
  }
  state_line(l, fumata_poll_vote_listed(&l->poll, &q.question, &list));
}

static void answer(life *l) {
  uint64_t coin = below(4) ? coin_near(l->plan->named, l->plan->size)
                           : below(2) ? (UINT64_C(1) << 63) + below(3) - 1 : UINT64_MAX - l->plan->named[0] + below(3);
  uint32_t yes = 7;
  int status = fumata_poll_answer(&l->poll, coin, &yes);
  printf("a %llx %u", (unsigned long long)coin, (unsigned)yes);
  state_line(l, status);
}

static void call(life *l, uint32_t step) {
  int status;
  if (l->poll.answered < l->poll.stored && below(2)) {
    answer(l);
  } else if (step < 8) {
    vote(l);
  } else if (step < 13) {
    vote_listed(l);
  } else if (step < 18) {
    memcpy(l->disk, l->used, sizeof l->disk);
    status = fumata_poll_stored(&l->poll);
    printf("s");
    state_line(l, status);
  } else if (step < 22 || below(2)) {
    answer(l);
  } else if (below(3)) {
    status = fumata_poll_clear(&l->poll);
    printf("c");
    state_line(l, status);
  } else {
    status = fumata_poll_close(&l->poll);
    printf("e");
    state_line(l, status);
  }
}

static void script(void) {
  uint32_t units = below(UNITS + 1), room = below(8) ? 1 + below(ROOM) : 0, length = below(LONGEST);
  life l;
  memset(&l, 0, sizeof l);
  l.claim = any_claim();
  l.plan = &plans[PICK(plans)];
  l.poll.uses.used = l.used;
  l.poll.leads.lead = l.lead;
  printf("P");
  table_line(l.plan->named, l.plan->size);
  printf(" %x", (unsigned)l.plan->limit);
  claim_line(l.claim);
  start(&l, units, room);
  while (length-- > 0) {
    uint32_t step = below(27);
    if (step == 26) {
      start(&l, units, room);
    } else if (l.alive) {
      call(&l, step);
    }
  }
}

int main(int count, char **arguments) {
  long number = count > 1 ? atol(arguments[1]) : 1000;
  seed = count > 2 ? strtoull(arguments[2], NULL, 0) : 1;
  for (; number > 0; number--) script();
  return fflush(stdout) != 0;
}
