// Replacements of the clock functions: modules and their libraries find the replacements before the
// functions of the C library. Real clocks on a simulated PE measure nothing meaningful, and results
// based on a real clock do not repeat.
#include <atomic>
#include <cstdio>
#include <ctime>
#include <dlfcn.h>
#include <sys/time.h>

#include "substrate/environment.hpp"
#include "world/hosted_pe.hpp"

namespace {

using boxcar::detail::hosted_pe;

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void warn_once(const char* function) {
  static std::atomic<bool> has_warned = false;
  if (has_warned.load(std::memory_order_relaxed)) return;
  const hosted_pe* const here = hosted_pe::current();
  if (here == nullptr) return;
  // (A trace takes its times from a real clock.)
  static const bool is_traced = !boxcar::detail::trace_from_environment().empty();
  if (is_traced) return;
  has_warned.store(true, std::memory_order_relaxed);
  std::fprintf(
      stderr,
      "boxcar simulate: PE %d reads a real clock by %s, which tells how long the simulation "
      "takes, and differs from run to run; the simulated one is boxcar::world::now\n",
      here->rank(), function);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] int clock_gettime(clockid_t clock,
                                                            timespec* time) noexcept {
  static auto* const next = real<int(clockid_t, timespec*)>("clock_gettime");
  warn_once("clock_gettime");
  return next(clock, time);
}

extern "C" [[gnu::visibility("default")]] int gettimeofday(timeval* __restrict time,
                                                           void* __restrict zone) noexcept {
  static auto* const next = real<int(timeval*, void*)>("gettimeofday");
  warn_once("gettimeofday");
  return next(time, zone);
}

extern "C" [[gnu::visibility("default")]] time_t time(time_t* into) noexcept {
  static auto* const next = real<time_t(time_t*)>("time");
  warn_once("time");
  return next(into);
}
