#include "substrate/shared_memory/waiting.hpp"

#include <sched.h>

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "substrate/shared_memory/futex.hpp"
#include "substrate/usable_cores.hpp"

namespace boxcar::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t spins_with_a_core_each = 2000;  // about 100 microseconds
constexpr std::uint32_t yields = 64;
constexpr std::uint32_t polls_after_announcing = 4;
constexpr auto longest_block_in_collective = 10ms;
// A caller that comes back later than this has computed in between, and does not want to block.
constexpr auto computing = 20us;

int number_of_cores() {
  const cpu_set_t cores = usable_cores();
  return CPU_COUNT(&cores);
}

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

waiting::waiting(job_block& job, int rank, const surroundings& around)
    : job_(job),
      me_(job.pe(rank)),
      others_(&progress::of_this_pe()),
      longest_block_(around.longest_block),
      has_core_(around.pes_on_cores <= number_of_cores()),
      spins_(has_core_ ? spins_with_a_core_each : 0) {}

bool waiting::idle() {
  if (others_->make()) {
    busy();
    return false;
  }
  ++fruitless_;
  if (fruitless_ <= spins_) {
    pause_core();
    return false;
  }
  check_failure();
  const auto entered = std::chrono::steady_clock::now();
  if (entered - left_idle_ > computing && fruitless_ > spins_ + 1) {
    stir();
    fruitless_ = spins_ + 1;
  }
  bool waited_long = false;
  if (fruitless_ <= spins_ + yields) {
    sched_yield();
  } else if (announced_at_ == 0) {
    bell_seen_ = me_.bell.load(std::memory_order_acquire);
    me_.asleep.store(1, std::memory_order_seq_cst);  // pairs with the load in `wake`
    // What is polled from now on is loaded after that: acquiring loads alone may be taken before.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    announced_at_ = fruitless_;
  } else if (fruitless_ >= announced_at_ + polls_after_announcing) {
    futex_wait(me_.bell, bell_seen_, longest_block_);
    me_.asleep.store(0, std::memory_order_relaxed);
    announced_at_ = 0;
    fruitless_ = spins_ + yields;
    waited_long = true;
  }
  left_idle_ = std::chrono::steady_clock::now();
  return waited_long;
}

void waiting::stir() {
  fruitless_ = 0;
  if (announced_at_ != 0) {
    me_.asleep.store(0, std::memory_order_relaxed);
    announced_at_ = 0;
  }
}

void waiting::ring(pe_block& other) {
  other.bell.fetch_add(1, std::memory_order_release);
  futex_wake_all(other.bell);
}

void waiting::wait_for_change(const std::atomic<std::uint32_t>& generation, std::uint32_t seen,
                              std::atomic<std::uint32_t>& sleepers) const {
  // Acquires what the others did before the one that came last stored the next generation.
  const auto changed = [&] { return generation.load(std::memory_order_acquire) != seen; };
  for (std::uint32_t i = 0; i < spins_; ++i) {
    if (changed()) return;
    pause_core();
  }
  for (std::uint32_t i = 0; i < yields; ++i) {
    if (changed()) return;
    sched_yield();
  }
  // Sequentially consistent, like the store of the generation and the load of this count by the one
  // that comes last: either it sees that somebody sleeps, or the generation is seen to be changed.
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (!changed()) futex_wait(generation, seen, longest_block_in_collective);
  sleepers.fetch_sub(1, std::memory_order_relaxed);
}

void waiting::check_failure() {
  // Pairs with the store in fail_job: the text is there.
  if (job_.failed.load(std::memory_order_acquire) == 2) {
    throw world_error(std::string(job_.failure_text));
  }
}

}  // namespace boxcar::detail
