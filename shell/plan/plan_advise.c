#include "plan/plan_advise.h"

#include <math.h>

#include "base/error.h"
#include "core/ballot.h"
#include "plan/plan_meter.h"

/* So many teachers that a vote worth answering is answered; without a certificate, and therefore quickly. */
static double plan_advise_teachers(const struct plan_target *target) {
  double distance = plan_meter_reach(target, PLAN_SILENCE);
  return isfinite(distance) ? ceil((2 * ceil(distance) + 1) / (2 * PLAN_AGREEMENT - 1)) : HUGE_VAL;
}

int plan_advise(struct plan_target *target, const struct plan_setting *setting, uint32_t *teachers) {
  uint64_t smallest = setting->smallest ? setting->smallest : PLAN_RECORDS, most = setting->records / smallest;
  double hard = setting->hard > 0 ? setting->hard : PLAN_HARD;
  double wanted = ceil(PLAN_HARD_MARGIN * hard * (double)setting->queries) + PLAN_SPARE;
  uint32_t low = 0, high, need = 0, least = 0;
  struct plan_target now = *target;
  if (most > FUMATA_TEACHERS_MAX) most = FUMATA_TEACHERS_MAX;
  high = wanted < FUMATA_SILENCES_MAX ? (uint32_t)wanted : FUMATA_SILENCES_MAX;
  /* The largest T for which there are teachers enough, to two percent. */
  for (now.silences = high;;) {
    double count = plan_advise_teachers(&now);
    if (now.silences == 1) least = count < 1e9 ? (uint32_t)count : UINT32_MAX;
    if (count <= (double)most) {
      low = now.silences;
      need = (uint32_t)count;
    } else
      high = now.silences;
    if (high > low && high - low > 1 && (double)(high - low) >= 0.02 * low)
      now.silences = low ? low + (high - low) / 2 : high / 2;
    else if (low == 0 && now.silences != 1)
      now.silences = 1;
    else
      break;
  }
  if (low == 0)
    return error_report(EXIT_REFUSED,
                        "%llu records are too few for this epsilon: one silence asks for %u teachers of %llu",
                        (unsigned long long)setting->records, least, (unsigned long long)smallest);
  target->silences = low;
  *teachers = need;
  return EXIT_OK;
}
