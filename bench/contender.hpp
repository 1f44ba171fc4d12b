// A contender does the job of a benchmark: Boxcar in one of its forms, a baseline, or the limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boxcar/statistics.hpp>

#include "job.hpp"

namespace boxcar::bench {

enum class role {
  boxcar,
  baseline,  // does the same job in another way
  limit,     // one PE does its share without communication: the limit of the machine
};

class contender {
 public:
  virtual ~contender() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bench::role role() const = 0;
  // The job of the contender.
  [[nodiscard]] virtual bench::job& job() = 0;

  // Collective. `prepare` and `finish` are not measured. An error must be thrown by all PEs, or by
  // a PE that leaves no other PE waiting.
  virtual void prepare() {}
  virtual void run() = 0;
  virtual void finish() {}

  // The statistics of the contender's conveyors on this PE in the last session, and the explanation
  // of their options; empty if the contender has none.
  [[nodiscard]] virtual std::vector<statistics> traffic() const { return {}; }
  [[nodiscard]] virtual std::string explanation() const { return {}; }
};

}  // namespace boxcar::bench
