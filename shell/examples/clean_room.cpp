// A clean-room server in C++: a stream of ballots, answered until the budget closes.
//   fumata plan --epsilon 2 --delta 1e-5 --silences 20 --c > my_plan.h
#include <cstdio>
#include <random>
#include <type_traits>

#include "fumata.hpp"
#include "my_plan.h"

static_assert(!std::is_copy_constructible<fumata::Meter>::value, "a copy would spend the budget twice");

int main() {
  std::random_device os; // coins must come from the operating system
  auto coin = [&os] { return (std::uint64_t(os()) << 32) | os(); };
  fumata::Meter meter(plan, claim); // throws when the plan is not certified
  unsigned labels = 0, silences = 0;
  for (std::uint32_t query = 0; query < 1000; query++) {
    if (!meter.reserved() && !meter.left()) break;
    if (!meter.reserved()) meter.reserve(1); // then store meter.left()
    std::vector<std::uint32_t> counts = {300 - query % 150, query % 150, 1};
    meter.answer(counts, coin()) == FUMATA_SILENT ? silences++ : labels++;
  }
  std::printf("%u labels, %u silences of at most %u\n", labels, silences, plan.limit);
  return silences <= plan.limit ? 0 : 1;
}
