#include "simulator/stall_alarm.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <execinfo.h>
#include <unistd.h>

#include "world/hosted_pe.hpp"

namespace boxcar::simulator {
namespace {

int signal_of_alarm() {
  return SIGRTMAX - 1;
}

// Handles the signal on the thread that runs the PEs, wherever the PE is.
void tell(int) {
  const detail::hosted_pe* const here = detail::hosted_pe::current();
  std::array<char, 400> text{};
  const int length =
      here == nullptr
          ? 0
          : std::snprintf(
                text.data(), text.size(),
                "boxcar simulate: PE %d has kept all others from running for long: it "
                "computes, or waits outside Boxcar for another PE, which cannot run. It is "
                "at (no report with BOXCAR_STALL_SECONDS=0)\n",
                here->rank());
  if (length <= 0) return;
  static_cast<void>(!write(STDERR_FILENO, text.data(), static_cast<std::size_t>(length)));
  std::array<void*, 32> frames{};
  constexpr int of_this = 2;  // this function, and its caller for the signal
  const int depth = backtrace(frames.data(), static_cast<int>(frames.size()));
  if (depth > of_this)
    backtrace_symbols_fd(frames.data() + of_this, depth - of_this, STDERR_FILENO);
}

}  // namespace

stall_alarm::stall_alarm(std::chrono::nanoseconds allowed) {
  if (allowed.count() == 0) return;
  // (The first call of backtrace loads a library, which a handler must not do.)
  std::array<void*, 1> frame{};
  backtrace(frame.data(), 1);
  struct sigaction action {};
  action.sa_handler = tell;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(signal_of_alarm(), &action, nullptr);
  watcher_ = std::thread([this, allowed] { watch(allowed); });
}

stall_alarm::~stall_alarm() {
  {
    const std::lock_guard lock(guard_);
    is_over_ = true;
  }
  over_changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void stall_alarm::watch(std::chrono::nanoseconds allowed) {
  std::unique_lock lock(guard_);
  std::uint64_t seen = 0;
  bool has_told = false;
  while (!over_changed_.wait_for(lock, allowed, [this] { return is_over_; })) {
    const std::uint64_t now = turns_.load(std::memory_order_relaxed);
    if (now != seen) {
      has_told = false;
    } else if (!has_told) {
      has_told = true;
      pthread_kill(watched_, signal_of_alarm());
    }
    seen = now;
  }
}

}  // namespace boxcar::simulator
