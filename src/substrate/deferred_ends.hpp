// A PE puts off the ends of worlds with started collectives during a scope. All PEs of a world with
// started collectives leave the world together, and coroutines end in different orders on different
// PEs: without the scope the ends of two worlds would wait for each other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class deferred_ends {
 public:
  // A handle of a world, with the collectives that were started by the handle.
  struct handle {
    std::shared_ptr<substrate> world;
    std::shared_ptr<void> started;
  };

  // Worlds whose ends are deferred in the scope end with the outermost scope of the PE, in the
  // order in which the worlds were made: the order is the same on all PEs.
  class scope {
   public:
    scope() : all_(of_this_pe()), was_on_(std::exchange(all_.is_on_, true)) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() {
      all_.is_on_ = was_on_;
      if (!was_on_) all_.end_all();
    }

   private:
    deferred_ends& all_;
    bool was_on_;
  };

  [[nodiscard]] static deferred_ends& of_this_pe() {
    return progress::of_this_pe().part<deferred_ends>();
  }
  [[nodiscard]] bool is_on() const { return is_on_; }
  void add(handle ending) { handles_.push_back(std::move(ending)); }
  // Returns the number of the next world of the PE.
  [[nodiscard]] std::uint64_t number_world() { return ++worlds_; }

 private:
  void end_all() {
    std::vector<handle> ending = std::exchange(handles_, {});
    std::ranges::stable_sort(ending, {}, [](const handle& h) { return h.world->made_as; });
    for (handle& h : ending) {
      h.started.reset();
      h.world.reset();
    }
  }

  bool is_on_ = false;
  std::vector<handle> handles_;
  std::uint64_t worlds_ = 0;
};

}  // namespace boxcar::detail
