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

// Few pieces, each of which any provider has been seen to carry.
constexpr std::size_t max_piece_bytes = std::size_t{256} << 20;
// So many are asked for at once: there may be many where messages must be short.
constexpr std::size_t most_pieces_at_once = 8;
constexpr std::align_val_t alignment{64};

}  // namespace

// Memory for an item, and the operations that bring it here or from here.
class item_memory final : public operation_owner {
 public:
  item_memory(endpoint& at, std::size_t bytes)
      : at_(at),
        bytes_(bytes),
        piece_(std::min(max_piece_bytes, at.longest_message())),
        pieces_((bytes + piece_ - 1) / piece_),
        operations_(std::make_unique<operation[]>(pieces_)) {
    try {
      data_ = static_cast<std::byte*>(::operator new(std::max<std::size_t>(bytes, 1), alignment));
    } catch (const std::bad_alloc&) {
      throw shortage("there is no memory for an item of " + std::to_string(bytes) + " bytes");
    }
    for (std::size_t i = 0; i < pieces_; ++i) operations_[i].owner = this;
    try {
      memory_ = registered(at, data_, bytes);
    } catch (...) {
      ::operator delete(data_, alignment);
      throw;
    }
  }
  item_memory(const item_memory&) = delete;
  item_memory& operator=(const item_memory&) = delete;
  ~item_memory() {
    const auto lock = at_.keep_out();
    const std::span all(operations_.get(), pieces_);
    const bool receives = pieces_ != 0 && all.front().is_receive;
    if (receives ? at_.cancel(all) : at_.end_soon(all)) {
      memory_ = {};
      ::operator delete(data_, alignment);
      return;
    }
    // Given up half-way, because the world has failed: the provider may still use the memory.
    memory_.abandon();
    static_cast<void>(operations_.release());
  }

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t pieces() const { return pieces_; }

  // `transfer(operation, piece, memory)` starts the message of one piece.
  template <typename Transfer>
  void start(std::size_t first, std::size_t count, const Transfer& transfer) {
    for (std::size_t i = first; i < first + count; ++i) {
      const std::size_t begin = i * piece_;
      transfer(operations_[i], std::span(data_ + begin, std::min(piece_, bytes_ - begin)), memory_);
    }
  }
  // So many pieces have been sent, or have come.
  [[nodiscard]] std::size_t ended() const {
    if (!problem_.empty()) throw_refusal(problem_);
    return ended_;
  }

  void received(operation& /*op*/, std::size_t /*bytes*/, std::uint64_t /*tag*/) override {
    ++ended_;
  }
  void sent(operation& /*op*/) override { ++ended_; }
  void failed(operation& op, const std::string& reason) override {
    problem_ = std::string(op.is_receive ? "receiving" : "sending") + " an item of " +
               std::to_string(bytes_) + " bytes by " + at_.provider() + " failed: " + reason;
  }

 private:
  endpoint& at_;
  std::byte* data_ = nullptr;
  std::size_t bytes_;
  std::size_t piece_;
  std::size_t pieces_;
  std::unique_ptr<operation[]> operations_;
  registered memory_;
  std::size_t ended_ = 0;
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
  offer(std::shared_ptr<bulk_items> of, std::size_t bytes)
      : of_(std::move(of)), item_(*of_->at_, bytes), which_(of_->made_++) {
    const auto lock = of_->at_->keep_out();
    of_->offers_[which_] = this;
  }
  offer(const offer&) = delete;
  offer& operator=(const offer&) = delete;
  ~offer() override {
    const auto lock = of_->at_->keep_out();
    of_->offers_.erase(which_);
  }

  [[nodiscard]] std::byte* data() const override { return item_.data(); }
  [[nodiscard]] std::size_t bytes() const override { return item_.bytes(); }
  [[nodiscard]] bulk_ticket put_up() override { return {0, which_, item_.bytes()}; }
  [[nodiscard]] bool taken() const override {
    const auto lock = of_->at_->keep_out();
    of_->at_->poll();
    return item_.pieces() != 0 && item_.ended() == item_.pieces();
  }

  void send(int to, channel by, std::size_t first, std::size_t count) {
    item_.start(first, count,
                [&](operation& op, std::span<std::byte> piece, const registered& memory) {
                  of_->at_->send(op, to, piece, memory, tag_of(by, of_->at_->rank()));
                });
  }

 private:
  std::shared_ptr<bulk_items> of_;
  item_memory item_;
  std::uint64_t which_;
};

bulk_items::bulk_items(std::shared_ptr<endpoint> at)
    : at_(std::move(at)),
      asking_(std::make_unique<asking>()),
      memory_(*at_, reinterpret_cast<std::byte*>(asking_->requests.data()),
              sizeof asking_->requests) {
  const std::size_t booked = at_->book_receives(receives);
  for (std::size_t i = 0; i < booked; ++i) {
    asking_->operations[i].owner = this;
    asking_->operations[i].index = static_cast<std::uint32_t>(i);
    post(asking_->operations[i]);
  }
}

bulk_items::~bulk_items() {
  if (at_->cancel(asking_->operations)) return;
  static_cast<void>(asking_.release());
  memory_.abandon();
}

std::unique_ptr<bulk_offer> bulk_items::make_offer(const std::shared_ptr<bulk_items>& self,
                                                   std::size_t bytes) {
  try {
    return std::make_unique<offer>(self, bytes);
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
    const auto lock = at_->keep_out();
    at_->give_back_receives(std::exchange(booked, 0));
  };
  try {
    request ask{.which = ticket.which};
    {
      const auto lock = at_->keep_out();
      booked = at_->book_receives(std::min(item.pieces(), most_pieces_at_once));
      ask.answer_by = next_fetch_;
      constexpr channel last = (channel{1} << channel_bits) - 1;
      next_fetch_ = next_fetch_ == last ? first_of_items : next_fetch_ + 1;
    }
    for (; ask.first != item.pieces(); ask.first += ask.pieces) {
      ask.pieces =
          static_cast<std::uint32_t>(std::min<std::size_t>(item.pieces() - ask.first, booked));
      {
        const auto lock = at_->keep_out();
        item.start(ask.first, ask.pieces,
                   [&](operation& op, std::span<std::byte> piece, const registered& memory) {
                     const std::uint64_t tag = tag_of(ask.answer_by, from);
                     while (!at_->receive(op, piece, memory, tag, 0)) at_->poll_now();
                   });
        at_->send_small(from, std::as_bytes(std::span(&ask, 1)),
                        tag_of(fetch_channel, at_->rank()));
      }
      const auto have_come = [&] {
        const auto lock = at_->keep_out();
        at_->poll();
        return item.ended() == ask.first + ask.pieces;
      };
      while (!have_come()) wait();
    }
  } catch (...) {
    give_back();
    throw;
  }
  give_back();
  return made;
}

void bulk_items::received(operation& op, std::size_t /*bytes*/, std::uint64_t tag) {
  const request ask = asking_->requests[op.index];
  post(op);
  const auto found = offers_.find(ask.which);
  if (found == offers_.end()) return;
  found->second->send(rank_in(tag), ask.answer_by, ask.first, ask.pieces);
}

// Somebody waits for an item that was not asked for.
void bulk_items::failed(operation& /*op*/, const std::string& reason) {
  problem_ = "receiving a request for a large item by " + at_->provider() + " failed: " + reason;
}

void bulk_items::post(operation& op) {
  auto room = std::as_writable_bytes(std::span(&asking_->requests[op.index], 1));
  if (!at_->receive(op, room, memory_, tag_of(fetch_channel, 0), any_rank)) has_idle_ = true;
}

void bulk_items::poll() {
  if (!problem_.empty()) throw_refusal(problem_);
  if (!has_idle_) return;
  has_idle_ = false;
  for (operation& op : asking_->operations) {
    if (op.owner != nullptr && !op.under_way) post(op);
  }
}

}  // namespace boxcar::detail::ofi
