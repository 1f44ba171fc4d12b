// Finds out whether a session is over: whether nothing is held or on its way anywhere.
//
// The PEs form a tree. In a wave, each PE reports to its parent, once it is passive and all its
// children have reported: the sums of what they and it have sent and received since the stream was
// made. From the root comes a verdict down the tree. If in one wave as much was received as in the
// next was sent, then between the two nothing was on its way, and nobody had anything to do but on
// what arrives (F. Mattern, Algorithms for Distributed Termination Detection, 1987: the four
// counter method).
//
// A wave is two messages for each PE but the root. PEs that are busy keep it waiting. After a wave
// that came too early the root pauses, longer each time, up to half a millisecond.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

#include "porter/porter.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class census {
 public:
  // What PEs report, and what is known of all of them in the end.
  struct report {
    std::uint64_t buffers_sent = 0;
    std::uint64_t buffers_received = 0;
    std::int64_t producers_done = 0;
    std::int64_t finishing = 0;  // PEs that are in `finish`
  };
  enum class verdict : std::uint64_t {
    unknown,
    over,
    // It would be over, but producers are missing, and nobody is left who could be one.
    producers_missing,
    too_many_producers
  };

  // Collective.
  explicit census(substrate& world);

  // Called by every PE before a session. `producers` is how many are to be done; the same on all
  // PEs.
  void start_session(std::int64_t producers);

  // To be called again and again. This PE reports when it is passive: when it holds nothing, and
  // does nothing but on what arrives. `mine` is asked for then.
  template <typename IsPassive, typename Report>
  verdict take_part(const IsPassive& is_passive, const Report& mine) {
    collect();
    if (ready_to_report() && is_passive()) submit(mine());
    return found_;
  }
  // What all PEs together had when it was found out.
  [[nodiscard]] const report& total() const { return total_; }

  // To be called again and again when the session is over here: true when it is over everywhere.
  bool leave();

  void be_traced_as(std::uint32_t object) { porter_.be_traced_as(object); }
  bool moved() { return porter_.moved(); }
  // The next wave is for later.
  [[nodiscard]] bool waits_for_time() const {
    return next_wave_.count() != 0 && found_ == verdict::unknown;
  }
  [[nodiscard]] std::uint64_t messages_sent() const { return messages_; }
  [[nodiscard]] std::size_t memory_bytes() const { return porter_.memory_bytes(); }

 private:
  struct message {
    report sums;
    verdict found;
    std::uint64_t leaving;  // it belongs to the last wave
  };

  void collect();
  void hear_from_child(const message& m);
  void hear_from_parent(const message& m);
  [[nodiscard]] bool ready_to_report();
  void submit(const report& mine);
  void judge();
  void tell_children(const message& m);
  void send(std::size_t link, const message& m);
  void send_what_waits();
  [[nodiscard]] bool all_sent() { return waiting_.empty() && porter_.all_sent(); }

  substrate& world_;
  int parent_;  // -1 at the root
  std::size_t children_;
  porter porter_;  // one link to the parent, if there is one, then those to the children
  std::deque<std::pair<std::size_t, message>> waiting_;  // with their links, in order
  std::int64_t producers_ = 0;
  verdict found_ = verdict::unknown;
  std::size_t heard_ = 0;  // children that have reported in this wave
  report sums_;            // of this PE's part of the tree
  bool reported_ = false;  // and no verdict has come yet
  bool has_previous_ = false;
  report previous_;  // of the wave before; at the root
  report total_;
  std::size_t children_left_ = 0;
  bool left_ = false;  // has reported so
  bool all_left_ = false;
  std::chrono::nanoseconds pause_{0};
  std::chrono::nanoseconds next_wave_{0};  // not before this; at the root
  std::uint64_t messages_ = 0;
};

}  // namespace boxcar::detail
