// The neurons of a PE, and the connections that lead to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boxcar/world.hpp>

#include "support/spiking_network.hpp"

namespace examples {

// Neuron i belongs to PE i % size(), as in NEST. A spike travels once to each PE that has targets
// of the neuron, as the place of the first of these targets in the table of that PE (Jordan and
// others, Extremely scalable spiking neuronal network simulation code, Frontiers in
// Neuroinformatics 12, 2018, section 3.1.2).
class neuron_share {
 public:
  // The place where a spike goes: a PE, and the first of the targets there.
  struct target {
    int pe;
    std::uint32_t first;
  };

  // Collective. Draws the connections of the PE's neurons, and tells the PEs of their sources.
  // Throws argument_error if a PE has 2^32 connections or more.
  neuron_share(boxcar::world& w, const spiking_network& network);

  // Puts all neurons into the state before the first slice.
  void restart();
  // Advances all neurons by a slice. Returns the places of the neurons that spike, in order, until
  // the next call.
  std::span<const std::uint32_t> advance();
  // Returns where the spikes of a neuron go.
  [[nodiscard]] std::span<const target> targets(std::uint32_t place) const {
    return targets_[place];
  }
  // Takes a spike of the slice that `advance` has been called for last. `first` is that of a
  // target.
  void deliver(std::uint32_t first) {
    const std::uint32_t source = connections_[first].source;
    for (std::size_t c = first; c < connections_.size() && connections_[c].source == source; ++c) {
      input(slice_ + connections_[c].delay)[connections_[c].place] += connections_[c].weight;
    }
  }

  // Returns the neurons of the PE: neuron rank() + place * size() at each place.
  [[nodiscard]] const std::vector<neuron>& neurons() const { return neurons_; }

 private:
  struct connection {
    std::uint32_t source;
    std::uint32_t place;  // of the neuron that the connection leads to
    std::int32_t weight;
    std::uint32_t delay;
  };

  [[nodiscard]] std::uint32_t number_of(std::size_t place) const {
    return rank_ + static_cast<std::uint32_t>(place) * pes_;
  }
  // Returns the sums of the weights that arrive in a slice, one sum for each neuron.
  std::int64_t* input(std::int64_t slice) {
    return input_.data() + static_cast<std::size_t>(slice) % slices_ahead * neurons_.size();
  }

  static constexpr std::size_t slices_ahead = spiking_network::max_delay + 1;

  std::uint32_t rank_;
  std::uint32_t pes_;
  std::vector<connection> connections_;       // by source
  std::vector<std::vector<target>> targets_;  // of each neuron
  std::vector<neuron> neurons_;
  std::vector<std::int64_t> input_;
  std::vector<std::uint32_t> spiking_;
  std::int64_t slice_ = -1;
};

}  // namespace examples
