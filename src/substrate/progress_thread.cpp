#include "substrate/progress_thread.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <sys/prctl.h>
#include <system_error>

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"

namespace boxcar::detail {
namespace {

using clock = std::chrono::steady_clock;

// After something was done more of it often follows at once, as when a PE asks again and again. (To
// nap is better than to yield then: if the PE computes on the same core, Linux lets a thread that
// wakes up have it at once, and one that has yielded after some milliseconds.)
constexpr auto attentive = std::chrono::microseconds(100);
constexpr std::chrono::nanoseconds shortest_nap = std::chrono::microseconds(5);
// A PE that begins to compute is served after two of these at most.
constexpr std::chrono::nanoseconds usual_nap = std::chrono::milliseconds(1);
// Where nothing has happened for long nothing is expected soon: whoever asks then waits a little
// longer, by a small part of that time, and a thread that has nothing to do takes next to none.
constexpr std::chrono::nanoseconds longest_nap = std::chrono::milliseconds(50);
constexpr int idle_times_per_nap = 64;

// The next one, after this one has brought nothing, nor anything since `idle`.
std::chrono::nanoseconds longer(std::chrono::nanoseconds nap, std::chrono::nanoseconds idle) {
  return std::min(2 * nap, std::clamp(idle / idle_times_per_nap, usual_nap, longest_nap));
}

// Signals are for the program's own threads, which may expect them. A thread inherits the mask.
class without_signals {
 public:
  without_signals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;
  ~without_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

std::shared_ptr<progress_thread> progress_thread::of(progress& pe) {
  auto helper = pe.helper.lock();
  if (helper == nullptr) {
    helper = std::make_shared<progress_thread>();
    pe.helper = helper;
  }
  return helper;
}

progress_thread::progress_thread() {
  const without_signals scope;
  try {
    thread_ = std::thread([this] { go(); });
  } catch (const std::system_error& e) {
    throw boxcar::system_error(std::string("cannot start a progress thread: ") + e.what());
  }
}

progress_thread::~progress_thread() {
  {
    const auto lock = keep_out();
    ends_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void progress_thread::add(background_work& w) {
  {
    const auto lock = keep_out();
    works_.push_back(&w);
  }
  news_.notify_one();
}

void progress_thread::remove(background_work& w) {
  const auto lock = keep_out();
  std::erase(works_, &w);
}

void progress_thread::go() {
  prctl(PR_SET_TIMERSLACK, 1);  // naps are short
  auto lock = keep_out();
  std::chrono::nanoseconds nap = usual_nap;
  auto last_work = clock::now();
  auto last_visit = last_work;
  while (!ends_) {
    if (works_.empty()) {
      news_.wait(lock);
      continue;
    }
    const bool visited = visits_seen_ != visits_;
    visits_seen_ = visits_;
    const bool active = !visited && work();
    const auto now = clock::now();
    if (visited) last_visit = now;
    if (active) last_work = now;
    nap = now - last_work < attentive ? shortest_nap
                                      : longer(nap, now - std::max(last_work, last_visit));
    naps_long_ = nap > usual_nap;  // and is to know when the PE comes by
    news_.wait_for(lock, nap);
    naps_long_ = false;
  }
}

bool progress_thread::work() {
  bool active = false;
  for (background_work* const w : works_) active = w->work() || active;
  return active;
}

}  // namespace boxcar::detail
