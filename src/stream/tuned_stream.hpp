// A tuned stream: the settings that the tuner may choose, and the chosen configuration.
#pragma once

#include <vector>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/stream_options.hpp>

#include "stream/stream_configuration.hpp"
#include "substrate/substrate.hpp"
#include "tuning/tuner.hpp"

namespace boxcar::detail {

class tuned_stream {
 public:
  // Collective. `usual` is the configuration without tuning.
  tuned_stream(substrate& world, const stream_options& options, const stream_item_format& what,
               const stream_configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // Returns the configuration of the next session.
  [[nodiscard]] stream_configuration wanted() const;

 private:
  std::vector<stream_candidate> ways_;
  stream_configuration usual_;
  tuner tuner_;
};

}  // namespace boxcar::detail
