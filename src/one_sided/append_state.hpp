// The state of an append buffer on one PE.
//
// A push reserves room, writes the elements, and adds to the number of completed elements.
// Concurrent pushes find different places by the single word `reserved`. The same word holds the
// round, which grows with each reset, so that no push reserves in another round than expected.
// `completed` counts the elements written since the beginning and is never set back: the owner
// knows its value at the beginning of the round. A reset replaces `reserved` only if the word is
// unchanged since a moment at which all reserved elements were complete, and fails otherwise: no
// write of a round comes later than its end. append.pml is a model of the protocol.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/append_buffer.hpp>

#include "one_sided/placeholder_memory.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class append_state final : public remote_object {
 public:
  // Collective. Precondition: all PEs agree.
  append_state(substrate& world, rpc_engine& rpc, std::uint64_t number, const append_element& what,
               const object_memory& mine, const append_options& options);

  std::size_t push(const std::byte* elements, std::size_t count, int pe, bool waits);
  void flush(int pe) { rpc_.flush(pe); }
  void flush_all() { rpc_.flush_all(); }

  [[nodiscard]] std::byte* data() const { return data_of(my_place_); }
  [[nodiscard]] std::shared_ptr<const void> memory() const { return memory_; }
  [[nodiscard]] std::size_t capacity(int pe);
  [[nodiscard]] std::size_t capacity_here() const { return block(my_place_).capacity; }
  [[nodiscard]] std::size_t reserved() const;
  [[nodiscard]] std::size_t completed() const;
  // Returns both counts. The smaller count is read first: if the counts are equal, no push was in
  // flight at the second read.
  [[nodiscard]] append_counts counts() const;
  [[nodiscard]] std::size_t messages() const;
  [[nodiscard]] std::size_t refused() const;
  // Returns the end of the readable elements.
  [[nodiscard]] std::size_t readable();

  void wait(std::size_t elements);
  void wait_messages(std::size_t count);
  void reset();
  void note_written(std::size_t elements, std::size_t refused);

  void execute(const request& r, std::span<const std::byte> data, reply_room& reply) override;
  void opened() override { memory_->seal(); }
  void abandoned() noexcept override;

  substrate& world;

 private:
  // The header of a PE's buffer, in memory that the node shares.
  struct block_head {
    std::atomic<std::uint64_t> reserved;  // the round above, elements below
    alignas(64) std::atomic<std::uint64_t> completed;
    std::atomic<std::uint64_t> messages;
    std::atomic<std::uint64_t> refused;
    std::uint64_t capacity;
    std::byte* data;  // address in the PE itself
  };
  // The reply to a push, sent as plain bytes.
  struct grant {
    std::uint64_t at = 0;
    std::uint64_t elements = 0;
    std::uint64_t round = 0;  // of the buffer
    std::uint64_t capacity = 0;
    std::uint64_t is_given = 0;  // 0: the push was refused
  };

  [[nodiscard]] block_head& block(int place) const {
    return *reinterpret_cast<block_head*>(memory_->block(place));
  }
  [[nodiscard]] std::byte* data_of(int place) const {
    if (!client_memory_.empty()) return client_memory_[static_cast<std::size_t>(place)];
    return memory_->block(place) + sizeof(block_head);
  }
  // Collective.
  void find_memory(const object_memory& mine);
  // Returns whether no push is in flight: all reserved elements can be read.
  bool is_at_rest();
  [[nodiscard]] std::uint64_t round() const;
  // Returns 0, or the round that the push must find, plus 1.
  [[nodiscard]] std::uint64_t wanted_round() const { return in_rounds_ ? round() + 1 : 0; }
  grant reserve(block_head& b, std::size_t count, std::uint64_t wanted_round) const;
  static void complete(block_head& b, std::size_t elements);
  grant push_here(int place, const std::byte* elements, std::size_t count, std::uint64_t wanted);
  std::size_t push_at_once(const std::byte* elements, std::size_t count, int pe, bool waits);
  std::size_t push_in_steps(const std::byte* elements, std::size_t count, int pe);
  std::size_t accepted(const grant& g, std::size_t count, int pe) const;
  template <typename Condition>
  void wait_until(const Condition& is_there);

  const append_element what_;
  const std::uint64_t number_;
  const when_full full_;
  const bool receiver_finds_room_;
  const bool in_rounds_;
  const bool aggregates_;
  rpc_engine& rpc_;
  std::shared_ptr<node_memory> memory_;
  std::vector<std::byte*> client_memory_;  // of the node's PEs, if the program allocated the memory
  int my_place_;
  placeholder_memory placeholder_;      // under the engine's lock
  std::uint64_t completed_before_ = 0;  // the current round
  std::uint64_t messages_before_ = 0;
  std::uint64_t refused_before_ = 0;
  std::size_t readable_ = 0;
};

}  // namespace boxcar::detail
