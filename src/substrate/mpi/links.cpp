#include "substrate/mpi/links.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <utility>

#include "substrate/mpi/call.hpp"
#include "substrate/mpi/pace.hpp"
#include "substrate/mpi/runtime.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail::mpi {
namespace {

// Behind the packets of a buffer travels one byte: is it the last of the session?
constexpr std::size_t trailer_bytes = 1;
// More receives than these would let a PE take in more while it is reading, and hold more memory.
constexpr std::size_t most_receives = 16;

std::size_t receives_for(const link_plan& plan) {
  const std::size_t all = plan.incoming.size() * static_cast<std::size_t>(plan.buffers_per_link);
  return plan.in_step ? all : std::min(all, most_receives);
}

class links final : public link_set {
 public:
  links(substrate& world, const link_plan& plan, std::span<const int> members,
        MPI_Comm communicator, int tag, std::function<void(bool)> on_end)
      : communicator_(communicator),
        tag_(tag),
        on_end_(std::move(on_end)),
        in_step_(plan.in_step),
        depth_(static_cast<std::size_t>(plan.buffers_per_link)),
        stride_((plan.buffer_bytes + trailer_bytes + buffer_alignment - 1) / buffer_alignment *
                buffer_alignment),
        out_(plan.outgoing.size(), out_link(world.has_core())),
        receives_(receives_for(plan), MPI_REQUEST_NULL),
        receiving_(world.has_core()),
        fill_(world, plan.memory, out_.size() * depth_ * stride_, "buffers that are being sent"),
        pool_(world, plan.memory, receives_.size() * stride_, "buffers that are being received") {
    const auto in_communicator = [&](int pe) { return members[static_cast<std::size_t>(pe)]; };
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].rank = in_communicator(plan.outgoing[i]);
    }
    for (std::size_t i = 0; i < plan.incoming.size(); ++i) {
      const int pe = plan.incoming[i];
      senders_.push_back({in_communicator(pe), static_cast<std::uint32_t>(i), pe});
    }
    std::ranges::sort(senders_, {}, &sender::rank);
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
      // Asked now, whenever it would be due.
      const auto has_ended = [](out_link& l) { return all_ended(l.requests); };
      if (!std::ranges::all_of(out_, has_ended)) abandon_sends();
    }
    on_end_(is_over);
  }

  std::byte* open(int link) override {
    require_running();
    out_link& l = out_[static_cast<std::size_t>(link)];
    return l.has_ended(l.requests[l.next]) ? buffer(link, l.next) : nullptr;
  }

  void send(int link, std::size_t bytes, bool last) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    std::byte* data = buffer(link, l.next);
    data[bytes] = std::byte{last};
    // A buffer is smaller than 2 GiB: configuration.cpp sees to it.
    // Where PEs go in step there is nothing to hold up.
    const auto send_to = in_step_ ? MPI_Isend : MPI_Issend;
    check(send_to(data, static_cast<int>(bytes + trailer_bytes), MPI_BYTE, l.rank, tag_,
                  communicator_, &l.requests[l.next]),
          "sending a buffer");
    l.asking.something_ended();
    l.next = (l.next + 1) % depth_;
  }

  bool all_returned(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    return std::ranges::all_of(l.requests, [&l](MPI_Request& r) { return l.has_ended(r); });
  }

  bool all_sent() override {
    for (std::size_t link = 0; link < out_.size(); ++link) {
      if (!all_returned(static_cast<int>(link))) return false;
    }
    return true;
  }

  void poll(arrival_queue& arrived) override {
    require_running();
    while (!posted_.empty() && receiving_.is_due()) {
      const std::uint16_t slot = posted_.front();
      int flag = 0;
      MPI_Status status;
      check(MPI_Test(&receives_[slot], &flag, &status), "MPI_Test");
      if (flag == 0) return receiving_.nothing_ended();
      receiving_.something_ended();
      posted_.pop_front();
      int bytes = 0;
      check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
      const std::size_t filled = static_cast<std::size_t>(bytes) - trailer_bytes;
      const sender& from =
          *std::ranges::lower_bound(senders_, status.MPI_SOURCE, {}, &sender::rank);
      std::byte* data = received(slot);
      arrived.push({data, static_cast<std::uint32_t>(filled), from.link, from.pe, slot,
                    data[filled] != std::byte{0}});
    }
  }

  void give_back(const arrival& a) override { post(a.slot); }

  void start_session() override {}

  [[nodiscard]] std::size_t memory_bytes() const override {
    return fill_.bytes() + pool_.bytes() + out_.size() * sizeof(out_link) +
           senders_.size() * sizeof(sender) + receives_.size() * sizeof(MPI_Request);
  }

 private:
  struct out_link {
    explicit out_link(bool has_core) : asking(has_core) { requests.fill(MPI_REQUEST_NULL); }

    int rank = 0;
    std::size_t next = 0;  // the buffer to fill next
    std::array<MPI_Request, 4> requests;
    pace asking;

    bool has_ended(MPI_Request& request) {
      if (request == MPI_REQUEST_NULL) return true;
      if (!asking.is_due()) return false;
      const bool has = ended(request);
      has ? asking.something_ended() : asking.nothing_ended();
      return has;
    }
  };
  struct sender {
    int rank;
    std::uint32_t link;
    int pe;
  };

  std::byte* buffer(int link, std::size_t slot) {
    return fill_.data() + (static_cast<std::size_t>(link) * depth_ + slot) * stride_;
  }
  std::byte* received(std::size_t slot) { return pool_.data() + slot * stride_; }

  static bool ended(MPI_Request& request) {
    if (request == MPI_REQUEST_NULL) return true;
    int flag = 0;
    check(MPI_Test(&request, &flag, MPI_STATUS_IGNORE), "MPI_Test");
    return flag != 0;
  }

  void post(std::size_t slot) {
    check(MPI_Irecv(received(slot), static_cast<int>(stride_), MPI_BYTE, MPI_ANY_SOURCE, tag_,
                    communicator_, &receives_[slot]),
          "MPI_Irecv");
    posted_.push_back(static_cast<std::uint16_t>(slot));
  }

  // False if MPI keeps some, and with them the buffers.
  bool end_receives() {
    if (give_up(receives_)) return true;
    pool_.abandon();
    return false;
  }

  // The session has failed, and nobody may ever take these messages: MPI keeps them, and with them
  // the buffers.
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
  std::vector<sender> senders_;        // ascending by rank
  std::vector<MPI_Request> receives_;  // one for each buffer of the pool
  std::deque<std::uint16_t> posted_;   // buffers of the pool, the oldest receive first
  pace receiving_;
  own_memory fill_;
  own_memory pool_;
};

}  // namespace

std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     std::span<const int> members, MPI_Comm communicator, int tag,
                                     std::function<void(bool)> on_end) {
  return std::make_unique<links>(world, plan, members, communicator, tag, std::move(on_end));
}

}  // namespace boxcar::detail::mpi
