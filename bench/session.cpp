// Session: every PE sends one item to the next PE, or as many as given. The benchmark measures the
// time of a session from begin to reset, with next to no items.
#include "session.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "job.hpp"
#include "one_way_benchmark.hpp"
#include "stream_loops.hpp"
#include "support/random.hpp"

namespace boxcar::bench {
namespace {

class session_job final : public one_way<session_job, std::uint64_t> {
 public:
  session_job(const world& w, const setting& s)
      : rank_(w.rank()), next_((rank_ + 1) % w.size()), pes_(w.size()), items_(s.items) {}

  [[nodiscard]] std::uint64_t items() const override { return items_; }
  [[nodiscard]] int destination(std::uint64_t) const { return next_; }
  [[nodiscard]] std::uint64_t at(std::uint64_t i) const { return sent_by(rank_, i); }
  void apply(std::uint64_t item) { sum_ += item; }

  void clear() override { sum_ = 0; }

  void check(world&, std::uint64_t sessions) const override {
    check_sum_from((rank_ + pes_ - 1) % pes_, sessions);
  }
  void check_alone(std::uint64_t sessions) const override { check_sum_from(rank_, sessions); }

 private:
  [[nodiscard]] std::uint64_t sent_by(int pe, std::uint64_t i) const {
    return examples::mix(static_cast<std::uint64_t>(pe) * items_ + i);
  }
  void check_sum_from(int pe, std::uint64_t sessions) const {
    std::uint64_t sent = 0;
    for (std::uint64_t i = 0; i < items_; ++i) sent += sent_by(pe, i);
    require(sessions * sent == sum_, "the items that arrived are not those of the PE before");
  }

  int rank_;
  int next_;
  int pes_;
  std::uint64_t items_;
  std::uint64_t sum_ = 0;
};

// Streams, whose sessions also detect termination, come behind the conveyors.
class session_benchmark final : public one_way_benchmark<session_job> {
 public:
  using one_way_benchmark<session_job>::one_way_benchmark;

  std::vector<std::unique_ptr<contender>> ours() override {
    auto all = one_way_benchmark<session_job>::ours();
    if (setting_.kind != carrier::automatic) return all;
    const stream_options options = stream_options_of(world_, setting_);
    all.push_back(std::make_unique<by_stream<session_job>>("stream_staged", world_, options, job_));
    all.push_back(
        std::make_unique<by_stream<session_job>>("stream", world_, options, job_, quiescence()));
    all.push_back(
        std::make_unique<by_array_stream<session_job>>("stream_arrays", world_, options, job_));
    return all;
  }
};

}  // namespace

std::unique_ptr<benchmark> make_session(world& w, const setting& s) {
  return std::make_unique<session_benchmark>(w, s);
}

}  // namespace boxcar::bench
