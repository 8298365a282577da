#include "classic.h"

fumata_status fumata_classic_init(fumata_classic *classic, const fumata_classic_plan *plan, const fumata_claim *claim) {
  return fumata_classic_resume(classic, plan, claim, plan->limit);
}

fumata_status fumata_classic_resume(fumata_classic *classic, const fumata_classic_plan *plan, const fumata_claim *claim,
                                    uint32_t left) {
  fumata_fault fault;
  fumata_status status;

  if (left > plan->limit) {
    return FUMATA_ERR_LEFT;
  }
  status = fumata_certify_classic(plan, claim, &fault);
  if (status != FUMATA_OK) {
    return status;
  }
  /*@ assert certified: FumataNoiseOk(&plan->threshold) && FumataNoiseOk(&plan->query); */
  classic->plan.threshold.cdf = plan->threshold.cdf;
  classic->plan.threshold.size = plan->threshold.size;
  classic->plan.threshold.first = plan->threshold.first;
  classic->plan.query.cdf = plan->query.cdf;
  classic->plan.query.size = plan->query.size;
  classic->plan.query.first = plan->query.first;
  classic->plan.width = plan->width;
  classic->plan.limit = plan->limit;
  classic->threshold = 0;
  classic->left = left;
  classic->reserved = 0u;
  /*@ assert threshold: FumataNoiseSame(&classic->plan.threshold, &plan->threshold); */
  /*@ assert query: FumataNoiseSame(&classic->plan.query, &plan->query); */
  /*@ assert rest: classic->plan.width == plan->width && classic->plan.limit == plan->limit; */
  /*@ assert kept_threshold: FumataNoiseOk(&plan->threshold); */
  /*@ assert kept_query: FumataNoiseOk(&plan->query); */
  /*@ assert valid: \valid_read(&classic->plan.threshold) && \valid_read(&classic->plan.query); */
  /*@ assert noise_threshold: FumataNoiseOk(&classic->plan.threshold); */
  /*@ assert noise_query: FumataNoiseOk(&classic->plan.query); */
  /*@ assert plan: FumataClassicPlanOk(&classic->plan); */
  /*@ assert runs: FumataClassicRuns(classic, plan); */
  /*@ assert state: FumataClassicInvariant(classic); */
  return FUMATA_OK;
}

fumata_status fumata_classic_reserve(fumata_classic *classic, uint64_t coin) {
  if (classic->reserved != 0u) {
    return FUMATA_ERR_RESERVED;
  }
  if (classic->left == 0u) {
    return FUMATA_ERR_SPENT;
  }
  classic->left -= 1u;
  classic->reserved = 1u;
  classic->threshold = classic->plan.width + fumata_noise_draw(&classic->plan.threshold, coin);
  return FUMATA_OK;
}

fumata_status fumata_classic_answer(fumata_classic *classic, const fumata_verdict *verdict, uint64_t coin,
                                    int32_t *answer) {
  int64_t noise;
  int64_t score;
  uint32_t label;

  if (verdict->winner >= FUMATA_CLASSES_MAX) {
    return FUMATA_ERR_VOTE;
  }
  if (classic->reserved == 0u) {
    return FUMATA_ERR_CLOSED;
  }
  noise = fumata_noise_draw(&classic->plan.query, coin);
  /* Below 2^32 + 2^40 + 2^20 in size, as the threshold is below 2^41 + 2^20: nothing comes near 2^63. */
  score = (int64_t)verdict->distance + noise;
  /*@ assert drawn: FumataDraws(&classic->plan.query, coin, noise); */
  /*@ assert rises: noise != classic->plan.query.first && score > classic->threshold ==>
                    FumataClassicIsLabel(classic, verdict->distance, coin); */
  /*@ assert falls: noise == classic->plan.query.first || score <= classic->threshold ==>
                    !FumataClassicIsLabel(classic, verdict->distance, coin); */
  /* A product of two comparisons where && would be a branch on a secret. */
  label = (uint32_t)(noise != classic->plan.query.first) * (uint32_t)(score > classic->threshold);
  classic->threshold *= (int64_t)label;
  classic->reserved = label;
  /*@ assert plan: FumataClassicPlanOk(&classic->plan); */
  /*@ assert stretch: FumataClassicStretch(classic); */
  /* winner + 1 or 0, less 1: the winner or FUMATA_SILENT. */
  *answer = (int32_t)((verdict->winner + 1u) * label) + FUMATA_SILENT;
  return FUMATA_OK;
}

fumata_status fumata_classic_close(fumata_classic *classic) {
  if (classic->reserved == 0u) {
    return FUMATA_OK;
  }
  classic->threshold = 0;
  classic->reserved = 0u;
  return FUMATA_OK;
}
