#include "substrate/shared_memory/waiting.hpp"

#include <algorithm>
#include <sched.h>

#include <boxcar/error.hpp>

#include "substrate/liveness/abort_grace.hpp"
#include "substrate/progress.hpp"
#include "substrate/shared_memory/futex.hpp"
#include "substrate/stall/stall_error.hpp"
#include "substrate/usable_cores.hpp"

namespace boxcar::detail {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t polls_after_announcing = 4;
// A session that was not polled again within calls_per_session calls for each session will not be
// polled: the PE then blocks.
constexpr std::uint32_t calls_per_session = 16;
constexpr auto longest_block_with_a_network = 50us;
constexpr auto longest_block_with_bells = 1ms;
constexpr auto longest_block_in_collective = 10ms;
// A caller that comes back after a longer time has computed in between, and does not want to block.
constexpr auto computing = 20us;

#ifdef BOXCAR_WAIT_FOR_EVER
constexpr bool waits_for_ever = true;
#else
constexpr bool waits_for_ever = false;
#endif

void pause_core() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

waiting::waiting(job_block& job, int rank, const wait_config& around)
    : job_(job),
      me_(job.pe(rank)),
      others_(&progress::of_this_pe()),
      has_network_(around.has_network),
      stall_(job, rank, around.ranks_in_job[rank],
             around.pes_in_job == 0 ? static_cast<int>(job.pes) : around.pes_in_job,
             around.stall_after) {
  share_cores(around.pes_on_cores);
}

void waiting::share_cores(int pes) {
  patience_ = patience(pes <= count(usable_cores()));
  patience_without_bell_ = patience_;
}

bool waiting::idle(const pause_reason& why) {
  if (others_->yield_in_background(why.acts_by_itself || why.by_time)) {
    constexpr std::uint32_t turns_between_looks = 16;
    check_failure();
    return ++turns_ % turns_between_looks == 0;
  }
  if (others_->make()) {
    busy();
    return false;
  }
  ++idle_polls_;
  const bool rings = !why.acts_by_itself;
  const patience& limits = rings ? patience_ : patience_without_bell_;
  trace_log* const log = others_->watch().log.get();
  if (idle_polls_ <= limits.spins() && !why.has_looked) {
    if (log != nullptr) note_spinning(*log, why);
    pause_core();
    return false;
  }
  check_failure();
  const auto entered = std::chrono::steady_clock::now();
  if (log != nullptr) {
    log->waits(others_->watch().place_of(why), entered.time_since_epoch().count());
  }
  if (const auto problem = stall_.look(entered, others_->watch(), why)) throw stall_error(*problem);
  if (neighbor_) {
    const std::string& loss = neighbor_->loss(entered);
    if (!loss.empty()) throw stall_error(loss);
  }
  if (why.must_not_block) {
    constexpr std::uint32_t calls_between_looks = 16;
    left_idle_ = std::chrono::steady_clock::now();
    return idle_polls_ % calls_between_looks == 0;
  }
  if (entered - left_idle_ > computing && idle_polls_ > limits.spins() + 1 && !why.has_looked) {
    take_back_announcement();
    idle_polls_ = limits.spins() + 1;
  }
  bool worth_looking = false;
  patience_.look(entered);
  const bool yields = idle_polls_ <= limits.polls();
  if (yields) {
    sched_yield();
  } else if (announced_at_ == 0) {
    announce();
    worth_looking = true;  // a PE that left before may not have rung
  } else if (may_block()) {
    blocked_in_round_ = others_->watch().round;
    futex_wait(me_.bell, bell_seen_, max_block(why));
    take_back_announcement();
    idle_polls_ = limits.polls();
    worth_looking = true;
  }
  left_idle_ = std::chrono::steady_clock::now();
  if (yields && rings) patience_.note_yield(entered, left_idle_);
  if (log != nullptr) log->waited(left_idle_.time_since_epoch().count());
  return worth_looking;
}

// A spinning PE reads the clock seldom.
void waiting::note_spinning(trace_log& log, const pause_reason& why) const {
  constexpr std::uint32_t often = 16;
  if (log.is_waiting() && idle_polls_ % often != 0) return;
  log.waits(others_->watch().place_of(why), trace_log::now());
}

void waiting::announce() {
  bell_seen_ = me_.bell.load(std::memory_order_acquire);
  me_.asleep.store(1, std::memory_order_seq_cst);  // pairs with the load in `wake`
  // All polls from now on load after the store of `asleep`; acquire loads alone could move up.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  announced_at_ = idle_polls_;
  ++others_->watch().round;
}

// Returns true if everything has been polled again.
bool waiting::may_block() const {
  const std::uint32_t polls = idle_polls_ - announced_at_;
  if (polls < polls_after_announcing) return false;
  const pe_watch& watch = others_->watch();
  if (polls > patience::max_yields + calls_per_session * watch.sessions().size()) return true;
  return std::ranges::none_of(watch.sessions(), [&](const watched_session* s) {
    return s->polled_in_round != watch.round && s->polled_in_round >= blocked_in_round_;
  });
}

std::chrono::nanoseconds waiting::max_block(const pause_reason& why) const {
  if (has_network_) return longest_block_with_a_network;
  const current_call& call = others_->watch().call;
  const bool looks_elsewhere = call.name == nullptr || call.returns_soon || why.acts_by_itself;
  if (looks_elsewhere || others_->watch().acts_by_time(why) || others_->waits_for_time())
    return longest_block_with_bells;
  std::chrono::nanoseconds longest =
      why.session == nullptr ? longest_block_in_collective : longest_block_with_bells;
  if (waits_for_ever) longest = std::chrono::nanoseconds::max();
  if (neighbor_) {
    longest = std::min<std::chrono::nanoseconds>(longest, peer_watch::longest_between_looks);
  }
  return stall_.is_on() ? std::min(longest, stall_.max_block()) : longest;
}

void waiting::reset_backoff() {
  idle_polls_ = 0;
  if (const auto& log = others_->watch().log) log->stir();
  take_back_announcement();
  stall_.withdraw_if_moved(others_->watch());
}

void waiting::take_back_announcement() {
  if (announced_at_ == 0) return;
  me_.asleep.store(0, std::memory_order_relaxed);
  announced_at_ = 0;
}

void waiting::ring(pe_block& other) {
  other.bell.fetch_add(1, std::memory_order_release);
  futex_wake_all(other.bell);
}

void waiting::check_failure() {
  // Pairs with the store in fail_job: the text is visible.
  if (job_.failed.load(std::memory_order_acquire) == 2) {
    if (&job_.pe(job_.failed_rank) != &me_) record_failure_origin(false);
    throw world_error(std::string(job_.failure_text));
  }
}

}  // namespace boxcar::detail
