#include "substrate/simulated/links.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "substrate/simulated/simulated_substrate.hpp"

namespace boxcar::detail {
namespace {

// The size of the word that says that a buffer is free again.
constexpr std::size_t word_bytes = sizeof(std::uint64_t);

// The links within a node, and between nodes.
class simulated_links final : public link_set {
 public:
  using table = peer_objects<simulated_links>::table;

  simulated_links(simulated_substrate& world, const link_plan& plan)
      : world_(world),
        buffer_bytes_(plan.buffer_bytes),
        depth_(static_cast<std::uint32_t>(plan.buffers_per_link)),
        in_(plan.incoming.size()),
        out_(plan.outgoing.size()) {
    for (std::size_t i = 0; i < in_.size(); ++i) in_[i].pe = plan.incoming[i];
    for (std::size_t i = 0; i < out_.size(); ++i) out_[i].pe = plan.outgoing[i];
    all_ = world.exchange_objects(this);
    for (std::size_t i = 0; i < out_.size(); ++i) {
      std::vector<in_link>& theirs = all_.of(out_[i].pe)->in_;
      const auto place = std::ranges::lower_bound(theirs, world.rank(), {}, &in_link::pe);
      place->place = static_cast<std::uint32_t>(i);
      out_[i].place = static_cast<std::uint32_t>(place - theirs.begin());
    }
    world.barrier();  // every PE has written its places
  }
  simulated_links(const simulated_links&) = delete;
  simulated_links& operator=(const simulated_links&) = delete;
  ~simulated_links() override {
    for (const out_link& l : out_) {
      if (l.buffer != nullptr) take_back(l.buffer);
    }
    for (const arrival& a : arrived_) take_back(a.data);
  }

  std::byte* open(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    if (l.buffer == nullptr) {
      if (l.under_way == depth_) {
        l.is_awaited = true;
      } else {
        l.buffer = world_.on().buffers().take(buffer_bytes_);
      }
    }
    return l.buffer;
  }

  void send(int link, std::size_t bytes, bool last) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    ++l.under_way;
    world_.on().send(std::make_unique<sent_buffer>(*this, l, bytes, last));
    l.buffer = nullptr;
  }

  bool poll_returned(int link) override {
    out_link& l = out_[static_cast<std::size_t>(link)];
    if (l.under_way != 0) l.is_awaited = true;
    return l.under_way == 0;
  }

  void poll(arrival_queue& arrived) override {
    for (const arrival& a : arrived_) {
      if (!world_.is_local(a.source)) {
        world_.on().charge(world_.on().network().core_time(a.bytes));
      }
      arrived.push(a);
    }
    arrived_.clear();
  }

  void give_back(const arrival& a) override {
    take_back(a.data);
    const in_link& l = in_[a.link];
    if (!world_.is_local(l.pe)) {
      return world_.on().send(std::make_unique<returned>(*this, l));
    }
    // Within the node a store returns the buffer, and the other PE may see the store at once.
    simulated_links* const there = all_.of(l.pe);
    world_.wake(l.pe, there != nullptr && there->take_returned(l.place));
  }

  void start_session() override {}

  // (The most that a link may have in use; at most times less is in use.)
  [[nodiscard]] std::size_t memory_bytes() const override {
    return out_.size() * (depth_ * buffer_bytes_ + sizeof(out_link)) + in_.size() * sizeof(in_link);
  }

 private:
  struct out_link {
    int pe = 0;
    std::uint32_t place = 0;  // the index among the receiver's incoming links
    std::uint32_t under_way = 0;
    bool is_awaited = false;      // the PE waits for the return of a buffer
    std::byte* buffer = nullptr;  // the open buffer
  };
  struct in_link {
    int pe = 0;
    std::uint32_t place = 0;  // the index among the sender's outgoing links
  };

  class sent_buffer final : public simulated_message {
   public:
    sent_buffer(simulated_links& from, const out_link& l, std::size_t bytes, bool last)
        : simulated_message(from.world_.in_job(from.world_.rank()), from.world_.in_job(l.pe),
                            &from.all_.all()->front(), bytes),
          all_(from.all_.all()),
          on_(from.world_.on()),
          to_(l.pe),
          buffer_bytes_(from.buffer_bytes_) {
      content_.data = l.buffer;
      content_.bytes = static_cast<std::uint32_t>(bytes);
      content_.link = l.place;
      content_.source = from.world_.rank();
      content_.last = last;
    }
    [[nodiscard]] bool is_buffer() const override { return true; }
    bool arrive() override {
      simulated_links* const there = (*all_)[static_cast<std::size_t>(to_)];
      if (there == nullptr) {
        on_.buffers().give_back(content_.data, buffer_bytes_);
        return false;
      }
      there->arrived_.push_back(content_);
      return true;
    }

   private:
    table all_;
    simulated_machine& on_;
    int to_;
    std::size_t buffer_bytes_;
    arrival content_;
  };

  class returned final : public simulated_message {
   public:
    returned(simulated_links& from, const in_link& l)
        : simulated_message(from.world_.in_job(from.world_.rank()), from.world_.in_job(l.pe),
                            from.all_.all().get(), word_bytes),
          all_(from.all_.all()),
          to_(l.pe),
          place_(l.place) {}
    bool arrive() override {
      simulated_links* const there = (*all_)[static_cast<std::size_t>(to_)];
      return there != nullptr && there->take_returned(place_);
    }

   private:
    table all_;
    int to_;
    std::uint32_t place_;
  };

  // Returns true if the PE was waiting for the return.
  bool take_returned(std::uint32_t place) {
    --out_[place].under_way;
    return std::exchange(out_[place].is_awaited, false);
  }
  void take_back(std::byte* buffer) { world_.on().buffers().give_back(buffer, buffer_bytes_); }

  simulated_substrate& world_;
  std::size_t buffer_bytes_;
  std::uint32_t depth_;
  std::vector<in_link> in_;
  std::vector<out_link> out_;
  std::vector<arrival> arrived_;
  peer_objects<simulated_links> all_;
};

}  // namespace

std::unique_ptr<link_set> make_simulated_links(simulated_substrate& world, const link_plan& plan) {
  return std::make_unique<simulated_links>(world, plan);
}

}  // namespace boxcar::detail
