#include "stream/active_streams.hpp"

#include <algorithm>

#include <boxcar/detail/stream_core.hpp>

namespace boxcar::detail {

active_streams& active_streams::of_this_pe() {
  return progress::of_this_pe().part<active_streams>();
}

void active_streams::add(stream_core& s) {
  if (streams_.empty()) progress::of_this_pe().add(*this);
  streams_.push_back(&s);
}

void active_streams::remove(stream_core& s) {
  const bool any = std::erase(streams_, &s) != 0;
  if (any && streams_.empty()) progress::of_this_pe().remove(*this);
}

bool active_streams::make_progress() {
  bool active = false;
  // Sessions may end in the loop, but none begins.
  for (std::size_t i = streams_.size(); i-- > 0;) active |= streams_[i]->progress();
  return active;
}

bool active_streams::waits_for_time() const {
  return std::ranges::any_of(streams_, &stream_core::waits_for_time);
}

bool active_streams::nothing_held(const buffer_account& world) const {
  return std::ranges::all_of(streams_, [&world](const stream_core* s) {
    return !s->is_over_part_of(world) || s->nothing_held();
  });
}

bool active_streams::flush_what_waits() {
  bool any = false;
  for (stream_core* s : streams_) any |= s->flush_what_waits(false);
  return any;
}

}  // namespace boxcar::detail
