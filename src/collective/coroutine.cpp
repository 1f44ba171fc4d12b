// The suspension of coroutines until runs have ended, and the loop that resumes the coroutines.
#include <algorithm>

#include <boxcar/coroutine.hpp>
#include <boxcar/error.hpp>

#include "collective/suspended_coroutines.hpp"
#include "substrate/deferred_ends.hpp"
#include "substrate/looking.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"

namespace boxcar {
namespace detail {

suspended_coroutines& suspended_coroutines::of_this_pe() {
  return progress::of_this_pe().part<suspended_coroutines>();
}

bool suspended_coroutines::any_in(const void* order) const {
  const auto is_in = [order](const suspension* s) { return s->order() == order; };
  return std::ranges::any_of(waiting, is_in) || std::ranges::any_of(over, is_in);
}

void suspension::await_suspend(std::coroutine_handle<> waiting) {
  waiting_ = waiting;
  suspended_coroutines::of_this_pe().waiting.push_back(this);
}

void suspension::suspend_until_notified(std::coroutine_handle<> waiting) {
  waiting_ = waiting;
  is_untested_ = true;
  ++suspended_coroutines::of_this_pe().untested;
}

void suspension::notify() {
  auto& all = suspended_coroutines::of_this_pe();
  is_untested_ = false;
  --all.untested;
  all.over.push_back(this);
}

suspension::~suspension() {
  if (!waiting_) return;
  auto& all = suspended_coroutines::of_this_pe();
  if (is_untested_) {
    --all.untested;
    return;
  }
  std::erase(all.waiting, this);
  std::erase(all.over, this);
}

bool suspension::is_over() noexcept {
  try {
    return test();
  } catch (...) {
    problem_ = std::current_exception();
    return true;
  }
}

namespace {

// Resumes the coroutines whose runs have ended. Returns false if there are none.
bool resume_some() {
  auto& all = suspended_coroutines::of_this_pe();
  const auto ended = [&all] {
    const looking once;
    return std::ranges::stable_partition(all.waiting, [](suspension* s) { return !s->is_over(); });
  }();
  all.over.insert(all.over.end(), ended.begin(), ended.end());
  all.waiting.erase(ended.begin(), ended.end());
  if (all.over.empty()) return false;
  // A resumed coroutine may destroy other coroutines, or throw: then the rest is resumed by the
  // next call.
  while (!all.over.empty()) {
    suspension* const next = all.over.front();
    all.over.pop_front();
    next->resume();
  }
  return true;
}

}  // namespace
}  // namespace detail

std::size_t resume_coroutines() {
  detail::resume_some();
  const auto& all = detail::suspended_coroutines::of_this_pe();
  return all.waiting.size() + all.over.size() + all.untested;
}

void task::require_new() const {
  if (coroutine_ && !coroutine_.done()) return;
  throw contract_error(coroutine_ ? "the task has ended; make another one"
                                  : "the task has been moved from; use the one it was moved to");
}

void run_tasks(world& w, std::vector<task> tasks) {
  detail::substrate& s = *w.substrate();
  s.require_own_thread("run_tasks");
  const detail::deferred_ends::scope ends_of_worlds;
  const auto is_done = [](const task& t) { return t.coroutine_.done(); };
  const auto rethrow = [&] {
    for (const task& t : tasks) {
      if (is_done(t)) task::rethrow(t.coroutine_);
    }
  };
  for (const task& t : tasks) t.require_new();
  for (const task& t : tasks) t.coroutine_.resume();
  for (rethrow(); !std::ranges::all_of(tasks, is_done); rethrow()) {
    if (detail::resume_some()) {
      s.busy();
    } else {
      s.idle({.acts_by_itself = true});
    }
  }
}

}  // namespace boxcar
