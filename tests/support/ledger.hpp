// What the PEs write down about one conveyor where all can see it: how far each has come, and how
// many items it has pushed to whom. To be made before the world is started.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "support/shared_array.hpp"

namespace boxcar::test {

// How far a PE has come in a session. Written before the operation that changes the conveyor's
// state, except `over`, which only an operation's result can tell.
enum class stage : int {
  dormant,
  beginning,  // has called begin
  working,
  declared,  // has called advance(true)
  over,      // has seen `near` or `done`
  resetting  // has called reset
};

// A conveyor over part of a world is entered by the ranks that its PEs have in the whole.
class ledger {
 public:
  // `stream` distinguishes the items of several conveyors.
  explicit ledger(int pes, std::uint64_t stream = 0)
      : pes_(static_cast<std::size_t>(pes)),
        stream_(stream),
        stages_(pes_),
        sent_(pes_ * pes_),
        advances_(pes_) {}

  [[nodiscard]] std::uint64_t stream() const { return stream_; }

  std::atomic<stage>& stage_of(int pe) { return stages_[pe]; }
  // One of these PEs that is at any other stage, as a text; empty if there is none.
  std::string find_other(const std::vector<int>& pes, std::initializer_list<stage> allowed);

  // Items pushed in this session; to be cleared by the sender before it begins.
  std::atomic<std::uint64_t>& sent(int from, int to) {
    return sent_[static_cast<std::size_t>(from) * pes_ + static_cast<std::size_t>(to)];
  }
  // Calls of `advance` while working or in the endgame; to be cleared as above.
  std::atomic<std::uint64_t>& advances(int pe) { return advances_[pe]; }

 private:
  std::size_t pes_;
  std::uint64_t stream_;
  shared_array<std::atomic<stage>> stages_;
  shared_array<std::atomic<std::uint64_t>> sent_;
  shared_array<std::atomic<std::uint64_t>> advances_;
};

}  // namespace boxcar::test
