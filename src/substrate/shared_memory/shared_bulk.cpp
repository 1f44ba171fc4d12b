#include "substrate/shared_memory/shared_bulk.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

namespace boxcar::detail {
namespace {

// Ahead of the item lies a word that is set once the receiver is done with it, in a line of its own
// so that the item is as aligned as a page would be.
constexpr std::size_t head_bytes = 64;

std::atomic_ref<std::uint32_t> taken_word(std::byte* memory) {
  return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(memory));
}

class shared_offer final : public bulk_offer {
 public:
  shared_offer(memory_source& memory, std::size_t bytes)
      : created_(memory.create(head_bytes + bytes)), bytes_(bytes) {}

  [[nodiscard]] std::byte* data() const override { return created_->data() + head_bytes; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] bulk_ticket put_up() override {
    const memory_handle handle = created_->handle();
    return {handle.where, handle.which, bytes_};
  }
  // Pairs with the store of the receiver: it reads nothing of the memory any more.
  [[nodiscard]] bool taken() const override {
    return taken_word(created_->data()).load(std::memory_order_acquire) != 0;
  }

 private:
  std::unique_ptr<created_memory> created_;
  std::size_t bytes_;
};

class shared_delivery final : public bulk_delivery {
 public:
  shared_delivery(std::unique_ptr<shared_memory> memory, std::function<void()> taken)
      : memory_(std::move(memory)), taken_(std::move(taken)) {}
  shared_delivery(const shared_delivery&) = delete;
  shared_delivery& operator=(const shared_delivery&) = delete;
  ~shared_delivery() override {
    // Sequentially consistent because of the wake-up that follows.
    taken_word(memory_->data()).store(1, std::memory_order_seq_cst);
    taken_();
  }
  [[nodiscard]] const std::byte* data() const override { return memory_->data() + head_bytes; }

 private:
  std::unique_ptr<shared_memory> memory_;
  std::function<void()> taken_;
};

}  // namespace

std::unique_ptr<bulk_offer> make_shared_offer(memory_source& memory, std::size_t bytes) {
  return std::make_unique<shared_offer>(memory, bytes);
}

std::unique_ptr<bulk_delivery> take_shared_offer(memory_source& memory, const bulk_ticket& ticket,
                                                 std::function<void()> taken) {
  auto shared = memory.attach({ticket.where, ticket.which}, head_bytes + ticket.bytes);
  return std::make_unique<shared_delivery>(std::move(shared), std::move(taken));
}

}  // namespace boxcar::detail
