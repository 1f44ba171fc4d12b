// What tuning may choose of a stream, and the stream with what it has chosen.
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
  // Collective. `usual`: what is built without tuning.
  tuned_stream(substrate& world, const stream_options& options, const stream_freight& what,
               const stream_configuration& usual);

  [[nodiscard]] tuner& decisions() { return tuner_; }
  [[nodiscard]] const tuner& decisions() const { return tuner_; }
  // With what the next session is to be.
  [[nodiscard]] stream_configuration wanted() const;

 private:
  std::vector<stream_candidate> ways_;
  stream_configuration usual_;
  tuner tuner_;
};

}  // namespace boxcar::detail
