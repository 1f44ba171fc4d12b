// The message_buffers of an object: buffers in registered memory, each with the operation that
// sends or receives the message in the buffer. If the provider still uses a buffer at the end of
// the object, as after the failure of a world, the buffers leak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "substrate/ofi/endpoint.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail::ofi {

class message_buffers {
 public:
  // Makes `count` buffers of `bytes` bytes each, with the seals, in `memory`. The index of an
  // operation is the number of its buffer. Locks the endpoint itself. Throws as `registered` does.
  message_buffers(endpoint& at, operation_owner& owner, std::size_t count, std::size_t bytes,
                  own_memory memory);
  message_buffers(message_buffers&&) = default;
  message_buffers& operator=(message_buffers&&) = delete;
  ~message_buffers();

  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::byte* buffer(std::size_t i) const { return memory_.data() + i * bytes_; }
  [[nodiscard]] bool is_under_way(std::size_t i) const { return operations_[i].under_way; }

  // Posts a receive into buffer `i`. Returns false if the provider cannot take the receive now.
  bool receive(std::size_t i, std::uint64_t tag, std::uint64_t ignored) {
    return at_->receive(operations_[i], {buffer(i), bytes_}, registered_, tag, ignored);
  }
  // Sends the first `bytes` bytes of buffer `i`.
  void send(std::size_t i, int to, std::size_t bytes, std::uint64_t tag) {
    at_->send(operations_[i], to, {buffer(i), bytes}, registered_, tag);
  }

  // Cancels receives, or waits briefly for the end of sends. The owner is not notified any more.
  // Returns false if the provider keeps some buffers. Precondition: the endpoint is locked.
  bool end() noexcept;

  [[nodiscard]] std::size_t memory_bytes() const {
    return memory_.bytes() + count_ * sizeof(operation);
  }

 private:
  endpoint* at_ = nullptr;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;  // of a buffer
  std::unique_ptr<operation[]> operations_;
  own_memory memory_;
  registered registered_;
};

}  // namespace boxcar::detail::ofi
