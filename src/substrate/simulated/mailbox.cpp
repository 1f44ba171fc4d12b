#include "substrate/simulated/mailbox.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

#include "substrate/simulated/simulated_substrate.hpp"

namespace boxcar::detail {
namespace {

// The maximum number of requests in flight to a PE or waiting there.
constexpr int max_requests = 32;

using content = std::vector<std::byte>;

struct request_in {
  int from;
  content message;
};
struct reply_in {
  int from;
  int place;
  content message;
};

class simulated_mailbox final : public mailbox {
 public:
  using table = peer_objects<simulated_mailbox>::table;

  explicit simulated_mailbox(simulated_substrate& world)
      : on_(world.on()), rank_(world.rank()), in_job_(world.in_job(world.rank())) {
    all_ = world.exchange_objects(this);
  }
  simulated_mailbox(const simulated_mailbox&) = delete;
  simulated_mailbox& operator=(const simulated_mailbox&) = delete;

  bool send(int to, std::span<const std::byte> head, std::span<const std::byte> body,
            int) override {
    if (!try_reserve(to)) return false;
    has_place_.erase(to);
    content message(head.begin(), head.end());
    message.insert(message.end(), body.begin(), body.end());
    post(
        to,
        [from = rank_, message = std::move(message)](simulated_mailbox& there) mutable {
          there.requests_.push_back({from, std::move(message)});
        },
        head.size() + body.size(), &all_.all()->front());
    return true;
  }

  // A reserved place stays with the sender until the sender sends.
  [[nodiscard]] bool try_reserve(int to) override {
    simulated_mailbox* const there = of(to);
    if (there == nullptr || has_place_.contains(to)) return true;
    if (there->taken_ == max_requests) {
      there->refused_.push_back(in_job_);
      return false;
    }
    ++there->taken_;
    has_place_.insert(to);
    return true;
  }

  [[nodiscard]] bool can_reply() override { return true; }

  void reply(int to, int place, std::span<const std::byte> message) override {
    post(
        to,
        [from = rank_, place,
         message = content(message.begin(), message.end())](simulated_mailbox& there) mutable {
          there.replies_.push_back({from, place, std::move(message)});
        },
        message.size(), all_.all().get());
  }

  bool poll(mail_reader& reader) override {
    bool active = false;
    for (; !replies_.empty(); active = true) {
      const reply_in next = std::move(replies_.front());
      replies_.pop_front();
      pay_for(next.message);
      reader.take_reply(next.from, next.place, next.message);
    }
    // The loop ends after max_requests requests: the caller of `poll` has other work, too.
    for (int taken = 0; taken < max_requests && !requests_.empty(); ++taken) {
      const request_in& next = requests_.front();
      if (!reader.take_request(next.from, next.message)) break;
      pay_for(next.message);
      requests_.pop_front();
      --taken_;
      active = true;
      for (const int pe : refused_) on_.ring(pe, on_.clock());
      refused_.clear();
    }
    return active;
  }

 private:
  template <typename Arrive>
  class mail_message final : public simulated_message {
   public:
    mail_message(int from, int to, const void* lane, std::size_t bytes, table all, int to_rank,
                 Arrive arrive)
        : simulated_message(from, to, lane, bytes),
          all_(std::move(all)),
          to_rank_(to_rank),
          arrive_(std::move(arrive)) {}
    bool arrive() override {
      simulated_mailbox* const there = (*all_)[static_cast<std::size_t>(to_rank_)];
      if (there != nullptr) arrive_(*there);
      return there != nullptr;
    }

   private:
    table all_;
    int to_rank_;
    Arrive arrive_;
  };

  template <typename Arrive>
  void post(int to, Arrive arrive, std::size_t bytes, const void* lane) {
    simulated_mailbox* const there = of(to);
    if (there == nullptr) return;  // the PE has left the world
    on_.send(std::make_unique<mail_message<Arrive>>(in_job_, there->in_job_, lane, bytes,
                                                    all_.all(), to, std::move(arrive)));
  }
  void pay_for(const content& message) { on_.charge(on_.network().core_time(message.size())); }
  [[nodiscard]] simulated_mailbox* of(int pe) const { return all_.of(pe); }

  simulated_machine& on_;
  int rank_;
  int in_job_;
  peer_objects<simulated_mailbox> all_;
  std::deque<request_in> requests_;
  std::deque<reply_in> replies_;
  std::set<int> has_place_;   // at these PEs, for the next request
  int taken_ = 0;             // places here
  std::vector<int> refused_;  // PEs of the job that found no room here
};

}  // namespace

std::shared_ptr<mailbox> make_simulated_mailbox(simulated_substrate& world) {
  return std::make_shared<simulated_mailbox>(world);
}

}  // namespace boxcar::detail
