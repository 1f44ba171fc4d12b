#include "world/join.hpp"

#include <utility>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "substrate/discovery.hpp"
#include "substrate/environment.hpp"
#include "substrate/progress.hpp"
#include "substrate/threads/start.hpp"
#include "world/hosted_pe.hpp"
#include "world/record.hpp"

namespace boxcar {
namespace detail {
namespace {

current_world_scope* innermost() {
  return static_cast<current_world_scope*>(progress::pointer(pe_pointer::current_world));
}

}  // namespace

bool has_launcher() {
  return hosted_pe::current() != nullptr || discover().by != connection::none;
}

std::unique_ptr<substrate> join_launcher() {
  if (const hosted_pe* here = hosted_pe::current()) return here->join();
  return join(discover());
}

std::unique_ptr<substrate> join_alone() {
  std::unique_ptr<substrate> alone;
  start_threads(1, 1, [&alone](std::unique_ptr<substrate> only) { alone = std::move(only); });
  return alone;
}

world* current_world() {
  const current_world_scope* const current = innermost();
  return current == nullptr ? nullptr : &current->world_;
}

void at_end_of_run(std::function<void()> what) {
  innermost()->at_end_.push_back(std::move(what));
}

current_world_scope::current_world_scope(world& w) : outer_(innermost()), world_(w) {
  progress::pointer(pe_pointer::current_world) = this;
}
current_world_scope::~current_world_scope() {
  for (const auto& what : at_end_) what();
  progress::pointer(pe_pointer::current_world) = outer_;
}

}  // namespace detail

world detail::world_of_joined(substrate* owned) {
  world here{std::unique_ptr<substrate>(owned)};
  owned->tell_at_exit();
  record_if_asked(*owned);
  return here;
}

world join() {
  auto joined = detail::join_launcher();
  if (joined == nullptr && detail::threads_from_environment()) {
    throw argument_error(
        "`boxcar run --threads` has started this program, which makes no PEs of threads: "
        "boxcar::run does so, but boxcar::join, OpenSHMEM and the C interface do not; leave "
        "--threads out, or unset BOXCAR_THREADS to run it as one PE");
  }
  if (joined == nullptr) joined = detail::join_alone();
  return detail::world_of_joined(joined.release());
}

}  // namespace boxcar
