#include "substrate/forked_child.hpp"

#include <mutex>
#include <pthread.h>
#include <set>
#include <utility>
#include <vector>

#include "substrate/substrate.hpp"

namespace boxcar::detail {
namespace {

struct worlds_of_process {
  std::mutex guard;  // threads may have worlds of their own
  std::set<substrate*> worlds;
  std::vector<std::shared_ptr<void>> kept;

  // Never destroyed: worlds may have static storage.
  static worlds_of_process& instance() {
    static auto* const only = [] {
      auto* const made = new worlds_of_process;
      pthread_atfork([] { instance().guard.lock(); }, [] { instance().guard.unlock(); },
                     [] { instance().leave_to_parent(); });
      return made;
    }();
    return *only;
  }

 private:
  // Called with the lock, by the only thread.
  void leave_to_parent() {
    for (substrate* const world : worlds) world->leave_to_parent();
    worlds.clear();
    guard.unlock();
  }
};

}  // namespace

void note_world(substrate& world) {
  worlds_of_process& here = worlds_of_process::instance();
  const std::lock_guard lock(here.guard);
  here.worlds.insert(&world);
}

void forget_world(substrate& world) noexcept {
  worlds_of_process& here = worlds_of_process::instance();
  const std::lock_guard lock(here.guard);
  here.worlds.erase(&world);
}

void keep_for_ever(std::shared_ptr<void> copy) {
  worlds_of_process& here = worlds_of_process::instance();
  const std::lock_guard lock(here.guard);
  here.kept.push_back(std::move(copy));
}

}  // namespace boxcar::detail
