#include "stream/active_streams.hpp"

#include <boxcar/detail/stream_core.hpp>

namespace boxcar::detail {

active_streams& active_streams::of_this_pe() {
  static thread_local active_streams streams;
  return streams;
}

bool active_streams::progress() {
  bool active = false;
  // Sessions end in here, but none begins.
  for (std::size_t i = streams_.size(); i-- > 0;) active |= streams_[i]->progress();
  return active;
}

}  // namespace boxcar::detail
