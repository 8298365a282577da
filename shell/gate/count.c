#include "gate/count.h"

#include "base/error.h"

static int count_refuse(const char *what, fumata_status status) {
  return error_report(EXIT_REFUSED, "the %s: %s", what, fumata_strerror(status));
}

static void count_price(const struct plan_count *noise, struct rational *epsilon, struct rational *delta) {
  const fumata_claim *claim = &noise->claim;
  *epsilon = (struct rational){claim->epsilon_num, claim->epsilon_den};
  *delta = (struct rational){claim->delta_num, claim->delta_den};
}

int count_is_paid(const struct plan_count *noise, const struct ledger *ledger, const char *what) {
  struct rational epsilon, delta;
  count_price(noise, &epsilon, &delta);
  return ledger_is_charged(ledger, what, epsilon, delta);
}

int count_pay(struct count *count, const struct plan_count *noise, struct ledger *ledger, const char *what) {
  struct rational epsilon, delta;
  fumata_status status;
  int code;
  count_price(noise, &epsilon, &delta);
  code = ledger_take_charge(ledger, what, epsilon, delta) ? EXIT_OK : ledger_charge(ledger, what, epsilon, delta);
  if (code) return code;
  count->ledger = ledger;
  process_note(&count->owner);
  status = fumata_count_init(&count->counter, &noise->counter.noise, noise->sensitivity, &noise->claim);
  return status == FUMATA_OK ? EXIT_OK : count_refuse(what, status);
}

int count_release(struct count *count, struct coins *coins, const char *what, const char *of, uint64_t value,
                  uint64_t *noisy) {
  fumata_status status;
  int64_t drawn = 0;
  uint64_t coin;
  int code = process_check(&count->owner, what);
  if (!code) code = coins_draw(coins, &coin);
  if (code) return code;
  status = fumata_count_release(&count->counter, value, coin, &drawn);
  if (status != FUMATA_OK) return count_refuse(what, status);
  if (drawn < 1) drawn = 1;
  code = ledger_keep_count(count->ledger, of, (uint64_t)drawn);
  if (!code) *noisy = (uint64_t)drawn;
  return code;
}
