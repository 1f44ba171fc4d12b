// What a PE does by itself when counters have come far enough, again in each run. Counters are
// numbered from 0 on. Only those are looked at that are said to have moved.
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
  // False: there is no room for it, and it is to be tried again.
  using action = std::function<bool()>;
  using value_of = std::function<std::uint64_t(std::size_t counter)>;

  explicit due_actions(value_of value) : value_(std::move(value)) {}

  // In run k when the counter has reached k times so many.
  void add(std::size_t counter, std::uint64_t times, action what);
  void begin(std::uint64_t run);
  // Or may have.
  void has_moved(std::size_t counter);
  // Does what is due; false if nothing is. What an action throws is thrown, and it counts as done.
  bool perform();
  [[nodiscard]] bool any_due() const;
  // Nothing is done any more.
  void clear();

 private:
  struct waiting {
    std::uint64_t times;
    action what;
  };
  // Those of a counter, by what they wait for: the first `done` of them have been done in this run.
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
