#include "substrate/mpi/mailbox.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <boxcar/detail/pe_table.hpp>

#include "substrate/mpi/call.hpp"
#include "substrate/mpi/pace.hpp"
#include "substrate/mpi/runtime.hpp"

namespace boxcar::detail::mpi {
namespace {

constexpr std::size_t request_receives = 16;
constexpr std::size_t reply_receives = reply_places;
constexpr std::size_t receives = request_receives + reply_receives;
constexpr std::size_t request_sends = 32;
constexpr std::size_t reply_sends = 16;
constexpr std::uint32_t sends_per_synchronous = 16;

// Behind what a message says.
struct trailer {
  std::int32_t from;  // in the world
  std::uint32_t
      number;  // of a request: among those of its sender to this PE; of a reply: the place
};

struct letter {
  std::array<std::byte, message_bytes + sizeof(trailer)> bytes;
};

struct peer {
  std::uint32_t sent = 0;  // requests to it
  std::uint32_t next = 0;  // the number of the request from it that is to be carried out next
  std::int32_t synchronous = -1;  // the send that is synchronous and may not have ended
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
        in_(std::make_unique<std::array<letter, receives>>()),
        asking_(world.has_core()) {
    receiving_.fill(MPI_REQUEST_NULL);
    try {
      for (std::size_t i = 0; i < receives; ++i) post(i);
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

  void send(int to, std::span<const std::byte> head, std::span<const std::byte> body, int,
            const std::function<void()>& wait) override {
    require_running();
    peer& p = peers_[static_cast<std::uint32_t>(to)];
    const bool is_synchronous = p.sent % sends_per_synchronous == sends_per_synchronous - 1;
    if (is_synchronous && p.synchronous >= 0) {
      while (!ended(requests_out_->requests[static_cast<std::size_t>(p.synchronous)])) wait();
    }
    std::size_t free = 0;
    while ((free = requests_out_->find_free()) == request_sends) wait();
    if (const int owner = requests_out_->synchronous_to[free]; owner >= 0) {
      peer& before = peers_[static_cast<std::uint32_t>(owner)];
      if (before.synchronous == static_cast<int>(free)) before.synchronous = -1;
    }
    requests_out_->synchronous_to[free] = is_synchronous ? to : -1;
    if (is_synchronous) p.synchronous = static_cast<int>(free);
    letter& l = requests_out_->letters[free];
    const std::size_t bytes = write(l, head, body, {rank_, p.sent++});
    check((is_synchronous ? MPI_Issend : MPI_Isend)(l.bytes.data(), static_cast<int>(bytes),
                                                    MPI_BYTE, members_[to], request_tag_,
                                                    communicator_, &requests_out_->requests[free]),
          "sending a request");
  }

  [[nodiscard]] bool can_reply() override { return replies_out_->find_free() != reply_sends; }

  void reply(int to, int place, std::span<const std::byte> message) override {
    const std::size_t free = replies_out_->find_free();
    letter& l = replies_out_->letters[free];
    const std::size_t bytes = write(l, message, {}, {rank_, static_cast<std::uint32_t>(place)});
    check(MPI_Isend(l.bytes.data(), static_cast<int>(bytes), MPI_BYTE, members_[to], reply_tag_,
                    communicator_, &replies_out_->requests[free]),
          "sending a reply");
  }

  bool poll(mail_reader& reader) override {
    require_running();
    bool active = carry_out(reader);  // what had to wait
    while (asking_.is_due()) {
      const int found = find_ended();
      if (found == 0) {
        asking_.nothing_ended();
        break;
      }
      asking_.something_ended();
      for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
        take(static_cast<std::size_t>(ended_[i]), statuses_[i], reader);
      }
      carry_out(reader);
      active = true;
    }
    return active;
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sizeof *this + sizeof *requests_out_ + sizeof *replies_out_ + sizeof *in_ +
           peers_.memory_bytes();
  }

 private:
  template <std::size_t N>
  struct outbox {
    outbox() {
      requests.fill(MPI_REQUEST_NULL);
      synchronous_to.fill(-1);
    }
    // One whose send has ended; N: there is none.
    std::size_t find_free() {
      for (std::size_t tried = 0; tried < N; ++tried) {
        const std::size_t i = next;
        next = (next + 1) % N;
        if (ended(requests[i])) return i;
      }
      return N;
    }
    std::array<MPI_Request, N> requests;
    std::array<int, N> synchronous_to;  // of the send that was begun last, or -1
    std::array<letter, N> letters;
    std::size_t next = 0;
  };
  struct arrived {
    trailer by;
    std::size_t receive;
    std::size_t bytes;
  };

  static bool ended(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return true;
    int flag = 0;
    check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }

  // How long the message is.
  static std::size_t write(letter& l, std::span<const std::byte> head,
                           std::span<const std::byte> body, const trailer& by) {
    std::byte* const at = std::ranges::copy(body, std::ranges::copy(head, l.bytes.data()).out).out;
    std::memcpy(at, &by, sizeof by);
    return head.size() + body.size() + sizeof by;
  }

  void post(std::size_t i) {
    letter& l = (*in_)[i];
    check(
        MPI_Irecv(l.bytes.data(), static_cast<int>(l.bytes.size()), MPI_BYTE, MPI_ANY_SOURCE,
                  i < request_receives ? request_tag_ : reply_tag_, communicator_, &receiving_[i]),
        "MPI_Irecv");
  }

  int find_ended() {
    int found = 0;
    check(MPI_Testsome(static_cast<int>(receives), receiving_.data(), &found, ended_.data(),
                       statuses_.data()),
          "MPI_Testsome");
    return found == MPI_UNDEFINED ? 0 : found;
  }

  void take(std::size_t i, const MPI_Status& status, mail_reader& reader) {
    int length = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &length), "MPI_Get_count");
    const std::size_t bytes = static_cast<std::size_t>(length) - sizeof(trailer);
    trailer by{};
    std::memcpy(&by, (*in_)[i].bytes.data() + bytes, sizeof by);
    if (i < request_receives) {
      waiting_.push_back({by, i, bytes});
      return;
    }
    reader.take_reply(static_cast<int>(by.number), {(*in_)[i].bytes.data(), bytes});
    post(i);
  }

  // Requests that have arrived, as far as their turn has come.
  bool carry_out(mail_reader& reader) {
    const auto has_turn = [this](const arrived& a) {
      return peers_[static_cast<std::uint32_t>(a.by.from)].next == a.by.number;
    };
    bool active = false;
    for (auto next = waiting_.begin();
         (next = std::ranges::find_if(waiting_, has_turn)) != waiting_.end();) {
      const arrived a = *next;
      if (!reader.take_request(a.by.from, {(*in_)[a.receive].bytes.data(), a.bytes})) break;
      ++peers_[static_cast<std::uint32_t>(a.by.from)].next;
      waiting_.erase(next);
      post(a.receive);
      active = true;
    }
    return active;
  }

  // False if MPI keeps some, and with them where they write.
  bool end_receives() {
    if (give_up(receiving_)) return true;
    static_cast<void>(in_.release());
    return false;
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
  std::unique_ptr<std::array<letter, receives>> in_;
  std::array<MPI_Request, receives> receiving_;
  std::array<int, receives> ended_{};
  std::array<MPI_Status, receives> statuses_{};
  std::vector<arrived> waiting_;  // requests that were received and not carried out yet
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
