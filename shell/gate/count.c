#include "gate/count.h"

#include "base/error.h"

static int count_refuse(const char *what, fumata_status status) {
  return error_report(EXIT_REFUSED, "the %s: %s", what, fumata_strerror(status));
}

int count_pay(struct count *count, const struct plan_count *noise, struct ledger *ledger, const char *what) {
  const fumata_claim *claim = &noise->claim;
  struct rational epsilon = {claim->epsilon_num, claim->epsilon_den}, delta = {claim->delta_num, claim->delta_den};
  fumata_status status;
  int code = ledger_charge(ledger, what, epsilon, delta);
  if (code) return code;
  process_note(&count->owner);
  status = fumata_count_init(&count->counter, &noise->counter.noise, noise->sensitivity, claim);
  return status == FUMATA_OK ? EXIT_OK : count_refuse(what, status);
}

int count_release(struct count *count, struct coins *coins, const char *what, uint64_t value, int64_t *noisy) {
  fumata_status status;
  uint64_t coin;
  int code = process_check(&count->owner, what);
  if (!code) code = coins_draw(coins, &coin);
  if (code) return code;
  status = fumata_count_release(&count->counter, value, coin, noisy);
  return status == FUMATA_OK ? EXIT_OK : count_refuse(what, status);
}
