// The owner of the core of a stream of items. A moved-from owner refers to a core without a
// session, so that a send needs no check of its own: the core refuses the send as without a
// session.
#pragma once

#include <memory>
#include <utility>

#include <boxcar/detail/item_stream.hpp>

namespace boxcar::detail {

// Returns the core of all moved-from streams: every send throws contract_error. Nothing else may be
// called.
[[nodiscard]] item_stream& moved_item_stream() noexcept;

class item_stream_owner {
 public:
  item_stream_owner() noexcept : core_(&moved_item_stream()) {}
  item_stream_owner(item_stream_owner&& other) noexcept
      : core_(std::exchange(other.core_, &moved_item_stream())) {}
  // Throws contract_error in the middle of a session of the stream that is replaced.
  item_stream_owner& operator=(item_stream_owner&& other) {
    if (this == &other) return *this;
    if (!core_->is_moved_from()) core_->require_replaceable();
    replace(std::exchange(other.core_, &moved_item_stream()));
    return *this;
  }
  ~item_stream_owner() { replace(nullptr); }

  void own(std::unique_ptr<item_stream> core) { replace(core.release()); }

  // Returns a core for sends only, if the owner has been moved from.
  [[nodiscard]] item_stream& for_sends() const { return *core_; }
  // Throws contract_error if the owner has been moved from.
  [[nodiscard]] item_stream& core() const {
    if (core_->is_moved_from()) refuse_moved_stream();
    return *core_;
  }

 private:
  void replace(item_stream* by) {
    item_stream* const before = std::exchange(core_, by);
    if (!before->is_moved_from()) delete before;
  }

  item_stream* core_;
};

}  // namespace boxcar::detail
