#include "planner/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <boxcar/detail/conveyor_core.hpp>
#include <boxcar/simulate.hpp>

namespace boxcar::planner {
namespace {

// The loop of an exchange, with items of a size unknown at compile time.
void session_of(const world& w, detail::conveyor_core& c, const plan_request& wish) {
  const std::vector<std::byte> item(wish.item_bytes);
  const auto drop = [](const std::byte*, int) {};
  std::mt19937 random(static_cast<std::uint32_t>(w.rank()) + 1);
  std::uniform_int_distribution<int> any(0, w.size() - 1);
  c.begin(item.size());
  for (std::uint64_t i = 0; i < wish.items_per_pe; ++i) {
    const int to = any(random);
    while (!c.push(item.data(), item.size(), to)) {
      static_cast<void>(c.advance(false));
      c.pull_all(item.size(), drop);
    }
  }
  while (c.advance(true)) c.pull_all(item.size(), drop);
  c.reset();
}

}  // namespace

trial try_setting(const plan_request& wish, const simulated_network& network,
                  const conveyor_options& options) {
  const simulate_options machine{.pes = wish.nodes * wish.pes_per_node,
                                 .pes_per_node = wish.pes_per_node,
                                 .stack_bytes = std::size_t{64} << 10,
                                 .network = network};
  double seconds = 0;
  const simulation was = simulate(machine, [&](world& w) {
    detail::conveyor_core c(w, wish.item_bytes, options);
    w.barrier();
    const auto begin = w.now();
    session_of(w, c, wish);
    const std::chrono::duration<double> taken = w.now() - begin;
    seconds = std::max(seconds, taken.count());
  });
  return {seconds, static_cast<double>(was.bytes) / wish.nodes};
}

}  // namespace boxcar::planner
