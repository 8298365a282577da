#include "poll.h"

/* Units whose weights are held at a time. */
#define FUMATA_POLL_BLOCK 512u

fumata_status fumata_poll_resume(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim) {
  fumata_fault fault;
  fumata_status status;

  if (poll->uses.size > FUMATA_UNITS_MAX || poll->leads.size > FUMATA_LEADS_MAX) {
    return FUMATA_ERR_UNITS;
  }
  if (plan->limit > FUMATA_POLL_VOTES_MAX) {
    return FUMATA_ERR_LIMIT;
  }
  status = fumata_certify_toll(plan, claim, &fault);
  if (status != FUMATA_OK) {
    return status;
  }
  poll->plan.named = plan->named;
  poll->plan.size = plan->size;
  poll->plan.limit = plan->limit;
  poll->asked = 0u;
  poll->stored = 0u;
  poll->answered = 0u;
  /*@ assert runs:      FumataPollRuns(poll, plan) && FumataPollIsIdle(poll); */
  /*@ assert table:     FumataNamedTable(poll->plan.named, poll->plan.size); */
  /*@ assert plan:      FumataTollPlanOk(&poll->plan); */
  /*@ assert memory:    FumataPollMemory(poll); */
  /*@ assert apart:     \separated(poll, poll->plan.named + (0 .. poll->plan.size - 1)) &&
                        \separated(poll->uses.used + (0 .. poll->uses.size - 1), poll->plan.named + (0 .. poll->plan.size - 1)) &&
                        \separated(poll->leads.lead + (0 .. poll->leads.size - 1), poll->plan.named + (0 .. poll->plan.size - 1)); */
  /*@ assert state:     FumataPollInvariant(poll); */
  return FUMATA_OK;
}

/*@ ghost
  /@ terminates \true; exits \false;
     assigns              \nothing;
     ensures sum:         FumataRow(a + b, most) == FumataRow(a, most) + FumataRow(b, most);
     ensures order:       0 <= FumataRow(b, most); @/
  void fumata_poll_lemma_sum(uint64_t a, uint64_t b, uint32_t most) {
    /@ loop invariant range: 0 <= t <= b;
       loop invariant sum:   FumataRow(a + t, most) == FumataRow(a, most) + FumataRow(t, most);
       loop invariant order: 0 <= FumataRow(t, most);
       loop assigns          t;
       loop variant          b - t; @/
    for (uint64_t t = 0; t < b; t++) {
      /@ assert next: FumataRow(t + 1, most) == FumataRow(t, most) + most; @/
      /@ assert next: FumataRow((a + t) + 1, most) == FumataRow(a + t, most) + most; @/
    }
  } */

/*@ ghost
  /@ terminates \true; exits \false;
     assigns              \nothing;
     ensures product:     FumataRow(n, most) == n * most; @/
  void fumata_poll_lemma_product(uint64_t n, uint32_t most) {
    /@ loop invariant range:   0 <= t <= n;
       loop invariant product: FumataRow(t, most) == t * most;
       loop assigns            t;
       loop variant            n - t; @/
    for (uint64_t t = 0; t != n; t++) {
      /@ assert next: FumataRow(t + 1, most) == FumataRow(t, most) + most; @/
    }
  } */

/* What n votes sum to is within what a crowd's could. */
/*@ ghost
  /@ requires size:       n <= FUMATA_UNITS_MAX;
     requires votes:      -FumataRow(n, most) <= sum <= FumataRow(n, most);
     terminates \true; exits \false;
     assigns              \nothing;
     ensures bound:       -FUMATA_UNITS_MAX * most <= sum <= FUMATA_UNITS_MAX * most; @/
  void fumata_poll_lemma_bound(int64_t sum, uint64_t n, uint32_t most) {
    fumata_poll_lemma_sum(n, (uint64_t)(FUMATA_UNITS_MAX - n), most);
    fumata_poll_lemma_product(FUMATA_UNITS_MAX, most);
  } */

/*@ ghost
  /@ requires range:      1 <= most <= FUMATA_WEIGHT_MAX;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures quotient:    \result == sum / most;
     ensures times:       FumataRow(\result, most) <= sum < FumataRow(\result, most) + most; @/
  uint64_t fumata_poll_lemma_exact(uint64_t sum, uint32_t most) {
    uint64_t exact = sum / most;
    /@ assert exact: exact * most <= sum < exact * most + most; @/
    fumata_poll_lemma_product(exact, most);
    return exact;
  } */

/* There is one quotient. */
/*@ ghost
  /@ requires range:      1 <= most <= FUMATA_WEIGHT_MAX && sum <= FUMATA_UNITS_MAX * most;
     requires sum:        sum == FumataRow(quotient, most) + rest && rest < most;
     terminates \true; exits \false;
     assigns              \nothing;
     ensures quotient:    quotient == sum / most;
     ensures range:       quotient <= FUMATA_UNITS_MAX; @/
  void fumata_poll_lemma_quotient(uint64_t sum, uint64_t quotient, uint64_t rest, uint32_t most) {
    uint64_t exact = fumata_poll_lemma_exact(sum, most);
    fumata_poll_lemma_product(FUMATA_UNITS_MAX, most);
    /@ assert next:  FumataRow(exact + 1, most) == FumataRow(exact, most) + most; @/
    /@ assert next:  FumataRow(quotient + 1, most) == FumataRow(quotient, most) + most; @/
    /@ assert next:  FumataRow(FUMATA_UNITS_MAX + 1, most) == FumataRow(FUMATA_UNITS_MAX, most) + most; @/
    if (quotient < exact) {
      fumata_poll_lemma_sum((uint64_t)(quotient + 1), (uint64_t)(exact - (quotient + 1)), most);
    }
    if (exact < quotient) {
      fumata_poll_lemma_sum((uint64_t)(exact + 1), (uint64_t)(quotient - (exact + 1)), most);
    }
    if (FUMATA_UNITS_MAX < quotient) {
      fumata_poll_lemma_sum((uint64_t)(FUMATA_UNITS_MAX + 1), (uint64_t)(quotient - (FUMATA_UNITS_MAX + 1)), most);
    }
  } */

/*@ requires memory:     \valid(poll) && \valid(poll->uses.used + (0 .. poll->uses.size - 1));
    terminates \true; exits \false;
    assigns              poll->uses.used[0 .. poll->uses.size - 1];
    ensures unused:      FumataNoneUsed(poll); */
static void fumata_poll_wipe(fumata_poll *poll) {
  uint32_t r;

  /*@ loop invariant range:  0 <= r <= poll->uses.size;
      loop invariant unused: \forall integer i; 0 <= i < r ==> poll->uses.used[i] == 0;
      loop assigns           r, poll->uses.used[0 .. poll->uses.size - 1];
      loop variant           poll->uses.size - r; */
  for (r = 0u; r < poll->uses.size; r++) {
    poll->uses.used[r] = 0u;
  }
}

fumata_status fumata_poll_init(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim) {
  fumata_status status = fumata_poll_resume(poll, plan, claim);

  if (status == FUMATA_OK) {
    fumata_poll_wipe(poll);
  }
  return status;
}

/*@ requires question:   FumataQuestionReadable(question);
    terminates \true; exits \false;
    assigns              \nothing;
    ensures question:    FumataQuestionOk(question) ? \result == 1 : \result == 0; */
static uint32_t fumata_poll_question(const fumata_question *question) {
  int32_t most;
  uint32_t y;

  if (question->size < 1u || question->size > FUMATA_CLASSES_MAX || question->most < 1u ||
      question->most > FUMATA_WEIGHT_MAX) {
    return 0u;
  }
  most = (int32_t)question->most;
  /*@ loop invariant range:   0 <= y <= question->size;
      loop invariant weights: FumataWeightsOk(question->weights, y, question->most);
      loop assigns            y;
      loop variant            question->size - y; */
  for (y = 0u; y < question->size; y++) {
    if (question->weights[y] > most || question->weights[y] < -most) {
      return 0u;
    }
  }
  return 1u;
}

/* What labels at .. at + n - 1 weigh, said twice, for two ways of looking it up. Each is compared with every label that weighs
 * something: one that indexed the weights would be told by the cache. */
/*@ requires question:   FumataQuestionReadable(question) && FumataQuestionOk(question);
    requires block:      n <= FUMATA_POLL_BLOCK && at <= FUMATA_UNITS_MAX;
    requires readable:   \valid_read(labels + (at .. at + n - 1));
    requires writable:   \valid(weight + (0 .. n - 1));
    requires apart:      \separated(weight + (0 .. n - 1), question) &&
                         \separated(weight + (0 .. n - 1), question->weights + (0 .. question->size - 1)) &&
                         \separated(weight + (0 .. n - 1), labels + (at .. at + n - 1));
    terminates \true; exits \false;
    assigns              weight[0 .. n - 1];
    ensures weights:     \forall integer j; 0 <= j < n ==> weight[j] == FumataWeight(question, labels[at + j]);
    ensures labels:      \forall integer i; at <= i < at + n ==> weight[i - at] == FumataWeight(question, labels[i]);
    ensures bound:       \forall integer j; 0 <= j < n ==> -question->most <= weight[j] <= question->most; */
static void fumata_poll_weigh(const fumata_question *question, const uint16_t *labels, uint32_t at, uint32_t n,
                              int16_t *weight) {
  uint32_t y;
  uint32_t j;

  /*@ loop invariant range:   0 <= j <= n;
      loop invariant nothing: \forall integer i; 0 <= i < j ==> weight[i] == 0;
      loop assigns            j, weight[0 .. n - 1];
      loop variant            n - j; */
  for (j = 0u; j < n; j++) {
    weight[j] = 0;
  }
  /*@ loop invariant range:   0 <= y <= question->size;
      loop invariant weights: \forall integer i; 0 <= i < n ==>
                              weight[i] == (labels[at + i] < y ? question->weights[labels[at + i]] : 0);
      loop assigns            y, j, weight[0 .. n - 1];
      loop variant            question->size - y; */
  for (y = 0u; y < question->size; y++) {
    int16_t w = question->weights[y];
    if (w != 0) {
      /*@ loop invariant range: 0 <= j <= n;
          loop invariant done:  \forall integer i; 0 <= i < j ==>
                                weight[i] == (labels[at + i] <= y ? question->weights[labels[at + i]] : 0);
          loop invariant rest:  \forall integer i; j <= i < n ==>
                                weight[i] == (labels[at + i] < y ? question->weights[labels[at + i]] : 0);
          loop assigns          j, weight[0 .. n - 1];
          loop variant          n - j; */
      for (j = 0u; j < n; j++) {
        int32_t same = (int32_t)(labels[at + j] == y);
        /*@ assert same: same == 1 ? labels[at + j] == y && weight[j] == 0 : same == 0 && labels[at + j] != y; */
        weight[j] = (int16_t)(weight[j] + same * w);
        /*@ assert cell: weight[j] == (labels[at + j] <= y ? question->weights[labels[at + j]] : 0); */
      }
    }
  }
}

/* All votes on a question are counted; their sum. Products of comparisons where && would be a branch on a secret. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    requires question:   FumataPollCanAsk(poll, question) && FumataQuestionOk(question);
    requires voices:     FumataPollCanHear(poll, voices);
    terminates \true; exits \false;
    assigns              poll->uses.used[0 .. poll->uses.size - 1];
    ensures votes:       \forall integer r; 0 <= r < poll->uses.size ==> poll->uses.used[r] ==
                         \old(poll->uses.used[r] + (FumataVote(poll, question, voices, r) != 0 ? 1 : 0));
    ensures sum:         \result == \old(FumataVoteSum(poll, question, voices, poll->uses.size));
    ensures bound:       -FUMATA_UNITS_MAX * question->most <= \result <= FUMATA_UNITS_MAX * question->most; */
static int64_t fumata_poll_count(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices) {
  const uint32_t *distances = voices->distances;
  uint16_t *used = poll->uses.used;
  uint32_t radius = question->radius;
  uint32_t limit = poll->plan.limit;
  int16_t weight[FUMATA_POLL_BLOCK];
  int64_t sum = 0;
  uint32_t n;
  uint32_t r;
  uint32_t j;

  /*@ loop invariant range: 0 <= r <= poll->uses.size;
      loop invariant votes: \forall integer i; 0 <= i < r ==> used[i] ==
                            \at(poll->uses.used[i] + (FumataVote(poll, question, voices, i) != 0 ? 1 : 0), Pre);
      loop invariant rest:  \forall integer i; r <= i < poll->uses.size ==> used[i] == \at(poll->uses.used[i], Pre);
      loop invariant sum:   sum == \at(FumataVoteSum(poll, question, voices, \at(r, Here)), Pre);
      loop invariant bound: -FumataRow(r, question->most) <= sum <= FumataRow(r, question->most);
      loop invariant wide:  -r * FUMATA_WEIGHT_MAX <= sum <= r * FUMATA_WEIGHT_MAX;
      loop assigns          r, n, j, sum, weight[0 .. FUMATA_POLL_BLOCK - 1], used[0 .. poll->uses.size - 1];
      loop variant          poll->uses.size - r; */
  for (r = 0u; r < poll->uses.size; r += n) {
    int32_t part = 0;
    n = poll->uses.size - r < FUMATA_POLL_BLOCK ? poll->uses.size - r : FUMATA_POLL_BLOCK;
    fumata_poll_weigh(question, voices->labels, r, n, weight);
    /*@ assert label: \forall integer i; r <= i < r + n ==> voices->labels[i] == \at(voices->labels[i], Pre); */
    /*@ loop invariant range: 0 <= j <= n;
        loop invariant votes: \forall integer i; 0 <= i < r + j ==> used[i] ==
                              \at(poll->uses.used[i] + (FumataVote(poll, question, voices, i) != 0 ? 1 : 0), Pre);
        loop invariant rest:  \forall integer i; r + j <= i < poll->uses.size ==> used[i] == \at(poll->uses.used[i], Pre);
        loop invariant sum:   sum + part == \at(FumataVoteSum(poll, question, voices, \at(r + j, Here)), Pre);
        loop invariant bound: -FumataRow(r + j, question->most) <= sum + part <= FumataRow(r + j, question->most);
        loop invariant wide:  -j * FUMATA_WEIGHT_MAX <= part <= j * FUMATA_WEIGHT_MAX;
        loop assigns          j, part, used[0 .. poll->uses.size - 1];
        loop variant          n - j; */
    for (j = 0u; j < n; j++) {
      int32_t may = (distances[r + j] <= radius) * (used[r + j] < limit);
      /*@ assert flag: may == 0 || may == 1; */
      /*@ assert used: used[r + j] == \at(poll->uses.used[\at(r + j, Here)], Pre); */
      /*@ assert says: weight[j] == \at(FumataWeight(question, voices->labels[\at(r + j, Here)]), Pre); */
      /*@ assert vote: (may == 1 ? weight[j] : 0) == \at(FumataVote(poll, question, voices, \at(r + j, Here)), Pre); */
      /*@ assert next: FumataRow((r + j) + 1, question->most) == FumataRow(r + j, question->most) + question->most; */
      used[r + j] = (uint16_t)(used[r + j] + may * (weight[j] != 0));
      part += may * weight[j];
    }
    sum += part;
  }
  /*@ ghost fumata_poll_lemma_bound(sum, r, question->most); */
  return sum;
}

/* Whether a is b or more: the top bit of a sum, because what a comparison gives is a branch to some compilers. */
/*@ requires range:      a <= 4611686018427387904 && b <= 4611686018427387904;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures reaches:     \result == (a >= b ? 1 : 0); */
static uint32_t fumata_poll_reaches(uint64_t a, uint64_t b) {
  return (uint32_t)((a + UINT64_C(9223372036854775808) - b) / UINT64_C(9223372036854775808));
}

/* A number, or nothing, without a branch. */
/*@ requires flag:       flag == 0 || flag == 1;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures picked:      \result == (flag == 1 ? number : 0); */
static uint64_t fumata_poll_pick(uint32_t flag, uint64_t number) {
  return flag * number;
}

/* Powers of two. */
/*@ logic integer FumataTwos(integer n) = n <= 0 ? 1 : 2 * FumataTwos(n - 1); */

/* A sum over m, rounded down; bit by bit, because the time of a division can tell its numbers. */
/*@ requires range:      1 <= most <= FUMATA_WEIGHT_MAX && sum <= FUMATA_UNITS_MAX * most;
    terminates \true; exits \false;
    assigns              \nothing;
    ensures quotient:    \result == sum / most;
    ensures range:       \result <= FUMATA_UNITS_MAX; */
static uint32_t fumata_poll_quotient(uint64_t sum, uint32_t most) {
  uint32_t quotient = 0u;
  uint32_t unit = FUMATA_UNITS_MAX;
  uint64_t step = (uint64_t)FUMATA_UNITS_MAX * most;
  /*@ ghost uint32_t places = 27; */
  /*@ ghost uint64_t whole = sum; */

  /*@ ghost fumata_poll_lemma_product(FUMATA_UNITS_MAX, most); */
  /*@ assert ten:    FumataTwos(10) == 1024; */
  /*@ assert twenty: FumataTwos(20) == 1048576; */
  /*@ assert first:  FumataTwos(26) == unit; */
  /*@ assert one:    FumataRow(1, most) == most; */
  /*@ loop invariant places:   0 <= places <= 27 && (places == 0 ? unit == 0 : unit == FumataTwos(places - 1));
      loop invariant step:     unit > 0 ==> step == FumataRow(unit, most);
      loop invariant whole:    whole == FumataRow(quotient, most) + sum;
      loop invariant rest:     unit > 0 ? sum < 2 * step : sum < most;
      loop invariant range:    step <= 4503599627370496;
      loop invariant quotient: quotient + 2 * unit <= 2 * FUMATA_UNITS_MAX;
      loop assigns             sum, quotient, unit, step, places;
      loop variant             places; */
  while (unit > 0u) {
    uint32_t fits = fumata_poll_reaches(sum, step);
    /*@ ghost fumata_poll_lemma_sum(quotient, unit, most); */
    /*@ ghost fumata_poll_lemma_sum(unit / 2, unit / 2, most); */
    /*@ assert even: unit == 1 || unit == 2 * FumataTwos(places - 2); */
    quotient += (uint32_t)fumata_poll_pick(fits, unit);
    sum -= fumata_poll_pick(fits, step);
    /*@ assert left: sum < step; */
    unit /= 2u;
    step /= 2u;
    /*@ ghost places--; */
  }
  /*@ ghost fumata_poll_lemma_quotient(whole, quotient, sum, most); */
  return quotient;
}

/* The lead of a sum waits to be answered. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll) && poll->asked < poll->leads.size;
    requires most:       1 <= most <= FUMATA_WEIGHT_MAX;
    requires sum:        -FUMATA_UNITS_MAX * most <= sum <= FUMATA_UNITS_MAX * most;
    terminates \true; exits \false;
    assigns              poll->asked, poll->leads.lead[poll->asked];
    ensures lead:        poll->leads.lead[\old(poll->asked)] == FumataLead(sum, most);
    ensures asked:       poll->asked == \old(poll->asked) + 1; */
static void fumata_poll_append(fumata_poll *poll, int64_t sum, uint32_t most) {
  int64_t sign = 1 - 2 * (int64_t)(sum < 0);

  /*@ assert sign: sum < 0 ? sign == -1 : sign == 1; */
  poll->leads.lead[poll->asked] = (int32_t)(sign * (int64_t)fumata_poll_quotient((uint64_t)(sign * sum), most));
  poll->asked += 1u;
}

fumata_status fumata_poll_vote(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices) {
  if (!fumata_poll_question(question)) {
    return FUMATA_ERR_QUESTION;
  }
  if (poll->asked == poll->leads.size) {
    return FUMATA_ERR_FULL;
  }
  fumata_poll_append(poll, fumata_poll_count(poll, question, voices), question->most);
  return FUMATA_OK;
}

/* Whether a list names units, each once. */
/*@ requires list:       \valid_read(asked) && units <= FUMATA_UNITS_MAX;
    requires readable:   asked->size <= FUMATA_UNITS_MAX ==> \valid_read(asked->units + (0 .. asked->size - 1));
    terminates \true; exits \false;
    assigns              \nothing;
    ensures list:        FumataListOk(asked, units) ? \result == 1 : \result == 0; */
static uint32_t fumata_poll_list(const fumata_list *asked, uint32_t units) {
  uint32_t i;

  if (asked->size > units) {
    return 0u;
  }
  /*@ loop invariant range:   0 <= i <= asked->size;
      loop invariant units:   \forall integer j; 0 <= j < i ==> asked->units[j] < units;
      loop invariant ascends: \forall integer j; 0 < j < i ==> asked->units[j - 1] < asked->units[j];
      loop assigns            i;
      loop variant            asked->size - i; */
  for (i = 0u; i < asked->size; i++) {
    if (asked->units[i] >= units || (i > 0u && asked->units[i - 1u] >= asked->units[i])) {
      return 0u;
    }
  }
  return 1u;
}

/* All votes of a list are counted; their sum. */
/*@ requires state:      \valid(poll) && FumataPollInvariant(poll);
    requires question:   FumataPollCanAsk(poll, question) && FumataQuestionOk(question);
    requires list:       FumataPollCanList(poll, asked) && FumataListOk(asked, poll->uses.size);
    terminates \true; exits \false;
    assigns              poll->uses.used[0 .. poll->uses.size - 1];
    ensures votes:       \forall integer i; 0 <= i < asked->size ==> poll->uses.used[asked->units[i]] ==
                         \old(poll->uses.used[asked->units[i]] + (FumataListedVote(poll, question, asked, i) != 0 ? 1 : 0));
    ensures others:      \forall integer r; 0 <= r < poll->uses.size ==>
                         (\forall integer i; 0 <= i < asked->size ==> asked->units[i] != r) ==>
                         poll->uses.used[r] == \old(poll->uses.used[r]);
    ensures sum:         \result == \old(FumataListedSum(poll, question, asked, asked->size));
    ensures bound:       -FUMATA_UNITS_MAX * question->most <= \result <= FUMATA_UNITS_MAX * question->most; */
static int64_t fumata_poll_count_listed(fumata_poll *poll, const fumata_question *question, const fumata_list *asked) {
  int64_t sum = 0;
  uint32_t i;

  /*@ loop invariant range:  0 <= i <= asked->size;
      loop invariant order:  \forall integer j; 0 <= j < i ==> asked->units[j] <= asked->units[i - 1];
      loop invariant votes:  \forall integer j; 0 <= j < i ==> poll->uses.used[asked->units[j]] ==
                             \at(poll->uses.used[asked->units[j]] +
                                 (FumataListedVote(poll, question, asked, j) != 0 ? 1 : 0), Pre);
      loop invariant rest:   \forall integer r; 0 <= r < poll->uses.size && (i > 0 ==> asked->units[i - 1] < r) ==>
                             poll->uses.used[r] == \at(poll->uses.used[r], Pre);
      loop invariant others: \forall integer r; 0 <= r < poll->uses.size ==>
                             (\forall integer j; 0 <= j < i ==> asked->units[j] != r) ==>
                             poll->uses.used[r] == \at(poll->uses.used[r], Pre);
      loop invariant sum:    sum == \at(FumataListedSum(poll, question, asked, \at(i, Here)), Pre);
      loop invariant bound:  -FumataRow(i, question->most) <= sum <= FumataRow(i, question->most);
      loop invariant wide:   -i * FUMATA_WEIGHT_MAX <= sum <= i * FUMATA_WEIGHT_MAX;
      loop invariant kept:   \forall integer j; 0 <= j < asked->size ==> asked->labels[j] == \at(asked->labels[j], Pre);
      loop assigns           i, sum, poll->uses.used[0 .. poll->uses.size - 1];
      loop variant           asked->size - i; */
  for (i = 0u; i < asked->size; i++) {
    uint32_t r = asked->units[i];
    int16_t weight;
    int32_t may;

    fumata_poll_weigh(question, asked->labels, i, 1u, &weight);
    may = (int32_t)(poll->uses.used[r] < poll->plan.limit);
    /*@ assert flag: may == 0 || may == 1; */
    /*@ assert kept: \forall integer y; 0 <= y < question->size ==>
                       question->weights[y] == \at(question->weights[y], Pre); */
    /*@ assert says: weight == FumataWeight(question, asked->labels[i]); */
    /*@ assert says: weight == \at(FumataWeight(question, asked->labels[\at(i, Here)]), Pre); */
    /*@ assert used: poll->uses.used[r] == \at(poll->uses.used[\at(r, Here)], Pre); */
    /*@ assert vote: (may == 1 ? weight : 0) == \at(FumataListedVote(poll, question, asked, \at(i, Here)), Pre); */
    /*@ assert next: FumataRow(i + 1, question->most) == FumataRow(i, question->most) + question->most; */
    poll->uses.used[r] = (uint16_t)(poll->uses.used[r] + may * (weight != 0));
    sum += may * weight;
  }
  /*@ ghost fumata_poll_lemma_bound(sum, i, question->most); */
  return sum;
}

fumata_status fumata_poll_vote_listed(fumata_poll *poll, const fumata_question *question, const fumata_list *asked) {
  if (!fumata_poll_question(question)) {
    return FUMATA_ERR_QUESTION;
  }
  if (!fumata_poll_list(asked, poll->uses.size)) {
    return FUMATA_ERR_LIST;
  }
  if (poll->asked == poll->leads.size) {
    return FUMATA_ERR_FULL;
  }
  fumata_poll_append(poll, fumata_poll_count_listed(poll, question, asked), question->most);
  /*@ assert listed: \forall integer i; 0 <= i < asked->size ==> asked->units[i] == \at(asked->units[i], Pre); */
  /*@ assert others: \forall integer r; 0 <= r < poll->uses.size ==>
                       (\forall integer i; 0 <= i < asked->size ==> \at(asked->units[i], Pre) != r) ==>
                       poll->uses.used[r] == \at(poll->uses.used[r], Pre); */
  return FUMATA_OK;
}

fumata_status fumata_poll_stored(fumata_poll *poll) {
  poll->stored = poll->asked;
  return FUMATA_OK;
}

fumata_status fumata_poll_answer(fumata_poll *poll, uint64_t coin, uint32_t *yes) {
  int64_t lead;
  uint32_t behind;
  uint32_t wins;

  if (poll->answered == poll->stored) {
    return FUMATA_ERR_UNSTORED;
  }
  lead = poll->leads.lead[poll->answered];
  behind = (uint32_t)(lead < 0);
  wins = fumata_named_wins(&poll->plan, (uint32_t)((1 - 2 * (int64_t)behind) * lead), coin);
  poll->answered += 1u;
  *yes = (uint32_t)(wins != behind);
  /*@ assert plan:   FumataTollPlanOk(&poll->plan); */
  /*@ assert memory: FumataPollSizesOk(poll) && FumataPollMemory(poll); */
  /*@ assert kept:   poll->plan.limit == \at(poll->plan.limit, Pre) && poll->stored == \at(poll->stored, Pre) &&
                     poll->asked == \at(poll->asked, Pre); */
  return FUMATA_OK;
}

fumata_status fumata_poll_clear(fumata_poll *poll) {
  uint32_t i;

  /*@ loop invariant range: 0 <= i <= poll->leads.size;
      loop invariant wiped: \forall integer j; 0 <= j < i ==> poll->leads.lead[j] == 0;
      loop assigns          i, poll->leads.lead[0 .. poll->leads.size - 1];
      loop variant          poll->leads.size - i; */
  for (i = 0u; i < poll->leads.size; i++) {
    poll->leads.lead[i] = 0;
  }
  poll->asked = 0u;
  poll->stored = 0u;
  poll->answered = 0u;
  return FUMATA_OK;
}

fumata_status fumata_poll_close(fumata_poll *poll) {
  fumata_poll_clear(poll);
  fumata_poll_wipe(poll);
  poll->leads.size = 0u;
  return FUMATA_OK;
}
