#include "substrate/ring_mailbox.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#include <boxcar/detail/pe_table.hpp>

namespace boxcar::detail {
namespace {

constexpr std::size_t line = 64;
constexpr std::uint64_t ring_places = 32;
static_assert(message_bytes % line == 0);

// The layout of the block of a PE. The signal of a message stands in a line ahead of the message.
constexpr std::size_t taken_at = 0;    // how many places of the ring are taken
constexpr std::size_t read_at = line;  // how many taken places were read
constexpr std::size_t replies_at = 2 * line;
constexpr std::size_t place_bytes = line + message_bytes;
constexpr std::size_t ring_at = replies_at + reply_places * place_bytes;
constexpr std::size_t block_bytes = ring_at + ring_places * place_bytes;

// The signal of a request holds the sender, the length, and the round of the ring, so that nobody
// has to clear the signal of the round before. The signal of a reply is its length plus one.
constexpr int size_bits = 12;
constexpr int rank_bits = 32;
static_assert(message_bytes < (1 << size_bits));
constexpr std::uint64_t round_mask = (std::uint64_t{1} << (64 - size_bits - rank_bits)) - 1;

constexpr std::uint64_t round_of(std::uint64_t number) {
  return (number / ring_places + 1) & round_mask;
}
constexpr std::uint64_t signal_of(std::uint64_t number, std::size_t bytes, int from) {
  return round_of(number) << (size_bits + rank_bits) | std::uint64_t{bytes} << rank_bits |
         static_cast<std::uint32_t>(from);
}
constexpr std::size_t ring_place(std::uint64_t number) {
  return ring_at + number % ring_places * place_bytes;
}
constexpr std::size_t reply_place(int place) {
  return replies_at + static_cast<std::size_t>(place) * place_bytes;
}

class ring_mailbox final : public mailbox {
 public:
  ring_mailbox(substrate& world,
               const std::function<std::unique_ptr<remote_memory>(std::size_t)>& allocate)
      : rank_(world.rank()), memory_(allocate(block_bytes)), peers_(world.size()) {
    word(taken_at).store(0, std::memory_order_relaxed);
    word(read_at).store(0, std::memory_order_relaxed);
    for (int i = 0; i < reply_places; ++i) word(reply_place(i)).store(0, std::memory_order_relaxed);
    for (std::uint64_t i = 0; i < ring_places; ++i) {
      word(ring_place(i)).store(0, std::memory_order_relaxed);
    }
    world.barrier();
  }

  bool send(int to, std::span<const std::byte> head, std::span<const std::byte> body,
            int place) override {
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    if (!p.has_place) {
      p.place = static_cast<std::uint32_t>(memory_->fetch_add(to, taken_at, 1)) & number_mask;
      p.has_place = true;
    }
    if (!poll_read(to, p)) return false;
    p.has_place = false;
    const std::uint64_t number = p.place;
    if (place != no_reply) awaited_ |= 1U << place;
    std::memcpy(message_.data(), head.data(), head.size());
    if (!body.empty()) std::memcpy(message_.data() + head.size(), body.data(), body.size());
    const std::size_t bytes = head.size() + body.size();
    memory_->put_signal(to, ring_place(number) + line, {message_.data(), bytes}, ring_place(number),
                        signal_of(number, bytes, rank_));
    return true;
  }

  // Takes a slot of the ring only if the slot is free: a slot that is taken and not written blocks
  // all later slots, and the caller may compute before the next call. Finds no slot as long as
  // ring_places senders wait in `send`.
  [[nodiscard]] bool try_reserve(int to) override {
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    if (p.has_place) return poll_read(to, p);
    const std::uint64_t taken = memory_->load(to, taken_at);
    p.place = static_cast<std::uint32_t>(taken) & number_mask;
    p.has_place =
        poll_read(to, p) && memory_->compare_swap(to, taken_at, taken, taken + 1) == taken;
    return p.has_place;
  }

  [[nodiscard]] bool can_reply() override { return true; }

  void reply(int to, int place, std::span<const std::byte> message) override {
    memory_->put_signal(to, reply_place(place) + line, message, reply_place(place),
                        message.size() + 1);
  }

  bool poll(mail_reader& reader) override {
    memory_->progress();
    bool active = false;
    for (std::uint32_t left = awaited_; left != 0; left &= left - 1) {
      const int place = std::countr_zero(left);
      // Pairs with put_signal in `reply`.
      const std::uint64_t signal = word(reply_place(place)).load(std::memory_order_acquire);
      if (signal == 0) continue;
      word(reply_place(place)).store(0, std::memory_order_relaxed);
      awaited_ &= ~(1U << place);
      reader.take_reply(unknown_sender, place, {mine(reply_place(place) + line), signal - 1});
      active = true;
    }
    // The loop ends after one round of the ring: the caller of `poll` has other work, too.
    for (std::uint64_t taken = 0; taken < ring_places; ++taken) {
      // Pairs with put_signal in `send`: if the signal is visible, so is the message.
      const std::uint64_t signal = word(ring_place(read_)).load(std::memory_order_acquire);
      if (signal >> (size_bits + rank_bits) != round_of(read_)) return active;
      const auto from = static_cast<int>(static_cast<std::uint32_t>(signal));
      const std::size_t bytes = signal >> rank_bits & ((1U << size_bits) - 1);
      if (!reader.take_request(from, {mine(ring_place(read_) + line), bytes})) return active;
      // Pairs with the load in `poll_read`: the place may be written to again.
      word(read_at).store(++read_, std::memory_order_release);
      active = true;
    }
    return active;
  }

 private:
  struct peer;
  // Polls whether the receiver has read the message before from the slot of the next request.
  [[nodiscard]] bool poll_read(int to, peer& p) {
    if (p.is_free()) return true;
    // Pairs with the store in `poll`.
    p.read = static_cast<std::uint32_t>(memory_->load(to, read_at)) & number_mask;
    return p.is_free();
  }
  [[nodiscard]] std::byte* mine(std::size_t at) { return memory_->mine() + at; }
  std::atomic_ref<std::uint64_t> word(std::size_t at) {
    return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(mine(at)));
  }

  // The state of requests to a peer. The numbers wrap around, long after the rounds of the ring do.
  struct peer {
    [[nodiscard]] bool is_free() const { return ((place - read) & number_mask) < ring_places; }

    std::uint32_t read = 0;  // how many the peer had read at the last load
    std::uint32_t place : 31 = 0;
    std::uint32_t has_place : 1 = false;  // for the next request
  };
  static constexpr std::uint32_t number_mask = (std::uint32_t{1} << 31) - 1;
  static_assert(round_mask <= number_mask / ring_places);

  int rank_;
  std::unique_ptr<remote_memory> memory_;
  pe_table<peer> peers_;
  std::uint64_t read_ = 0;
  std::uint32_t awaited_ = 0;  // the places of outstanding replies
  std::array<std::byte, message_bytes> message_{};
};
static_assert(reply_places <= 32);

}  // namespace

std::unique_ptr<mailbox> make_ring_mailbox(
    substrate& world,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate) {
  return std::make_unique<ring_mailbox>(world, allocate);
}

}  // namespace boxcar::detail
