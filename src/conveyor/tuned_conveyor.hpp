// What tuning may choose of a conveyor, and the conveyor with what it has chosen.
#pragma once

#include <optional>
#include <vector>

#include <boxcar/conveyor_options.hpp>

#include "conveyor/configuration.hpp"
#include "conveyor/option_check.hpp"
#include "substrate/substrate.hpp"
#include "tuning/tuner.hpp"

namespace boxcar::detail {

class tuned_conveyor {
 public:
  // Collective. `usual`: what is built without tuning.
  tuned_conveyor(substrate& world, const conveyor_options& options, const freight& what,
                 const configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // With what the next session is to be.
  [[nodiscard]] configuration wanted() const;
  // With what it was built; nothing: what was wanted could not be.
  std::optional<tuned_setting>& built() { return built_; }

 private:
  std::vector<configuration> ways_;
  tuner tuner_;
  std::optional<tuned_setting> built_;
};

// The same way and size of buffers as another conveyor of these PEs has.
configuration as_of(const configuration& mine, const configuration& other);

}  // namespace boxcar::detail
