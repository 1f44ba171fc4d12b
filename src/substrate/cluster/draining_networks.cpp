#include "substrate/cluster/draining_networks.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace boxcar::detail {
namespace {

// The maximum time for which a PE that ends waits for the other PEs.
constexpr auto max_drain_time = std::chrono::milliseconds(100);

}  // namespace

draining_networks& draining_networks::instance() {
  static auto* all = new draining_networks;
  return *all;
}

void draining_networks::add(std::unique_ptr<network> net) {
  {
    const std::lock_guard lock(guard_);
    nets_.push_back(std::move(net));
  }
  reap_idle();
}

bool draining_networks::reap_idle() {
  const std::lock_guard lock(guard_);
  std::erase_if(nets_, [](const auto& net) { return net->everybody_left(); });
  return nets_.empty();
}

void draining_networks::wait_for_others() {
  const auto until = std::chrono::steady_clock::now() + max_drain_time;
  while (!instance().reap_idle() && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
}

std::shared_ptr<network> until_left(std::unique_ptr<network> net) {
  draining_networks::instance().reap_idle();
  return {net.release(),
          [](network* left) { draining_networks::instance().add(std::unique_ptr<network>(left)); }};
}

}  // namespace boxcar::detail
