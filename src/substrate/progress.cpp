#include "substrate/progress.hpp"

#include <algorithm>
#include <new>
#include <pthread.h>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/background_fiber.hpp"
#include "substrate/liveness/program_end.hpp"

namespace boxcar::detail {

namespace {

thread_local bool has_ended = false;
// The fiber that runs on the thread; nullptr: the thread is a PE itself.
thread_local constinit progress* running_fiber = nullptr;

class within_scope {
 public:
  explicit within_scope(bool& making) : making_(making), before_(std::exchange(making, true)) {}
  within_scope(const within_scope&) = delete;
  within_scope& operator=(const within_scope&) = delete;
  ~within_scope() { making_ = before_; }

 private:
  bool& making_;
  bool before_;
};

}  // namespace

// The pthread key by which a thread finds the progress engine of the thread. The destructor of a
// key runs after the destructors of the thread's objects, and not at all when the program ends by
// `exit`.
class progress::slot_of_thread {
 public:
  static progress* get() { return static_cast<progress*>(pthread_getspecific(key())); }
  static void set(progress* its) {
    if (pthread_setspecific(key(), its) != 0) throw std::bad_alloc();
  }

 private:
  static pthread_key_t key() {
    static const pthread_key_t only = [] {
      pthread_key_t made{};
      if (pthread_key_create(&made, destroy) != 0) {
        throw system_error("this process has no more keys of threads (pthread_key_create)");
      }
      pthread_atfork(nullptr, nullptr, forget);
      return made;
    }();
    return only;
  }
  static void destroy(void* of_thread) {
    auto* const its = static_cast<progress*>(of_thread);
    has_ended = true;
    if (current_ == its) current_ = nullptr;
    delete its;
  }
  // Called in a forked child: the thread is no PE any more, and worlds refuse the thread. (The
  // engine stays: callers may still be using it.)
  static void forget() {
    running_fiber = nullptr;
    current_ = nullptr;
    pthread_setspecific(key(), nullptr);
  }
};

bool progress::is_gone() {
  return has_ended;
}

thread_local constinit progress* progress::current_ = nullptr;

// The destructor runs before all else when a thread calls `exit`, and when any other thread ends.
class progress::end_of_log {
 public:
  end_of_log() = default;
  end_of_log(const end_of_log&) = delete;
  end_of_log& operator=(const end_of_log&) = delete;
  ~end_of_log() {
    if (progress* const its = slot_of_thread::get()) its->watch().thread_ends();
  }
  void watch() {}
};

progress& progress::first_of_this_thread() {
  progress* its = slot_of_thread::get();
  if (its == nullptr) {
    watch_program_end();
    static thread_local end_of_log end;
    end.watch();
    auto made = std::make_unique<progress>();
    slot_of_thread::set(made.get());
    its = made.release();
  }
  current_ = its;
  return *its;
}

void progress::run_as(progress* fiber) {
  running_fiber = fiber;
  current_ = fiber;
}

bool progress::is_fiber() {
  return running_fiber != nullptr;
}

void*& progress::pointer(pe_pointer which) {
  static thread_local constinit pointers of_thread_itself{};
  pointers& all = running_fiber != nullptr ? running_fiber->pointers_ : of_thread_itself;
  return all[static_cast<std::size_t>(which)];
}

bool progress::waits_for_time() const {
  return std::ranges::any_of(fibers_, [](const background_fiber* f) { return f->waits_unrung_; }) ||
         std::ranges::any_of(all_, &pollable::waits_for_time) ||
         std::ranges::any_of(guests_, [](const std::weak_ptr<pollable>& g) {
           const auto guest = g.lock();
           return guest != nullptr && guest->waits_for_time();
         });
}

bool progress::make() {
  if (making_ || !is_needed()) return false;
  bool active = false;
  {
    const within_scope scope(making_);
    // Objects may be removed during the loop, but not added.
    for (std::size_t i = all_.size(); i-- > 0;) active |= all_[i]->make_progress();
    active |= make_guests();
  }
  return resume_fibers() || active;
}

bool progress::resume_fibers() {
  if (is_in_background()) return false;
  const std::uint64_t moves = watch_.moves();
  bool has_some_ended = false;
  for (std::size_t i = 0; i < fibers_.size();) {
    background_fiber& f = *fibers_[i];
    resume(f);
    has_some_ended = has_some_ended || f.is_over();
    if (i < fibers_.size() && fibers_[i] == &f) ++i;
  }
  return has_some_ended || watch_.moves() != moves;
}

void progress::resume(background_fiber& f) {
  active_fiber_ = &f;
  const bool making = std::exchange(making_, false);
  const bool decides = std::exchange(watch_.is_deciding, false);
  std::swap(watch_.call, f.call_);
  f.resume();
  std::swap(watch_.call, f.call_);
  watch_.is_deciding = decides;
  making_ = making;
  active_fiber_ = nullptr;
  if (f.is_over()) remove(f);
}

void progress::yield_to_program(bool unrung) {
  active_fiber_->waits_unrung_ = unrung;
  active_fiber_->pause();
}

bool progress::make_guests() {
  bool active = false;
  bool some_are_gone = false;
  for (std::size_t i = guests_.size(); i-- > 0;) {
    const auto guest = guests_[i].lock();
    some_are_gone = some_are_gone || guest == nullptr;
    active = (guest != nullptr && guest->make_progress()) || active;
  }
  if (some_are_gone) std::erase_if(guests_, [](const auto& g) { return g.expired(); });
  return active;
}

void progress::call(const std::function<void()>& function) {
  const within_scope scope(making_);
  function();
}

void progress::refuse(const char* operation) {
  throw contract_error(std::string(operation) +
                       " from within a handler or a function of a schedule: handlers may send, "
                       "broadcast, flush and call `done`, functions nothing of Boxcar; everything "
                       "else belongs into the program around them");
}

}  // namespace boxcar::detail
