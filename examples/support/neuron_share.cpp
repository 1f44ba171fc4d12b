#include "support/neuron_share.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include <boxcar/error.hpp>
#include <boxcar/exchange.hpp>

namespace examples {
namespace {

// Throws argument_error, on all PEs, if places of 32 bits do not suffice for the connections of the
// PE with the most neurons.
void require_places(const spiking_network& network, std::uint64_t pes) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t connections = (network.neurons + pes - 1) / pes * network.synapses_each;
  if (connections <= most) return;
  throw boxcar::argument_error(std::to_string(network.neurons) + " neurons with " +
                               std::to_string(network.synapses_each) + " connections to each are " +
                               std::to_string(connections) +
                               " connections on a PE, which has room for " + std::to_string(most) +
                               ": give fewer neurons or connections, or more PEs");
}

}  // namespace

neuron_share::neuron_share(boxcar::world& w, const spiking_network& network)
    : rank_(static_cast<std::uint32_t>(w.rank())), pes_(static_cast<std::uint32_t>(w.size())) {
  require_places(network, pes_);
  const std::size_t mine =
      rank_ < network.neurons ? (network.neurons - rank_ + pes_ - 1) / pes_ : 0;
  neurons_.resize(mine);
  targets_.resize(mine);
  input_.resize(slices_ahead * mine);
  connections_.reserve(mine * network.synapses_each);
  for (std::uint32_t place = 0; place < mine; ++place) {
    for (std::uint32_t i = 0; i < network.synapses_each; ++i) {
      const synapse s = network.incoming(number_of(place), i);
      connections_.push_back({s.source, place, s.weight, s.delay});
    }
  }
  std::sort(connections_.begin(), connections_.end(),
            [](const connection& a, const connection& b) { return a.source < b.source; });

  struct registration {
    std::uint32_t source;
    std::uint32_t first;
  };
  boxcar::exchange<registration>(
      w,
      [&](auto& out) {
        for (std::uint32_t c = 0; c < connections_.size(); ++c) {
          const std::uint32_t source = connections_[c].source;
          if (c > 0 && connections_[c - 1].source == source) continue;
          out.push({source, c}, static_cast<int>(source % pes_));
        }
      },
      [&](const registration& r, int from) {
        targets_[r.source / pes_].push_back({from, r.first});
      });
  restart();
}

void neuron_share::restart() {
  for (std::size_t place = 0; place < neurons_.size(); ++place) {
    neurons_[place] = spiking_network::first(number_of(place));
  }
  std::fill(input_.begin(), input_.end(), 0);
  slice_ = -1;
}

std::span<const std::uint32_t> neuron_share::advance() {
  ++slice_;
  spiking_.clear();
  std::int64_t* arriving = input(slice_);
  for (std::size_t place = 0; place < neurons_.size(); ++place) {
    const std::int64_t sum =
        arriving[place] + spiking_network::background(number_of(place), slice_);
    arriving[place] = 0;
    if (neurons_[place].advance(slice_, sum)) {
      spiking_.push_back(static_cast<std::uint32_t>(place));
    }
  }
  return spiking_;
}

}  // namespace examples
