// Whoever does the job of a benchmark: Boxcar in one of its forms, a baseline, or the limit.
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
  limit,     // one PE does its part without communication: what the machine allows
};

class contender {
 public:
  virtual ~contender() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bench::role role() const = 0;
  // What it does.
  [[nodiscard]] virtual bench::job& job() = 0;

  // All collective. What is ready before, and what is tidied up behind, is not measured. An error
  // must be thrown by all PEs, or by a PE that leaves no other waiting.
  virtual void prepare() {}
  virtual void run() = 0;
  virtual void finish() {}

  // Of the conveyors that it uses, if it does and knows: what they did on this PE in the last
  // session, and how they were chosen.
  [[nodiscard]] virtual std::vector<statistics> traffic() const { return {}; }
  [[nodiscard]] virtual std::string explanation() const { return {}; }
};

}  // namespace boxcar::bench
