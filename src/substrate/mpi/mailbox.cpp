#include "substrate/mpi/mailbox.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boxcar/detail/pe_table.hpp>

#include "substrate/cluster/letter.hpp"
#include "substrate/cluster/pace.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar::detail::mpi {
namespace {

// (With twice as many a message takes a tenth longer, because all of them are used in turn, which
// the cache would have to hold.)
constexpr std::size_t request_receives = 8;
constexpr std::size_t request_sends = 32;
constexpr std::size_t reply_sends = 16;
// So many requests to a PE may be under way of which it is not known that they have arrived. The
// last one of the first half is sent so that this is known when that send ends: which takes a
// message of MPI's own, but is seldom needed where the PE sends something back in time.
constexpr int most_unknown = 32;
constexpr int most_at_once = 32;

// How many there were; goes around, long after `most_unknown`.
using count_of_requests = std::uint16_t;

struct peer {
  count_of_requests sent = 0;     // to it
  count_of_requests arrived = 0;  // of these, as far as known
  count_of_requests taken = 0;    // of those from it
  std::int16_t synchronous = -1;  // the send that is synchronous and may not have ended

  [[nodiscard]] int unknown() const { return static_cast<count_of_requests>(sent - arrived); }
  void note_arrived(count_of_requests now) {
    const bool is_newer = static_cast<count_of_requests>(now - arrived) <= unknown();
    if (is_newer) arrived = now;
  }
};

// Receives from anybody with one tag. They are matched in the order in which they were posted, and
// what is matched has arrived as a whole: so only the oldest is looked at. Those that were taken
// are posted again later. They are persistent: to start one again takes less time than to make one.
template <std::size_t N>
class inbox {
 public:
  inbox(MPI_Comm communicator, int tag) : communicator_(communicator), tag_(tag) {
    requests_.fill(MPI_REQUEST_NULL);
  }

  // One more of those that were taken.
  void post_one() {
    post((oldest_ + N - taken_) % N);
    --taken_;
  }
  void post_taken() {
    while (taken_ != 0) post_one();
  }

  [[nodiscard]] bool is_posted() const { return taken_ != N; }

  // What has arrived and was not taken yet; nullptr: nothing.
  const letter* oldest() {
    if (has_arrived_) return &letters_[oldest_];
    if (taken_ == N) post_taken();
    int flag = 0;
    check(MPI_Test(&requests_[oldest_], &flag, MPI_STATUS_IGNORE), "MPI_Test");
    has_arrived_ = flag != 0;
    return has_arrived_ ? &letters_[oldest_] : nullptr;
  }
  // It has been read.
  void take() {
    has_arrived_ = false;
    oldest_ = (oldest_ + 1) % N;
    ++taken_;
  }

  // For the end. False if MPI keeps some, and with them where they write.
  bool give_up_all() noexcept {
    std::array<MPI_Request, N> posted;
    posted.fill(MPI_REQUEST_NULL);
    for (std::size_t i = has_arrived_ ? 1 : 0; i < N - taken_; ++i) {
      std::swap(posted[i], requests_[(oldest_ + i) % N]);
    }
    const bool is_over = give_up(posted);
    if (is_over) let_go(posted);
    let_go(requests_);
    return is_over;
  }

 private:
  void post(std::size_t i) {
    if (requests_[i] == MPI_REQUEST_NULL) {
      check(MPI_Recv_init(&letters_[i], sizeof(letter), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                          communicator_, &requests_[i]),
            "MPI_Recv_init");
    }
    check(MPI_Start(&requests_[i]), "MPI_Start");
  }

  MPI_Comm communicator_;
  int tag_;
  std::array<MPI_Request, N> requests_;
  std::array<letter, N> letters_;
  std::size_t oldest_ = 0;
  std::size_t taken_ = N;  // those before the oldest, not posted
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

  ~message_mailbox() override {
    bool is_over = true;
    if (is_running()) {
      is_over = end_receives();
      if (!end_soon(requests_out_->requests)) static_cast<void>(requests_out_.release());
      if (!end_soon(replies_out_->requests)) static_cast<void>(replies_out_.release());
    }
    on_end_(is_over);
  }

  bool send(int to, std::span<const std::byte> head, std::span<const std::byte> body,
            int place) override {
    require_running();
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    const std::size_t free = find_room(p);
    if (free == request_sends) return false;
    ++p.sent;
    const bool is_synchronous = p.unknown() >= most_unknown / 2 && p.synchronous < 0;
    if (is_synchronous) {
      p.synchronous = static_cast<std::int16_t>(free);
      requests_out_->synchronous[free] = {to, p.sent};
    }
    // (A receive for replies is there only while one is to come: MPI would look at all of them
    // whenever a request arrives.)
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
    int taken = 0;
    while (take_reply(reader) || take_request(reader)) {
      asking_.something_ended();
      if (++taken < at_once_) continue;
      at_once_ = std::min(2 * at_once_, most_at_once);
      return true;
    }
    asking_.nothing_ended();
    at_once_ = 1;
    return taken != 0;
  }

 private:
  template <std::size_t N>
  struct outbox {
    outbox() { requests.fill(MPI_REQUEST_NULL); }
    // One whose send has ended, that of the last one first, which is in the cache; N: there is
    // none.
    std::size_t find_free() { return requests[last] == MPI_REQUEST_NULL ? last : look_for_free(); }
    [[gnu::noinline]] std::size_t look_for_free() {
      for (std::size_t tried = 0; tried < N; ++tried) {
        if (ended(requests[last])) return last;
        last = (last + 1) % N;
      }
      return N;
    }
    // Of the sends that are synchronous: the PE, or -1, and how many were sent to it up to then.
    struct limit {
      int to = -1;
      count_of_requests number = 0;
    };
    std::array<MPI_Request, N> requests;
    std::array<limit, N> synchronous{};
    std::array<letter, N> letters;
    std::size_t last = 0;
  };

  // For the next request to it; request_sends: none yet.
  [[nodiscard]] std::size_t find_room(const peer& p) {
    if (p.unknown() >= most_unknown - 1 && p.synchronous >= 0) {
      const auto last = static_cast<std::size_t>(p.synchronous);
      if (!ended(requests_out_->requests[last])) return request_sends;
      note_end(last);
    }
    const std::size_t free = requests_out_->find_free();
    if (free != request_sends && requests_out_->synchronous[free].to >= 0) note_end(free);
    return free;
  }
  // Of a synchronous send.
  [[gnu::noinline]] void note_end(std::size_t of) {
    const auto [to, number] = std::exchange(requests_out_->synchronous[of], {});
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    p.synchronous = -1;
    p.note_arrived(number);
  }

  static bool ended(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return true;
    int flag = 0;
    check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }

  template <std::size_t N>
  void begin(outbox<N>& from, std::size_t free, decltype(&MPI_Isend) begin_send, int tag, int to,
             const envelope& by, std::span<const std::byte> head, std::span<const std::byte> body) {
    const auto bytes = write(from.letters[free], by, head, body);
    MPI_Request& request = from.requests[free];
    check(begin_send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, members_[to], tag,
                     communicator_, &request),
          "sending a message");
    // Mostly it has ended: then the next one need not ask first.
    static_cast<void>(ended(request));
  }

  bool take_reply(mail_reader& reader) {
    const letter* const l = replies_in_->is_posted() ? replies_in_->oldest() : nullptr;
    if (l == nullptr) return false;
    peers_[static_cast<std::uint32_t>(l->by.from)].note_arrived(
        static_cast<count_of_requests>(l->by.taken));
    reader.take_reply(l->by.place, text_of(*l));
    replies_in_->take();
    return true;
  }
  bool take_request(mail_reader& reader) {
    const letter* const l = requests_in_->oldest();
    if (l == nullptr || !reader.take_request(l->by.from, text_of(*l))) return false;
    peer& p = peers_[static_cast<std::uint32_t>(l->by.from)];
    p.note_arrived(static_cast<count_of_requests>(l->by.taken));
    ++p.taken;
    requests_in_->take();
    return true;
  }

  // False if MPI keeps some, and with them where they write.
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
  // So many are taken before whoever polls looks at something else: the more the more there are.
  // The first one is often all that was waited for, and to ask for a second takes as long as
  // anything.
  int at_once_ = 1;
  pace asking_;
};

}  // namespace

std::unique_ptr<mailbox> make_mailbox(substrate& world, const rank_list& members,
                                      MPI_Comm communicator, int request_tag, int reply_tag,
                                      std::function<void(bool)> on_end) {
  return std::make_unique<message_mailbox>(world, members, communicator, request_tag, reply_tag,
                                           std::move(on_end));
}

}  // namespace boxcar::detail::mpi
