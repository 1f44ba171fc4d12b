#include "collective/collective_channel.hpp"

#include <exception>
#include <span>
#include <utility>

#include <boxcar/error.hpp>

#include "one_sided/request_desk.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

void collective_channel::function_of_run::operator()(std::byte* into, const std::byte* left,
                                                     const std::byte* right, std::size_t n) {
  try {
    function(into, left, right, n);
  } catch (...) {
    has_thrown.store(true, std::memory_order_relaxed);  // the PE hears of it by the exception
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

collective_channel::collective_channel(const void* owner, std::shared_ptr<substrate> world,
                                       const making& make)
    : owner_(owner),
      world_(std::move(world)),
      state_(make([f = function_](std::byte* into, const std::byte* left, const std::byte* right,
                                  std::size_t n) { (*f)(into, left, right, n); })) {}

collective_channel::~collective_channel() {
  if (is_over_ || std::uncaught_exceptions() != 0 || world_->is_abandoned()) return;
  if (function_->has_thrown.load(std::memory_order_relaxed)) return;
  try {
    state_->wait();
  } catch (const std::exception& e) {
    // The world has failed, or a function of the program has thrown in a run that nobody waited
    // for.
    world_->fail_unheard(e.what());
  } catch (...) {
    world_->fail_unheard("threw something that is no std::exception");
  }
}

collective_channel::run_number collective_channel::start(collective_start&& what) {
  if (function_->has_thrown.load(std::memory_order_relaxed)) {
    throw contract_error(
        "start: a function of an earlier run of this kind has thrown, and what all of the kind "
        "share never comes to its end; use functions that do not throw, or boxcar::collectives");
  }
  wait(run_);
  function_->function = std::move(what.how.function);
  state_->use(what.in, what.out, what.first);
  is_over_ = false;
  got_bytes_ = what.out.size();
  ++run_;
  state_->start();
  return run_;
}

bool collective_channel::test(run_number run) {
  if (is_under_way(run)) is_over_ = state_->test();
  return !is_under_way(run);
}

void collective_channel::wait(run_number run) {
  if (!is_under_way(run)) return;
  state_->wait();
  is_over_ = true;
}

void collective_channel::abandon(run_number run) noexcept {
  if (!is_under_way(run)) return;
  if (std::uncaught_exceptions() != 0) {
    const auto lock = request_desk::of(*world_).keep_out();
    function_->function = throw_gone;
  }
  unwanted_.resize((got_bytes_ + sizeof(line) - 1) / sizeof(line));
  state_->use({}, std::as_writable_bytes(std::span(unwanted_)).first(got_bytes_), {});
}

}  // namespace boxcar::detail
