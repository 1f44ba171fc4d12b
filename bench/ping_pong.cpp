// Ping-pong: PE 0 puts a message into the memory of PE 1, which answers as soon as the message has
// arrived (counting-puts-2014, "Ping-Pong Benchmark"). Other PEs only look on. A message is one
// item: half a round trip takes half of a session's time, divided by the messages of a PE.
#include "ping_pong.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <boxcar/window.hpp>

#include "announced_puts.hpp"
#include "job.hpp"
#include "one_sided_benchmark.hpp"

namespace boxcar::bench {
namespace {

using word = std::uint64_t;

// Messages are numbered in their first word.
class messages final : public job, public ping_pong_job {
 public:
  messages(const world& w, const setting& s)
      : rank_(w.rank()), items_(s.items), message_(s.item_bytes / sizeof(word)) {}

  [[nodiscard]] std::uint64_t items() const override { return plays() ? items_ : 0; }
  [[nodiscard]] std::size_t item_bytes() const override { return message_.size() * sizeof(word); }
  ping_pong_job* as_ping_pong() override { return this; }

  [[nodiscard]] bool plays() const override { return rank_ < 2; }
  [[nodiscard]] bool begins() const override { return rank_ == 0; }
  [[nodiscard]] int partner() const override { return 1 - rank_; }
  [[nodiscard]] std::span<const word> next() override {
    ++message_[0];
    return message_;
  }
  void take(const word* message) override { sum_ += message[0]; }

  void clear() override { message_[0] = sum_ = 0; }
  void check(world&, std::uint64_t sessions) const override {
    const std::uint64_t n = items() * sessions;
    require(sum_ == n * (n + 1) / 2, "the messages that arrived are not those of the other PE");
  }
  void check_alone(std::uint64_t sessions) const override {
    const std::uint64_t n = items_ * sessions;
    require(sum_ == n * (n + 1) / 2, "the messages that arrived are not those that were sent");
  }

 private:
  int rank_;
  std::uint64_t items_;
  std::vector<word> message_;
  word sum_ = 0;
};

// Plays in turns: `send` puts a message into the other PE's memory, `wait` waits for a message
// here.
template <typename Send, typename Wait>
void play(messages& all, const Send& send, const Wait& wait) {
  if (!all.plays()) return;
  const std::uint64_t n = all.items();
  for (std::uint64_t i = 0; i < n; ++i) {
    if (all.begins()) send();
    wait();
    if (!all.begins()) send();
  }
}

template <typename Puts>
class by_puts final : public contender {
 public:
  by_puts(world& w, messages& all)
      : world_(w), all_(all), puts_(w, all.item_bytes() / sizeof(word)) {}
  [[nodiscard]] std::string name() const override { return Puts::name; }
  [[nodiscard]] bench::role role() const override { return bench::role::boxcar; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void prepare() override {
    puts_.begin();
    world_.barrier();
  }
  void run() override {
    play(
        all_,
        [this] {
          const auto message = all_.next();
          if (message.size() == 1) {
            puts_.put(message[0], all_.partner(), 0);
          } else {
            puts_.put(message, all_.partner(), 0);
          }
        },
        [this] {
          puts_.wait();
          all_.take(puts_.here().data());
        });
  }
  // Completes puts in flight, for PEs that look on, too.
  void finish() override {
    puts_.flush();
    world_.barrier();
  }

 private:
  world& world_;
  messages& all_;
  Puts puts_;
};

// A contender with one cache line for each PE, written by the other PE: the limit of the machine.
// Where the two PEs share no memory, one PE plays both.
class floor_of_machine final : public contender {
 public:
  floor_of_machine(world& w, messages& all)
      : world_(w),
        all_(all),
        lines_(w, 64 / sizeof(word)),
        alone_(!w.is_local(0) || !w.is_local(1)) {
    alone_ = w.reduce(w.rank() < 2 && alone_ ? 1 : 0) != 0;
  }
  [[nodiscard]] std::string name() const override { return "limit"; }
  [[nodiscard]] bench::role role() const override { return bench::role::limit; }
  [[nodiscard]] bench::job& job() override { return all_; }
  void prepare() override {
    lines_.local()[0] = 0;
    sent_ = 0;
    world_.barrier();
  }
  void run() override {
    if (!all_.plays() || (alone_ && !all_.begins())) return;
    const std::atomic_ref<word> mine(lines_.local()[0]);
    const std::atomic_ref<word> other(alone_ ? lines_.local()[0]
                                             : lines_.direct(all_.partner())[0]);
    // Each acquire load synchronises with the release store of the other PE.
    play(
        all_,
        [&] {
          other.store(all_.next()[0], std::memory_order_release);
          ++sent_;
        },
        [&] {
          const word wanted = all_.begins() ? sent_ : sent_ + 1;
          word seen = 0;
          for (int looks = 0; (seen = mine.load(std::memory_order_acquire)) < wanted; ++looks) {
            if (looks > patience) world_.idle();
          }
          all_.take(&seen);
        });
  }

 private:
  static constexpr int patience = 100'000;  // polls before the core is yielded

  world& world_;
  messages& all_;
  window<word> lines_;
  bool alone_;
  word sent_ = 0;
};

}  // namespace

std::unique_ptr<benchmark> make_ping_pong(world& w, const setting& s) {
  return std::make_unique<one_sided_benchmark<
      messages, floor_of_machine, by_puts<counting_puts<word>>, by_puts<puts_and_flags<word>>>>(w,
                                                                                                s);
}

}  // namespace boxcar::bench
