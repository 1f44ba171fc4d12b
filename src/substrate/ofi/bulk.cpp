#include "substrate/ofi/bulk.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "substrate/cluster/refusal.hpp"
#include "substrate/memory_errors.hpp"

namespace boxcar::detail::ofi {
namespace {

// Large pieces keep their number small; all providers tried so far transfer messages of
// max_piece_bytes.
constexpr std::size_t max_piece_bytes = std::size_t{256} << 20;
// A request names at most max_pieces_at_once pieces: if messages must be short, items may have
// many pieces.
constexpr std::size_t max_pieces_at_once = 8;
constexpr std::size_t fetch_receives = 16;  // of requests
constexpr std::align_val_t alignment{64};

}  // namespace

// The memory of an item, and the operations by which the item is sent or received. In transit a
// seal follows each piece; before and after the transfer the pieces are contiguous.
class item_memory final : public operation_owner {
 public:
  item_memory(endpoint& at, std::size_t bytes)
      : at_(at),
        bytes_(bytes),
        piece_(std::min(max_piece_bytes, at.max_message() - seal_bytes)),
        pieces_((bytes + piece_ - 1) / piece_),
        operations_(std::make_unique<operation[]>(pieces_)) {
    try {
      data_ = static_cast<std::byte*>(::operator new(std::max<std::size_t>(room(), 1), alignment));
    } catch (const std::bad_alloc&) {
      throw shortage("there is no memory for an item of " + std::to_string(bytes) + " bytes");
    }
    for (std::size_t i = 0; i < pieces_; ++i) {
      operations_[i].owner = this;
      operations_[i].index = static_cast<std::uint32_t>(i);
    }
    try {
      memory_ = registered(at, data_, room());
    } catch (...) {
      ::operator delete(data_, alignment);
      throw;
    }
  }
  item_memory(const item_memory&) = delete;
  item_memory& operator=(const item_memory&) = delete;
  ~item_memory() {
    const auto lock = at_.acquire_lock();
    const std::span all(operations_.get(), pieces_);
    const bool receives = pieces_ != 0 && all.front().is_receive;
    if (receives ? at_.cancel(all) : at_.end_soon(all)) {
      memory_ = {};
      ::operator delete(data_, alignment);
      return;
    }
    // The world has failed during the transfer, and the provider may still use the memory.
    memory_.abandon();
    static_cast<void>(operations_.release());
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t pieces() const { return pieces_; }

  // Precondition: the item is complete. Leaves room for a seal behind each piece, for the transfer.
  void make_room_for_seals() {
    for (std::size_t i = pieces_; i-- > 1;) {
      std::memmove(piece_at(i).data(), data_ + i * piece_, piece_at(i).size());
    }
  }
  // Precondition: the item has arrived. Makes the pieces contiguous again.
  void close_up() {
    for (std::size_t i = 1; i < pieces_; ++i) {
      std::memmove(data_ + i * piece_, piece_at(i).data(), piece_at(i).size());
    }
  }

  // `transfer(operation, piece, memory)` starts the message of one piece; behind the piece is room
  // for a seal.
  template <typename Transfer>
  void start(std::size_t first, std::size_t count, const Transfer& transfer) {
    for (std::size_t i = first; i < first + count; ++i) {
      transfer(operations_[i], piece_at(i), memory_);
    }
  }
  // Restarts the receives of pieces for which a message with a wrong seal has come.
  template <typename Transfer>
  void start_again(const Transfer& transfer) {
    for (const std::size_t i : std::exchange(refused_, {})) start(i, 1, transfer);
  }
  // Returns the number of pieces sent or received so far.
  [[nodiscard]] std::size_t ended() const {
    if (!problem_.empty()) throw_refusal(problem_);
    return ended_;
  }

  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    if (bytes != piece_at(op.index).size()) {
      return failed(op, "PE " + std::to_string(rank_in(tag)) + " of the job has sent " +
                            std::to_string(bytes) + " bytes in the place of a piece of " +
                            std::to_string(piece_at(op.index).size()));
    }
    ++ended_;
  }
  void refused(operation& op) override { refused_.push_back(op.index); }
  void sent(operation& /*op*/) override { ++ended_; }
  void failed(operation& op, const std::string& reason) override {
    problem_ = std::string(op.is_receive ? "receiving" : "sending") + " an item of " +
               std::to_string(bytes_) + " bytes by " + at_.provider() + " failed: " + reason;
  }

 private:
  [[nodiscard]] std::size_t room() const { return bytes_ + pieces_ * seal_bytes; }
  // Returns where piece `i` travels.
  [[nodiscard]] std::span<std::byte> piece_at(std::size_t i) const {
    return {data_ + i * (piece_ + seal_bytes), std::min(piece_, bytes_ - i * piece_)};
  }

  endpoint& at_;
  std::byte* data_ = nullptr;
  std::size_t bytes_;
  std::size_t piece_;
  std::size_t pieces_;
  std::unique_ptr<operation[]> operations_;
  registered memory_;
  std::size_t ended_ = 0;
  std::vector<std::size_t> refused_;
  std::string problem_;
};

class delivery final : public bulk_delivery {
 public:
  delivery(std::shared_ptr<endpoint> at, std::size_t bytes)
      : at_(std::move(at)), item_(*at_, bytes) {}
  [[nodiscard]] const std::byte* data() const override { return item_.data(); }
  [[nodiscard]] item_memory& item() { return item_; }

 private:
  std::shared_ptr<endpoint> at_;
  item_memory item_;
};

class offer final : public bulk_offer {
 public:
  offer(std::shared_ptr<bulk_items> of, int to, std::size_t bytes)
      : of_(std::move(of)), to_(to), item_(*of_->at_, bytes), which_(of_->made_++) {
    const auto lock = of_->at_->acquire_lock();
    of_->offers_[which_] = this;
  }
  offer(const offer&) = delete;
  offer& operator=(const offer&) = delete;
  ~offer() override {
    const auto lock = of_->at_->acquire_lock();
    of_->offers_.erase(which_);
  }

  [[nodiscard]] std::byte* data() const override { return item_.data(); }
  [[nodiscard]] std::size_t bytes() const override { return item_.bytes(); }
  [[nodiscard]] bulk_ticket put_up() override {
    item_.make_room_for_seals();
    is_complete_ = true;
    return {0, which_, item_.bytes()};
  }
  [[nodiscard]] bool taken() const override {
    const auto lock = of_->at_->acquire_lock();
    of_->at_->poll();
    return item_.pieces() != 0 && item_.ended() == item_.pieces();
  }

  // Returns whether the PE `from` may send the request `r` now.
  [[nodiscard]] bool is_due(int from, const item_request& r) const {
    return is_complete_ && from == to_ && names_next_pieces(r, item_.pieces(), sent_);
  }
  void send(const item_request& r) {
    sent_ += r.pieces;
    item_.start(r.first, r.pieces,
                [&](operation& op, std::span<std::byte> piece, const registered& memory) {
                  of_->at_->send(op, to_, piece, memory, tag_of(r.answer_by, of_->at_->rank()));
                });
  }

 private:
  std::shared_ptr<bulk_items> of_;
  int to_;
  bool is_complete_ = false;
  std::size_t sent_ = 0;  // pieces
  item_memory item_;
  std::uint64_t which_;
};

bulk_items::bulk_items(std::shared_ptr<endpoint> at)
    : at_(std::move(at)),
      receives_(*at_, *this, fetch_receives, sizeof(item_request) + seal_bytes,
                {tag_of(fetch_channel, 0), any_rank}) {
  receives_.post();
}

std::unique_ptr<bulk_offer> bulk_items::make_offer(const std::shared_ptr<bulk_items>& self, int to,
                                                   std::size_t bytes) {
  try {
    return std::make_unique<offer>(self, to, bytes);
  } catch (const shortage&) {
    if (!offers_.empty()) return nullptr;
    throw;
  }
}

std::unique_ptr<bulk_delivery> bulk_items::fetch(int from, const bulk_ticket& ticket,
                                                 const std::function<void()>& wait) {
  auto made = std::make_unique<delivery>(at_, ticket.bytes);
  item_memory& item = made->item();
  if (item.pieces() == 0) return made;
  std::size_t booked = 0;
  const auto give_back = [&] {
    const auto lock = at_->acquire_lock();
    at_->give_back_receives(std::exchange(booked, 0));
  };
  try {
    item_request ask{.which = ticket.which};
    {
      const auto lock = at_->acquire_lock();
      booked = at_->book_receives(std::min(item.pieces(), max_pieces_at_once));
      ask.answer_by = next_fetch_;
      constexpr channel last = (channel{1} << channel_bits) - 1;
      next_fetch_ = next_fetch_ == last ? first_of_items : next_fetch_ + 1;
    }
    for (; ask.first != item.pieces(); ask.first += ask.pieces) {
      ask.pieces =
          static_cast<std::uint32_t>(std::min<std::size_t>(item.pieces() - ask.first, booked));
      const auto receive = [&](operation& op, std::span<std::byte> piece,
                               const registered& memory) {
        const std::span sealed(piece.data(), piece.size() + seal_bytes);
        const std::uint64_t tag = tag_of(ask.answer_by, from);
        while (!at_->receive(op, sealed, memory, tag, 0)) at_->poll_now();
      };
      {
        const auto lock = at_->acquire_lock();
        item.start(ask.first, ask.pieces, receive);
        at_->send_small(from, std::as_bytes(std::span(&ask, 1)),
                        tag_of(fetch_channel, at_->rank()));
      }
      const auto have_come = [&] {
        const auto lock = at_->acquire_lock();
        at_->poll();
        item.start_again(receive);
        return item.ended() == ask.first + ask.pieces;
      };
      while (!have_come()) wait();
    }
    item.close_up();
  } catch (...) {
    give_back();
    throw;
  }
  give_back();
  return made;
}

void bulk_items::received(operation& op, std::size_t bytes, std::uint64_t tag) {
  const std::optional<item_request> ask = item_request_in({receives_.buffer(op.index), bytes});
  const std::string who = "PE " + std::to_string(rank_in(tag)) + " of the job has asked for ";
  receives_.post_again(op);
  if (!ask) {
    problem_ =
        who + "a large item by a message of " + std::to_string(bytes) + " bytes that is no request";
    return;
  }
  // A missing item belonged to a failed session.
  const auto found = offers_.find(ask->which);
  if (found == offers_.end()) return;
  if (!found->second->is_due(rank_in(tag), *ask)) {
    problem_ = who + std::to_string(ask->pieces) + " pieces, from piece " +
               std::to_string(ask->first) + " on, of a large item of " +
               std::to_string(found->second->bytes()) + " bytes, which it may not have now";
    return;
  }
  found->second->send(*ask);
}

// A PE waits for the item of the lost request.
void bulk_items::failed(operation& /*op*/, const std::string& reason) {
  problem_ = "receiving a request for a large item by " + at_->provider() + " failed: " + reason;
}

void bulk_items::poll() {
  if (!problem_.empty()) throw_refusal(problem_);
  receives_.post();
}

}  // namespace boxcar::detail::ofi
