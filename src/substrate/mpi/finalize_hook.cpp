#include "substrate/mpi/finalize_hook.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace boxcar::detail::mpi {
namespace {

struct all_hooks {
  std::mutex guard;  // threads may have worlds of their own
  std::vector<finalize_hook*> hooks;
};

// The list is never destroyed: objects with static storage use it.
all_hooks& all() {
  static auto* only = new all_hooks;
  return *only;
}

}  // namespace

finalize_hook::finalize_hook(std::function<void()> end_requests)
    : end_requests_(std::move(end_requests)) {
  const std::lock_guard lock(all().guard);
  all().hooks.push_back(this);
}

finalize_hook::~finalize_hook() {
  const std::lock_guard lock(all().guard);
  std::erase(all().hooks, this);
}

void run_finalize_hooks() noexcept {
  const std::lock_guard lock(all().guard);
  for (finalize_hook* hook : all().hooks) hook->end_requests_();
}

}  // namespace boxcar::detail::mpi
