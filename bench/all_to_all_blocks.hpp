// The job of all-to-all puts: blocks with unique content for the memory of all other PEs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "job.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// A block has the number of its exchange at its begin and its end, and words unique to its PE in
// between. The ends of all blocks are checked on arrival, and whole blocks of the last exchange
// afterwards.
class all_to_all_blocks final : public job, public all_to_all_job {
 public:
  using word = std::uint64_t;

  all_to_all_blocks(const world& w, const setting& s);

  [[nodiscard]] std::uint64_t items() const override { return exchanges_ * others(); }
  [[nodiscard]] std::size_t item_bytes() const override { return words() * sizeof(word); }
  all_to_all_job* as_all_to_all() override { return this; }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int pes() const { return pes_; }
  [[nodiscard]] word others() const { return static_cast<word>(pes_ - 1); }
  [[nodiscard]] std::size_t words() const { return sent_[0].size(); }
  [[nodiscard]] std::uint64_t exchanges() const override { return exchanges_; }
  [[nodiscard]] std::span<const word> next() override {
    ++number_;
    std::vector<word>& block = sent_[number_ % sent_.size()];
    block.front() = block.back() = number_;
    return block;
  }
  // The blocks that `next` returns in turn.
  [[nodiscard]] std::array<std::span<word>, 2> sent() { return {sent_[0], sent_[1]}; }
  void take(int from, const word* block) override {
    arrived_[static_cast<std::size_t>(from)] = block;
    sum_ += block[0] + block[words() - 1];
  }

  void clear() override;
  void check(world& w, std::uint64_t sessions) const override;
  void check_alone(std::uint64_t sessions) const override;

 private:
  static word content(int pe, std::size_t i);
  void check_numbers(std::uint64_t sessions) const;
  void check_block(int from, int content_of) const;

  int rank_;
  int pes_;
  std::uint64_t exchanges_;                // in a session
  std::array<std::vector<word>, 2> sent_;  // in turn
  word number_ = 0;                        // of the exchange
  std::vector<const word*> arrived_;       // by PE; of the last exchange
  word sum_ = 0;
};

}  // namespace boxcar::bench
