#include "substrate/last_words.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

namespace boxcar::detail {
namespace {

constexpr auto own_last_words = std::chrono::milliseconds(300);
// The other PE notifies its peers, prints the reason, and waits for own_last_words. Each step may
// take longer under load.
constexpr auto last_words_of_another = std::chrono::milliseconds(2000);
static_assert(last_words_of_another > 2 * (longest_word_of_failure + own_last_words));

// The last failure counts: a program may continue after a failure, and fail in another world.
std::atomic<bool> is_that_of_another = false;

}  // namespace

void note_whose_failure(bool is_own) noexcept {
  is_that_of_another.store(!is_own, std::memory_order_relaxed);
}

void speak_last_words() noexcept {
  std::fflush(nullptr);
  const bool waits = is_that_of_another.load(std::memory_order_relaxed);
  std::this_thread::sleep_for(waits ? last_words_of_another : own_last_words);
}

}  // namespace boxcar::detail
