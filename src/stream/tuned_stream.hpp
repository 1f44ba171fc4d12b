// What tuning may choose of a stream, and the stream with what it has chosen.
#pragma once

#include <optional>
#include <vector>

#include <boxcar/detail/stream_core.hpp>
#include <boxcar/stream_options.hpp>

#include "stream/stream_configuration.hpp"
#include "substrate/substrate.hpp"
#include "tuning/tuner.hpp"

namespace boxcar::detail {

class tuned_stream {
 public:
  // Collective. `usual`: what is built without tuning.
  tuned_stream(substrate& world, const stream_options& options, const stream_freight& what,
               const stream_configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // With what the next session is to be.
  [[nodiscard]] stream_configuration wanted() const;
  // With what it was built; nothing: what was wanted could not be.
  std::optional<tuned_setting>& built() { return built_; }

 private:
  std::vector<stream_candidate> ways_;
  stream_configuration usual_;
  tuner tuner_;
  std::optional<tuned_setting> built_;
};

}  // namespace boxcar::detail
