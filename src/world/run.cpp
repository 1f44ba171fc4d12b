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
#include "substrate/substrate.hpp"
#include "substrate/threads/start.hpp"
#include "world/join.hpp"

namespace boxcar {
namespace {

struct outcome {
  bool failed = false;
  // Set only on the PE whose failure came first; those of the others follow from it.
  std::exception_ptr cause;
  std::string message;
};

outcome run_pe(std::unique_ptr<detail::substrate> substrate,
               const std::function<void(world&)>& function) {
  const std::string who = "PE " + std::to_string(substrate->rank()) + ": ";
  world w(std::move(substrate));
  const auto failure = [&](const std::string& what) {
    outcome result{true, nullptr, who + what};
    if (w.substrate()->fail(result.message)) result.cause = std::current_exception();
    return result;
  };
  const detail::current_world_scope here(w);
  try {
    function(w);
    return {};
  } catch (const std::exception& e) {
    return failure(e.what());
  } catch (...) {
    return failure("threw something that is no std::exception");
  }
}

outcome run_threads(int pes, const std::function<void(world&)>& function, run_options options) {
  outcome first;
  std::mutex guard;
  detail::start_threads(pes, options.nodes, [&](std::unique_ptr<detail::substrate> substrate) {
    outcome mine = run_pe(std::move(substrate), function);
    if (!mine.failed) return;
    const std::lock_guard lock(guard);
    if (mine.cause != nullptr || !first.failed) first = std::move(mine);
  });
  // The function of the PE whose failure it was has caught it.
  if (first.failed && first.cause == nullptr) {
    first.cause = std::make_exception_ptr(world_error(first.message));
  }
  return first;
}

outcome run_here(const std::function<void(world&)>& function) {
  if (auto launched = detail::join_launcher()) return run_pe(std::move(launched), function);
  return run_threads(detail::pes_from_environment().value_or(1), function,
                     {.nodes = detail::nodes_from_environment().value_or(1)});
}

}  // namespace

void run(int pes, const std::function<void(world&)>& function, run_options options) {
  const outcome result = run_threads(pes, function, options);
  if (result.cause != nullptr) std::rethrow_exception(result.cause);
}

int run(const std::function<void(world&)>& function) {
  outcome result;
  try {
    result = run_here(function);
  } catch (const detail::agreed_error& e) {
    result = {true, detail::first_of_job() ? std::current_exception() : nullptr, e.what()};
  } catch (const std::exception& e) {
    result = {true, std::current_exception(), e.what()};
  }
  if (result.cause != nullptr) {
    std::fflush(stdout);
    std::fprintf(stderr, "boxcar: %s\n", result.message.c_str());
  }
  return result.failed ? 1 : 0;
}

}  // namespace boxcar
