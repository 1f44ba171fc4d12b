#include "substrate/put_links.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>

#include "substrate/largest.hpp"
#include "substrate/own_memory.hpp"
#include "substrate/peer_list.hpp"

namespace boxcar::detail {
namespace {

constexpr std::size_t round_up(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

// A signal holds the length of a buffer and whether the buffer is the last; 0: no buffer.
constexpr std::uint64_t signal_of(std::size_t bytes, bool last) {
  return std::uint64_t{bytes} << 2 | std::uint64_t{last} << 1 | 1;
}

class put_links final : public link_set {
 public:
  put_links(substrate& world, const link_plan& plan,
            const std::function<std::unique_ptr<remote_memory>(std::size_t)>& allocate)
      : buffer_bytes_(plan.buffer_bytes),
        depth_(static_cast<std::uint32_t>(plan.buffers_per_link)),
        in_(plan.incoming.size()),
        out_(plan.outgoing.size()),
        fill_(world, plan.memory, out_.size() * buffer_bytes_, "buffers that are being filled") {
    // The block of every PE is laid out for the most links that any PE has.
    const auto [most_in, most_out] = largest<2>(world, {in_.size(), out_.size()});
    signals_at_ = 0;
    returned_at_ = signals_at_ + round_up(most_in * depth_ * sizeof(std::uint64_t));
    const std::size_t senders_at =
        returned_at_ + round_up(most_out * depth_ * sizeof(std::uint64_t));
    const std::size_t receivers_at = senders_at + peer_list::bytes(most_in);
    buffers_at_ = round_up(receivers_at + peer_list::bytes(most_out));
    block_bytes_ = buffers_at_ + most_in * depth_ * buffer_bytes_;
    memory_ = allocate(block_bytes_);

    // Nothing has arrived, and nothing was given back.
    std::memset(memory_->mine() + signals_at_, 0, senders_at - signals_at_);
    // Each PE writes the lists of its peers; in the lists the peers find the numbers of their
    // links.
    peer_list::write(memory_->mine() + senders_at, plan.incoming);
    peer_list::write(memory_->mine() + receivers_at, plan.outgoing);
    world.barrier();
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].pe = plan.outgoing[i];
      out_[i].place = peer_list::find(*memory_, out_[i].pe, senders_at, world.rank());
    }
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in_[i].pe = plan.incoming[i];
      in_[i].place = peer_list::find(*memory_, in_[i].pe, receivers_at, world.rank());
    }
  }

  std::byte* open(int link) override {
    out_link& l = out_[index(link)];
    const std::uint64_t slot = l.sent % depth_;
    if (returned(link, slot) != l.sent / depth_) return nullptr;
    return fill_.data() + index(link) * buffer_bytes_;
  }

  void send(int link, std::size_t bytes, bool last) override {
    out_link& l = out_[index(link)];
    const std::size_t slot = l.place * depth_ + l.sent % depth_;
    memory_->put_signal(l.pe, buffers_at_ + slot * buffer_bytes_,
                        {fill_.data() + index(link) * buffer_bytes_, bytes},
                        signals_at_ + slot * sizeof(std::uint64_t), signal_of(bytes, last));
    ++l.sent;
  }

  bool poll_returned(int link) override {
    std::uint64_t count = 0;
    for (std::uint64_t slot = 0; slot < depth_; ++slot) count += returned(link, slot);
    return count == out_[index(link)].sent;
  }

  bool all_sent() override {
    memory_->complete();
    return true;
  }

  void poll(arrival_queue& arrived) override {
    memory_->progress();
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in_link& l = in_[i];
      while (l.closed == 0) {
        const std::size_t slot = i * depth_ + l.taken % depth_;
        // Pairs with put_signal in `send`: if the signal is visible, so are the data.
        const std::uint64_t signal = word(signals_at_, slot).load(std::memory_order_acquire);
        if (signal == 0) break;
        // Only this PE clears signals, and the sender sets no signal before the buffer is given
        // back.
        word(signals_at_, slot).store(0, std::memory_order_relaxed);
        ++l.taken;
        l.closed = signal >> 1 & 1;
        arrived.push({memory_->mine() + buffers_at_ + slot * buffer_bytes_,
                      static_cast<std::uint32_t>(signal >> 2), static_cast<std::uint32_t>(i), l.pe,
                      static_cast<std::uint32_t>((l.taken - 1) % depth_) & arrival::largest_slot,
                      l.closed != 0});
      }
    }
  }

  void give_back(const arrival& a) override {
    const in_link& l = in_[a.link];
    const std::size_t place = l.place * depth_ + a.slot;
    // The number of times that the buffer was taken: the buffer cannot come again before.
    const std::uint64_t returned = (l.taken + depth_ - 1 - a.slot) / depth_;
    memory_->put_signal(l.pe, returned_at_ + place * sizeof(std::uint64_t), returned);
  }

  void start_session() override {
    for (in_link& l : in_) l.closed = 0;
  }

  [[nodiscard]] std::size_t memory_bytes() const override {
    return block_bytes_ + fill_.bytes() + in_.size() * sizeof(in_link) +
           out_.size() * sizeof(out_link);
  }

 private:
  struct out_link {
    int pe = 0;
    std::uint32_t place = 0;  // the index among the receiver's incoming links
    std::uint64_t sent = 0;
  };
  struct in_link {
    int pe = 0;
    std::uint32_t place = 0;  // the index among the sender's outgoing links
    std::uint64_t taken : 63 = 0;
    std::uint64_t closed : 1 = 0;  // the last buffer of the session has arrived
  };

  static std::size_t index(int link) { return static_cast<std::size_t>(link); }
  std::atomic_ref<std::uint64_t> word(std::size_t at, std::size_t i) {
    return std::atomic_ref(reinterpret_cast<std::uint64_t*>(memory_->mine() + at)[i]);
  }
  // Returns how often a buffer has come back; the buffer may be filled again if it was sent as
  // often. Pairs with put_signal in give_back.
  std::uint64_t returned(int link, std::uint64_t slot) {
    return word(returned_at_, index(link) * depth_ + slot).load(std::memory_order_acquire);
  }

  std::size_t buffer_bytes_;
  std::uint32_t depth_;
  std::size_t signals_at_ = 0;
  std::size_t returned_at_ = 0;
  std::size_t buffers_at_ = 0;
  std::size_t block_bytes_ = 0;
  std::vector<in_link> in_;
  std::vector<out_link> out_;
  own_memory fill_;
  std::unique_ptr<remote_memory> memory_;
};

}  // namespace

std::unique_ptr<link_set> make_put_links(
    substrate& world, const link_plan& plan,
    const std::function<std::unique_ptr<remote_memory>(std::size_t bytes)>& allocate) {
  return std::make_unique<put_links>(world, plan, allocate);
}

}  // namespace boxcar::detail
