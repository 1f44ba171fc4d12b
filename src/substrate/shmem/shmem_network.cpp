#include "substrate/shmem/shmem_network.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <shmem.h>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/cluster/draining_networks.hpp"
#include "substrate/environment.hpp"
#include "substrate/failure_text.hpp"
#include "substrate/put_links.hpp"
#include "substrate/ring_mailbox.hpp"
#include "substrate/shmem/block.hpp"
#include "substrate/shmem/bulk.hpp"
#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/symmetric_memory.hpp"
#include "substrate/shmem/symmetric_region.hpp"
#include "substrate/shmem/word.hpp"

namespace boxcar::detail::shmem {
namespace {

constexpr std::size_t symmetric_bytes_at_first = std::size_t{16} << 20;

// Returns the symmetric memory of all worlds of the program: memory from shmem_malloc is kept. The
// first call, by all PEs when their first world with several nodes makes links, allocates memory.
std::shared_ptr<symmetric_memory> heap() {
  static const auto only = std::make_shared<symmetric_memory>(
      symmetric_bytes_from_environment().value_or(symmetric_bytes_at_first));
  return only;
}

// A failure_board, in symmetric memory, takes the failure notice of another PE.
struct failure_board {
  static constexpr std::size_t text_bytes = failure_text_bytes;
  enum : word { empty, being_written, written };
  word state;
  char text[text_bytes];
};

// `mine` is in symmetric memory.
std::byte* counterpart(std::byte* mine, int pe) {
  require_running();
  if (mine == nullptr || shmem_addr_accessible(mine, pe) == 0) return nullptr;
  return static_cast<std::byte*>(shmem_ptr(mine, pe));
}

class shmem_network final : public network {
 public:
  shmem_network()
      : rank_(shmem_my_pe()),
        size_(shmem_n_pes()),
        board_(static_cast<failure_board*>(shmem_calloc(1, sizeof(failure_board)))) {
    if (board_ == nullptr) {
      throw heap_too_small(sizeof(failure_board), 0, "let the program allocate less");
    }
    shmem_barrier_all();
  }
  // The board stays: other PEs may write to the board, and shmem_free would wait for all PEs.
  ~shmem_network() override { drop_draining(); }

  [[nodiscard]] const char* name() const override { return "shmem"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_running() const noexcept override { return shmem::is_running(); }
  void require_many_threads() const override { shmem::require_many_threads(); }

  // The reduction runs along a tree: up in steps in which a PE combines the value of the PEs behind
  // its own, and down again. Values lie in symmetric memory, from which other PEs get them.
  void reduce_at_start(std::span<std::byte> value,
                       const std::function<void(std::byte*, const std::byte*)>& combine) override {
    if (value.empty()) return shmem_barrier_all();
    auto* shown = static_cast<std::byte*>(shmem_malloc(value.size()));
    if (shown == nullptr) {
      throw heap_too_small(value.size(), 0, "let the program allocate less");
    }
    const auto show = [&] { std::ranges::copy(value, shown); };
    std::vector<std::byte> next(value.size());
    int step = 1;
    for (; step < size_; step *= 2) {
      show();
      shmem_barrier_all();
      if (rank_ % (2 * step) == 0 && step < size_ - rank_) {
        shmem_getmem(next.data(), shown, value.size(), rank_ + step);
        combine(value.data(), next.data());
      }
      shmem_barrier_all();
    }
    while ((step /= 2) != 0) {
      show();
      shmem_barrier_all();
      if (rank_ % (2 * step) == step) {
        shmem_getmem(value.data(), shown, value.size(), rank_ - step);
      }
      shmem_barrier_all();
    }
    shmem_free(shown);
  }

  [[nodiscard]] counterpart_finder finds_counterparts() const override { return counterpart; }

  std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                       const rank_list& members) override {
    require_running();
    return make_put_links(world, plan, [&](std::size_t bytes) {
      return make_block(world, plan, members, heap(), bytes);
    });
  }

  std::unique_ptr<rma_region> make_rma_region(substrate& world, const rank_list& members,
                                              std::size_t bytes) override {
    require_running();
    return shmem::make_rma_region(world, members, heap(), bytes);
  }

  std::shared_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members) override {
    require_running();
    return make_ring_mailbox(
        world, [&](std::size_t bytes) { return make_block_of_all(world, members, heap(), bytes); });
  }

  std::unique_ptr<bulk_offer> offer_bulk(int, std::size_t bytes) override {
    return make_offer(heap(), bytes);
  }
  std::unique_ptr<bulk_delivery> fetch_bulk(int from, const bulk_ticket& ticket,
                                            const std::function<void()>&) override {
    return fetch_offer(*heap(), from, ticket);
  }

  void tell_failure(const std::string& message, std::span<const int> to) noexcept override {
    if (!is_running()) return;
    std::array<char, failure_board::text_bytes> text{};
    message.copy(text.data(), text.size() - 1);
    for (const int pe : to) {
      if (shmem_ulong_atomic_compare_swap(&board_->state, failure_board::empty,
                                          failure_board::being_written,
                                          pe) != failure_board::empty) {
        continue;  // another PE was first
      }
      shmem_putmem(board_->text, text.data(), text.size(), pe);
      shmem_fence();
      shmem_ulong_atomic_set(&board_->state, failure_board::written, pe);
    }
    shmem_quiet();
  }

  bool hear_failure(std::string& message) override {
    require_running();
    // Pairs with the atomic set in tell_failure: the text is there.
    if (heard_ ||
        std::atomic_ref(board_->state).load(std::memory_order_acquire) != failure_board::written) {
      return false;
    }
    heard_ = true;
    message.assign(board_->text, strnlen(board_->text, sizeof board_->text));
    return true;
  }

  void settle() override { shmem_quiet(); }

 protected:
  void drive() noexcept override { shmem_ulong_test(&board_->state, SHMEM_CMP_EQ, ~word{0}); }

 private:
  int rank_;
  int size_;
  failure_board* board_;
  bool heard_ = false;
};

}  // namespace

std::shared_ptr<network> make_network() {
  require_running();
  return until_left(std::make_unique<shmem_network>());
}

}  // namespace boxcar::detail::shmem
