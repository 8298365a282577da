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
  return FUMATA_OK;
}

static void fumata_poll_wipe_uses(fumata_poll *poll) {
  uint32_t r;

  for (r = 0u; r < poll->uses.size; r++) {
    poll->uses.used[r] = 0u;
  }
}

fumata_status fumata_poll_init(fumata_poll *poll, const fumata_toll_plan *plan, const fumata_claim *claim) {
  fumata_status status = fumata_poll_resume(poll, plan, claim);

  if (status == FUMATA_OK) {
    fumata_poll_wipe_uses(poll);
  }
  return status;
}

static uint32_t fumata_poll_question(const fumata_question *question) {
  int32_t most;
  uint32_t y;

  if (question->size < 1u || question->size > FUMATA_CLASSES_MAX || question->most < 1u ||
      question->most > FUMATA_WEIGHT_MAX) {
    return 0u;
  }
  most = (int32_t)question->most;
  for (y = 0u; y < question->size; y++) {
    if (question->weights[y] > most || question->weights[y] < -most) {
      return 0u;
    }
  }
  return 1u;
}

/* What a few units weigh. Labels are compared with every label that weighs something: one that indexed the weights would be
 * told by the cache. */
static void fumata_poll_weigh(const fumata_question *question, const uint16_t *labels, uint32_t n, int16_t *weight) {
  uint32_t y;
  uint32_t j;

  for (j = 0u; j < n; j++) {
    weight[j] = 0;
  }
  for (y = 0u; y < question->size; y++) {
    int16_t w = question->weights[y];
    if (w != 0) {
      for (j = 0u; j < n; j++) {
        weight[j] = (int16_t)(weight[j] + (labels[j] == y) * w);
      }
    }
  }
}

/* Who of a few units votes is counted; the sum of their weights. */
static int32_t fumata_poll_count(const uint32_t *distances, uint32_t radius, const int16_t *weight, uint32_t n,
                                 uint32_t limit, uint16_t *used) {
  int32_t sum = 0;
  uint32_t j;

  for (j = 0u; j < n; j++) {
    int32_t votes = (distances[j] <= radius) * (weight[j] != 0) * (used[j] < limit);
    used[j] = (uint16_t)(used[j] + votes);
    sum += votes * weight[j];
  }
  return sum;
}

static void fumata_poll_append(fumata_poll *poll, int64_t sum, uint32_t most) {
  poll->leads.lead[poll->asked] = (int32_t)(sum / (int64_t)most);
  poll->asked += 1u;
}

fumata_status fumata_poll_vote(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices) {
  int16_t weight[FUMATA_POLL_BLOCK];
  int64_t sum = 0;
  uint32_t n;
  uint32_t r;

  if (!fumata_poll_question(question)) {
    return FUMATA_ERR_QUESTION;
  }
  if (poll->asked == poll->leads.size) {
    return FUMATA_ERR_FULL;
  }
  for (r = 0u; r < poll->uses.size; r += n) {
    n = poll->uses.size - r < FUMATA_POLL_BLOCK ? poll->uses.size - r : FUMATA_POLL_BLOCK;
    fumata_poll_weigh(question, voices->labels + r, n, weight);
    sum += fumata_poll_count(voices->distances + r, question->radius, weight, n, poll->plan.limit, poll->uses.used + r);
  }
  fumata_poll_append(poll, sum, question->most);
  return FUMATA_OK;
}

static uint32_t fumata_poll_list(const fumata_list *asked, uint32_t units) {
  uint32_t i;

  if (asked->size > units) {
    return 0u;
  }
  for (i = 0u; i < asked->size; i++) {
    if (asked->units[i] >= units || (i > 0u && asked->units[i - 1u] >= asked->units[i])) {
      return 0u;
    }
  }
  return 1u;
}

fumata_status fumata_poll_vote_listed(fumata_poll *poll, const fumata_question *question, const fumata_list *asked) {
  int64_t sum = 0;
  uint32_t i;

  if (!fumata_poll_question(question)) {
    return FUMATA_ERR_QUESTION;
  }
  if (!fumata_poll_list(asked, poll->uses.size)) {
    return FUMATA_ERR_LIST;
  }
  if (poll->asked == poll->leads.size) {
    return FUMATA_ERR_FULL;
  }
  for (i = 0u; i < asked->size; i++) {
    int16_t weight;
    fumata_poll_weigh(question, asked->labels + i, 1u, &weight);
    uint16_t *used = poll->uses.used + asked->units[i];
    int32_t votes = (weight != 0) * (*used < poll->plan.limit);
    *used = (uint16_t)(*used + votes);
    sum += votes * weight;
  }
  fumata_poll_append(poll, sum, question->most);
  return FUMATA_OK;
}

fumata_status fumata_poll_stored(fumata_poll *poll) {
  poll->stored = poll->asked;
  return FUMATA_OK;
}

fumata_status fumata_poll_answer(fumata_poll *poll, uint64_t coin, uint32_t *yes) {
  int32_t lead;
  uint32_t behind;
  uint32_t distance;

  if (poll->answered == poll->stored) {
    return FUMATA_ERR_UNSTORED;
  }
  lead = poll->leads.lead[poll->answered];
  behind = (uint32_t)(lead < 0);
  distance = (uint32_t)((1 - 2 * (int64_t)behind) * lead);
  poll->answered += 1u;
  *yes = (uint32_t)(fumata_named_wins(&poll->plan, distance, coin) != behind);
  return FUMATA_OK;
}

fumata_status fumata_poll_clear(fumata_poll *poll) {
  uint32_t i;

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
  fumata_poll_wipe_uses(poll);
  poll->leads.size = 0u;
  return FUMATA_OK;
}
