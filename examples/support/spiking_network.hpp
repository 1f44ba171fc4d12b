// A random network of leaky integrate-and-fire neurons, in whole numbers. Sums of whole numbers do
// not depend on the order of the terms, so that a simulation has the same spikes for any number of
// PEs. The model is that of Brunel, Dynamics of sparsely connected networks of excitatory and
// inhibitory spiking neurons, Journal of Computational Neuroscience 8, 2000, section 2.
#pragma once

#include <bit>
#include <cstdint>

#include "support/philox.h"
#include "support/random.hpp"

namespace examples {

// Potentials and weights are counted in units of 2^-16 mV, times in slices of 0.1 ms.
constexpr std::int64_t millivolt = 65'536;

// A connection to a neuron. A spike of `source` changes the potential of the neuron by `weight`,
// `delay` slices later.
struct synapse {
  std::uint32_t source;
  std::int32_t weight;
  std::uint32_t delay;  // 1 to spiking_network::max_delay
};

// One neuron. A value-initialised neuron is at rest.
struct neuron {
  std::int64_t potential = 0;
  std::int64_t resting_until = 0;  // the first slice after the refractory period
  std::uint64_t history = 0;       // a hash of the slices in which the neuron spiked
  std::uint64_t spikes = 0;

  // Advances the neuron by one slice with the sum of the weights that arrive in the slice. Returns
  // whether the neuron spikes.
  bool advance(std::int64_t slice, std::int64_t input) {
    if (slice < resting_until) return false;
    potential += input - (potential >> 7);  // the time constant is 128 slices
    if (potential < threshold) return false;
    potential = potential_after_spike;
    resting_until = slice + refractory_slices;
    history = mix(history ^ static_cast<std::uint64_t>(slice));
    ++spikes;
    return true;
  }

  friend bool operator==(const neuron&, const neuron&) = default;

  static constexpr std::int64_t threshold = 20 * millivolt;
  static constexpr std::int64_t potential_after_spike = 10 * millivolt;
  static constexpr std::int64_t refractory_slices = 20;
};

// The network as functions of the numbers of neurons: every PE can compute any part of the network,
// because the random numbers are counter-based.
struct spiking_network {
  std::uint32_t neurons;
  std::uint32_t synapses_each;  // connections that lead to a neuron

  static constexpr std::uint32_t max_delay = 15;

  // Returns connection `number` of those that lead to a neuron. A fifth of the neurons inhibit.
  [[nodiscard]] synapse incoming(std::uint32_t to, std::uint32_t number) const {
    const philox_block random = draw(purpose::synapse, to, number);
    const std::uint32_t source = philox_below(neurons, random.word[0]);
    return {source, source % 5 == 4 ? inhibition : excitation,
            1 + philox_below(max_delay, random.word[1])};
  }

  // Returns the sum of the weights that reach a neuron from outside the network in a slice: of the
  // spikes of 32 neurons outside, each of which spikes with a probability of 1/16.
  [[nodiscard]] static std::int64_t background(std::uint32_t to, std::int64_t slice) {
    const philox_block random = draw(purpose::background, to, static_cast<std::uint32_t>(slice));
    return outside *
           std::popcount(random.word[0] & random.word[1] & random.word[2] & random.word[3]);
  }

  // Returns a neuron as it is before the first slice, at a random potential below the threshold.
  [[nodiscard]] static neuron first(std::uint32_t number) {
    const std::uint32_t random = draw(purpose::potential, number, 0).word[0];
    return {.potential = philox_below(static_cast<std::uint32_t>(neuron::threshold), random)};
  }

 private:
  static constexpr std::int32_t excitation = millivolt / 10;
  static constexpr std::int32_t inhibition = -5 * excitation;
  static constexpr std::int64_t outside = 5'600;  // alone, the mean potential would be 21.9 mV

  enum class purpose : std::uint32_t { synapse, background, potential };

  static philox_block draw(purpose of, std::uint32_t number, std::uint32_t index) {
    constexpr std::uint64_t seed = 1;
    return philox_4x32_10({{number, index, static_cast<std::uint32_t>(of), 0}}, seed);
  }
};

}  // namespace examples
