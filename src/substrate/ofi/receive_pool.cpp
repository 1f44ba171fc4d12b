#include "substrate/ofi/receive_pool.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail::ofi {

receive_pool::receive_pool(endpoint& at, message_buffers buffers, std::size_t max_posted,
                           match which)
    : at_(at), which_(which), buffers_(std::move(buffers)) {
  free_.reserve(buffers_.size());
  for (std::size_t i = buffers_.size(); i-- > 0;) free_.push_back(static_cast<std::uint32_t>(i));
  const auto lock = at_.acquire_lock();
  booked_ = at_.book_receives(std::min(buffers_.size(), max_posted));
}

receive_pool::~receive_pool() {
  const auto lock = at_.acquire_lock();
  at_.give_back_receives(booked_);
}

void receive_pool::post() {
  while (posted_ < booked_ && !free_.empty()) {
    if (!buffers_.receive(free_.back(), which_.tag, which_.ignored)) return;
    free_.pop_back();
    ++posted_;
  }
}

}  // namespace boxcar::detail::ofi
