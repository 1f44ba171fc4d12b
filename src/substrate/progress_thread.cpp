#include "substrate/progress_thread.hpp"

#include <algorithm>
#include <csignal>
#include <pthread.h>
#include <string>
#include <sys/prctl.h>
#include <system_error>
#include <unistd.h>

#include <boxcar/error.hpp>

namespace boxcar::detail {
namespace {

using clock = attention::clock;

// Blocks all signals: the program may expect signals on other threads. A new thread inherits the
// mask of the creator.
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

std::shared_ptr<progress_thread> progress_thread::of_this_process() {
  static std::mutex guard;
  // Never destroyed: worlds may have static storage.
  static auto& latest = *new std::weak_ptr<progress_thread>;
  const lock l(guard);
  auto thread = latest.lock();
  // (No thread survives a fork.)
  if (thread == nullptr || thread->process_ != getpid()) {
    thread = std::make_shared<progress_thread>();
    latest = thread;
  }
  return thread;
}

progress_thread::progress_thread() : process_(getpid()) {
  const without_signals scope;
  try {
    thread_ = std::thread([this] { go(); });
    // The thread has the name when the constructor returns.
    pthread_setname_np(thread_.native_handle(), "boxcar progress");
  } catch (const std::system_error& e) {
    throw boxcar::system_error(std::string("cannot start a progress thread: ") + e.what());
  }
}

progress_thread::~progress_thread() {
  {
    const lock l(guard_);
    ends_ = true;
  }
  news_.notify_one();
  thread_.join();
}

void progress_thread::serve(progress_context& pe) {
  const lock l(guard_);
  served_.emplace(&pe, clock::now());
}

void progress_thread::leave(progress_context& pe) {
  const lock l(guard_);
  served_.erase(&pe);
}

void progress_thread::look_at_once(progress_context& pe) {
  {
    const lock l(guard_);
    served_.at(&pe).look_at_once();
  }
  news_.notify_one();
}

void progress_thread::go() {
  prctl(PR_SET_TIMERSLACK, 1);  // naps are short
  lock l(guard_);
  while (!ends_) {
    const auto now = clock::now();
    // PEs may come and go meanwhile, except for the PE in service.
    for (auto& [pe, its] : served_) {
      if (its.is_due(now)) look_after(*pe, its, l);
    }
    auto next = attention::never;
    for (const auto& [pe, its] : served_) next = std::min(next, its.due());
    if (next == attention::never) {
      news_.wait(l);
    } else {
      news_.wait_until(l, next);
    }
  }
}

void progress_thread::look_after(progress_context& pe, attention& its, lock& l) {
  const progress_context::lock context_lock = pe.try_acquire_lock();
  if (context_lock && !pe.has_works()) {
    its.look_never();
    return;
  }
  auto sight = attention::sight::the_pe;
  if (context_lock && !pe.take_pe_progress()) {
    l.unlock();
    sight = pe.work() ? attention::sight::work : attention::sight::nothing;
    l.lock();
  }
  its.found(sight, clock::now());
  if (context_lock) pe.set_idle(its.is_lax());
}

}  // namespace boxcar::detail
