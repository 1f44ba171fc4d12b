// Shared records of the PEs about one conveyor: the stage of each PE in the session, and the number
// of items pushed from each PE to each PE. Made before the world is started.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "support/shared_array.hpp"

namespace boxcar::test {

// The stage of a PE in a session. A PE writes its stage before the operation that changes the
// conveyor's state, except `over`, which depends on the result of an operation.
enum class stage : int {
  dormant,
  beginning,  // has called begin
  working,
  declared,  // has called advance(true)
  over,      // has seen `near` or `done`
  resetting  // has called reset
};

// A conveyor over part of a world is recorded by the ranks of its PEs in the whole world.
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
  // A PE of the list at any other stage, as a text; empty if there is none.
  std::string find_other(const std::vector<int>& pes, std::initializer_list<stage> allowed);

  // Items pushed in the session; the sender clears them before it begins.
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
