#include "collective/collective_channel.hpp"

#include <exception>
#include <new>
#include <span>
#include <utility>

#include <boxcar/error.hpp>

#include "one_sided/rpc_engine.hpp"
#include "substrate/agreement.hpp"
#include "substrate/background_fiber.hpp"
#include "substrate/looking.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "trigger/thrown_by_function.hpp"

namespace boxcar::detail {

namespace {

// Returns whether all PEs have got the error. Then the channels of all PEs are alike and the world
// goes on. (PEs that disagree have started different kinds, and reach the channels of the kinds in
// different orders. An error of a single PE leaves the other PEs waiting.)
bool is_agreed(const std::exception& e) {
  if (dynamic_cast<const disagreement*>(&e) != nullptr) return false;
  return dynamic_cast<const system_error*>(&e) != nullptr ||
         dynamic_cast<const argument_error*>(&e) != nullptr;
}

}  // namespace

void collective_channel::function_of_run::operator()(std::byte* into, const std::byte* left,
                                                     const std::byte* right, std::size_t n) {
  try {
    function(into, left, right, n);
  } catch (...) {
    has_thrown.store(true, std::memory_order_relaxed);  // the PE gets the exception itself
    throw;
  }
}

void collective_channel::throw_gone(std::byte* /*into*/, const std::byte* /*left*/,
                                    const std::byte* /*right*/, std::size_t /*n*/) {
  throw contract_error(
      "a collective: an exception has destroyed the handle of a run that was under way, and what "
      "its function refers to may be gone as well, so that it is not called, and the run never "
      "ends; wait for runs before their handles are destroyed");
}

void collective_channel::throw_given_up(std::byte* /*into*/, const std::byte* /*left*/,
                                        const std::byte* /*right*/, std::size_t /*n*/) {
  throw given_up_run(
      "a collective: a function has thrown in another piece of the same call, so that the function "
      "is not called for this piece, and the run never ends; use functions that do not throw");
}

collective_channel::collective_channel(const void* owner, std::shared_ptr<substrate> world,
                                       making make)
    : owner_(owner), world_(std::move(world)), make_(std::move(make)) {}

collective_channel::~collective_channel() {
  if (std::uncaught_exceptions() != 0 || world_->is_abandoned() || world_->has_ended()) return;
  try {
    if (has_failed_run_ && !is_problem_known_) std::rethrow_exception(problem_);
    const bool never_ends = function_->has_thrown.load(std::memory_order_relaxed);
    if (!is_over_ && !never_ends) state_->wait();
  } catch (const std::exception& e) {
    // The world has failed, or a function of the program has thrown in a run that nobody waited
    // for.
    world_->fail_unheard(e.what());
  } catch (...) {
    world_->fail_unheard("threw something that is no std::exception");
  }
}

collective_channel::run_number collective_channel::start(collective_start&& what, bool is_in_place,
                                                         bool is_continued) {
  const bool has_thrown = has_given_up_ || function_->has_thrown.load(std::memory_order_relaxed);
  if (has_thrown && !is_continued) {
    throw contract_error(
        "start: a function of an earlier run of this kind has thrown, and what all of the kind "
        "share never comes to its end; use functions that do not throw, or boxcar::collectives");
  }
  if (!has_thrown && state_ != nullptr && queued_.empty() && poll_end()) {
    begin(what.in, what.out, what.first, std::move(what.how.function));
    return run_;
  }
  const auto copied = is_in_place ? std::span<const std::byte>() : what.in;
  queued_.push_back(
      {.in = {copied.begin(), copied.end()},
       .is_in_place = is_in_place,
       .first = {what.first.begin(), what.first.end()},
       .out = what.out,
       .function = has_thrown ? combining_function(throw_given_up) : std::move(what.how.function),
       .is_given_up = has_thrown});
  return run_ + queued_.size();
}

void collective_channel::begin(std::span<const std::byte> in, std::span<std::byte> out,
                               std::span<const std::byte> first, combining_function function) {
  function_->function = std::move(function);
  state_->use(in, out, first);
  is_over_ = false;
  got_bytes_ = out.size();
  ++run_;
  state_->start();
}

void collective_channel::ensure_made() {
  if (state_ != nullptr) return;
  attempt([this] {
    const auto make = [this](const combining_function& function) {
      try {
        return make_(function);
      } catch (const std::exception& e) {
        if (!is_agreed(e)) world_->fail(e.what());
        throw;
      }
    };
    state_ = make([f = function_](std::byte* into, const std::byte* left, const std::byte* right,
                                  std::size_t n) { (*f)(into, left, right, n); });
    make_ = nullptr;
    report_progress();
  });
}

void collective_channel::start_next() {
  attempt([this] {
    while (!poll_end()) idle();
    queued_run& next = queued_.front();
    const std::span<std::byte> out = next.is_abandoned ? discarded(next.out.size()) : next.out;
    const std::span<const std::byte> in = next.is_in_place ? next.out : std::span(next.in);
    begin(in, out, next.first, std::move(next.function));
  });
  if (queued_.front().is_given_up) note_given_up();
  has_failed_run_ = problem_ != nullptr;
  queued_.pop_front();
  report_progress();
}

// A wait of the program polls once more before the wait blocks.
void collective_channel::report_progress() {
  progress::of_this_pe().watch().moved();
}

void collective_channel::attempt(const std::function<void()>& action) {
  if (problem_ != nullptr) return;
  try {
    action();
  } catch (const background_fiber::given_up&) {
    throw;
  } catch (...) {
    problem_ = std::current_exception();
  }
}

// Polls without a wait in between: a wait inside `state_->test` could let the background fiber
// begin the next run.
bool collective_channel::poll_end() {
  if (is_over_) return true;
  const looking only(looking::serving::nobody);
  is_over_ = state_->test();
  return is_over_;
}

bool collective_channel::is_free() {
  if (!queued_.empty()) return false;
  return problem_ != nullptr || function_->has_thrown.load(std::memory_order_relaxed) || poll_end();
}

void collective_channel::idle() const {
  // No PE sends a wakeup for the end of a run that is polled.
  world_->idle(
      {.on = needs::all, .for_others = true, .by_time = true, .world = world_->identity()});
}

void collective_channel::require_no_problem(const char* operation) {
  world_->require_own_thread(operation);
  if (problem_ == nullptr) return;
  is_problem_known_ = true;
  std::rethrow_exception(problem_);
}

bool collective_channel::test(run_number run) {
  if (has_ended(run)) return true;
  require_no_problem("test");
  if (is_under_way(run) && queued_.empty()) {
    is_over_ = state_->test();
    return is_over_;
  }
  if (is_under_way(run) && poll_end()) return true;
  if (!looking::is_on()) world_->idle({.acts_by_itself = true});
  return has_ended(run);
}

void collective_channel::wait(run_number run) {
  while (!has_ended(run)) {
    require_no_problem("wait");
    if (is_under_way(run) && queued_.empty()) {
      state_->wait();
      is_over_ = true;
      return;
    }
    if (!is_under_way(run) || !poll_end()) idle();
  }
}

void collective_channel::discard_output(queued_run& queued) noexcept {
  queued.is_abandoned = true;
  if (!std::exchange(queued.is_in_place, false)) return;
  try {
    queued.in.assign(queued.out.begin(), queued.out.end());
  } catch (const std::bad_alloc&) {
    fail_without_memory("input");
  }
}

void collective_channel::fail_without_memory(const char* of_what) noexcept {
  world_->fail(world_->pe_name(world_->rank()) + ": there is no memory for the " + of_what +
               " of a collective whose handle was dropped");
}

void collective_channel::note_given_up() noexcept {
  function_->has_thrown.store(true, std::memory_order_relaxed);
  is_problem_known_ = true;
}

void collective_channel::drop_exception() noexcept {
  try {
    static_cast<void>(poll_end());
  } catch (...) {
    // The program has got the exception of another piece.
  }
}

collective_channel::queued_run* collective_channel::find_queued(run_number run) {
  if (run <= run_ || run - run_ > queued_.size()) return nullptr;
  return &queued_[static_cast<std::size_t>(run - run_) - 1];
}

void collective_channel::give_up(run_number run) noexcept {
  if (has_ended(run)) return;
  has_given_up_ = true;
  if (is_under_way(run)) {
    {
      const auto lock = rpc_engine::of(*world_).acquire_lock();
      function_->function = throw_given_up;
    }
    note_given_up();
    return drop_exception();
  }
  queued_run* const queued = find_queued(run);
  if (queued == nullptr) return;
  queued->is_given_up = true;
  queued->function = throw_given_up;
}

void collective_channel::abandon(run_number run) noexcept {
  const bool is_gone = std::uncaught_exceptions() != 0;
  if (is_under_way(run)) {
    if (is_gone) {
      const auto lock = rpc_engine::of(*world_).acquire_lock();
      // A program that has got the exception of another piece gets no further one.
      const bool is_given_up = function_->has_thrown.load(std::memory_order_relaxed);
      function_->function = is_given_up ? throw_given_up : throw_gone;
    }
    try {
      state_->use({}, discarded(got_bytes_), {});
    } catch (const std::bad_alloc&) {
      fail_without_memory("result");
    }
  } else if (queued_run* const queued = find_queued(run)) {
    discard_output(*queued);
    if (is_gone && !queued->is_given_up) queued->function = throw_gone;
  }
}

// The buffer belongs to the current run.
std::span<std::byte> collective_channel::discarded(std::size_t bytes) {
  discarded_.resize((bytes + sizeof(line) - 1) / sizeof(line));
  return std::as_writable_bytes(std::span(discarded_)).first(bytes);
}

std::string collective_channel::explain() {
  while (state_ == nullptr) {
    require_no_problem("explain");
    idle();
  }
  return state_->explain();
}

}  // namespace boxcar::detail
