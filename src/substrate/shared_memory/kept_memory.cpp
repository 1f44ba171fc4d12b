#include "substrate/shared_memory/kept_memory.hpp"

#include <algorithm>
#include <utility>

namespace boxcar::detail {

class kept_memory::loan final : public shared_memory {
 public:
  loan(block b, std::weak_ptr<kept_memory> owner)
      : block_(std::move(b)), owner_(std::move(owner)) {}
  loan(const loan&) = delete;
  loan& operator=(const loan&) = delete;
  ~loan() override {
    if (const auto owner = owner_.lock()) owner->keep(std::move(block_));
  }
  [[nodiscard]] std::byte* data() const override { return block_.memory->data(); }
  [[nodiscard]] std::size_t bytes() const override { return block_.memory->bytes(); }

 private:
  block block_;
  std::weak_ptr<kept_memory> owner_;
};

std::unique_ptr<shared_memory> kept_memory::lend(std::unique_ptr<shared_memory> memory,
                                                 std::uint64_t number) {
  return std::make_unique<loan>(block{std::move(memory), number}, weak_from_this());
}

kept_memory::numbers kept_memory::of_size(std::size_t bytes) const {
  numbers found{};
  std::size_t n = 0;
  for (const block& b : blocks_) {
    if (b.memory->bytes() == bytes) found[n++] = b.number;
  }
  return found;
}

std::unique_ptr<shared_memory> kept_memory::take(std::uint64_t number) {
  const auto found = std::ranges::find(blocks_, number, &block::number);
  std::unique_ptr<shared_memory> memory = std::move(found->memory);
  bytes_ -= memory->bytes();
  blocks_.erase(found);
  return memory;
}

void kept_memory::keep(block b) {
  bytes_ += b.memory->bytes();
  blocks_.push_back(std::move(b));
  while (bytes_ > most_bytes_ || blocks_.size() > max_blocks) {
    bytes_ -= blocks_.front().memory->bytes();
    blocks_.erase(blocks_.begin());
  }
}

}  // namespace boxcar::detail
