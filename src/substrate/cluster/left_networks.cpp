#include "substrate/cluster/left_networks.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace boxcar::detail {
namespace {

// The maximum time for which a PE that ends waits for the other PEs.
constexpr auto max_drain_time = std::chrono::milliseconds(100);

}  // namespace

left_networks& left_networks::instance() {
  static auto* all = new left_networks;
  return *all;
}

void left_networks::add(std::unique_ptr<network> net) {
  {
    const std::lock_guard lock(guard_);
    nets_.push_back(std::move(net));
  }
  drop_silent();
}

bool left_networks::drop_silent() {
  const std::lock_guard lock(guard_);
  std::erase_if(nets_, [](const auto& net) { return net->everybody_left(); });
  return nets_.empty();
}

void left_networks::wait_for_others() {
  const auto until = std::chrono::steady_clock::now() + max_drain_time;
  while (!instance().drop_silent() && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
}

std::shared_ptr<network> until_left(std::unique_ptr<network> net) {
  left_networks::instance().drop_silent();
  return {net.release(),
          [](network* left) { left_networks::instance().add(std::unique_ptr<network>(left)); }};
}

}  // namespace boxcar::detail
