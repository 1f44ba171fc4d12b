// The result of a benchmark.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contender.hpp"
#include "setting.hpp"

namespace boxcar::bench {

// The traffic of one hop of a contender's conveyors, summed over all PEs.
struct hop_traffic {
  std::uint64_t buffers = 0;
  std::uint64_t bytes = 0;           // as sent
  std::uint64_t packet_bytes = 0;    // bytes of items and tags
  std::uint64_t capacity_bytes = 0;  // capacity of the buffers sent
};

struct traffic {
  std::vector<hop_traffic> hops;
  std::uint64_t memory_bytes = 0;  // the maximum over the PEs

  // The fill of the buffers sent, 0 to 1.
  [[nodiscard]] double fill() const;
};

// The times of a contender whose runs overlap with computation: as in `seconds`, and equally many.
struct overlap_seconds {
  std::vector<double> computing;  // the computation alone
  std::vector<double> both;       // runs with the computation
};

struct contender_result {
  std::string name;
  bench::role role = bench::role::boxcar;
  int workers = 0;             // PEs that worked: all, or one
  std::uint64_t items = 0;     // items of all workers, in one session
  std::uint64_t sessions = 0;  // in each round
  // The seconds of one session on the slowest PE, averaged over a round; one number per round.
  std::vector<double> seconds;
  std::optional<overlap_seconds> overlap;
  std::optional<bench::traffic> traffic;  // of one session, if known
  std::string explanation;                // how the conveyor was chosen
  std::string failure;                    // empty: the result was right in all rounds

  [[nodiscard]] bool measured() const { return failure.empty() && !seconds.empty(); }
};

struct setting_result {
  setting how;            // complete
  std::string substrate;  // the substrate of the run
  int cores = 0;          // shared by the PEs
  std::vector<contender_result> contenders = {};
  // Name and version of the MPI or OpenSHMEM beneath the substrate, if known.
  std::optional<std::string> library = std::nullopt;
  // The reason why no contender ran, if the job cannot be done in the setting.
  std::string failure = "";

  [[nodiscard]] bool all_measured() const;

  [[nodiscard]] const contender_result* limit() const;
};

// --- Figures of a measured contender -------------------------------------------------------------
[[nodiscard]] double median(std::vector<double> values);
// The difference between the fastest and the slowest round, relative to the median.
[[nodiscard]] double spread(const std::vector<double>& values);
[[nodiscard]] double items_per_second_and_pe(const contender_result& c);
// The items per second and core relative to `other`; the median of the rounds.
[[nodiscard]] double ratio(const setting_result& all, const contender_result& c,
                           const contender_result& other);

}  // namespace boxcar::bench
