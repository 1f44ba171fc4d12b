// Spikes: a network of neurons is distributed over the PEs, and simulated in slices of 0.1 ms, as
// NEST does. In each slice, a spike of a neuron travels to the PEs that have targets of the neuron.
// A slice must have arrived before the next one begins, so that each slice is a session of a
// conveyor, and the cost of short sessions counts. The final states of all neurons, which depend on
// all spikes, are compared with the states of a serial simulation.
//
//   boxcar run -n 4 -- spikes
//   boxcar run -n 4 -- spikes --compare    also by an all-to-all of padded blocks

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/neuron_share.hpp"
#include "support/padded_spikes.hpp"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/spiking_network.hpp"
#include "support/stopwatch.hpp"

namespace {

using examples::neuron;
using examples::neuron_share;
using examples::spiking_network;
using place = std::uint32_t;  // of a neuron or of a target, on a PE

// A session of the conveyor carries the spikes of a slice. The loop has two indices: a spike for
// which there is no room goes on at the target where it has stopped.
void send_by_conveyor(boxcar::conveyor<place>& c, neuron_share& share,
                      std::span<const place> spiking) {
  const boxcar::session slice = c.begin();
  std::size_t i = 0;
  std::size_t next_target = 0;
  while (c.advance(i == spiking.size())) {
    for (; i < spiking.size(); ++i, next_target = 0) {
      const auto targets = share.targets(spiking[i]);
      while (next_target < targets.size() &&
             c.push(targets[next_target].first, targets[next_target].pe)) {
        ++next_target;
      }
      if (next_target < targets.size()) break;
    }
    c.pull_all([&](place first) { share.deliver(first); });
  }
}

void send_by_blocks(examples::padded_spikes& blocks, neuron_share& share,
                    std::span<const place> spiking) {
  for (const place p : spiking) {
    for (const neuron_share::target& t : share.targets(p)) blocks.add(t.first, t.pe);
  }
  blocks.travel([&](place first) { share.deliver(first); });
}

// Returns the seconds that the slices take.
template <typename Send>
double simulate(boxcar::world& w, neuron_share& share, std::uint64_t slices, Send&& send) {
  share.restart();
  examples::stopwatch watch(w);
  for (std::uint64_t slice = 0; slice < slices; ++slice) send(share.advance());
  return watch.seconds();
}

// Returns the final states of all neurons, by a simulation that knows nothing of PEs: in each slice
// every neuron looks for the spikes that arrive.
std::vector<neuron> simulate_alone(const spiking_network& network, std::uint64_t slices) {
  constexpr std::int64_t remembered = spiking_network::max_delay + 1;
  std::vector<neuron> neurons;
  std::vector<examples::synapse> synapses;
  for (std::uint32_t n = 0; n < network.neurons; ++n) {
    neurons.push_back(spiking_network::first(n));
    for (std::uint32_t i = 0; i < network.synapses_each; ++i) {
      synapses.push_back(network.incoming(n, i));
    }
  }
  std::vector<std::vector<bool>> spiked(remembered, std::vector<bool>(network.neurons));
  for (std::int64_t slice = 0; slice < static_cast<std::int64_t>(slices); ++slice) {
    auto synapse = synapses.begin();
    for (std::uint32_t n = 0; n < network.neurons; ++n) {
      std::int64_t input = spiking_network::background(n, slice);
      for (std::uint32_t i = 0; i < network.synapses_each; ++i, ++synapse) {
        const std::int64_t sent = slice + remembered - synapse->delay;
        if (spiked[static_cast<std::size_t>(sent % remembered)][synapse->source]) {
          input += synapse->weight;
        }
      }
      spiked[static_cast<std::size_t>(slice % remembered)][n] = neurons[n].advance(slice, input);
    }
  }
  return neurons;
}

// Collective. PE 0 simulates alone, and every PE compares its neurons.
class serial_check {
 public:
  serial_check(boxcar::world& w, const spiking_network& network, std::uint64_t slices)
      : world_(w),
        right_(
            w.broadcast(w.rank() == 0 ? simulate_alone(network, slices) : std::vector<neuron>())) {}

  // Collective.
  void compare(const neuron_share& share) const {
    std::size_t number = static_cast<std::size_t>(world_.rank());
    for (const neuron& n : share.neurons()) {
      examples::require(n == right_[number], "a neuron has other spikes than in a serial program");
      number += static_cast<std::size_t>(world_.size());
    }
    world_.barrier();
  }

 private:
  boxcar::world& world_;
  std::vector<neuron> right_;
};

// Collective. Returns the number of spikes of all neurons.
std::uint64_t count_spikes(boxcar::world& w, const neuron_share& share) {
  std::uint64_t spikes = 0;
  for (const neuron& n : share.neurons()) spikes += n.spikes;
  return w.reduce(spikes);
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv,
                              "Simulates a network of neurons that send one another "
                              "spikes, in slices of 0.1 ms.");
    const std::uint64_t neurons =
        given.number("--neurons", 1'000, {1, 100'000'000}, "neurons of all PEs");
    const std::uint64_t synapses =
        given.number("--synapses", 100, {0, 100'000}, "connections to a neuron");
    const std::uint64_t slices = given.number("--slices", 1'000, {1, 1'000'000'000}, "how many");
    const std::uint64_t turns =
        given.number("--turns", 3, {1, 1'000}, "how often each way is measured");
    const bool compare =
        given.flag("--compare", "also by an all-to-all of padded blocks, in turns");
    const bool is_checked = !given.flag(
        "--no-check", "no comparison with a serial program, which has all neurons on each PE");
    if (!given.complete(w)) return;

    const spiking_network network{static_cast<std::uint32_t>(neurons),
                                  static_cast<std::uint32_t>(synapses)};
    neuron_share share(w, network);
    std::optional<serial_check> check;
    if (is_checked) check.emplace(w, network, slices);
    boxcar::conveyor<place> c(w);
    std::optional<examples::padded_spikes> blocks;
    if (compare) blocks.emplace(w);
    double by_conveyor = 0;
    double by_blocks = 0;
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      by_conveyor +=
          simulate(w, share, slices, [&](auto spiking) { send_by_conveyor(c, share, spiking); });
      if (check) check->compare(share);
      if (!compare) continue;
      by_blocks += simulate(w, share, slices,
                            [&](auto spiking) { send_by_blocks(*blocks, share, spiking); });
      if (check) check->compare(share);
    }
    const std::uint64_t spikes = count_spikes(w, share);
    if (w.rank() != 0) return;
    const auto done = static_cast<double>(slices * turns);
    std::printf("%s spikes of %s neurons in %s slices; by a conveyor %.0f slices/s",
                examples::with_commas(spikes).c_str(), examples::with_commas(neurons).c_str(),
                examples::with_commas(slices).c_str(), done / by_conveyor);
    if (compare) {
      std::printf("; by padded blocks %.0f slices/s, %.2f times as many", done / by_blocks,
                  by_conveyor / by_blocks);
    }
    std::puts("");
  });
}
