#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "substrate/agreed_error.hpp"
#include "substrate/environment.hpp"
#include "substrate/progress.hpp"
#include "substrate/substrate.hpp"
#include "substrate/threads/start.hpp"
#include "world/exit_guard.hpp"
#include "world/join.hpp"
#include "world/record.hpp"

namespace boxcar {
namespace {

struct outcome {
  bool failed = false;
  int status = 0;  // that the function returned
  // Set only on the PE whose failure came first; those of the others follow from it.
  std::exception_ptr cause;
  std::string message;
};

using pe_function = std::function<int(world&)>;

pe_function without_status(const std::function<void(world&)>& function) {
  return [&function](world& w) {
    function(w);
    return 0;
  };
}

// A PE that runs another world is in nothing there, and what it does there is no part of its log.
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
  detail::pe_watch& watch_ = detail::progress::of_this_pe().watch();
  detail::current_call call_;
  std::shared_ptr<detail::trace_log> log_;
};

outcome run_pe(std::unique_ptr<detail::substrate> substrate, const pe_function& function,
               bool with_helper = false) {
  const aside outer_world;
  const std::string who = substrate->pe_name(substrate->rank()) + ": ";
  world w(std::move(substrate));
  const auto failure = [&](const std::string& what) {
    outcome result{true, 1, nullptr, who + what};
    if (w.substrate()->fail(result.message)) result.cause = std::current_exception();
    return result;
  };
  const detail::current_world_scope here(w);
  try {
    detail::record_if_asked(*w.substrate());
    if (with_helper) w.substrate()->get_helper();
    outcome result;
    result.status = function(w);
    return result;
  } catch (const std::exception& e) {
    return failure(e.what());
  } catch (...) {
    return failure("threw something that is no std::exception");
  }
}

outcome run_threads(int pes, const pe_function& function, run_options options) {
  outcome first;
  int rank_of_status = pes;
  std::mutex guard;
  const exit_guard exits;
  const bool with_helpers = detail::progress_thread_from_environment() || options.progress_thread;
  detail::start_threads(pes, options.nodes, [&](std::unique_ptr<detail::substrate> substrate) {
    const int rank = substrate->rank();
    outcome mine = run_pe(std::move(substrate), function, with_helpers);
    const std::lock_guard lock(guard);
    if (mine.failed) {
      if (mine.cause != nullptr || !first.failed) first = std::move(mine);
    } else if (!first.failed && mine.status != 0 && rank < rank_of_status) {
      rank_of_status = rank;
      first.status = mine.status;
    }
  });
  // The function of the PE whose failure it was has caught it.
  if (first.failed && first.cause == nullptr) {
    first.cause = std::make_exception_ptr(world_error(first.message));
  }
  return first;
}

outcome run_here(const pe_function& function) {
  if (auto launched = detail::join_launcher()) return run_pe(std::move(launched), function);
  return run_threads(detail::pes_from_environment().value_or(1), function,
                     {.nodes = detail::nodes_from_environment().value_or(1)});
}

}  // namespace

int detail::run_with_status(int pes, const std::function<int(world&)>& function,
                            run_options options) {
  const outcome result = run_threads(pes, function, options);
  if (result.cause != nullptr) std::rethrow_exception(result.cause);
  return result.status;
}

int detail::run_with_status(const std::function<int(world&)>& function) {
  outcome result;
  try {
    result = run_here(function);
  } catch (const agreed_error& e) {
    result = {true, 1, first_of_job() ? std::current_exception() : nullptr, e.what()};
  } catch (const std::exception& e) {
    result = {true, 1, std::current_exception(), e.what()};
  }
  if (result.cause != nullptr) {
    std::fflush(stdout);
    std::fprintf(stderr, "boxcar: %s\n", result.message.c_str());
  }
  return result.status;
}

void run(int pes, const std::function<void(world&)>& function, run_options options) {
  static_cast<void>(detail::run_with_status(pes, without_status(function), options));
}

int run(const std::function<void(world&)>& function) {
  return detail::run_with_status(without_status(function));
}

}  // namespace boxcar
