#include "substrate/ofi/links.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/cluster/refusal.hpp"
#include "substrate/cluster/trailer.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr std::size_t max_receives = 64;
constexpr std::size_t max_buffers = 4;  // of a link

class links final : public link_set, operation_owner, answer_listener {
 public:
  links(substrate& world, const link_plan& plan, const rank_list& members,
        std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears, channel_lease lease)
      : at_(std::move(at)),
        hears_(std::move(hears)),
        lease_(std::move(lease)),
        depth_(static_cast<std::size_t>(plan.buffers_per_link)),
        most_bytes_(plan.buffer_bytes),
        stride_((plan.buffer_bytes + trailer_bytes + seal_bytes + buffer_alignment - 1) /
                buffer_alignment * buffer_alignment),
        out_(plan.outgoing.size()),
        sends_(std::make_unique<operation[]>(out_.size() * depth_)),
        fill_(world, plan.memory, out_.size() * depth_ * stride_, "buffers that are being sent"),
        room_(plan.incoming.size() * depth_),
        receives_(std::make_unique<operation[]>(room_)),
        pool_(world, plan.memory, room_ * stride_, "buffers that are being received") {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].rank = members[plan.outgoing[i]];
      out_[i].credits = depth_;
      by_rank_.push_back({out_[i].rank, i});
    }
    std::ranges::sort(by_rank_);
    for (std::size_t i = 0; i < plan.incoming.size(); ++i) {
      const int pe = plan.incoming[i];
      senders_.push_back({members[pe], static_cast<std::uint32_t>(i), pe});
    }
    std::ranges::sort(senders_, {}, &sender::rank);
    rank_of_link_.resize(senders_.size());
    for (const sender& s : senders_) rank_of_link_[s.link] = s.rank;
    for (std::size_t i = 0; i < out_.size() * depth_; ++i) prepare(sends_[i], i);
    for (std::size_t i = 0; i < room_; ++i) prepare(receives_[i], i);
    early_.reserve(room_);
    ready_.reserve(room_);
    idle_.reserve(room_);
    for (std::size_t slot = room_; slot-- > 0;) idle_.push_back(static_cast<std::uint32_t>(slot));

    if (stride_ > at_->max_message()) {
      throw_refusal(at_->provider() + " sends at most " + std::to_string(at_->max_message()) +
                    " bytes at once, and buffers have " + std::to_string(plan.buffer_bytes) +
                    ": let conveyors have smaller ones (buffer_bytes)");
    }
    const auto lock = at_->acquire_lock();
    at_->set_has_core(world.has_core());
    fill_memory_ = registered(*at_, fill_.data(), out_.size() * depth_ * stride_);
    pool_memory_ = registered(*at_, pool_.data(), room_ * stride_);
    may_post_ = at_->book_receives(std::min(room_, max_receives));
    try {
      post();
    } catch (...) {
      end();
      throw;
    }
    hears_->listen(lease_.number, *this);
  }
  links(const links&) = delete;
  links& operator=(const links&) = delete;

  ~links() override {
    const auto lock = at_->acquire_lock();
    hears_->stop_listening(lease_.number);
    end();
  }

  std::byte* open(int link) override {
    const auto lock = at_->acquire_lock();
    out_link& l = out_[static_cast<std::size_t>(link)];
    if (!is_free(l, link)) {
      at_->poll();
      require_success();
      if (!is_free(l, link)) return nullptr;
    }
    return buffer(link, l.next);
  }

  void send(int link, std::size_t bytes, bool last) override {
    const auto lock = at_->acquire_lock();
    out_link& l = out_[static_cast<std::size_t>(link)];
    buffer(link, l.next)[bytes] = trailer_of(l.number, last);
    l.filled[l.next] = bytes + trailer_bytes;
    ++l.unsent;
    ++unfinished_;
    l.next = (l.next + 1) % depth_;
    l.number = next_number(l.number);
    send_permitted(l, link);
  }

  bool poll_returned(int link) override {
    const auto lock = at_->acquire_lock();
    const out_link& l = out_[static_cast<std::size_t>(link)];
    if (l.credits == depth_ && !is_any_under_way(link)) return true;
    at_->poll();
    require_success();
    return l.credits == depth_ && !is_any_under_way(link);
  }

  bool all_sent() override {
    const auto lock = at_->acquire_lock();
    if (unfinished_ == 0) return true;
    at_->poll();
    require_success();
    return unfinished_ == 0;
  }

  void poll(arrival_queue& arrived) override {
    const auto lock = at_->acquire_lock();
    at_->poll();
    require_success();
    post();
    for (const arrival& a : ready_) arrived.push(a);
    ready_.clear();
  }

  void give_back(const arrival& a) override {
    const auto lock = at_->acquire_lock();
    idle_.push_back(a.slot);
    post();
    hears_->send(rank_of_link_[a.link], lease_.number);
  }

  void start_session() override {}

  [[nodiscard]] std::size_t memory_bytes() const override {
    return fill_.bytes() + pool_.bytes() +
           out_.size() * (sizeof(out_link) + sizeof(by_rank_[0]) + depth_ * sizeof(operation)) +
           senders_.size() * (sizeof(sender) + sizeof(int)) +
           room_ * (sizeof(operation) + 2 * sizeof(arrival) + sizeof(std::uint32_t));
  }

 private:
  struct out_link {
    int rank = 0;
    std::size_t next = 0;     // the buffer to fill next
    unsigned number = 0;      // sequence number of buffer `next`
    std::size_t credits = 0;  // credits: buffers that may be sent
    std::size_t unsent = 0;   // filled buffers before `next` without a credit
    std::array<std::size_t, max_buffers> filled{};
  };
  struct sender {
    int rank;
    std::uint32_t link;
    int pe;
    unsigned next = 0;  // sequence number of the next buffer to arrive
  };

  void end() noexcept {
    const bool is_over = at_->cancel(std::span(receives_.get(), room_));
    if (!is_over) {
      static_cast<void>(receives_.release());
      pool_.abandon();
      pool_memory_.abandon();
    }
    // Sends remain in flight only if the session has failed, and then perhaps forever.
    if (!at_->end_soon(std::span(sends_.get(), out_.size() * depth_))) {
      static_cast<void>(sends_.release());
      fill_.abandon();
      fill_memory_.abandon();
    }
    at_->give_back_receives(may_post_);
    lease_.on_end(is_over);
  }

  void prepare(operation& op, std::size_t index) {
    op.owner = this;
    op.index = static_cast<std::uint32_t>(index);
  }
  [[nodiscard]] operation& sending(int link, std::size_t slot) const {
    return sends_[static_cast<std::size_t>(link) * depth_ + slot];
  }
  std::byte* buffer(int link, std::size_t slot) {
    return fill_.data() + (static_cast<std::size_t>(link) * depth_ + slot) * stride_;
  }
  [[nodiscard]] bool is_free(const out_link& l, int link) const {
    return l.unsent < depth_ && !sending(link, l.next).under_way;
  }
  [[nodiscard]] bool is_any_under_way(int link) const {
    for (std::size_t slot = 0; slot < depth_; ++slot) {
      if (sending(link, slot).under_way) return true;
    }
    return false;
  }

  void send_permitted(out_link& l, int link) {
    for (; l.unsent != 0 && l.credits != 0; --l.unsent, --l.credits) {
      const std::size_t slot = (l.next + depth_ - l.unsent) % depth_;
      at_->send(sending(link, slot), l.rank, {buffer(link, slot), l.filled[slot]}, fill_memory_,
                tag_of(lease_.number, at_->rank()));
    }
  }

  // Posts receives into free buffers, as many as are booked.
  void post() {
    while (!idle_.empty() && posted_ < may_post_) {
      operation& op = receives_[idle_.back()];
      if (!at_->receive(op, {pool_.data() + op.index * stride_, stride_}, pool_memory_,
                        tag_of(lease_.number, 0), any_rank)) {
        return;
      }
      idle_.pop_back();
      ++posted_;
    }
  }

  // A received buffer becomes ready once all earlier buffers of the sender are ready.
  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    --posted_;
    std::byte* data = pool_.data() + op.index * stride_;
    const auto found = std::ranges::lower_bound(senders_, rank_in(tag), {}, &sender::rank);
    if (found == senders_.end() || found->rank != rank_in(tag)) {
      return distrust(op, tag, "has no link to this PE");
    }
    if (bytes < trailer_bytes || bytes > most_bytes_ + trailer_bytes) {
      return distrust(op, tag, "has sent one of " + std::to_string(bytes) + " bytes");
    }
    sender& from = *found;
    const std::size_t filled = bytes - trailer_bytes;
    if (!is_within(number_in(data[filled]), from.next, depth_)) {
      return distrust(op, tag,
                      "has sent number " + std::to_string(number_in(data[filled])) +
                          " where number " + std::to_string(from.next) + " is to come");
    }
    early_.push_back({data, static_cast<std::uint32_t>(filled), from.link, from.pe,
                      op.index & arrival::largest_slot, is_last(data[filled])});
    const auto is_next = [&from](const arrival& a) {
      return a.link == from.link && number_in(a.data[a.bytes]) == from.next;
    };
    for (auto next = early_.end();
         (next = std::ranges::find_if(early_, is_next)) != early_.end();) {
      ready_.push_back(*next);
      early_.erase(next);
      from.next = next_number(from.next);
    }
    post();
  }

  // An invalid buffer of a PE of the job is recorded as a problem, and not read.
  void distrust(operation& op, std::uint64_t tag, const std::string& why) {
    problem_ =
        "a buffer of PE " + std::to_string(rank_in(tag)) + " of the job is not valid: it " + why;
    idle_.push_back(op.index);
  }

  void refused(operation& op) override {
    --posted_;
    idle_.push_back(op.index);
    post();
  }
  void sent(operation& /*op*/) override { --unfinished_; }

  void failed(operation& op, const std::string& reason) override {
    if (op.is_receive) {
      problem_ = "receiving a buffer failed: " + reason;
    } else {
      problem_ = "sending a buffer to PE " + std::to_string(out_[op.index / depth_].rank) +
                 " of the job by " + at_->provider() + " failed: " + reason;
    }
  }

  void answered(int from) override {
    const auto found = std::ranges::lower_bound(by_rank_, std::pair(from, std::size_t{0}));
    if (found == by_rank_.end() || found->first != from) return;
    out_link& l = out_[found->second];
    if (l.credits == depth_) {
      problem_ =
          "PE " + std::to_string(from) + " of the job has given back more buffers than it got";
      return;
    }
    ++l.credits;
    send_permitted(l, static_cast<int>(found->second));
  }

  void require_success() const {
    if (!problem_.empty()) throw_refusal(problem_);
  }

  std::shared_ptr<endpoint> at_;
  std::shared_ptr<answers> hears_;
  channel_lease lease_;
  std::size_t depth_;
  std::size_t most_bytes_;  // in a buffer
  std::size_t stride_;      // from one buffer to the next
  std::vector<out_link> out_;
  std::vector<std::pair<int, std::size_t>> by_rank_;  // ascending: rank, number of outgoing link
  std::unique_ptr<operation[]> sends_;                // of each buffer of each link
  own_memory fill_;
  registered fill_memory_;
  std::vector<sender> senders_;  // ascending by rank
  std::vector<int> rank_of_link_;
  std::size_t room_;                       // buffers of the pool
  std::unique_ptr<operation[]> receives_;  // for each buffer of the pool
  own_memory pool_;
  registered pool_memory_;
  std::size_t may_post_ = 0;
  std::size_t posted_ = 0;
  std::size_t unfinished_ = 0;       // buffers handed over that have not been sent
  std::vector<std::uint32_t> idle_;  // buffers that are free, and not posted
  std::vector<arrival> early_;       // buffers that arrived before earlier buffers of the sender
  std::vector<arrival> ready_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<link_set> make_links(substrate& world, const link_plan& plan,
                                     const rank_list& members, std::shared_ptr<endpoint> at,
                                     std::shared_ptr<answers> hears, channel_lease lease) {
  return std::make_unique<links>(world, plan, members, std::move(at), std::move(hears),
                                 std::move(lease));
}

}  // namespace boxcar::detail::ofi
