// The core's machines for C++: a copy of a machine would spend its budget twice, so these can only be moved. Errors are exceptions.
#ifndef FUMATA_HPP
#define FUMATA_HPP

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "fumata.h"

namespace fumata {

struct Error : std::runtime_error {
  explicit Error(fumata_status why) : std::runtime_error(fumata_strerror(why)), status(why) {}
  fumata_status status;
};

inline void check(fumata_status status) {
  if (status != FUMATA_OK) throw Error(status);
}

// What holds one machine, or none after it was moved away.
template <class Machine> class Only {
public:
  Only(const Only &) = delete;
  Only &operator=(const Only &) = delete;
  Only(Only &&other) noexcept : machine_(other.machine_), is_here_(std::exchange(other.is_here_, false)) {}
  Only &operator=(Only &&other) noexcept {
    machine_ = other.machine_;
    is_here_ = std::exchange(other.is_here_, false);
    return *this;
  }

  // For functions that have no method here. Do not copy what it points to.
  Machine *get() {
    if (!is_here_) throw std::logic_error("fumata: this machine was moved away");
    return &machine_;
  }

protected:
  Only() = default;
  ~Only() = default;
  Machine machine_{};
  bool is_here_ = true;
};

// Labels are free, silences are counted. The plan's table must outlive it.
class Meter : public Only<fumata_meter> {
public:
  Meter(const fumata_meter_plan &plan, const fumata_claim &claim) { check(fumata_meter_init(&machine_, &plan, &claim)); }
  Meter(const fumata_meter_plan &plan, const fumata_claim &claim, std::uint32_t left) { // take up what was stored
    check(fumata_meter_resume(&machine_, &plan, &claim, left));
  }
  // Returns what is left; store it, durably, before the next answer.
  std::uint32_t reserve(std::uint32_t n) {
    check(fumata_meter_reserve(get(), n));
    return machine_.left;
  }
  // The winner, or FUMATA_SILENT.
  std::int32_t answer(const std::vector<std::uint32_t> &counts, std::uint64_t coin) {
    fumata_verdict verdict;
    std::int32_t said;
    check(fumata_ballot_decide(counts.data(), std::uint32_t(counts.size()), &verdict));
    check(fumata_meter_answer(get(), &verdict, coin, &said));
    return said;
  }
  std::uint32_t left() { return get()->left; }
  std::uint32_t reserved() { return get()->reserved; }
};

// Every answer is paid for, and is one of two candidates.
class Toll : public Only<fumata_toll> {
public:
  Toll(const fumata_toll_plan &plan, const fumata_claim &claim) { check(fumata_toll_init(&machine_, &plan, &claim)); }
  Toll(const fumata_toll_plan &plan, const fumata_claim &claim, std::uint32_t left) {
    check(fumata_toll_resume(&machine_, &plan, &claim, left));
  }
  std::uint32_t reserve(std::uint32_t n) {
    check(fumata_toll_reserve(get(), n));
    return machine_.left;
  }
  std::int32_t answer(const std::vector<std::uint32_t> &counts, std::uint32_t a, std::uint32_t b, std::uint64_t coin) {
    fumata_duel duel;
    std::int32_t said;
    check(fumata_ballot_duel(counts.data(), std::uint32_t(counts.size()), a, b, &duel));
    check(fumata_toll_answer(get(), &duel, coin, &said));
    return said;
  }
  std::uint32_t left() { return get()->left; }
};

// Each unit votes at most B times. Owns the memory of uses and leads; close() or the destructor wipes it.
class Poll : public Only<fumata_poll> {
public:
  Poll(const fumata_toll_plan &plan, const fumata_claim &claim, std::uint32_t units, std::uint32_t leads = 64)
      : used_(units), lead_(leads) {
    place();
    check(fumata_poll_init(&machine_, &plan, &claim));
  }
  Poll(const fumata_toll_plan &plan, const fumata_claim &claim, std::vector<std::uint16_t> used, std::uint32_t leads = 64)
      : used_(std::move(used)), lead_(leads) {
    place();
    check(fumata_poll_resume(&machine_, &plan, &claim));
  }
  Poll(Poll &&) = default;
  ~Poll() {
    if (is_here_) fumata_poll_close(&machine_);
  }
  void vote(const fumata_question &question, const fumata_voices &voices) {
    check(fumata_poll_vote(get(), &question, &voices));
  }
  const std::vector<std::uint16_t> &uses() const { return used_; } // private: store them, do not show them
  void stored() { check(fumata_poll_stored(get())); }
  bool answer(std::uint64_t coin) {
    std::uint32_t yes;
    check(fumata_poll_answer(get(), coin, &yes));
    return yes != 0;
  }
  void clear() { check(fumata_poll_clear(get())); }

private:
  void place() {
    machine_.uses = {used_.data(), std::uint32_t(used_.size())};
    machine_.leads = {lead_.data(), std::uint32_t(lead_.size())};
  }
  std::vector<std::uint16_t> used_;
  std::vector<std::int32_t> lead_;
};

} // namespace fumata

#endif
