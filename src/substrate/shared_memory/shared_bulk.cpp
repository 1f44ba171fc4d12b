#include "substrate/shared_memory/shared_bulk.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "substrate/memory_errors.hpp"
#include "substrate/parts_in_use.hpp"

namespace boxcar::detail {
namespace {

// The receiver sets a word ahead of each item when the receiver is done with the item, and the
// owner sets a word ahead of each chunk when the owner drops the chunk. The words have lines of
// their own, so that items are aligned to lines.
constexpr std::size_t head_bytes = 64;
constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
// Several items fit in a chunk, or there would be little to gain.
constexpr std::size_t largest_part = chunk_bytes / 4;
// The number of unused chunks kept for later items in a session.
constexpr int most_unused = 4;
constexpr std::size_t most_visited = 16;

// Parts begin at lines: one half of ticket.which is the line, the other half identifies the chunk.
constexpr std::size_t part_bytes(std::size_t item_bytes) {
  return (head_bytes + item_bytes + head_bytes - 1) / head_bytes * head_bytes;
}
// Returns the bytes behind the head of the chunk of an item. Sender and receiver compute the same
// value.
constexpr std::size_t room_for(std::size_t item_bytes) {
  return part_bytes(item_bytes) > largest_part ? part_bytes(item_bytes) : chunk_bytes;
}

std::atomic_ref<std::uint32_t> word_at(std::byte* memory) {
  return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(memory));
}

class delivery final : public bulk_delivery {
 public:
  delivery(std::shared_ptr<shared_memory> memory, std::size_t at, std::function<void()> taken)
      : memory_(std::move(memory)), part_(memory_->data() + at), taken_(std::move(taken)) {}
  delivery(const delivery&) = delete;
  delivery& operator=(const delivery&) = delete;
  ~delivery() override {
    // Pairs with the load in `taken` of the sender: the receiver reads nothing of the item any
    // more. Sequentially consistent because of the following wake-up.
    word_at(part_).store(1, std::memory_order_seq_cst);
    taken_();
  }
  [[nodiscard]] const std::byte* data() const override { return part_ + head_bytes; }

 private:
  std::shared_ptr<shared_memory> memory_;
  std::byte* part_;
  std::function<void()> taken_;
};

}  // namespace

class bulk_room::chunk {
 public:
  chunk(memory_source& memory, std::size_t room)
      : memory_(memory.create(head_bytes + room)), parts_(room) {}
  chunk(const chunk&) = delete;
  chunk& operator=(const chunk&) = delete;
  // Pairs with the load in `visit`, which reads nothing else: other PEs drop their mappings.
  ~chunk() { word_at(memory_->data()).store(1, std::memory_order_relaxed); }

  [[nodiscard]] memory_handle handle() const { return memory_->handle(); }
  [[nodiscard]] bool is_unused() const { return parts_.none(); }
  [[nodiscard]] bool is_for_many() const { return parts_.bytes() == chunk_bytes; }
  // Places are offsets from the start of the memory.
  [[nodiscard]] std::byte* at(std::size_t place) const { return memory_->data() + place; }
  std::optional<std::size_t> take(std::size_t bytes) {
    const auto begin = parts_.take(bytes);
    return begin ? std::optional(head_bytes + *begin) : std::nullopt;
  }
  void give_back(std::size_t place) noexcept { parts_.give_back(place - head_bytes); }

 private:
  std::unique_ptr<created_memory> memory_;
  parts_in_use parts_;
};

class bulk_room::offer_in_chunk final : public bulk_offer {
 public:
  offer_in_chunk(std::weak_ptr<bulk_room> room, std::shared_ptr<chunk> c, std::size_t place,
                 std::size_t bytes)
      : room_(std::move(room)), chunk_(std::move(c)), place_(place), bytes_(bytes) {
    // The ticket is sent later, and the receiver of the ticket sees the store.
    word_at(part()).store(0, std::memory_order_relaxed);
  }
  offer_in_chunk(const offer_in_chunk&) = delete;
  offer_in_chunk& operator=(const offer_in_chunk&) = delete;
  ~offer_in_chunk() override {
    // A part given up before the receiver was done, because this PE has failed, stays: the receiver
    // may be reading it.
    if (!is_put_up_ || taken()) chunk_->give_back(place_);
    chunk_ = nullptr;
    if (const auto room = room_.lock()) {
      --room->offered_;
      room->drop_unused_chunks(most_unused);
    }
  }

  [[nodiscard]] std::byte* data() const override { return part() + head_bytes; }
  [[nodiscard]] std::size_t bytes() const override { return bytes_; }
  [[nodiscard]] bulk_ticket put_up() override {
    is_put_up_ = true;
    const memory_handle handle = chunk_->handle();
    return {handle.where, handle.which | std::uint64_t{place_ / head_bytes} << 32, bytes_};
  }
  // Pairs with the store of the receiver, which reads nothing of the memory any more.
  [[nodiscard]] bool taken() const override {
    return word_at(part()).load(std::memory_order_acquire) != 0;
  }

 private:
  [[nodiscard]] std::byte* part() const { return chunk_->at(place_); }

  std::weak_ptr<bulk_room> room_;
  std::shared_ptr<chunk> chunk_;
  std::size_t place_;
  std::size_t bytes_;
  bool is_put_up_ = false;
};

bulk_room::~bulk_room() = default;

std::unique_ptr<bulk_offer> bulk_room::offer(std::size_t bytes) {
  const std::size_t needed = part_bytes(bytes);
  std::shared_ptr<chunk> found;
  std::optional<std::size_t> place;
  for (const auto& c : chunks_) {
    if (!c->is_for_many() || needed > largest_part) continue;
    place = c->take(needed);
    if (!place) continue;
    found = c;
    break;
  }
  if (!place) {
    try {
      found = std::make_shared<chunk>(memory_, room_for(bytes));
    } catch (const shortage&) {
      if (offered_ != 0) return nullptr;
      throw;
    }
    place = found->take(needed);
    chunks_.push_back(found);
  }
  auto made = std::make_unique<offer_in_chunk>(weak_from_this(), std::move(found), *place, bytes);
  ++offered_;
  return made;
}

void bulk_room::drop_unused_chunks(int most) noexcept {
  int unused = 0;
  std::erase_if(chunks_, [&](const std::shared_ptr<chunk>& c) {
    return c->is_unused() && (!c->is_for_many() || ++unused > most);
  });
}

void bulk_room::release() noexcept {
  drop_unused_chunks(0);
  visited_ = {};
}

std::unique_ptr<bulk_delivery> bulk_room::fetch(const bulk_ticket& ticket,
                                                std::function<void()> taken) {
  const memory_handle handle{ticket.where, static_cast<std::uint32_t>(ticket.which)};
  const std::size_t place = (ticket.which >> 32) * head_bytes;
  auto memory = visit(handle, head_bytes + room_for(ticket.bytes));
  return std::make_unique<delivery>(std::move(memory), place, std::move(taken));
}

std::shared_ptr<shared_memory> bulk_room::visit(memory_handle handle, std::size_t bytes) {
  const auto known = std::ranges::find_if(visited_, [&](const visited& v) {
    return v.handle.where == handle.where && v.handle.which == handle.which;
  });
  if (known != visited_.end()) {
    std::rotate(known, known + 1, visited_.end());
    return visited_.back().memory;
  }
  std::shared_ptr<shared_memory> memory = memory_.attach(handle, bytes);
  if (bytes != head_bytes + chunk_bytes) return memory;
  std::erase_if(visited_, [](const visited& v) {
    return word_at(v.memory->data()).load(std::memory_order_relaxed) != 0;
  });
  if (visited_.size() == most_visited) visited_.erase(visited_.begin());
  visited_.push_back({handle, memory});
  return memory;
}

}  // namespace boxcar::detail
