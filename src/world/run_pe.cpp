#include "world/run_pe.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/progress.hpp"
#include "world/join.hpp"
#include "world/record.hpp"

namespace boxcar::detail {
namespace {

// A PE that runs another world begins there without a current call, and its work there is no part
// of its log.
class aside {
 public:
  aside() : call_(std::exchange(watch_.call, {})), log_(std::exchange(watch_.log, nullptr)) {}
  aside(const aside&) = delete;
  aside& operator=(const aside&) = delete;
  ~aside() {
    watch_.call = call_;
    watch_.log = std::move(log_);
  }

 private:
  pe_watch& watch_ = progress::of_this_pe().watch();
  current_call call_;
  std::shared_ptr<trace_log> log_;
};

// Ends a forked child at the end of the PE's function. The child is no PE, and has no threads to go
// on with the program.
[[noreturn]] void end_forked_child(const std::string& who, const char* problem) {
  std::fflush(stdout);
  if (problem == nullptr) {
    std::fprintf(stderr,
                 "boxcar: %sa process that it has forked has come to the end of the function that "
                 "boxcar::run called: a forked child is no PE; let it start another program, or "
                 "end it by _exit\n",
                 who.c_str());
  } else {
    std::fprintf(stderr, "boxcar: %sin a process that it has forked: %s\n", who.c_str(), problem);
  }
  _exit(EXIT_FAILURE);
}

}  // namespace

outcome run_pe(std::unique_ptr<substrate> substrate, const pe_function& function,
               bool with_helper) {
  const aside outer_world;
  const std::string who = substrate->pe_name(substrate->rank()) + ": ";
  std::optional<world> w(std::move(substrate));
  const auto whole = w->substrate();
  const auto failure = [&](const std::string& what) {
    if (!whole->is_of_this_process()) end_forked_child(who, what.c_str());
    // The text already names the PE if the PE has reported the failure before.
    outcome result{true, 1, nullptr, what.starts_with(who) ? what : who + what};
    if (whole->fail(result.message)) result.cause = std::current_exception();
    whole->abandon();  // the objects of the function are destroyed
    return result;
  };
  std::optional<current_world_scope> here(*w);
  try {
    record_if_asked(*whole);
    if (with_helper) whole->get_progress_thread();
    outcome result;
    result.status = function(*w);
    if (!whole->is_of_this_process()) end_forked_child(who, nullptr);
    // Failures at the end of the world are reported as well.
    here.reset();
    w.reset();
    whole->end();
    return result;
  } catch (const std::exception& e) {
    return failure(e.what());
  } catch (...) {
    return failure("threw something that is no std::exception");
  }
}

void outcome_of_all::add(int rank, outcome one) {
  if (one.failed) {
    if (one.cause != nullptr || !all_.failed) all_ = std::move(one);
  } else if (!all_.failed && one.status != 0 && (rank_of_status_ < 0 || rank < rank_of_status_)) {
    rank_of_status_ = rank;
    all_.status = one.status;
  }
}

outcome outcome_of_all::take() && {
  // The cause is missing if the function of the failed PE has caught its exception.
  if (all_.failed && all_.cause == nullptr) {
    all_.cause = std::make_exception_ptr(world_error(all_.message));
  }
  return std::move(all_);
}

}  // namespace boxcar::detail
