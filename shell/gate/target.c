#include "gate/target.h"

#define TARGET_TALLY(name)                                                                                             \
  fumata_status name(const uint8_t *votes, uint32_t teachers, uint32_t classes, uint32_t *counts)
#define TARGET_ANSWER(name)                                                                                            \
  fumata_status name(fumata_meter *meter, const fumata_verdict *verdict, uint64_t coin, int32_t *answer)
#define TARGET_FIND(name)                                                                                              \
  fumata_status name(const fumata_points *records, const fumata_points *centres, uint32_t *distances)
#define TARGET_VOTE(name)                                                                                              \
  fumata_status name(fumata_poll *poll, const fumata_question *question, const fumata_voices *voices)

#ifdef __x86_64__
TARGET_TALLY(target_tally_u8_avx2);
TARGET_ANSWER(target_meter_answer_avx2);
TARGET_FIND(target_crowd_find_avx2);
TARGET_VOTE(target_poll_vote_avx2);
TARGET_TALLY(target_tally_u8_avx512);
TARGET_ANSWER(target_meter_answer_avx512);
TARGET_FIND(target_crowd_find_avx512);
TARGET_VOTE(target_poll_vote_avx512);
#endif

/* A processor that runs one of these runs all before it. */
static const struct target target_all[] = {
    {"plain", fumata_ballot_tally_u8, fumata_meter_answer, fumata_crowd_find, fumata_poll_vote},
#ifdef __x86_64__
    {"avx2", target_tally_u8_avx2, target_meter_answer_avx2, target_crowd_find_avx2, target_poll_vote_avx2},
    {"avx512", target_tally_u8_avx512, target_meter_answer_avx512, target_crowd_find_avx512, target_poll_vote_avx512},
#endif
};

static size_t target_count(void) {
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2")) return 1;
  return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? 3 : 2;
#else
  return 1;
#endif
}

const struct target *target_list(size_t *count) {
  *count = target_count();
  return target_all;
}

const struct target *target_best(void) {
  return &target_all[target_count() - 1];
}
