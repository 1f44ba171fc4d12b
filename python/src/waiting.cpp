#include "waiting.hpp"

#include <algorithm>
#include <chrono>
#include <nanobind/nanobind.h>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::python {

bool is_there_by_now(boxcar::detail::substrate& w, const std::function<bool()>& is_there) {
  w.require_own_thread("test");
  // The program has other work: earlier calls are no reason to block here.
  w.busy();
  w.check_failure();
  return is_there();
}

bool wait_in_turns(boxcar::detail::substrate& w, const char* name, std::optional<double> seconds,
                   const std::function<bool()>& is_there) {
  using std::chrono::nanoseconds;
  constexpr auto turn = std::chrono::milliseconds(10);  // during which Ctrl-C goes unnoticed
  w.require_own_thread(name);
  const boxcar::detail::called_scope scope(name);
  nanoseconds end = nanoseconds::max();
  if (seconds) {
    constexpr double longest = 1e9;
    end = w.now() + std::chrono::duration_cast<nanoseconds>(
                        std::chrono::duration<double>(std::min(*seconds, longest)));
  }
  for (;;) {
    {
      const nanobind::gil_scoped_release release;
      const nanoseconds end_of_turn = std::min(end, w.now() + turn);
      do {
        if (is_there()) {
          w.busy();
          return true;
        }
        w.idle({.on = boxcar::detail::needs::any,
                .acts_by_itself = true,
                .for_others = true,
                .world = w.identity()});
      } while (w.now() < end_of_turn);
    }
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (w.now() >= end) return false;
  }
}

}  // namespace boxcar::python
