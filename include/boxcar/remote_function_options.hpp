// The options of a remote function. All PEs must give the same values.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <optional>
#include <string>

#include <boxcar/stream_options.hpp>

namespace boxcar {

struct remote_function_options {
  // The stream of calls: route, buffers, tuning.
  stream_options calls = {};
  // The stream of replies, if the function has a result. Without a value: as `calls`.
  std::optional<stream_options> replies = std::nullopt;
  // The name of the function in messages. Empty: the name of the function's type.
  std::string name = {};
};

}  // namespace boxcar
