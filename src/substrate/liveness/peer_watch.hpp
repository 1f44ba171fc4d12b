// A peer_watch finds out whether another PE is lost: nothing in shared memory changes when a
// process dies, and no message says so. The PEs of a group watch one another in a circle, and each
// looks during its waits: whichever PEs are lost, a PE that is not watches one that is.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace boxcar::detail {

class peer_watch {
 public:
  using clock = std::chrono::steady_clock;
  // The longest time between two calls of `loss`: a waiting PE blocks for no longer.
  static constexpr auto longest_between_looks = std::chrono::milliseconds(200);

  explicit peer_watch(int own_rank) : own_rank_(own_rank) {}
  peer_watch(const peer_watch&) = delete;
  peer_watch& operator=(const peer_watch&) = delete;
  virtual ~peer_watch() = default;

  // Returns an error text from the loss of the other PE on; empty before. A PE whose process has
  // ended in the middle of the world is lost once the launcher has had time to end the job, and so
  // is a PE out of reach. `loss` is called often, and rarely asks the system.
  [[nodiscard]] const std::string& loss(clock::time_point now);

 protected:
  struct finding {
    bool has_ended = false;       // the process
    std::string why_unreachable;  // empty: as far as the system knows, the PE is in reach
  };

 private:
  // Asks the system; no more once the process has ended.
  virtual finding look() = 0;
  // "PE 2 on node0 (10.0.0.2)"
  [[nodiscard]] virtual std::string name() const = 0;
  // Returns whether the other PE left the world before its process ended.
  [[nodiscard]] virtual bool has_left() const { return false; }

  int own_rank_;
  clock::time_point next_look_;
  std::optional<clock::time_point> ended_at_;  // if the process has ended
  std::string loss_;
};

}  // namespace boxcar::detail
