#include "substrate/ofi/links.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/cluster/arrival_order.hpp"
#include "substrate/cluster/refusal.hpp"
#include "substrate/cluster/trailer.hpp"
#include "substrate/ofi/receive_pool.hpp"
#include "substrate/own_memory.hpp"

namespace boxcar::detail::ofi {
namespace {

constexpr std::size_t max_receives = 64;
constexpr std::size_t max_buffers = 4;  // of a link

// Returns the bytes from one buffer to the next. Throws system_error if the provider sends no
// messages of this size.
std::size_t stride_of(const link_plan& plan, const endpoint& at) {
  const std::size_t stride =
      (plan.buffer_bytes + trailer_bytes + seal_bytes + buffer_alignment - 1) / buffer_alignment *
      buffer_alignment;
  if (stride > at.max_message()) {
    throw_refusal(at.provider() + " sends at most " + std::to_string(at.max_message()) +
                  " bytes at once, and buffers have " + std::to_string(plan.buffer_bytes) +
                  ": let conveyors have smaller ones (buffer_bytes)");
  }
  return stride;
}

class links final : public link_set, operation_owner, answer_listener {
 public:
  links(substrate& world, const link_plan& plan, const rank_list& members,
        std::shared_ptr<endpoint> at, std::shared_ptr<answers> hears, channel_lease lease)
      : at_(std::move(at)),
        hears_(std::move(hears)),
        lease_(std::move(lease)),
        depth_(static_cast<std::size_t>(plan.buffers_per_link)),
        most_bytes_(plan.buffer_bytes),
        out_(plan.outgoing.size()),
        sends_(buffers(world, plan, out_.size(), "buffers that are being sent")),
        order_(plan, members, plan.incoming.size() * depth_),
        receives_(*at_,
                  buffers(world, plan, plan.incoming.size(), "buffers that are being received"),
                  max_receives, {tag_of(lease_.number, 0), any_rank}) {
    for (std::size_t i = 0; i < out_.size(); ++i) {
      out_[i].rank = members[plan.outgoing[i]];
      out_[i].credits = depth_;
      by_rank_.push_back({out_[i].rank, i});
    }
    std::ranges::sort(by_rank_);
    for (const int pe : plan.incoming) rank_of_link_.push_back(members[pe]);
    ready_.reserve(plan.incoming.size() * depth_);

    const auto lock = at_->acquire_lock();
    at_->set_has_core(world.has_core());
    try {
      receives_.post();
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
    return sends_.buffer(number_of(link, l.next));
  }

  void send(int link, std::size_t bytes, bool last) override {
    const auto lock = at_->acquire_lock();
    out_link& l = out_[static_cast<std::size_t>(link)];
    sends_.buffer(number_of(link, l.next))[bytes] = trailer_of(l.number, last);
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
    receives_.post();
    for (const arrival& a : ready_) arrived.push(a);
    ready_.clear();
  }

  void give_back(const arrival& a) override {
    const auto lock = at_->acquire_lock();
    receives_.give_back(a.slot);
    hears_->send(rank_of_link_[a.link], lease_.number);
  }

  void start_session() override {}

  [[nodiscard]] std::size_t memory_bytes() const override {
    return sends_.memory_bytes() + receives_.memory_bytes() + order_.memory_bytes() +
           out_.size() * (sizeof(out_link) + sizeof(by_rank_[0])) +
           rank_of_link_.size() * sizeof(int) + ready_.capacity() * sizeof(arrival);
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

  // Makes the buffers of `num_links` links.
  message_buffers buffers(substrate& world, const link_plan& plan, std::size_t num_links,
                          const char* purpose) {
    const std::size_t stride = stride_of(plan, *at_);
    return {*at_, *this, num_links * depth_, stride,
            own_memory(world, plan.memory, num_links * depth_ * stride, purpose)};
  }

  void end() noexcept {
    const bool is_over = receives_.end();
    // Sends remain in flight only if the session has failed, and then perhaps forever.
    sends_.end();
    lease_.on_end(is_over);
  }

  // Returns the number of the buffer `slot` of an outgoing link.
  [[nodiscard]] std::size_t number_of(int link, std::size_t slot) const {
    return static_cast<std::size_t>(link) * depth_ + slot;
  }
  [[nodiscard]] bool is_free(const out_link& l, int link) const {
    return l.unsent < depth_ && !sends_.is_under_way(number_of(link, l.next));
  }
  [[nodiscard]] bool is_any_under_way(int link) const {
    for (std::size_t slot = 0; slot < depth_; ++slot) {
      if (sends_.is_under_way(number_of(link, slot))) return true;
    }
    return false;
  }

  void send_permitted(out_link& l, int link) {
    for (; l.unsent != 0 && l.credits != 0; --l.unsent, --l.credits) {
      const std::size_t slot = (l.next + depth_ - l.unsent) % depth_;
      sends_.send(number_of(link, slot), l.rank, l.filled[slot],
                  tag_of(lease_.number, at_->rank()));
    }
  }

  // A received buffer becomes ready once all earlier buffers of the sender are ready.
  void received(operation& op, std::size_t bytes, std::uint64_t tag) override {
    receives_.note_end();
    std::byte* data = receives_.buffer(op.index);
    arrival_order::sender* const from = order_.find(rank_in(tag));
    if (from == nullptr) return distrust(op, tag, "has no link to this PE");
    if (bytes < trailer_bytes || bytes > most_bytes_ + trailer_bytes) {
      return distrust(op, tag, "has sent one of " + std::to_string(bytes) + " bytes");
    }
    const unsigned number = number_in(data[bytes - trailer_bytes]);
    if (!is_within(number, from->next, depth_)) {
      return distrust(op, tag,
                      "has sent number " + std::to_string(number) + " where number " +
                          std::to_string(from->next) + " is to come");
    }
    order_.add(*from, data, bytes, op.index, [this](const arrival& a) { ready_.push_back(a); });
    receives_.post();
  }

  // An invalid buffer of a PE of the job is recorded as a problem, and not read.
  void distrust(operation& op, std::uint64_t tag, const std::string& why) {
    problem_ =
        "a buffer of PE " + std::to_string(rank_in(tag)) + " of the job is not valid: it " + why;
    receives_.give_back(op.index);
  }

  void refused(operation& op) override { receives_.post_again(op); }
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
  std::vector<out_link> out_;
  std::vector<std::pair<int, std::size_t>> by_rank_;  // ascending: rank, number of outgoing link
  message_buffers sends_;                             // of each buffer of each link
  arrival_order order_;
  receive_pool receives_;
  std::vector<int> rank_of_link_;
  std::size_t unfinished_ = 0;  // buffers handed over that have not been sent
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
