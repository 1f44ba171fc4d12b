#include "substrate/mpi/links.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "substrate/cluster/arrival_order.hpp"
#include "substrate/cluster/pace.hpp"
#include "substrate/cluster/trailer.hpp"
#include "substrate/mpi/call.hpp"
#include "substrate/mpi/finalize_hook.hpp"
#include "substrate/mpi/runtime.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail::mpi {
namespace {

// More receives would let a PE take in more messages while reading, and hold more memory.
constexpr std::size_t max_receives = 16;

std::size_t receives_for(const link_plan& plan) {
  const std::size_t all = plan.incoming.size() * static_cast<std::size_t>(plan.buffers_per_link);
  return plan.in_step ? all : std::min(all, max_receives);
}

class links final : public link_set {
 public:
  links(substrate& world, const link_plan& plan, const rank_list& members, MPI_Comm communicator,
        int tag, std::function<void(bool)> on_end)
      : communicator_(communicator),
        tag_(tag),
        on_end_(std::move(on_end)),
        in_step_(plan.in_step),
        depth_(static_cast<std::size_t>(plan.buffers_per_link)),
        stride_((plan.buffer_bytes + trailer_bytes + buffer_alignment - 1) / buffer_alignment *
                buffer_alignment),
        out_(plan.outgoing.size(), out_link(world.has_core())),
        order_(plan, members, receives_for(plan)),
        receives_(receives_for(plan), MPI_REQUEST_NULL),
        ended_(receives_.size()),
        statuses_(receives_.size()),
        receiving_(world.has_core()),
        fill_(world, plan.memory, out_.size() * depth_ * stride_, "buffers that are being sent"),
        pool_(world, plan.memory, receives_.size() * stride_, "buffers that are being received") {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].rank = members[plan.outgoing[i]];
    }
    try {
      for (std::size_t slot = 0; slot < receives_.size(); ++slot) post(slot);
    } catch (...) {
      on_end_(end_receives());
      throw;
    }
  }
  links(const links&) = delete;
  links& operator=(const links&) = delete;

  ~links() override {
    bool is_over = true;
    if (is_running()) {
      is_over = end_receives();
      if (!have_sends_ended()) abandon_sends();
    }
    on_end_(is_over);
  }

  std::byte* open(int link) override {
    require_running();
    out_link& l = out_[static_cast<std::size_t>(link)];
    return l.poll_ended(l.requests[l.next]) ? buffer(link, l.next) : nullptr;
  }

  void send(int link, std::size_t bytes, bool last) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    std::byte* data = buffer(link, l.next);
    data[bytes] = trailer_of(l.number, last);
    // A buffer is smaller than 2 GiB: configuration.cpp ensures the limit.
    // PEs that go in step have nothing to hold up.
    const auto send_to = in_step_ ? MPI_Isend : MPI_Issend;
    check(send_to(data, static_cast<int>(bytes + trailer_bytes), MPI_BYTE, l.rank, tag_,
                  communicator_, &l.requests[l.next]),
          "sending a buffer");
    l.asking.something_ended();
    l.next = (l.next + 1) % depth_;
    l.number = next_number(l.number);
  }

  bool poll_returned(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    return std::ranges::all_of(l.requests, [&l](MPI_Request& r) { return l.poll_ended(r); });
  }

  bool all_sent() override {
    for (std::size_t link = 0; link < out_.size(); ++link) {
      if (!poll_returned(static_cast<int>(link))) return false;
    }
    return true;
  }

  void poll(arrival_queue& arrived) override {
    require_running();
    while (posted_ != 0 && receiving_.is_due()) {
      const int found = find_ended();
      if (found == 0) return receiving_.nothing_ended();
      receiving_.something_ended();
      posted_ -= static_cast<std::size_t>(found);
      for (std::size_t i = 0; i < static_cast<std::size_t>(found); ++i) {
        take(static_cast<std::uint32_t>(ended_[i]), statuses_[i], arrived);
      }
    }
  }

  void give_back(const arrival& a) override { post(a.slot); }

  void start_session() override {}

  [[nodiscard]] std::size_t memory_bytes() const override {
    return fill_.bytes() + pool_.bytes() + out_.size() * sizeof(out_link) + order_.memory_bytes() +
           receives_.size() * (sizeof(MPI_Request) + sizeof(int) + sizeof(MPI_Status));
  }

 private:
  struct out_link {
    explicit out_link(bool has_core) : asking(has_core) { requests.fill(MPI_REQUEST_NULL); }

    int rank = 0;
    std::size_t next = 0;  // the buffer to fill next
    unsigned number = 0;   // number of the next buffer
    std::array<MPI_Request, 4> requests;
    pace asking;

    bool poll_ended(MPI_Request& request) {
      if (request == MPI_REQUEST_NULL) return true;
      if (!asking.is_due()) return false;
      const bool has = has_ended(request);
      has ? asking.something_ended() : asking.nothing_ended();
      return has;
    }
  };

  std::byte* buffer(int link, std::size_t slot) {
    return fill_.data() + (static_cast<std::size_t>(link) * depth_ + slot) * stride_;
  }
  std::byte* received(std::size_t slot) { return pool_.data() + slot * stride_; }

  // Returns how many receives have ended; `ended_` and `statuses_` describe the receives.
  int find_ended() {
    int found = 0;
    const int code = MPI_Testsome(static_cast<int>(receives_.size()), receives_.data(), &found,
                                  ended_.data(), statuses_.data());
    if (code == MPI_ERR_IN_STATUS) {
      for (int i = 0; i < found; ++i) {
        check(statuses_[static_cast<std::size_t>(i)].MPI_ERROR, "MPI_Testsome");
      }
    }
    check(code, "MPI_Testsome");
    return found == MPI_UNDEFINED ? 0 : found;
  }

  // A received buffer arrives when all earlier buffers of its sender have been received.
  void take(std::uint32_t slot, const MPI_Status& status, arrival_queue& arrived) {
    int bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    order_.add(*order_.find(status.MPI_SOURCE), received(slot), static_cast<std::size_t>(bytes),
               slot, [&arrived](const arrival& a) { arrived.push(a); });
  }

  void post(std::size_t slot) {
    check(MPI_Irecv(received(slot), static_cast<int>(stride_), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                    communicator_, &receives_[slot]),
          "MPI_Irecv");
    ++posted_;
  }

  // Cancels the receives. Returns false if MPI keeps some receives, and with them the buffers.
  bool end_receives() {
    if (give_up(receives_)) return true;
    pool_.abandon();
    return false;
  }

  // Tests the sends, even if no test is due.
  bool have_sends_ended() noexcept {
    return std::ranges::all_of(out_, [](out_link& l) { return all_ended(l.requests); });
  }

  // The session has failed, and the messages may never be received: MPI keeps the messages and
  // their buffers.
  void abandon_sends() {
    for (out_link& l : out_) let_go(l.requests);
    fill_.abandon();
  }

  MPI_Comm communicator_;
  int tag_;
  std::function<void(bool)> on_end_;
  bool in_step_;
  std::size_t depth_;
  std::size_t stride_;  // from one buffer to the next
  std::vector<out_link> out_;
  arrival_order order_;
  std::vector<MPI_Request> receives_;  // one for each buffer of the pool
  std::size_t posted_ = 0;             // number of receives in flight
  std::vector<int> ended_;             // results of MPI_Testsome
  std::vector<MPI_Status> statuses_;
  pace receiving_;
  own_memory fill_;
  own_memory pool_;
  // (The other PEs have received the messages of ended sessions, but MPI may not have noted so.)
  finalize_hook at_finalize_{[this] {
    end_receives();
    if (!wait_briefly([this] { return have_sends_ended(); })) abandon_sends();
  }};
};

}  // namespace

std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, MPI_Comm communicator, int tag,
                                     std::function<void(bool)> on_end) {
  return std::make_unique<links>(world, plan, members, communicator, tag, std::move(on_end));
}

}  // namespace boxcar::detail::mpi
