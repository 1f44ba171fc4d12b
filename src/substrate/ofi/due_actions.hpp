// The class due_actions performs actions of this PE when counters have reached their thresholds,
// again in each run. Counters are numbered from 0. Only counters reported by mark_moved are
// examined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

namespace boxcar::detail::ofi {

class due_actions {
 public:
  // An action returns false if there is no room for the action: the action is tried again.
  using action = std::function<bool()>;
  using value_of = std::function<std::uint64_t(std::size_t counter)>;

  explicit due_actions(value_of value) : value_(std::move(value)) {}

  // Adds an action to perform in run k when the counter has reached k * `times`.
  void add(std::size_t counter, std::uint64_t times, action what);
  void begin(std::uint64_t run);
  // The counter has moved, or may have moved.
  void mark_moved(std::size_t counter);
  // Performs all due actions; returns false if none is due. An action that throws counts as
  // performed, and the exception passes through.
  bool perform();
  [[nodiscard]] bool any_due() const;
  // Drops all actions.
  void clear();

 private:
  struct waiting {
    std::uint64_t times;
    action what;
  };
  // The actions of a counter, by threshold: the first `done` actions have been performed in this
  // run.
  struct list {
    std::vector<waiting> all;
    std::size_t done = 0;
    bool has_moved = false;
  };
  [[nodiscard]] bool is_waited_for(std::size_t counter) const;
  [[nodiscard]] bool is_due(std::size_t counter) const;

  value_of value_;
  std::uint64_t run_ = 0;
  std::vector<list> lists_;  // by counter
  std::deque<std::size_t> moved_;
};

}  // namespace boxcar::detail::ofi
