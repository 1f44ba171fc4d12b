// A tuned conveyor: the settings that the tuner may choose, and the chosen configuration.
#pragma once

#include <vector>

#include <boxcar/conveyor_options.hpp>

#include "conveyor/configuration.hpp"
#include "conveyor/option_check.hpp"
#include "substrate/substrate.hpp"
#include "tuning/tuner.hpp"

namespace boxcar::detail {

class tuned_conveyor {
 public:
  // Collective. `usual` is the configuration without tuning.
  tuned_conveyor(substrate& world, const conveyor_options& options, const item_format& what,
                 const configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // Returns the configuration of the next session.
  [[nodiscard]] configuration wanted() const;

 private:
  std::vector<configuration> ways_;
  tuner tuner_;
};

// Returns `mine` with the path and the buffer size of another conveyor of the same PEs.
configuration as_of(const configuration& mine, const configuration& other);

}  // namespace boxcar::detail
