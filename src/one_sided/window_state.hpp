// The state of a window on one PE.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <boxcar/detail/pe_table.hpp>
#include <boxcar/detail/window_core.hpp>

#include "one_sided/counter_state.hpp"
#include "one_sided/placeholder_memory.hpp"
#include "one_sided/rpc_engine.hpp"
#include "substrate/agreement.hpp"
#include "substrate/substrate.hpp"

namespace boxcar::detail {

class window_state final : public remote_object {
 public:
  // Adds what PEs must give alike, and objects to memory that cannot be a part of a window.
  static void agree(const substrate& world, const window_element& what, const object_memory& mine,
                    agreement& all);
  // Collective. Precondition: the PEs agree.
  window_state(substrate& world, rpc_engine& rpc, std::uint64_t number, const window_element& what,
               const object_memory& mine, bool are_sizes_equal);

  // Returns the parts of the PEs of the node, by local rank.
  [[nodiscard]] const std::vector<window_part>& parts() const { return parts_; }
  [[nodiscard]] const window_part& mine() const;
  [[nodiscard]] bool is_here(int pe) const { return world.is_local(pe); }
  [[nodiscard]] const window_part& part_here(int pe) const;
  [[nodiscard]] std::size_t size(int pe);
  [[nodiscard]] std::size_t element_bytes() const { return what_.bytes; }
  [[nodiscard]] bool is_of_program() const { return is_of_program_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::shared_ptr<const void> memory() const {
    return std::make_shared<std::pair<std::shared_ptr<node_memory>, std::shared_ptr<rma_region>>>(
        memory_, rma_);
  }

  // Throws argument_error unless the part of the PE has all elements of the range. Precondition:
  // the PE exists.
  void check(const char* operation, const window_range& there, std::size_t stride_here) {
    const bool is_within = size_of_all_ && there.stride == 1 && stride_here != 0 &&
                           there.index <= *size_of_all_ &&
                           there.elements <= *size_of_all_ - there.index;
    if (!is_within) check_closely(operation, there, stride_here);
  }

  void put(const window_range& there, const std::byte* from, std::size_t stride,
           counter_state* counting) {
    if (is_here(there.pe)) return put_here(there, from, stride, counting);
    put_elsewhere(there, from, stride, counting);
  }
  void get(const window_range& there, std::byte* into, std::size_t stride, bool waits);
  // Updates the word of `bytes` bytes at byte `at`.
  void update(int pe, std::size_t at, std::size_t bytes, const window_core::change& c);
  // Returns an element of the PE's own part.
  [[nodiscard]] std::byte* element(std::size_t index) const {
    return mine().data + index * what_.bytes;
  }
  void wait(const std::function<bool()>& is_there);
  // Orders puts to each PE: later puts are seen there after earlier puts.
  void fence() {
    if (rma_ != nullptr) rma_->order_puts();
  }
  void flush(int pe);
  void flush_all();

  [[nodiscard]] bool bypasses_engine() const override { return rma_ != nullptr; }
  void complete() override;
  void execute(const request& r, std::span<const std::byte> data, reply_room& reply) override;
  void opened() override;
  void dropped() noexcept override;
  void abandoned() noexcept override;

  substrate& world;

 private:
  // The header of a PE's part, for the other PEs of the node.
  struct part_head {
    std::uint64_t elements;
    std::uint64_t clients;  // the address of the program's memory, or 0
  };

  // Checks any range, and parts that differ in length.
  void check_closely(const char* operation, const window_range& there, std::size_t stride_here);
  // Returns whether the network puts and gets `bytes` contiguous bytes for the PE. The network
  // could overtake requests in flight: then the function waits for the requests if there are many
  // bytes, and returns false otherwise. A fence precedes each request, so that operations to a PE
  // keep their order on either route.
  [[nodiscard]] bool ensure_reached(int pe, std::size_t bytes);
  // Completes puts by the network before a later request.
  void fence_before_request() {
    if (rma_ != nullptr) rma_->fence();
  }
  // Returns whether the network would count a put of `bytes` bytes at the target, once everything
  // needed is known and no requests are in flight.
  [[nodiscard]] bool could_count(int pe, std::size_t bytes, counter_state& counting);
  // Prepares later puts for counting by the network.
  void prepare_to_count(int pe, counter_state& counting);
  void put_counted(int pe, std::size_t at, std::span<const std::byte> data,
                   counter_state& counting);
  void request_rkey(int pe);
  void put_scattered(const window_range& there, const std::byte* from, std::size_t stride);
  void put_bytes(int pe, std::size_t at, std::span<const std::byte> data, counter_state* counting);
  void put_here(const window_range& there, const std::byte* from, std::size_t stride,
                counter_state* counting);
  void put_elsewhere(const window_range& there, const std::byte* from, std::size_t stride,
                     counter_state* counting);
  void put_otherwise(const window_range& there, const std::byte* from, std::size_t stride,
                     counter_state* counting);
  // Gives up gets that nobody has flushed: an exception may have destroyed their memory.
  void give_up_gets() noexcept;
  [[nodiscard]] part_head head_of(int place) const;
  // Collective.
  void find_parts_of_program(const object_memory& mine);

  const window_element what_;
  const bool is_of_program_;  // the program allocated the memory
  const std::uint64_t number_;
  rpc_engine& rpc_;
  std::shared_ptr<node_memory> memory_;
  std::shared_ptr<rma_region> rma_;  // if the network reaches the parts by itself
  // PEs to which the network has made counted puts since the last flush: data may be there before
  // the PE has heard of the puts.
  std::vector<int> counted_at_;
  std::vector<window_part> parts_;
  int my_place_;
  placeholder_memory placeholder_;                  // under the engine's lock
  std::optional<std::size_t> size_of_all_;          // if all PEs have as many elements
  std::unique_ptr<pe_table<std::uint64_t>> sizes_;  // otherwise: sizes plus 1, once known
};

}  // namespace boxcar::detail
