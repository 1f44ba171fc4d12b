// Tests of the neurons, of their connections, and of the neurons of a PE.
#include "support/spiking_network.hpp"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/run.hpp>

#include "support/neuron_share.hpp"

namespace examples::test::spiking_network_test {
namespace {

TEST(neuron, spikes_at_the_threshold_and_rests_afterwards) {
  neuron n;
  EXPECT_FALSE(n.advance(0, neuron::threshold - 1));
  EXPECT_TRUE(n.advance(1, neuron::threshold));
  EXPECT_EQ(n.potential, neuron::potential_after_spike);
  for (std::int64_t slice = 2; slice < 1 + neuron::refractory_slices; ++slice) {
    EXPECT_FALSE(n.advance(slice, neuron::threshold)) << "slice " << slice;
  }
  EXPECT_TRUE(n.advance(1 + neuron::refractory_slices, neuron::threshold));
  EXPECT_EQ(n.spikes, 2U);
}

TEST(neuron, loses_its_potential_without_input) {
  neuron n{.potential = 10 * millivolt};
  for (std::int64_t slice = 0; slice < 128; ++slice) EXPECT_FALSE(n.advance(slice, 0));
  EXPECT_NEAR(static_cast<double>(n.potential) / millivolt, 10 * 0.366, 0.01);
}

TEST(neuron, remembers_when_it_spiked) {
  neuron early;
  neuron late;
  EXPECT_TRUE(early.advance(3, neuron::threshold));
  EXPECT_TRUE(late.advance(4, neuron::threshold));
  EXPECT_NE(early.history, late.history);
}

TEST(spiking_network, has_sources_and_delays_of_all_kinds) {
  const spiking_network network{50, 40};
  std::set<std::uint32_t> sources;
  std::set<std::uint32_t> delays;
  for (std::uint32_t n = 0; n < network.neurons; ++n) {
    for (std::uint32_t i = 0; i < network.synapses_each; ++i) {
      const synapse s = network.incoming(n, i);
      sources.insert(s.source);
      delays.insert(s.delay);
      EXPECT_EQ(s.weight < 0, s.source % 5 == 4);
    }
  }
  EXPECT_EQ(sources.size(), 50U);
  EXPECT_EQ(*sources.rbegin(), 49U);
  EXPECT_EQ(delays.size(), std::size_t{spiking_network::max_delay});
  EXPECT_EQ(*delays.begin(), 1U);
}

TEST(neuron_share, refuses_more_connections_than_places) {
  for (const int pes : {1, 2}) {
    boxcar::run(pes, [&](boxcar::world& w) {
      try {
        const neuron_share share(w, {100'000'000, 100'000});
        FAIL() << "a place is out of range";
      } catch (const boxcar::argument_error& e) {
        const std::string connections = pes == 1 ? "10000000000000" : "5000000000000";
        EXPECT_NE(std::string(e.what()).find("are " + connections + " connections on a PE"),
                  std::string::npos)
            << e.what();
      }
    });
  }
}

using effect = std::tuple<std::uint32_t, std::uint32_t>;  // of a source on a neuron

// Every PE delivers the spikes of each neuron that has targets there, and finds in which neurons
// the potential changes.
TEST(neuron_share, leads_spikes_to_all_targets_on_threads) {
  const spiking_network network{40, 3};
  std::set<effect> right;
  for (std::uint32_t n = 0; n < network.neurons; ++n) {
    for (std::uint32_t i = 0; i < network.synapses_each; ++i) {
      right.insert({network.incoming(n, i).source, n});
    }
  }
  for (const int pes : {1, 3, 60}) {
    std::mutex guard;
    std::vector<std::vector<neuron_share::target>> targets(network.neurons);
    std::set<effect> found;
    boxcar::run(pes, [&](boxcar::world& w) {
      neuron_share share(w, network);
      const auto me = static_cast<std::uint32_t>(w.rank());
      const auto number = [&](std::size_t place) {
        return me + static_cast<std::uint32_t>(place) * static_cast<std::uint32_t>(w.size());
      };
      {
        const std::lock_guard lock(guard);
        for (std::uint32_t place = 0; place < share.neurons().size(); ++place) {
          const auto here = share.targets(place);
          targets[number(place)].assign(here.begin(), here.end());
        }
      }
      w.barrier();
      const auto potentials_after = [&](const neuron_share::target* spike) {
        share.restart();
        for (std::uint32_t slice = 0; slice <= spiking_network::max_delay; ++slice) {
          share.advance();
          if (slice == 0 && spike != nullptr) share.deliver(spike->first);
        }
        return share.neurons();
      };
      const std::vector<neuron> alone = potentials_after(nullptr);
      for (std::uint32_t source = 0; source < network.neurons; ++source) {
        for (const neuron_share::target& t : targets[source]) {
          if (t.pe != w.rank()) continue;
          const std::vector<neuron> after = potentials_after(&t);
          const std::lock_guard lock(guard);
          for (std::size_t place = 0; place < after.size(); ++place) {
            if (after[place] != alone[place]) found.insert({source, number(place)});
          }
        }
      }
    });
    EXPECT_EQ(found, right) << "PEs: " << pes;
    for (auto& spikes : targets) {
      std::ranges::sort(spikes, {}, &neuron_share::target::pe);
      EXPECT_TRUE(std::ranges::adjacent_find(spikes, {}, &neuron_share::target::pe) == spikes.end())
          << "a spike travels twice to the same PE";
    }
  }
}

}  // namespace
}  // namespace examples::test::spiking_network_test
