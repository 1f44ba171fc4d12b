#include "substrate/shmem/shmem_network.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <shmem.h>
#include <string>
#include <utility>

#include <boxcar/error.hpp>

#include "substrate/environment.hpp"
#include "substrate/failure_text.hpp"
#include "substrate/put_links.hpp"
#include "substrate/shmem/block.hpp"
#include "substrate/shmem/bulk.hpp"
#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/symmetric_memory.hpp"
#include "substrate/shmem/word.hpp"

namespace boxcar::detail::shmem {
namespace {

constexpr std::size_t symmetric_bytes_at_first = std::size_t{16} << 20;

// One for all worlds of the program: what shmem_malloc gave it keeps. The first call, by all PEs
// when their first world with several nodes makes links, allocates it.
std::shared_ptr<symmetric_memory> heap() {
  static const auto only = std::make_shared<symmetric_memory>(
      symmetric_bytes_from_environment().value_or(symmetric_bytes_at_first));
  return only;
}

// Where a PE that has failed leaves word. In symmetric memory.
struct failure_board {
  static constexpr std::size_t text_bytes = failure_text_bytes;
  enum : word { empty, being_written, written };
  word state;
  char text[text_bytes];
};

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
  // The board stays: others may write to it, and shmem_free would wait for all PEs.
  ~shmem_network() override { drop_retired(); }

  [[nodiscard]] const char* name() const override { return "shmem"; }
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] bool is_running() const noexcept override { return shmem::is_running(); }

  void gather_at_start(std::span<const std::byte> mine, std::byte* all) override {
    // In words, and in symmetric memory, as fcollect wants it; what it synchronises by, too, which
    // must not be static data of a library.
    // At least one: for none, shmem_malloc may give nothing.
    const std::size_t words =
        std::max<std::size_t>((mine.size() + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 1);
    const std::size_t bytes = words * sizeof(std::uint64_t);
    auto* from = static_cast<std::byte*>(shmem_malloc(bytes));
    auto* into = static_cast<std::byte*>(shmem_malloc(bytes * static_cast<std::size_t>(size_)));
    auto* sync = static_cast<long*>(shmem_malloc(SHMEM_COLLECT_SYNC_SIZE * sizeof(long)));
    if (from == nullptr || into == nullptr || sync == nullptr) {
      throw heap_too_small(bytes * (static_cast<std::size_t>(size_) + 1), 0,
                           "let the program allocate less");
    }
    if (!mine.empty()) std::memcpy(from, mine.data(), mine.size());
    std::fill_n(sync, SHMEM_COLLECT_SYNC_SIZE, SHMEM_SYNC_VALUE);
    shmem_barrier_all();  // `sync` is ready on all
    shmem_fcollect64(into, from, words, 0, 0, size_, sync);
    for (std::size_t pe = 0; pe < static_cast<std::size_t>(size_) && !mine.empty(); ++pe) {
      std::memcpy(all + pe * mine.size(), into + pe * bytes, mine.size());
    }
    shmem_barrier_all();  // and is not in use any more
    shmem_free(sync);
    shmem_free(into);
    shmem_free(from);
  }

  std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                       std::span<const int> members) override {
    require_running();
    return make_put_links(world, plan, [&](std::size_t bytes) {
      return make_block(world, plan, members, heap(), bytes);
    });
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
        continue;  // somebody else was first
      }
      shmem_putmem(board_->text, text.data(), text.size(), pe);
      shmem_fence();
      shmem_ulong_atomic_set(&board_->state, failure_board::written, pe);
    }
    shmem_quiet();
  }

  bool hear_failure(std::string& message) override {
    require_running();
    // Pairs with the atomic set above: the text is there.
    if (heard_ ||
        std::atomic_ref(board_->state).load(std::memory_order_acquire) != failure_board::written) {
      return false;
    }
    heard_ = true;
    message.assign(board_->text, strnlen(board_->text, sizeof board_->text));
    return true;
  }

  void settle() override { shmem_quiet(); }

 private:
  int rank_;
  int size_;
  failure_board* board_;
  bool heard_ = false;
};

// Networks that this PE has left, until no other PE writes to its links any more.
class left_networks {
 public:
  static left_networks& instance() {
    static auto* all = new left_networks;  // OpenSHMEM may end later than static objects
    return *all;
  }
  void add(std::unique_ptr<network> net) {
    nets_.push_back(std::move(net));
    drop_silent();
  }
  void drop_silent() {
    std::erase_if(nets_, [](const auto& net) { return net->everybody_left(); });
  }

 private:
  std::vector<std::unique_ptr<network>> nets_;
};

}  // namespace

std::shared_ptr<network> make_network() {
  require_running();
  left_networks::instance().drop_silent();
  return {new shmem_network,
          [](network* net) { left_networks::instance().add(std::unique_ptr<network>(net)); }};
}

}  // namespace boxcar::detail::shmem
