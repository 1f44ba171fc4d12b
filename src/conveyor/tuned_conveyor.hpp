// A tuned conveyor: the settings that the tuner may choose, and the chosen configuration.
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
  // Collective. `usual` is the configuration without tuning.
  tuned_conveyor(substrate& world, const conveyor_options& options, const item_format& what,
                 const configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // Returns the configuration of the next session.
  [[nodiscard]] configuration wanted() const;
  // The setting with which the conveyor was built; none if the wanted setting could not be built.
  std::optional<tuned_setting>& built() { return built_; }

 private:
  std::vector<configuration> ways_;
  tuner tuner_;
  std::optional<tuned_setting> built_;
};

// Returns `mine` with the path and the buffer size of another conveyor of the same PEs.
configuration as_of(const configuration& mine, const configuration& other);

}  // namespace boxcar::detail
