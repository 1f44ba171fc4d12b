// The motion of particles under their gravity, by the method of Barnes and Hut, as in ChaNGa
// (tram-thesis-2014, section 7.2.2). The particles are sorted by Morton keys over the PEs; each PE
// builds the octree of its particles; and a traversal of the octree asks other PEs for cells that
// it lacks, by requests of 16 bytes. Requests and replies are aggregated or travel singly.
//
// The octree, and the sums of forces, do not depend on the number of PEs: each PE compares its
// particles, bit by bit, with a simulation of its own of all particles, and compares the first
// accelerations with the sum over all pairs.
//
//   boxcar run -n 4 -- nbody --requests single

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/block_rows.hpp"
#include "support/nbody/distributed_simulation.hpp"
#include "support/nbody/traversal.hpp"
#include "support/report.hpp"
#include "support/require.hpp"

namespace {

using namespace examples::nbody;

// The relative errors of accelerations, and the sums of the accelerations of all particles, which
// are zero if momentum is kept.
struct accuracy {
  double mean_error = 0;
  double max_error = 0;
  double momentum_error = 0;  // the length of the sum, over the sum of lengths
};

// Collective. Each PE computes its share of the sum over all pairs.
accuracy accuracy_of(boxcar::world& w, const model& m, const serial_result& serial) {
  std::vector<body> bodies;
  for (const particle& p : serial.initial) bodies.push_back({p.position, m.tree().particle_mass});
  const examples::block_rows shares(bodies.size(), w.size());
  const std::size_t begin = shares.first(w.rank());
  const std::size_t end = shares.first(w.rank() + 1);
  const std::vector<fixed_vector> right =
      direct_sum(bodies, std::span(bodies).subspan(begin, end - begin), m.softening);

  accuracy mine;
  fixed_vector of_pairs;
  fixed_vector of_tree;
  double lengths = 0;
  for (std::size_t i = begin; i != end; ++i) {
    const vector3 exact = right[i - begin].value();
    const vector3 found = serial.initial_accelerations[i].value();
    const double error = length(exact) == 0 ? 0 : length(found - exact) / length(exact);
    mine.mean_error += error / static_cast<double>(bodies.size());
    mine.max_error = std::max(mine.max_error, error);
    of_pairs += right[i - begin];
    of_tree += serial.initial_accelerations[i];
    lengths += length(exact);
  }
  examples::require(w.reduce(of_pairs) == fixed_vector(),
                    "the accelerations by all pairs do not cancel");
  lengths = w.reduce(lengths);
  const double sum = length(w.reduce(of_tree).value());
  return {.mean_error = w.reduce(mine.mean_error),
          .max_error = w.reduce(mine.max_error, boxcar::maximum()),
          .momentum_error = lengths == 0 ? 0 : sum / lengths};
}

// Collective.
void check(boxcar::world& w, const model& m, const distributed_simulation& simulation) {
  const serial_result serial = simulate_serially(m);
  for (const particle& p : simulation.particles()) {
    const particle& right = serial.particles[p.number];
    examples::require(p.position == right.position && p.velocity == right.velocity,
                      "a particle moves in another way than in a simulation on one PE");
  }
  examples::require(w.reduce(simulation.particles().size()) == m.particles, "particles were lost");
  const accuracy found = accuracy_of(w, m, serial);
  examples::require(m.theta > 0.7 || found.mean_error < 2e-3,
                    "the accelerations are not those by all pairs");
  if (w.rank() != 0) return;
  std::printf("  error of accelerations   %.1e in the mean, %.1e at most\n", found.mean_error,
              found.max_error);
  std::printf("  error of the momentum    %.1e\n", found.momentum_error);
}

// Collective.
void report(boxcar::world& w, const model& m, const distributed_simulation& simulation) {
  const gravity_traffic& mine = simulation.traffic();
  std::vector<std::uint64_t> sums{mine.pairs,           mine.requests,      mine.replies,
                                  mine.request_buffers, mine.reply_buffers, mine.bytes};
  sums = w.reduce(std::move(sums));
  if (w.rank() != 0) return;
  const auto text = [&sums](std::size_t i) { return examples::with_commas(sums[i]); };
  const phase_times& times = simulation.times();
  std::printf("%s particles, %s steps, %d PEs\n", examples::with_commas(m.particles).c_str(),
              examples::with_commas(m.steps).c_str(), w.size());
  std::printf("  domains %.6f s, tree %.6f s, gravity %.6f s\n", times.domains, times.tree,
              times.gravity);
  std::printf("  pairs of a particle      %.1f\n",
              static_cast<double>(sums[0]) / static_cast<double>(m.particles * (m.steps + 1)));
  std::printf("  requests                 %s in %s buffers\n", text(1).c_str(), text(3).c_str());
  std::printf("  replies                  %s in %s buffers\n", text(2).c_str(), text(4).c_str());
  std::printf("  bytes                    %s\n", text(5).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Simulates the motion of particles under gravity.");
    model m;
    m.particles = given.number("--particles", 4000, {1, 1'000'000'000}, "particles of all PEs");
    m.steps = given.number("--steps", 2, {0, 1'000'000}, "steps of the leapfrog");
    m.seed = given.number("--seed", 1, {0, 1'000'000'000}, "number of the random sphere");
    const auto percent = given.number("--theta", 70, {10, 100}, "opening angle in hundredths");
    m.theta = static_cast<double>(percent) / 100;
    gravity_options options;
    options.aggregate_requests = given.choice("--requests", {"aggregated", "single"},
                                              "how requests for cells travel") == "aggregated";
    options.aggregate_replies =
        given.choice("--replies", {"aggregated", "single"}, "how replies travel") == "aggregated";
    const auto dimensions =
        given.number("--dimensions", 0, {0, 8}, "of the grid of aggregation; 0: chosen");
    options.aggregated.buffer_bytes =
        given.number("--buffer", 0, {0, 1 << 24}, "bytes of a buffer of aggregation; 0: chosen");
    options.aggregated.flush_after = std::chrono::microseconds(given.number(
        "--flush-after", 0, {0, 1'000'000}, "microseconds until buffers leave; 0: when idle"));
    options.pair_time = std::chrono::nanoseconds(given.number(
        "--pair-time", 0, {0, 1'000'000}, "nanoseconds of a pair on a simulated machine"));
    const bool is_checked = !given.flag("--no-check", "do not check the result");
    if (!given.complete(w)) return;
    if (dimensions != 0) {
      options.aggregated.way =
          boxcar::route::balanced(w.size(), static_cast<int>(dimensions), w.local_size());
    }

    distributed_simulation simulation(w, m, options);
    for (std::uint64_t step = 0; step != m.steps; ++step) simulation.step();
    report(w, m, simulation);
    if (is_checked) check(w, m, simulation);
  });
}
