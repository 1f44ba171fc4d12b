// A receive_pool receives messages of any PE on one channel into buffers, in any order. The pool
// keeps as many receives posted as the endpoint has booked, and posts a receive into a buffer again
// when the buffer is given back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "substrate/ofi/message_buffers.hpp"

namespace boxcar::detail::ofi {

class receive_pool {
 public:
  // The tag of the messages, except for the bits in `ignored`.
  struct match {
    std::uint64_t tag;
    std::uint64_t ignored;
  };
  // Receives into `buffers`, at most `max_posted` at a time; posts nothing yet. Locks the endpoint
  // itself, as the destructor does. Throws system_error if the provider has no receive left.
  receive_pool(endpoint& at, message_buffers buffers, std::size_t max_posted, match which);
  // Receives into `count` buffers of `bytes` bytes from the heap, with the seals.
  receive_pool(endpoint& at, operation_owner& owner, std::size_t count, std::size_t bytes,
               match which)
      : receive_pool(at, {at, owner, count, bytes, own_memory(count * bytes)}, count, which) {}
  receive_pool(const receive_pool&) = delete;
  receive_pool& operator=(const receive_pool&) = delete;
  ~receive_pool();

  [[nodiscard]] std::byte* buffer(std::size_t i) const { return buffers_.buffer(i); }
  // The functions below have the precondition that the endpoint is locked. `post` posts receives
  // into free buffers, as far as the provider takes the receives now.
  void post();
  // Records that a receive has ended. The message stays in the buffer until `give_back`.
  void note_end() { --posted_; }
  // Frees the buffer `i`, whose receive has ended.
  void give_back(std::size_t i) {
    free_.push_back(static_cast<std::uint32_t>(i));
    post();
  }
  // Posts an ended receive again, whose message has been read.
  void post_again(const operation& op) {
    note_end();
    give_back(op.index);
  }
  // As message_buffers::end.
  bool end() noexcept { return buffers_.end(); }

  [[nodiscard]] std::size_t memory_bytes() const {
    return buffers_.memory_bytes() + free_.capacity() * sizeof(std::uint32_t);
  }

 private:
  endpoint& at_;
  match which_;
  message_buffers buffers_;
  std::size_t booked_ = 0;
  std::size_t posted_ = 0;
  std::vector<std::uint32_t> free_;  // buffers without a message and without a posted receive
};

}  // namespace boxcar::detail::ofi
