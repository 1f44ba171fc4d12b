#include "collective/collective_channel.hpp"

#include <exception>

#include <boxcar/error.hpp>

namespace boxcar::detail {

collective_channel::collective_channel(const making& make)
    : state_(make([f = function_](std::byte* into, const std::byte* left, const std::byte* right,
                                  std::size_t n) { (*f)(into, left, right, n); })) {}

collective_channel::~collective_channel() {
  if (is_over_ || std::uncaught_exceptions() != 0) return;
  try {
    state_->wait();
  } catch (const error&) {  // the world has failed, which the PE hears of elsewhere
  }
}

collective_channel::run_number collective_channel::start(const collective_start& what) {
  wait(run_);
  if (has_failed_) {
    throw contract_error(
        "start: a function of an earlier run of this kind has thrown, which all of its kind share; "
        "use functions that do not throw, or make the collective by boxcar::collectives");
  }
  *function_ = what.how.function;
  state_->use(what.in, what.out);
  state_->start();
  is_over_ = false;
  got_bytes_ = what.out.size();
  return ++run_;
}

bool collective_channel::test(run_number run) {
  if (is_under_way(run)) {
    hear([this] { is_over_ = state_->test(); });
  }
  return !is_under_way(run);
}

void collective_channel::wait(run_number run) {
  if (!is_under_way(run)) return;
  hear([this] { state_->wait(); });
  is_over_ = true;
}

void collective_channel::hear(const std::function<void()>& of_the_end) {
  try {
    of_the_end();
  } catch (const contract_error&) {  // called where it must not be: the run goes on
    throw;
  } catch (...) {  // a function of the program has thrown, or the world has failed: it never ends
    has_failed_ = is_over_ = true;
    throw;
  }
}

void collective_channel::abandon(run_number run) noexcept {
  if (!is_under_way(run)) return;
  unwanted_.resize(got_bytes_);
  state_->use({}, unwanted_);
}

}  // namespace boxcar::detail
