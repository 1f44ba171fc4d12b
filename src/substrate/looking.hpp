// A scope for a PE that tests many operations for completion, one after the other, without a turn
// of waiting for each.
#pragma once

#include <utility>

#include "substrate/progress.hpp"

namespace boxcar::detail {

class looking {
 public:
  enum class serving : bool { nobody, once };

  // While the scope exists, tests of this PE do not wait, and serve no other PE: the work for other
  // PEs is done once, in the constructor, or not at all.
  explicit looking(serving whom = serving::once) {
    if (whom == serving::once) static_cast<void>(progress::of_this_pe().make());
    was_on_ = std::exchange(here(), true);
  }
  looking(const looking&) = delete;
  looking& operator=(const looking&) = delete;
  ~looking() { here() = was_on_; }

  [[nodiscard]] static bool is_on() { return here(); }

 private:
  struct flag {
    bool is_on = false;
  };
  static bool& here() { return progress::of_this_pe().part<flag>().is_on; }

  bool was_on_;
};

}  // namespace boxcar::detail
