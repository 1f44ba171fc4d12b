#include "shmem/put_items.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shmem.h>
#include <vector>

#include "shmem/symmetric_array.hpp"

namespace boxcar::bench {
namespace {

// The places for the items of each PE on every other PE: contiguous, in the order of the PEs.
class agreed_places {
 public:
  // Collective. Throws on all PEs.
  void take_memory() {
    if (!words_.is_taken()) words_.take(3 * pes_);
  }

  // Collective. Returns how many items will arrive here.
  std::uint64_t agree(const partitioned_job& job) {
    std::ranges::fill(sent_, 0);
    job.count(0, job.items(), sent_);
    for (std::size_t pe = 0; pe < pes_; ++pe) tell(counts() + me_, sent_[pe], pe);
    shmem_barrier_all();
    std::uint64_t before = 0;
    for (std::size_t pe = 0; pe < pes_; ++pe) {
      tell(begins() + me_, before, pe);
      before += counts()[pe];
    }
    shmem_barrier_all();
    return before;
  }
  // Collective. The largest of the numbers.
  std::uint64_t largest(std::uint64_t number) {
    for (std::size_t pe = 0; pe < pes_; ++pe) tell(numbers() + me_, number, pe);
    shmem_barrier_all();
    return *std::max_element(numbers(), numbers() + pes_);
  }

  // The place of the next item for the PE.
  std::uint64_t next(int pe) { return begins()[pe]++; }

 private:
  // One element for every PE.
  [[nodiscard]] std::uint64_t* counts() const { return words_.data(); }
  [[nodiscard]] std::uint64_t* begins() const { return words_.data() + pes_; }
  [[nodiscard]] std::uint64_t* numbers() const { return words_.data() + 2 * pes_; }

  static void tell(std::uint64_t* word, std::uint64_t value, std::size_t pe) {
    shmem_uint64_p(word, value, static_cast<int>(pe));
  }

  std::size_t pes_ = static_cast<std::size_t>(shmem_n_pes());
  std::size_t me_ = static_cast<std::size_t>(shmem_my_pe());
  symmetric_array<std::uint64_t> words_;
  std::vector<std::size_t> sent_ = std::vector<std::size_t>(pes_);
};

class put_items final : public baseline {
 public:
  explicit put_items(one_way_job& work)
      : job_(work), item_bytes_(work.item_bytes()), item_(item_bytes_) {}
  [[nodiscard]] std::string name() const override { return "put"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void prepare() override {
    places_.take_memory();
    const std::size_t bytes = places_.largest(places_.agree(job_)) * item_bytes_;
    if (arrived_.is_taken() && bytes <= bytes_) return;
    arrived_.take(bytes);
    bytes_ = bytes;
  }

  // The agreement is part of the work: no PE knows beforehand how many items come from each PE. The
  // agreement also lets no PE put items before all PEs have processed the items of the session
  // before.
  void run() override {
    const std::uint64_t arriving = places_.agree(job_);
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      job_.copy(i, item_.data());
      put(job_.pe_of(i));
    }
    shmem_quiet();
    shmem_barrier_all();
    job_.apply_all(arrived_.data(), arriving);
  }

 private:
  void put(int pe) {
    std::byte* place = arrived_.data() + places_.next(pe) * item_bytes_;
    if (item_bytes_ == sizeof(std::uint64_t)) {
      shmem_put64(place, item_.data(), 1, pe);
    } else {
      shmem_putmem(place, item_.data(), item_bytes_, pe);
    }
  }

  one_way_job& job_;
  std::size_t item_bytes_;
  agreed_places places_;
  symmetric_array<std::byte> arrived_;
  std::size_t bytes_ = 0;
  std::vector<std::byte> item_;
};

}  // namespace

void make_put_items(job& work, baselines& all) {
  if (work.as_table() != nullptr) return;
  if (one_way_job* one = work.as_one_way()) all.push_back(std::make_unique<put_items>(*one));
}

}  // namespace boxcar::bench
