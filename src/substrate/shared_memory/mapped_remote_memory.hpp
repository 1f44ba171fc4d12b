// The memory of PEs of other pretended nodes is mapped here, but accessed by copies only, as if on
// another machine.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>

#include "substrate/put_links.hpp"

namespace boxcar::detail {

class mapped_remote_memory final : public remote_memory {
 public:
  // `memory` holds one block of `block_bytes` per PE of `world`, in rank order.
  mapped_remote_memory(substrate& world, std::unique_ptr<shared_memory> memory,
                       std::size_t block_bytes)
      : world_(world), memory_(std::move(memory)), block_bytes_(block_bytes) {}

  [[nodiscard]] std::byte* mine() override { return block(world_.rank()); }

  void put_signal(int pe, std::size_t offset, std::span<const std::byte> data,
                  std::size_t signal_offset, std::uint64_t signal) override {
    if (!data.empty()) std::memcpy(block(pe) + offset, data.data(), data.size());
    put_signal(pe, signal_offset, signal);
  }

  void put_signal(int pe, std::size_t signal_offset, std::uint64_t signal) override {
    // The store releases all earlier writes; sequentially consistent because of `wake`.
    word(pe, signal_offset).store(signal, std::memory_order_seq_cst);
    world_.wake(pe);
  }

  std::uint64_t fetch_add(int pe, std::size_t offset, std::uint64_t value) override {
    return word(pe, offset).fetch_add(value, std::memory_order_acq_rel);
  }
  std::uint64_t compare_swap(int pe, std::size_t offset, std::uint64_t expected,
                             std::uint64_t desired) override {
    word(pe, offset).compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
    return expected;
  }
  std::uint64_t load(int pe, std::size_t offset) override {
    return word(pe, offset).load(std::memory_order_acquire);
  }

  void get(int pe, std::size_t offset, void* into, std::size_t bytes) override {
    if (bytes != 0) std::memcpy(into, block(pe) + offset, bytes);
  }

 private:
  [[nodiscard]] std::atomic_ref<std::uint64_t> word(int pe, std::size_t offset) const {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(block(pe) + offset));
  }
  [[nodiscard]] std::byte* block(int pe) const {
    return memory_->data() + static_cast<std::size_t>(pe) * block_bytes_;
  }

  substrate& world_;
  std::unique_ptr<shared_memory> memory_;
  std::size_t block_bytes_;
};

}  // namespace boxcar::detail
