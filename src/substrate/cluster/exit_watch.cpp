#include "substrate/cluster/exit_watch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <ranges>
#include <thread>
#include <utility>
#include <vector>

namespace boxcar::detail {
namespace {

using clock = std::chrono::steady_clock;

// Longer than a PE takes to notify the other PEs, to print the reason, and to abort the job.
constexpr auto longest_end_of_the_failed = std::chrono::seconds(1);

struct all_watches {
  std::mutex guard;                  // threads may have worlds of their own
  std::vector<exit_watch*> watches;  // in the order of construction, on all PEs
};

// The list is never destroyed: the end of the program uses it.
all_watches& all() {
  static auto* only = new all_watches;
  return *only;
}

}  // namespace

exit_watch::exit_watch(std::function<void()> depart, std::function<bool()> others_left,
                       std::function<bool()> ends_with_program, std::function<void()> settle)
    : depart_(std::move(depart)),
      others_left_(std::move(others_left)),
      ends_with_program_(std::move(ends_with_program)),
      settle_(std::move(settle)) {
  const std::lock_guard lock(all().guard);
  all().watches.push_back(this);
}

exit_watch::~exit_watch() {
  const std::lock_guard lock(all().guard);
  std::erase(all().watches, this);
}

bool is_inside_a_world() noexcept {
  const std::lock_guard lock(all().guard);
  const auto& watches = all().watches;
  const auto ends_before = [](const exit_watch* watch) { return !watch->ends_with_program_(); };
  return std::ranges::any_of(watches, ends_before) &&
         std::ranges::none_of(watches, [](const exit_watch* watch) {
           return watch->has_departed_.load(std::memory_order_relaxed);
         });
}

void depart_from_all_worlds() noexcept {
  const std::lock_guard lock(all().guard);
  for (exit_watch* watch : std::views::reverse(all().watches)) watch->settle_();
  for (exit_watch* watch : all().watches) watch->depart_();
  std::optional<clock::time_point> failed;
  const auto is_over = [&failed](exit_watch* watch) {
    try {
      return watch->others_left_();
    } catch (const std::exception&) {
      if (!failed) failed = clock::now();
      return false;
    }
  };
  while (!failed || clock::now() < *failed + longest_end_of_the_failed) {
    // Every watch is polled, whatever the first returns: a poll may drive the progress of another
    // watch.
    if (std::ranges::count_if(all().watches, is_over) == std::ssize(all().watches)) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace boxcar::detail
