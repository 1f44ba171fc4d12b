#include "world/join.hpp"

#include <utility>

#include <boxcar/run.hpp>

#include "substrate/discovery.hpp"
#include "substrate/threads/start.hpp"

namespace boxcar {
namespace detail {
namespace {

thread_local world* current = nullptr;

}  // namespace

bool has_launcher() {
  return discover().by != connection::none;
}

std::unique_ptr<substrate> join_launcher() {
  return join(discover());
}

std::unique_ptr<substrate> join_alone() {
  std::unique_ptr<substrate> alone;
  start_threads(1, 1, [&alone](std::unique_ptr<substrate> only) { alone = std::move(only); });
  return alone;
}

world* current_world() {
  return current;
}

current_world_scope::current_world_scope(world& w) : outer_(std::exchange(current, &w)) {}
current_world_scope::~current_world_scope() {
  current = outer_;
}

}  // namespace detail

world join() {
  auto joined = detail::join_launcher();
  return world(joined != nullptr ? std::move(joined) : detail::join_alone());
}

}  // namespace boxcar
