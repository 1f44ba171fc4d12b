#include "substrate/shmem/block.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <optional>
#include <shmem.h>
#include <utility>

#include "substrate/largest.hpp"
#include "substrate/own_memory.hpp"
#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/word.hpp"

namespace boxcar::detail::shmem {
namespace {

// The word ahead of a block counts the peers that have finished writing to the block.
constexpr std::size_t head_bytes = 64;

void put_and_signal(std::byte* to, std::span<const std::byte> data, void* signal_at,
                    std::uint64_t signal, int rank) {
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
  shmem_putmem_signal(to, data.data(), data.size(), static_cast<std::uint64_t*>(signal_at), signal,
                      SHMEM_SIGNAL_SET, rank);
#else
  if (!data.empty()) shmem_putmem(to, data.data(), data.size(), rank);
  shmem_fence();
  shmem_ulong_atomic_set(as_word(signal_at), signal, rank);
#endif
}

std::uint64_t load_word(std::byte* at, int rank) {
  const std::uint64_t value = shmem_ulong_atomic_fetch(as_word(at), rank);
  std::atomic_thread_fence(std::memory_order_acquire);
  return value;
}

void set_signal(std::byte* at, std::uint64_t signal, int rank) {
  // The fence completes earlier reads: the signal may let the other PE write to the memory read.
  std::atomic_thread_fence(std::memory_order_release);
  shmem_ulong_atomic_set(as_word(at), signal, rank);
}

// On some networks the receiver itself puts arriving data into memory, while in a call.
void let_arrive(std::byte* mine) {
  require_running();
  shmem_ulong_test(as_word(mine), SHMEM_CMP_EQ, ~word{0});
}

class block final : public remote_memory {
 public:
  block(substrate& world, const link_plan& plan, const rank_list& members,
        std::shared_ptr<symmetric_memory> heap, std::size_t bytes)
      : world_(world), heap_(std::move(heap)) {
    for (const auto* ends : {&plan.outgoing, &plan.incoming}) {
      for (const int pe : *ends) peers_.push_back({pe, members[pe], {}});
    }
    std::ranges::sort(peers_, {}, &peer::pe);
    const auto twice = std::ranges::unique(peers_, {}, &peer::pe);
    peers_.erase(twice.begin(), twice.end());

    if (plan.memory != nullptr) take_from_client(world, plan.memory, bytes);
    if (mine_ == nullptr) take_from_heap(world, bytes);
  }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  // Slower peers may still write, to give back the last buffers: the memory cannot be reused until
  // all peers have destroyed their blocks, too.
  ~block() override {
    if (clients_) {
      release_to_client();
      return;
    }
    if (is_running()) {
      shmem_fence();
      for (const peer& p : peers_) shmem_ulong_atomic_inc(as_word(p.base - head_bytes), p.rank);
    }
    heap_->retire(*place_, peers_.size());
  }

  [[nodiscard]] std::byte* mine() override { return mine_; }

  void put_signal(int pe, std::size_t offset, std::span<const std::byte> data,
                  std::size_t signal_offset, std::uint64_t signal) override {
    const peer& to = find(pe);
    put_and_signal(to.base + offset, data, to.base + signal_offset, signal, to.rank);
    moving_ = true;
  }

  void put_signal(int pe, std::size_t signal_offset, std::uint64_t signal) override {
    const peer& to = find(pe);
    set_signal(to.base + signal_offset, signal, to.rank);
    moving_ = true;
  }

  std::uint64_t fetch_add(int pe, std::size_t offset, std::uint64_t value) override {
    const peer& to = find(pe);
    return shmem_ulong_atomic_fetch_add(as_word(to.base + offset), value, to.rank);
  }
  std::uint64_t compare_swap(int pe, std::size_t offset, std::uint64_t expected,
                             std::uint64_t desired) override {
    const peer& to = find(pe);
    return shmem_ulong_atomic_compare_swap(as_word(to.base + offset), expected, desired, to.rank);
  }

  std::uint64_t load(int pe, std::size_t offset) override {
    const peer& from = find(pe);
    return load_word(from.base + offset, from.rank);
  }

  void get(int pe, std::size_t offset, void* into, std::size_t bytes) override {
    const peer& from = find(pe);
    if (bytes != 0) shmem_getmem(into, from.base + offset, bytes, from.rank);
  }

  void complete() override {
    if (std::exchange(moving_, false)) shmem_quiet();
  }

  void progress() override { let_arrive(mine_); }

 private:
  struct peer {
    int pe;
    int rank;         // for OpenSHMEM
    std::byte* base;  // of its block
  };

  [[nodiscard]] const peer& find(int pe) const {
    return *std::ranges::lower_bound(peers_, pe, {}, &peer::pe);
  }

  // Memory allocated by a client in step on all PEs lies at the same place on all PEs, if the
  // memory is symmetric at all.
  void take_from_client(substrate& world, allocator* client, std::size_t bytes) {
    own_memory memory(world, client, bytes, "buffers that arrive");
    const bool symmetric = std::ranges::all_of(
        peers_, [&](const peer& p) { return shmem_addr_accessible(memory.data(), p.rank) != 0; });
    if (largest<1>(world, {symmetric ? 0u : 1u})[0] != 0) return;
    clients_.emplace(std::move(memory));
    mine_ = clients_->data();
    for (peer& p : peers_) p.base = mine_;
  }

  // Only conveyors use a client's memory, and at the end of a session all PEs have come together
  // after all buffers had arrived and been given back. But in a failed world other PEs may still be
  // sending.
  void release_to_client() {
    try {
      world_.check_failure();
    } catch (const std::exception&) {
      clients_->abandon();
    }
  }

  void take_from_heap(substrate& world, std::size_t bytes) {
    place_ = heap_->take(world, head_bytes + bytes);
    mine_ = heap_->address(*place_) + head_bytes;
    std::memset(mine_ - head_bytes, 0, head_bytes);
    // Neighbours look up the places of each other's blocks. The published places stay until the
    // links are made; by then all PEs have looked.
    heap_->publish(*place_);
    world.barrier();
    for (peer& p : peers_) p.base = heap_->address(heap_->lookup(p.rank)) + head_bytes;
  }

  substrate& world_;
  std::shared_ptr<symmetric_memory> heap_;
  std::vector<peer> peers_;  // ascending by pe
  std::optional<symmetric_place> place_;
  std::optional<own_memory> clients_;
  std::byte* mine_ = nullptr;
  bool moving_ = false;  // a put was made since the last shmem_quiet
};

class block_of_all final : public remote_memory {
 public:
  block_of_all(substrate& world, const rank_list& members, std::shared_ptr<symmetric_memory> heap,
               std::size_t bytes)
      : members_(members),
        heap_(std::move(heap)),
        place_(heap_->take_alike(world, bytes)),
        mine_(heap_->address(place_)) {}
  block_of_all(const block_of_all&) = delete;
  block_of_all& operator=(const block_of_all&) = delete;
  ~block_of_all() override { heap_->give_back(place_); }

  [[nodiscard]] std::byte* mine() override { return mine_; }
  void put_signal(int pe, std::size_t offset, std::span<const std::byte> data,
                  std::size_t signal_offset, std::uint64_t signal) override {
    put_and_signal(mine_ + offset, data, mine_ + signal_offset, signal, members_[pe]);
  }
  void put_signal(int pe, std::size_t signal_offset, std::uint64_t signal) override {
    set_signal(mine_ + signal_offset, signal, members_[pe]);
  }
  std::uint64_t fetch_add(int pe, std::size_t offset, std::uint64_t value) override {
    return shmem_ulong_atomic_fetch_add(as_word(mine_ + offset), value, members_[pe]);
  }
  std::uint64_t compare_swap(int pe, std::size_t offset, std::uint64_t expected,
                             std::uint64_t desired) override {
    return shmem_ulong_atomic_compare_swap(as_word(mine_ + offset), expected, desired,
                                           members_[pe]);
  }
  std::uint64_t load(int pe, std::size_t offset) override {
    return load_word(mine_ + offset, members_[pe]);
  }
  void get(int pe, std::size_t offset, void* into, std::size_t bytes) override {
    if (bytes != 0) shmem_getmem(into, mine_ + offset, bytes, members_[pe]);
  }
  void progress() override { let_arrive(mine_); }

 private:
  rank_list members_;
  std::shared_ptr<symmetric_memory> heap_;
  symmetric_place place_;
  std::byte* mine_;
};

}  // namespace

std::unique_ptr<remote_memory> make_block_of_all(substrate& world, const rank_list& members,
                                                 std::shared_ptr<symmetric_memory> heap,
                                                 std::size_t bytes) {
  return std::make_unique<block_of_all>(world, members, std::move(heap), bytes);
}

std::unique_ptr<remote_memory> make_block(substrate& world, const link_plan& plan,
                                          const rank_list& members,
                                          std::shared_ptr<symmetric_memory> heap,
                                          std::size_t bytes) {
  return std::make_unique<block>(world, plan, members, std::move(heap), bytes);
}

}  // namespace boxcar::detail::shmem
