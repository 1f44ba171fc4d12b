// Detects the termination of a session: no PE holds data, and no data are in flight.
//
// The PEs form a tree. In a wave, each PE reports to its parent, once the PE is passive and all its
// children have reported: the sums of the buffers that its subtree has sent and received since the
// stream was made. The root sends a result down the tree. If the number of received buffers in one
// wave equals the number of sent buffers in the next wave, then nothing was in flight between the
// two waves, and PEs could act only on arrivals (F. Mattern, Algorithms for Distributed Termination
// Detection, 1987: the four counter method).
//
// A wave takes two messages for each PE but the root. Busy PEs delay the wave. After an
// unsuccessful wave the root pauses, longer each time, up to half a millisecond.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <utility>

#include "porter/porter.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class termination_detector {
 public:
  // The report of a PE; at the end, the totals of all PEs.
  struct report {
    std::uint64_t buffers_sent = 0;
    std::uint64_t buffers_received = 0;
    std::int64_t producers_done = 0;
    std::int64_t finishing = 0;  // PEs in `finish`
  };
  enum class result : std::uint64_t {
    unknown,
    over,
    // Nothing is in flight, but producers are missing, and every PE is in `finish`.
    producers_missing,
    too_many_producers
  };

  // Collective.
  explicit termination_detector(substrate& world);

  // Called by every PE before a session. `producers` is the number of producers that must be done;
  // equal on all PEs.
  void start_session(std::int64_t producers);

  // Called repeatedly. The PE reports when it is passive: the PE holds nothing, and acts only on
  // arrivals. `mine` is called only for a report. Returns the result, or unknown.
  template <typename IsPassive, typename Report>
  result poll(const IsPassive& is_passive, const Report& mine) {
    collect();
    if (ready_to_report() && is_passive()) submit(mine());
    return found_;
  }
  // Returns the totals of all PEs at the time of the result.
  [[nodiscard]] const report& total() const { return total_; }

  // Called repeatedly when the session is over on the PE. Returns true when it is over on all PEs.
  bool leave();

  void be_traced_as(std::uint32_t object) { porter_.be_traced_as(object); }
  bool moved() { return porter_.moved(); }
  // Returns whether the next wave must wait.
  [[nodiscard]] bool waits_for_time() const {
    return next_wave_.count() != 0 && found_ == result::unknown;
  }
  [[nodiscard]] std::uint64_t messages_sent() const { return messages_; }
  [[nodiscard]] std::size_t memory_bytes() const { return porter_.memory_bytes(); }

 private:
  struct message {
    report sums;
    result found;
    std::uint64_t leaving;  // nonzero: the message belongs to the last wave
  };

  void collect();
  void receive_from_child(const message& m);
  void receive_from_parent(const message& m);
  [[nodiscard]] bool ready_to_report();
  void submit(const report& mine);
  void judge();
  void notify_children(const message& m);
  void send(std::size_t link, const message& m);
  void send_what_waits();
  [[nodiscard]] bool all_sent() { return waiting_.empty() && porter_.all_sent(); }

  substrate& world_;
  int parent_;  // -1 at the root
  std::size_t children_;
  porter porter_;  // a link to the parent, if there is a parent, then links to the children
  std::deque<std::pair<std::size_t, message>> waiting_;  // messages with their links, in order
  std::int64_t producers_ = 0;
  result found_ = result::unknown;
  std::size_t num_reports_ = 0;  // children that have reported in the current wave
  report sums_;                  // of the PE's subtree
  bool reported_ = false;        // and no result has arrived yet
  bool has_previous_ = false;
  report previous_;  // of the previous wave; at the root
  report total_;
  std::size_t children_left_ = 0;
  bool left_ = false;  // the PE has reported that it leaves
  bool all_left_ = false;
  std::chrono::nanoseconds pause_{0};
  std::chrono::nanoseconds next_wave_{0};  // earliest time; at the root
  std::uint64_t messages_ = 0;
};

}  // namespace boxcar::detail
