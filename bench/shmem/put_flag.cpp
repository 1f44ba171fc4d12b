#include "shmem/put_flag.hpp"

#include <cstdint>
#include <memory>
#include <shmem.h>

#include "shmem/symmetric_array.hpp"

namespace boxcar::bench {
namespace {

class put_flag final : public baseline {
 public:
  explicit put_flag(bench::job& work) : job_(work), game_(*work.as_ping_pong()) {
    room_.take(work.item_bytes() / sizeof(std::uint64_t));
    flag_.take(1);
  }

  [[nodiscard]] std::string name() const override { return "put_flag"; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override {
    flag_[0] = 0;
    sent_ = arrived_ = 0;
    shmem_barrier_all();
  }

  void run() override {
    if (!game_.plays()) return;
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (game_.begins()) send();
      shmem_long_wait_until(flag_.data(), SHMEM_CMP_GE, ++arrived_);
      game_.take(room_.data());
      if (!game_.begins()) send();
    }
  }
  void finish() override { shmem_barrier_all(); }

 private:
  void send() {
    shmem_putmem(room_.data(), game_.next().data(), job_.item_bytes(), game_.partner());
    shmem_fence();
    shmem_long_atomic_set(flag_.data(), ++sent_, game_.partner());
  }

  bench::job& job_;
  ping_pong_job& game_;
  symmetric_array<std::uint64_t> room_;
  symmetric_array<long> flag_;
  long sent_ = 0;
  long arrived_ = 0;
};

}  // namespace

void make_put_flag(job& work, baselines& all) {
  if (work.as_ping_pong() != nullptr) all.push_back(std::make_unique<put_flag>(work));
}

}  // namespace boxcar::bench
