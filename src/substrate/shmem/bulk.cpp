#include "substrate/shmem/bulk.hpp"

#include <atomic>
#include <cstring>
#include <new>
#include <shmem.h>
#include <string>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/shmem/runtime.hpp"
#include "substrate/shmem/word.hpp"

namespace boxcar::detail::shmem {
namespace {

// The receiver sets a word ahead of the item once the receiver has the item.
constexpr std::size_t item_head_bytes = 64;
constexpr std::align_val_t alignment{64};

// The number of offers of all worlds: the worlds share the memory.
std::size_t offers_alive = 0;

class offer final : public bulk_offer {
 public:
  offer(std::shared_ptr<symmetric_memory> heap, symmetric_place place, std::size_t bytes)
      : heap_(std::move(heap)), place_(place), block_(heap_->address(place_)), bytes_(bytes) {
    std::memset(block_, 0, item_head_bytes);
    ++offers_alive;
  }
  offer(const offer&) = delete;
  offer& operator=(const offer&) = delete;
  ~offer() override {
    // An item that is given up before the receiver has taken it, because this PE has failed, stays:
    // the receiver may look at the item.
    if (!is_put_up_ || taken()) heap_->give_back(place_);
    --offers_alive;
  }

  [[nodiscard]] std::byte* data() const override { return block_ + item_head_bytes; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] bulk_ticket put_up() override {
    is_put_up_ = true;
    shmem_fence();  // the item is there before any notice of the item
    return {place_.chunk, place_.offset, bytes_};
  }
  // Pairs with the receiver's atomic set of the word, once the receiver has the item.
  [[nodiscard]] bool taken() const override {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(block_))
               .load(std::memory_order_acquire) != 0;
  }

 private:
  std::shared_ptr<symmetric_memory> heap_;
  symmetric_place place_;
  std::byte* block_;
  std::size_t bytes_;
  bool is_put_up_ = false;
};

class delivery final : public bulk_delivery {
 public:
  delivery(const symmetric_memory& heap, int from, const bulk_ticket& ticket) {
    try {
      data_ = static_cast<std::byte*>(::operator new(ticket.bytes + 1, alignment));
    } catch (const std::bad_alloc&) {
      throw system_error("there is no memory for an item of " + std::to_string(ticket.bytes) +
                         " bytes");
    }
    std::byte* block = heap.address({ticket.where, ticket.which});
    shmem_getmem(data_, block + item_head_bytes, ticket.bytes, from);
    shmem_ulong_atomic_set(as_word(block), 1, from);
  }
  delivery(const delivery&) = delete;
  delivery& operator=(const delivery&) = delete;
  ~delivery() override { ::operator delete(data_, alignment); }
  [[nodiscard]] const std::byte* data() const override { return data_; }

 private:
  std::byte* data_ = nullptr;
};

}  // namespace

std::unique_ptr<bulk_offer> make_offer(std::shared_ptr<symmetric_memory> heap, std::size_t bytes) {
  require_running();
  const auto place = heap->take(item_head_bytes + bytes);
  if (place) return std::make_unique<offer>(std::move(heap), *place, bytes);
  if (offers_alive != 0) return nullptr;
  throw system_error("the " + std::to_string(heap->total()) +
                     " bytes of symmetric memory that Boxcar holds have no room for an item of " +
                     std::to_string(bytes) +
                     " bytes: set BOXCAR_SYMMETRIC_BYTES to more, and OpenSHMEM's own "
                     "SHMEM_SYMMETRIC_SIZE, which is SMA_SYMMETRIC_SIZE for Open MPI 4, to more "
                     "than that");
}

std::unique_ptr<bulk_delivery> fetch_offer(const symmetric_memory& heap, int from,
                                           const bulk_ticket& ticket) {
  require_running();
  return std::make_unique<delivery>(heap, from, ticket);
}

}  // namespace boxcar::detail::shmem
