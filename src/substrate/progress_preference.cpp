#include "substrate/progress_preference.hpp"

#include <utility>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

thread_local bool is_preferred = false;

}  // namespace

progress_preference::progress_preference() : outer_(std::exchange(is_preferred, true)) {}
progress_preference::~progress_preference() {
  is_preferred = outer_;
}

progress_wish wish_of_join() {
  const auto wanted = progress_thread_from_environment();
  if (!wanted) return is_preferred ? progress_wish::thread_if_possible : progress_wish::no_thread;
  return *wanted ? progress_wish::thread : progress_wish::no_thread;
}

bool may_join_with_thread() noexcept {
  try {
    return wish_of_join() != progress_wish::no_thread;
  } catch (const argument_error&) {
    return false;
  }
}

}  // namespace boxcar::detail
