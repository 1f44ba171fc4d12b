// The functions `run`: join the world of a launcher, or start PEs as threads.
#include <cstdio>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "substrate/agreed_error.hpp"
#include "substrate/environment.hpp"
#include "substrate/substrate.hpp"
#include "substrate/threads/start.hpp"
#include "world/exit_guard.hpp"
#include "world/fatal_signals.hpp"
#include "world/join.hpp"
#include "world/run_pe.hpp"

namespace boxcar {
namespace {

using detail::outcome;
using detail::pe_function;
using detail::run_pe;

pe_function without_status(const std::function<void(world&)>& function) {
  return [&function](world& w) {
    function(w);
    return 0;
  };
}

outcome run_threads(int pes, const pe_function& function, run_options options) {
  detail::outcome_of_all all;
  std::mutex guard;
  const exit_guard exits;
  std::optional<detail::fatal_signal_reporter> signals;
  if (pes > 1) signals.emplace();
  const bool with_helpers =
      detail::progress_thread_from_environment().value_or(false) || options.progress_thread;
  detail::start_threads(pes, options.nodes, [&](std::unique_ptr<detail::substrate> substrate) {
    const int rank = substrate->rank();
    const detail::reported_pe reported(rank);
    outcome mine = run_pe(std::move(substrate), function, with_helpers);
    const std::lock_guard lock(guard);
    all.add(rank, std::move(mine));
  });
  return std::move(all).take();
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
