#include "substrate/ofi/mailbox.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boxcar/detail/pe_table.hpp>
#include <boxcar/error.hpp>

#include "substrate/cluster/batch_limit.hpp"
#include "substrate/cluster/receive_ring.hpp"
#include "substrate/cluster/refusal.hpp"
#include "substrate/cluster/wire_message.hpp"
#include "substrate/ofi/message_buffers.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr std::size_t request_receives = 16;
constexpr std::size_t request_sends = 32;
constexpr std::size_t reply_sends = 16;
constexpr std::uint32_t requests_per_answer = 16;
constexpr std::uint32_t max_outstanding = 2 * requests_per_answer;

struct peer {
  std::uint32_t outstanding = 0;  // requests to the peer
  std::uint32_t taken = 0;        // requests from the peer not yet reported to the peer
};

// The buffers of an inbox or outbox, and the ends of their operations.
template <std::size_t N>
class message_slots : operation_owner {
 public:
  message_slots(substrate& world, endpoint& at, const rank_list& members, const char* doing)
      : at_(at),
        members_(members),
        doing_(doing),
        buffers_(at, *this, N, slot_bytes, own_memory(world, nullptr, N * slot_bytes, "messages")) {
  }
  message_slots(const message_slots&) = delete;
  message_slots& operator=(const message_slots&) = delete;
  ~message_slots() = default;

  void require_success() const {
    if (!problem_.empty()) throw_refusal(problem_);
  }
  // Returns false if the provider keeps some buffers.
  bool end() noexcept { return buffers_.end(); }

 protected:
  [[nodiscard]] wire_message& message(std::size_t i) const {
    return *reinterpret_cast<wire_message*>(buffers_.buffer(i));
  }
  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    has_come_[op.index] = true;
    const wire_message& l = message(op.index);
    if (is_valid(l, bytes, members_.size()) && members_[l.by.from] == rank_in(tag)) return;
    is_refused_[op.index] = true;
    problem_ = "a message of PE " + std::to_string(rank_in(tag)) + " of the job, of " +
               std::to_string(bytes) + " bytes, is not valid: it says that it is of PE " +
               std::to_string(l.by.from) + " of a world of " + std::to_string(members_.size()) +
               " PEs, has " + std::to_string(l.by.bytes) + " bytes and replies to " +
               std::to_string(l.by.place);
  }
  // A refused message keeps its place in the order, and `oldest` skips the message.
  void refused(operation& op) override {
    has_come_[op.index] = true;
    is_refused_[op.index] = true;
  }
  void sent(operation& /*op*/) override {}
  void failed(operation& /*op*/, const std::string& reason) override {
    problem_ = std::string(doing_) + " a message by " + at_.provider() + " failed: " + reason;
  }

  endpoint& at_;
  const rank_list& members_;  // of the world
  const char* doing_;
  message_buffers buffers_;
  std::array<bool, N> has_come_{};
  std::array<bool, N> is_refused_{};
  std::string problem_;

 private:
  static constexpr std::size_t slot_bytes = sizeof(wire_message) + seal_bytes;
};

// Receives from any source on one channel, in turn (receive_ring.hpp).
template <std::size_t N>
class inbox : public message_slots<N> {
 public:
  inbox(substrate& world, endpoint& at, const rank_list& members, channel number)
      : message_slots<N>(world, at, members, "receiving"), number_(number) {
    booked_ = at.book_receives(N);
    if (booked_ == N) return;
    at.give_back_receives(booked_);
    throw system_error(at.provider() +
                       " has no room left to receive messages of windows: keep "
                       "fewer conveyors and parts of worlds at a time");
  }
  bool end() noexcept {
    this->at_.give_back_receives(booked_);
    return message_slots<N>::end();
  }

  void post_taken() {
    while (ring_.num_posted() != N &&
           this->buffers_.receive(ring_.next(), tag_of(number_, 0), any_rank)) {
      ring_.note_posted();
    }
  }
  // Returns the oldest message that has arrived and is not taken; nullptr if there is none.
  const wire_message* oldest() {
    while (std::exchange(this->is_refused_[ring_.oldest()], false)) take();
    return this->has_come_[ring_.oldest()] ? &this->message(ring_.oldest()) : nullptr;
  }
  // The caller has read the oldest message.
  void take() {
    this->has_come_[ring_.oldest()] = false;
    ring_.take();
  }

 private:
  channel number_;
  std::size_t booked_ = 0;
  receive_ring<N> ring_;
};

template <std::size_t N>
class outbox : public message_slots<N> {
 public:
  outbox(substrate& world, endpoint& at, const rank_list& members)
      : message_slots<N>(world, at, members, "sending") {}

  // Returns a free buffer, the last one first, as its message is in the cache; N if none is free.
  std::size_t find_free() {
    for (std::size_t tried = 0; tried < N; ++tried) {
      if (!this->buffers_.is_under_way(last_)) return last_;
      last_ = (last_ + 1) % N;
    }
    return N;
  }
  void send(std::size_t free, int to, channel number, const message_header& by,
            std::span<const std::byte> head, std::span<const std::byte> body) {
    const std::size_t bytes = write(this->message(free), by, head, body).size();
    this->buffers_.send(free, to, bytes, tag_of(number, this->at_.rank()));
  }

 private:
  std::size_t last_ = 0;
};

class message_mailbox final : public mailbox, answer_listener {
 public:
  message_mailbox(substrate& world, const rank_list& members, std::shared_ptr<endpoint> at,
                  std::shared_ptr<answers> hears, channel_lease requests, channel_lease replies)
      : rank_(world.rank()),
        members_(members),
        at_(std::move(at)),
        hears_(std::move(hears)),
        requests_(std::move(requests)),
        replies_(std::move(replies)),
        peers_(at_->size()),
        requests_out_(world, *at_, members_),
        replies_out_(world, *at_, members_),
        requests_in_(world, *at_, members_, requests_.number),
        replies_in_(world, *at_, members_, replies_.number) {
    const auto lock = at_->acquire_lock();
    hears_->listen(requests_.number, *this);
    requests_in_.post_taken();
    replies_in_.post_taken();
  }
  message_mailbox(const message_mailbox&) = delete;
  message_mailbox& operator=(const message_mailbox&) = delete;

  ~message_mailbox() override {
    const auto lock = at_->acquire_lock();
    hears_->stop_listening(requests_.number);
    const bool requests_over = requests_in_.end();
    const bool replies_over = replies_in_.end();
    requests_out_.end();
    replies_out_.end();
    requests_.on_end(requests_over);
    replies_.on_end(replies_over);
  }

  bool send(int to, std::span<const std::byte> head, std::span<const std::byte> body,
            int place) override {
    if (!try_reserve(to)) return false;
    const auto lock = at_->acquire_lock();
    ++peer_of(to).outstanding;
    if (place != no_reply) ++awaited_;
    requests_out_.send(requests_out_.find_free(), members_[to], requests_.number,
                       to_tell(to, no_reply), head, body);
    return true;
  }

  [[nodiscard]] bool try_reserve(int to) override {
    const auto lock = at_->acquire_lock();
    const auto has = [&] {
      return peer_of(to).outstanding < max_outstanding &&
             requests_out_.find_free() != request_sends;
    };
    if (has()) return true;
    at_->poll();
    require_success();
    return has();
  }

  [[nodiscard]] bool can_reply() override {
    const auto lock = at_->acquire_lock();
    if (replies_out_.find_free() != reply_sends) return true;
    at_->poll();
    require_success();
    return replies_out_.find_free() != reply_sends;
  }

  void reply(int to, int place, std::span<const std::byte> message) override {
    const auto lock = at_->acquire_lock();
    replies_out_.send(replies_out_.find_free(), members_[to], replies_.number, to_tell(to, place),
                      message, {});
  }

  bool poll(mail_reader& reader) override {
    // Messages that are already here, as after another caller's poll, need no call of the provider.
    if (take_some(reader)) return true;
    get_on();
    return take_some(reader);
  }

 private:
  void get_on() {
    const auto lock = at_->acquire_lock();
    requests_in_.post_taken();
    replies_in_.post_taken();
    at_->look();
    require_success();
  }
  void require_success() const {
    if (!problem_.empty()) throw_refusal(problem_);
    requests_in_.require_success();
    replies_in_.require_success();
    requests_out_.require_success();
    replies_out_.require_success();
  }

  [[nodiscard]] peer& peer_of(int pe) { return peers_[static_cast<std::uint32_t>(members_[pe])]; }
  // Every message reports the requests taken since the last report; a PE to which no message goes
  // gets an answer.
  message_header to_tell(int pe, int place) {
    return {.from = rank_,
            .place = static_cast<std::int16_t>(place),
            .taken = std::exchange(peer_of(pe).taken, 0)};
  }
  void answered(int from) override { note_taken(from, requests_per_answer); }
  // The PE `rank` of the job has taken `taken` requests.
  void note_taken(int rank, std::uint32_t taken) {
    peer& p = peers_[static_cast<std::uint32_t>(rank)];
    if (taken > p.outstanding) {
      problem_ = "PE " + std::to_string(rank) + " of the job says that it has taken " +
                 std::to_string(taken) + " requests, of " + std::to_string(p.outstanding) +
                 " that were sent to it";
      return;
    }
    p.outstanding -= taken;
  }

  // (Only this thread takes messages, and a message stays in place until taken; so the thread reads
  // the message without the lock.)
  template <typename Box>
  const wire_message* oldest_in(Box& box) {
    const auto lock = at_->acquire_lock();
    return box.oldest();
  }
  bool take_some(mail_reader& reader) {
    return limit_.take([&] { return take_reply(reader) || take_request(reader); }) != 0;
  }
  bool take_reply(mail_reader& reader) {
    const wire_message* const l = awaited_ == 0 ? nullptr : oldest_in(replies_in_);
    if (l == nullptr) return false;
    --awaited_;
    reader.take_reply(l->by.from, l->by.place, text_of(*l));
    const auto lock = at_->acquire_lock();
    note_taken(members_[l->by.from], l->by.taken);
    replies_in_.take();
    return true;
  }
  bool take_request(mail_reader& reader) {
    const wire_message* const l = oldest_in(requests_in_);
    if (l == nullptr) return false;
    const int from = l->by.from;
    if (!reader.take_request(from, text_of(*l))) return false;
    const auto lock = at_->acquire_lock();
    note_taken(members_[from], l->by.taken);
    peer& p = peer_of(from);
    requests_in_.take();
    if (++p.taken == requests_per_answer) {
      p.taken = 0;
      hears_->send(members_[from], requests_.number);
    }
    return true;
  }

  int rank_;
  rank_list members_;
  std::shared_ptr<endpoint> at_;
  std::shared_ptr<answers> hears_;
  channel_lease requests_;
  channel_lease replies_;
  pe_table<peer> peers_;  // by rank in the job
  outbox<request_sends> requests_out_;
  outbox<reply_sends> replies_out_;
  inbox<request_receives> requests_in_;
  inbox<reply_places> replies_in_;
  int awaited_ = 0;  // outstanding replies
  std::string problem_;
  batch_limit limit_;
};

}  // namespace

std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears,
                                      channel_lease requests, channel_lease replies) {
  return std::make_unique<message_mailbox>(world, members, std::move(at), std::move(hears),
                                           std::move(requests), std::move(replies));
}

}  // namespace boxcar::detail::ofi
