#include "shmem/put_flag.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shmem.h>
#include <span>

#include "pipeline_loop.hpp"
#include "shmem/symmetric_array.hpp"

namespace boxcar::bench {
namespace {

// Memory of each PE for the puts of one other PE, with a flag that counts the puts.
template <typename T>
class flagged_memory {
 public:
  // Collective.
  explicit flagged_memory(std::size_t elements) {
    room_.take(elements);
    flag_.take(1);
  }

  // Collective. Nothing has been put yet.
  void begin() {
    flag_[0] = 0;
    sent_ = arrived_ = 0;
    shmem_barrier_all();
  }
  void put(std::span<const T> values, int pe, std::size_t index) {
    shmem_putmem(room_.data() + index, values.data(), values.size_bytes(), pe);
    shmem_fence();
    shmem_long_atomic_set(flag_.data(), ++sent_, pe);
  }
  // Returns when one put more has arrived than at the last call.
  void wait() { shmem_long_wait_until(flag_.data(), SHMEM_CMP_GE, ++arrived_); }
  [[nodiscard]] const T* here() const { return room_.data(); }

 private:
  symmetric_array<T> room_;
  symmetric_array<long> flag_;
  long sent_ = 0;
  long arrived_ = 0;
};

class ping_pong_put_flag final : public baseline {
 public:
  explicit ping_pong_put_flag(bench::job& work)
      : job_(work),
        game_(*work.as_ping_pong()),
        memory_(work.item_bytes() / sizeof(std::uint64_t)) {}

  [[nodiscard]] std::string name() const override { return "put_flag"; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override { memory_.begin(); }
  void run() override {
    if (!game_.plays()) return;
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (game_.begins()) memory_.put(game_.next(), game_.partner(), 0);
      memory_.wait();
      game_.take(memory_.here());
      if (!game_.begins()) memory_.put(game_.next(), game_.partner(), 0);
    }
  }
  void finish() override { shmem_barrier_all(); }

 private:
  bench::job& job_;
  ping_pong_job& game_;
  flagged_memory<std::uint64_t> memory_;
};

class pipeline_put_flag final : public baseline {
 public:
  explicit pipeline_put_flag(bench::job& work)
      : job_(work), pipeline_(*work.as_pipeline()), memory_(pipeline_.rows()) {}

  [[nodiscard]] std::string name() const override { return "put_flag"; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override { memory_.begin(); }
  void run() override {
    do_pipeline(
        pipeline_,
        [this](double value, std::uint64_t row) {
          memory_.put(std::span(&value, 1), pipeline_.next_pe(), row);
        },
        [this](std::uint64_t row) {
          memory_.wait();
          return memory_.here()[row];
        });
  }
  void finish() override { shmem_barrier_all(); }

 private:
  bench::job& job_;
  pipeline_job& pipeline_;
  flagged_memory<double> memory_;
};

}  // namespace

void make_put_flag(job& work, baselines& all) {
  if (work.as_ping_pong() != nullptr) {
    all.push_back(std::make_unique<ping_pong_put_flag>(work));
  } else if (work.as_pipeline() != nullptr) {
    all.push_back(std::make_unique<pipeline_put_flag>(work));
  }
}

}  // namespace boxcar::bench
