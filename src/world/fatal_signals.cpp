#include "world/fatal_signals.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace boxcar::detail {
namespace {

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t stack_bytes = 16384;
constexpr int no_pe = -1;

thread_local int rank_here = no_pe;

std::mutex guard;
int reporters = 0;
pid_t process = 0;  // the process whose threads are PEs

// The class calls only async-signal-safe functions.
class line {
 public:
  line& operator<<(std::string_view text) {
    const std::size_t bytes = std::min(text.size(), text_.size() - used_);
    std::memcpy(text_.data() + used_, text.data(), bytes);
    used_ += bytes;
    return *this;
  }
  line& operator<<(int number) {
    std::array<char, 16> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  void print() const { static_cast<void>(!write(STDERR_FILENO, text_.data(), used_)); }

 private:
  std::array<char, 128> text_{};
  std::size_t used_ = 0;
};

void report(int signal) {
  if (rank_here != no_pe && process == getpid()) {
    const char* const name = sigabbrev_np(signal);
    line text;
    text << "boxcar: PE " << rank_here << ", a thread, was killed by signal " << signal << " (SIG"
         << (name == nullptr ? "?" : name) << "), which ends all PEs of this program\n";
    text.print();
  }
  raise(signal);  // the signal is blocked until this function returns, and then has its former
                  // effect
}

bool has_handler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == handler;
}

}  // namespace

fatal_signal_reporter::fatal_signal_reporter() {
  const std::lock_guard lock(guard);
  // The PEs of the parent are no PEs of a forked child.
  if (process != getpid()) reporters = 0;
  process = getpid();
  if (reporters++ != 0) return;
  for (const int signal : signals) {
    if (!has_handler(signal, SIG_DFL)) continue;
    struct sigaction action {};
    action.sa_handler = report;
    action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

fatal_signal_reporter::~fatal_signal_reporter() {
  const std::lock_guard lock(guard);
  if (--reporters != 0) return;
  for (const int signal : signals) {
    if (has_handler(signal, report)) std::signal(signal, SIG_DFL);
  }
}

reported_pe::reported_pe(int rank) : former_rank_(std::exchange(rank_here, rank)) {
  stack_t there{};
  if (sigaltstack(nullptr, &there) != 0 || (there.ss_flags & SS_DISABLE) == 0) return;
  stack_ = std::make_unique_for_overwrite<std::byte[]>(stack_bytes);
  there = {};
  there.ss_sp = stack_.get();
  there.ss_size = stack_bytes;
  sigaltstack(&there, nullptr);
}

reported_pe::~reported_pe() {
  rank_here = former_rank_;
  if (stack_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

}  // namespace boxcar::detail
