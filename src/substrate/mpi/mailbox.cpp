#include "substrate/mpi/mailbox.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boxcar/detail/pe_table.hpp>

#include "substrate/cluster/batch_limit.hpp"
#include "substrate/cluster/pace.hpp"
#include "substrate/cluster/receive_ring.hpp"
#include "substrate/cluster/wire_message.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/finalize_hook.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar::detail::mpi {
namespace {

// (With twice as many receives a message takes a tenth longer: all receives are used in turn, and
// the cache would have to hold them.)
constexpr std::size_t request_receives = 8;
constexpr std::size_t request_sends = 32;
constexpr std::size_t reply_sends = 16;
// Limits the requests to a PE whose arrival is not known. The last request of the first half is a
// synchronous send, whose end makes the arrival known. A synchronous send takes a message of MPI's
// own, but is seldom needed where the PE sends messages back in time.
constexpr int max_outstanding = 32;

// A count of requests. The count wraps around, long after `max_outstanding`.
using count_of_requests = std::uint16_t;

struct peer {
  count_of_requests sent = 0;     // requests to the peer
  count_of_requests arrived = 0;  // of `sent`, as far as known
  count_of_requests taken = 0;    // requests from the peer
  std::int16_t synchronous = -1;  // a synchronous send that may not have ended, or -1

  [[nodiscard]] int outstanding() const { return static_cast<count_of_requests>(sent - arrived); }
  void note_arrived(count_of_requests now) {
    const bool is_newer = static_cast<count_of_requests>(now - arrived) <= outstanding();
    if (is_newer) arrived = now;
  }
};

// Receives from any source with one tag, in turn (receive_ring.hpp). A matched message has arrived
// as a whole: so only the oldest receive is tested. Receives are persistent: a restart takes less
// time than a new receive.
template <std::size_t N>
class inbox {
 public:
  inbox(MPI_Comm communicator, int tag) : communicator_(communicator), tag_(tag) {
    requests_.fill(MPI_REQUEST_NULL);
  }

  // Posts one of the taken receives.
  void post_one() {
    post(ring_.next());
    ring_.note_posted();
  }
  void post_taken() {
    while (ring_.num_posted() != N) post_one();
  }

  [[nodiscard]] bool is_posted() const { return ring_.num_posted() != 0; }

  // Returns the oldest message that has arrived and is not taken; nullptr if there is none.
  const wire_message* oldest() {
    if (!has_arrived_) {
      if (!is_posted()) post_taken();
      has_arrived_ = has_ended(requests_[ring_.oldest()]);
    }
    return has_arrived_ ? &messages_[ring_.oldest()] : nullptr;
  }
  // The caller has read the oldest message.
  void take() {
    has_arrived_ = false;
    ring_.take();
  }

  // Ends the inbox. Returns false if MPI keeps some receives, and with them the messages.
  bool give_up_all() noexcept {
    std::array<MPI_Request, N> posted;
    posted.fill(MPI_REQUEST_NULL);
    for (std::size_t i = has_arrived_ ? 1 : 0; i < ring_.num_posted(); ++i) {
      std::swap(posted[i], requests_[ring_.posted(i)]);
    }
    const bool is_over = give_up(posted);
    if (is_over) let_go(posted);
    let_go(requests_);
    return is_over;
  }

 private:
  void post(std::size_t i) {
    if (requests_[i] == MPI_REQUEST_NULL) {
      check(MPI_Recv_init(&messages_[i], sizeof(wire_message), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                          communicator_, &requests_[i]),
            "MPI_Recv_init");
    }
    check(MPI_Start(&requests_[i]), "MPI_Start");
  }

  MPI_Comm communicator_;
  int tag_;
  std::array<MPI_Request, N> requests_;
  std::array<wire_message, N> messages_;
  receive_ring<N> ring_;
  bool has_arrived_ = false;
};

class message_mailbox final : public mailbox {
 public:
  message_mailbox(substrate& world, const rank_list& members, MPI_Comm communicator,
                  int request_tag, int reply_tag, std::function<void(bool)> on_end)
      : rank_(world.rank()),
        members_(members),
        communicator_(communicator),
        request_tag_(request_tag),
        reply_tag_(reply_tag),
        on_end_(std::move(on_end)),
        peers_(world.size()),
        requests_out_(std::make_unique<outbox<request_sends>>()),
        replies_out_(std::make_unique<outbox<reply_sends>>()),
        requests_in_(std::make_unique<inbox<request_receives>>(communicator, request_tag)),
        replies_in_(std::make_unique<inbox<reply_places>>(communicator, reply_tag)),
        asking_(world.has_core()) {
    try {
      requests_in_->post_taken();
    } catch (...) {
      on_end_(end_receives());
      throw;
    }
  }
  message_mailbox(const message_mailbox&) = delete;
  message_mailbox& operator=(const message_mailbox&) = delete;

  ~message_mailbox() override { on_end_(is_running() ? end_requests() : true); }

  bool send(int to, std::span<const std::byte> head, std::span<const std::byte> body,
            int place) override {
    require_running();
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    const std::size_t free = find_room(p);
    if (free == request_sends) return false;
    ++p.sent;
    const bool is_synchronous = p.outstanding() >= max_outstanding / 2 && p.synchronous < 0;
    if (is_synchronous) {
      p.synchronous = static_cast<std::int16_t>(free);
      requests_out_->synchronous[free] = {to, p.sent};
    }
    // (A receive for a reply is posted only while a reply is outstanding: MPI would look at all
    // posted receives whenever a request arrives.)
    if (place != no_reply) replies_in_->post_one();
    begin(*requests_out_, free, is_synchronous ? MPI_Issend : MPI_Isend, request_tag_, to,
          {.from = rank_, .place = no_reply, .taken = p.taken}, head, body);
    return true;
  }

  [[nodiscard]] bool try_reserve(int to) override {
    require_running();
    return find_room(peers_[static_cast<std::uint32_t>(to)]) != request_sends;
  }

  [[nodiscard]] bool can_reply() override { return replies_out_->find_free() != reply_sends; }

  void reply(int to, int place, std::span<const std::byte> message) override {
    const peer& p = peers_[static_cast<std::uint32_t>(to)];
    begin(*replies_out_, replies_out_->find_free(), MPI_Isend, reply_tag_, to,
          {.from = rank_, .place = static_cast<std::int16_t>(place), .taken = p.taken}, message,
          {});
  }

  bool poll(mail_reader& reader) override {
    require_running();
    requests_in_->post_taken();
    if (!asking_.is_due()) return false;
    const int taken = limit_.take([&] { return take_reply(reader) || take_request(reader); });
    taken == 0 ? asking_.nothing_ended() : asking_.something_ended();
    return taken != 0;
  }

 private:
  template <std::size_t N>
  struct outbox {
    outbox() { requests.fill(MPI_REQUEST_NULL); }
    // Returns a slot whose send has ended, the last slot first, as its message is in the cache; N
    // if no send has ended.
    std::size_t find_free() { return requests[last] == MPI_REQUEST_NULL ? last : look_for_free(); }
    [[gnu::noinline]] std::size_t look_for_free() {
      for (std::size_t tried = 0; tried < N; ++tried) {
        if (has_ended(requests[last])) return last;
        last = (last + 1) % N;
      }
      return N;
    }
    // The target of a synchronous send, or -1, and the number of requests to the target up to the
    // send.
    struct limit {
      int to = -1;
      count_of_requests number = 0;
    };
    std::array<MPI_Request, N> requests;
    std::array<limit, N> synchronous{};
    std::array<wire_message, N> messages;
    std::size_t last = 0;
  };

  // Returns a slot for the next request to the peer; request_sends if there is none yet.
  [[nodiscard]] std::size_t find_room(const peer& p) {
    if (p.outstanding() >= max_outstanding - 1 && p.synchronous >= 0) {
      const auto last = static_cast<std::size_t>(p.synchronous);
      if (!has_ended(requests_out_->requests[last])) return request_sends;
      note_end(last);
    }
    const std::size_t free = requests_out_->find_free();
    if (free != request_sends && requests_out_->synchronous[free].to >= 0) note_end(free);
    return free;
  }
  // Records the end of a synchronous send.
  [[gnu::noinline]] void note_end(std::size_t of) {
    const auto [to, number] = std::exchange(requests_out_->synchronous[of], {});
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    p.synchronous = -1;
    p.note_arrived(number);
  }

  template <std::size_t N>
  void begin(outbox<N>& from, std::size_t free, decltype(&MPI_Isend) begin_send, int tag, int to,
             const message_header& by, std::span<const std::byte> head,
             std::span<const std::byte> body) {
    const auto bytes = write(from.messages[free], by, head, body);
    MPI_Request& request = from.requests[free];
    check(begin_send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, members_[to], tag,
                     communicator_, &request),
          "sending a message");
    // Most sends have ended already: then the next send needs no test first.
    static_cast<void>(has_ended(request));
  }

  bool take_reply(mail_reader& reader) {
    const wire_message* const l = replies_in_->is_posted() ? replies_in_->oldest() : nullptr;
    if (l == nullptr) return false;
    peers_[static_cast<std::uint32_t>(l->by.from)].note_arrived(
        static_cast<count_of_requests>(l->by.taken));
    reader.take_reply(l->by.from, l->by.place, text_of(*l));
    replies_in_->take();
    return true;
  }
  bool take_request(mail_reader& reader) {
    const wire_message* const l = requests_in_->oldest();
    if (l == nullptr || !reader.take_request(l->by.from, text_of(*l))) return false;
    peer& p = peers_[static_cast<std::uint32_t>(l->by.from)];
    p.note_arrived(static_cast<count_of_requests>(l->by.taken));
    ++p.taken;
    requests_in_->take();
    return true;
  }

  // Ends the mailbox. Returns false if MPI keeps some receives. The memory of requests that MPI
  // keeps is never freed.
  bool end_requests() noexcept {
    const bool is_over = end_receives();
    if (!end_soon(requests_out_->requests)) static_cast<void>(requests_out_.release());
    if (!end_soon(replies_out_->requests)) static_cast<void>(replies_out_.release());
    return is_over;
  }

  // Ends the inboxes. Returns false if MPI keeps some receives, and with them the messages.
  bool end_receives() {
    const bool requests = requests_in_->give_up_all();
    const bool replies = replies_in_->give_up_all();
    if (!requests) static_cast<void>(requests_in_.release());
    if (!replies) static_cast<void>(replies_in_.release());
    return requests && replies;
  }

  int rank_;
  rank_list members_;
  MPI_Comm communicator_;
  int request_tag_;
  int reply_tag_;
  std::function<void(bool)> on_end_;
  pe_table<peer> peers_;
  std::unique_ptr<outbox<request_sends>> requests_out_;
  std::unique_ptr<outbox<reply_sends>> replies_out_;
  std::unique_ptr<inbox<request_receives>> requests_in_;
  std::unique_ptr<inbox<reply_places>> replies_in_;
  batch_limit limit_;
  pace asking_;
  finalize_hook at_finalize_{[this] { end_requests(); }};
};

}  // namespace

std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      MPI_Comm communicator, int request_tag, int reply_tag,
                                      std::function<void(bool)> on_end) {
  return std::make_unique<message_mailbox>(world, members, communicator, request_tag, reply_tag,
                                           std::move(on_end));
}

}  // namespace boxcar::detail::mpi
