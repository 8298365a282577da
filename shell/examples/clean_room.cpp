// A clean-room server in C++: a stream of ballots, answered until the budget closes.
#include <cstdio>
#include <random>
#include <vector>

#include "fumata.h"
#include "my_plan.h"

int main() {
  std::random_device os; // coins must come from the operating system
  auto coin = [&os] { return (std::uint64_t(os()) << 32) | os(); };
  fumata_meter meter;
  if (fumata_meter_init(&meter, &plan, &claim) != FUMATA_OK) return 1;
  std::vector<std::uint32_t> counts(3);
  int labels = 0, silences = 0;
  for (std::uint32_t query = 0; query < 1000; query++) {
    if (!meter.reserved && fumata_meter_reserve(&meter, 1) != FUMATA_OK) break; // then store meter.left
    counts = {300 - query % 150, query % 150, 1};
    fumata_verdict verdict;
    std::int32_t answer;
    if (fumata_ballot_decide(counts.data(), 3, &verdict) != FUMATA_OK) return 1;
    if (fumata_meter_answer(&meter, &verdict, coin(), &answer) != FUMATA_OK) return 1;
    answer == FUMATA_SILENT ? silences++ : labels++;
  }
  std::printf("%d labels, %d silences of at most %u\n", labels, silences, plan.limit);
  return silences <= int(plan.limit) ? 0 : 1;
}
