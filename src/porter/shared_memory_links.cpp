#include "porter/shared_memory_links.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>

#include "porter/link_block.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail {
namespace {

// Each buffer of each link has a word, the signal. 0: the buffer belongs to the sender. Any other
// value: the buffer belongs to the receiver, and the value contains the size. Sender and receiver
// write the signal in turn, and each write hands over the buffer:
//   sender stores signal (release)  ->  receiver loads it (acquire), then reads the buffer
//   receiver stores 0 (release)     ->  sender loads 0 (acquire), then fills the buffer
// The stores are sequentially consistent because `wake` after them must not miss a PE that is about
// to block.
using signal = std::atomic<std::uint64_t>;

class shared_memory_links final : public link_set {
 public:
  shared_memory_links(substrate& world, const link_plan& plan)
      : world_(world),
        buffer_bytes_(plan.buffer_bytes),
        depth_(static_cast<std::uint32_t>(plan.buffers_per_link)),
        mine_{plan.incoming.size(), depth_, buffer_bytes_} {
    // If every PE is alone on its node, no other PE accesses the block.
    if (plan.memory != nullptr && world.layout().nodes() == world.size()) {
      own_.emplace(world, plan.memory, mine_.bytes(), "buffers");
    } else {
      memory_ = world.share_memory(mine_.bytes(), plan.keep_memory);
    }
    std::byte* const block = block_of(world.rank());
    new (block) std::uint64_t(mine_.links);
    std::ranges::copy(plan.incoming, reinterpret_cast<int*>(block + mine_.senders_at()));
    in_.resize(plan.incoming.size());
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in_[i].sender = plan.incoming[i];
    }
    in_signals_ = reinterpret_cast<signal*>(block + mine_.signals_at());
    for (std::size_t s = 0; s < in_.size() * depth_; ++s) new (in_signals_ + s) signal(0);
    in_buffers_ = block + mine_.buffers_at();
    world.barrier();  // after the barrier, all PEs can read each list of senders, and all signals
                      // exist
    out_.reserve(plan.outgoing.size());
    for (const int pe : plan.outgoing) {
      std::byte* const base = block_of(pe);
      const link_block theirs{*reinterpret_cast<const std::uint64_t*>(base), depth_, buffer_bytes_};
      const auto* senders = reinterpret_cast<const int*>(base + theirs.senders_at());
      const auto place = static_cast<std::size_t>(
          std::lower_bound(senders, senders + theirs.links, world.rank()) - senders);
      out_.push_back({reinterpret_cast<signal*>(base + theirs.signals_at()) + place * depth_,
                      base + theirs.buffers_at() + place * depth_ * buffer_bytes_, pe, 0});
    }
  }

  std::byte* open(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    if (l.signals[l.next].load(std::memory_order_acquire) != 0) return nullptr;
    return l.buffers + l.next * buffer_bytes_;
  }

  void send(int link, std::size_t bytes, bool last) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    l.signals[l.next].store(signal_of(bytes, last), std::memory_order_seq_cst);
    l.next = (l.next + 1) & (depth_ - 1);
    world_.wake(l.receiver);
  }

  bool poll_returned(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    std::uint64_t unread = 0;
    for (std::uint32_t slot = 0; slot < depth_; ++slot) {
      unread |= l.signals[slot].load(std::memory_order_acquire);
    }
    return unread == 0;
  }

  void poll(arrival_queue& arrived) override {
    const signal* signals = in_signals_;
    for (in_link& l : in_) {
      while (!l.closed && (l.held & 1u << l.next) == 0) {
        const std::uint64_t s = signals[l.next].load(std::memory_order_acquire);
        if (s == 0) break;
        const auto link = static_cast<std::size_t>(&l - in_.data());
        l.closed = (s & 2) != 0;
        arrived.push({in_buffers_ + (link * depth_ + l.next) * buffer_bytes_,
                      static_cast<std::uint32_t>(s >> 2), static_cast<std::uint32_t>(link),
                      l.sender, l.next & arrival::largest_slot, l.closed});
        l.held |= 1u << l.next;
        l.next = (l.next + 1) & (depth_ - 1);
      }
      signals += depth_;
    }
  }

  void give_back(const arrival& a) override {
    in_link& l = in_[a.link];
    l.held &= ~(1u << a.slot);
    in_signals_[a.link * depth_ + a.slot].store(0, std::memory_order_seq_cst);
    world_.wake(l.sender);
  }

  void start_session() override {
    for (in_link& l : in_) l.closed = false;
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return mine_.bytes() + in_.size() * sizeof(in_link) + out_.size() * sizeof(out_link);
  }

 private:
  struct out_link {
    signal* signals;
    std::byte* buffers;
    int receiver;
    std::uint32_t next;  // the buffer to fill next
  };
  struct in_link {
    int sender = 0;
    std::uint32_t next = 0;  // the buffer that arrives next
    std::uint32_t held = 0;  // a bit for each buffer that has arrived and is not given back
    bool closed = false;     // the last buffer of the session has arrived
  };

  // Precondition: the PE is on the same node.
  [[nodiscard]] std::byte* block_of(int pe) const {
    return own_ ? own_->data() : memory_->block(world_.layout().local_rank(pe));
  }

  substrate& world_;
  std::size_t buffer_bytes_;
  std::uint32_t depth_;
  link_block mine_;
  std::unique_ptr<node_memory> memory_;
  std::optional<own_memory> own_;  // in place of `memory_`, if no other PE accesses the block
  signal* in_signals_ = nullptr;
  std::byte* in_buffers_ = nullptr;
  std::vector<in_link> in_;
  std::vector<out_link> out_;
};

}  // namespace

std::unique_ptr<link_set> make_shared_memory_links(substrate& world, const link_plan& plan) {
  return std::make_unique<shared_memory_links>(world, plan);
}

}  // namespace boxcar::detail
