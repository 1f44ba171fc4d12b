#include "shmem/one_sided.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <shmem.h>
#include <vector>

#include "shmem/symmetric_array.hpp"

namespace boxcar::bench {
namespace {

using access = table_job::access;

class one_sided final : public baseline {
 public:
  one_sided(bench::job& work, table_job& table) : job_(work), table_(table), kind_(table.kind()) {}

  [[nodiscard]] std::string name() const override {
    switch (kind_) {
      case access::add_one:
      case access::combine_xor:
        return "atomic";
      case access::fetch:
        return "get";
      case access::store:
        return "put";
    }
    return {};
  }
  [[nodiscard]] bench::job& job() override { return job_; }

  void prepare() override {
    // The constructor takes no memory: a lack of room is a failure of this baseline alone.
    if (!memory_.is_taken()) memory_.take(table_.table().size());
    std::ranges::copy(table_.table(), memory_.data());
    shmem_barrier_all();
    // Allocations follow the collective calls, as they may fail on one PE.
    if (kind_ == access::fetch) fetched_.resize(job_.items());
  }

  void run() override {
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) start(i);
    shmem_quiet();
    for (std::uint64_t i = 0; i < fetched_.size(); ++i) table_.fetched(i, fetched_[i]);
    shmem_barrier_all();
  }

  void finish() override {
    if (kind_ == access::fetch) return;
    std::copy_n(memory_.data(), table_.table().size(), table_.table().begin());
  }

 private:
  // The access of item i.
  void start(std::uint64_t i) {
    const auto [pe, slot] = table_.target_of(i);
    std::uint64_t* place = memory_.data() + slot;
    switch (kind_) {
      case access::add_one:
        return shmem_ulong_atomic_inc(place, pe);
      case access::combine_xor:
        return shmem_ulong_atomic_xor(place, table_.value_of(i), pe);
      case access::fetch:
        return shmem_get64_nbi(&fetched_[i], place, 1, pe);
      case access::store:
        return shmem_uint64_p(place, table_.value_of(i), pe);
    }
  }

  bench::job& job_;
  table_job& table_;
  access kind_;
  symmetric_array<std::uint64_t> memory_;
  std::vector<std::uint64_t> fetched_;
};

}  // namespace

void make_one_sided(job& work, baselines& all) {
  if (table_job* table = work.as_table()) {
    all.push_back(std::make_unique<one_sided>(work, *table));
  }
}

}  // namespace boxcar::bench
