#include "shmem/put_blocks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shmem.h>
#include <string>

#include "other_pes.hpp"
#include "shmem/symmetric_array.hpp"

namespace boxcar::bench {
namespace {

class put_blocks final : public baseline {
 public:
  put_blocks(bench::job& work, bool by_flags)
      : job_(work),
        exchange_(*work.as_all_to_all()),
        by_flags_(by_flags),
        words_(work.item_bytes() / sizeof(word)) {
    room_.take(turns * static_cast<std::size_t>(pes_) * words_);
    flags_.take(turns);
  }

  [[nodiscard]] std::string name() const override { return by_flags_ ? "put_flag" : "put"; }
  [[nodiscard]] bench::job& job() override { return job_; }
  void prepare() override {
    for (std::size_t turn = 0; turn < turns; ++turn) flags_[turn] = expected_[turn] = 0;
    shmem_barrier_all();
  }
  void run() override {
    for (std::uint64_t i = 0; i < exchange_.exchanges(); ++i) {
      turn_ = (turn_ + 1) % turns;
      const auto block = exchange_.next();
      for_others([&](int pe) { shmem_putmem(from(rank_), block.data(), block.size_bytes(), pe); });
      if (by_flags_) {
        wait_for_flags();
      } else {
        shmem_barrier_all();
      }
      for_others([&](int pe) { exchange_.take(pe, from(pe)); });
    }
  }
  void finish() override { shmem_barrier_all(); }

 private:
  using word = std::uint64_t;
  // The number of exchanges with room and flags of their own: the other PEs may be one ahead.
  static constexpr std::size_t turns = 2;

  template <typename Action>
  void for_others(const Action& action) const {
    for_other_pes(rank_, pes_, action);
  }
  void wait_for_flags() {
    shmem_fence();
    for_others([&](int pe) { shmem_long_atomic_inc(&flags_[turn_], pe); });
    expected_[turn_] += pes_ - 1;
    shmem_long_wait_until(&flags_[turn_], SHMEM_CMP_GE, expected_[turn_]);
  }
  [[nodiscard]] word* from(int pe) const {
    const std::size_t place = turn_ * static_cast<std::size_t>(pes_) + static_cast<std::size_t>(pe);
    return room_.data() + place * words_;
  }

  bench::job& job_;
  all_to_all_job& exchange_;
  bool by_flags_;
  std::size_t words_;
  int pes_ = shmem_n_pes();
  int rank_ = shmem_my_pe();
  std::size_t turn_ = 0;
  symmetric_array<word> room_;
  symmetric_array<long> flags_;
  std::array<long, turns> expected_{};
};

}  // namespace

void make_put_blocks(job& work, baselines& all) {
  if (work.as_all_to_all() == nullptr) return;
  for (const bool by_flags : {false, true}) {
    all.push_back(std::make_unique<put_blocks>(work, by_flags));
  }
}

}  // namespace boxcar::bench
