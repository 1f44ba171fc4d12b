#include "shmem/one_sided.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <shmem.h>
#include <vector>

namespace boxcar::bench {
namespace {

class one_sided final : public baseline {
 public:
  one_sided(bench::job& work, table_job& table)
      : job_(work),
        table_(table),
        memory_(static_cast<std::uint64_t*>(shmem_malloc(table.table().size_bytes()))) {
    if (memory_ == nullptr) throw std::bad_alloc();
    if (table.kind() == table_job::access::fetch) fetched_.resize(work.items());
  }
  one_sided(const one_sided&) = delete;
  one_sided& operator=(const one_sided&) = delete;
  ~one_sided() override { shmem_free(memory_); }

  [[nodiscard]] std::string name() const override {
    switch (table_.kind()) {
      case table_job::access::add_one:
        return "atomic";
      case table_job::access::fetch:
        return "get";
      case table_job::access::store:
        return "put";
    }
    return {};
  }
  [[nodiscard]] bench::job& job() override { return job_; }

  void prepare() override {
    std::ranges::copy(table_.table(), memory_);
    shmem_barrier_all();
  }

  void run() override {
    const std::uint64_t n = job_.items();
    const table_job::access kind = table_.kind();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto [pe, slot] = table_.target_of(i);
      if (kind == table_job::access::add_one) {
        shmem_ulong_atomic_inc(memory_ + slot, pe);
      } else if (kind == table_job::access::fetch) {
        shmem_get64_nbi(&fetched_[i], memory_ + slot, 1, pe);
      } else {
        shmem_uint64_p(memory_ + slot, table_.value_of(i), pe);
      }
    }
    shmem_quiet();
    for (std::uint64_t i = 0; i < fetched_.size(); ++i) table_.fetched(i, fetched_[i]);
    shmem_barrier_all();
  }

  void finish() override {
    if (table_.kind() == table_job::access::fetch) return;
    std::copy_n(memory_, table_.table().size(), table_.table().begin());
  }

 private:
  bench::job& job_;
  table_job& table_;
  std::uint64_t* memory_;
  std::vector<std::uint64_t> fetched_;
};

}  // namespace

void make_one_sided(job& work, baselines& all) {
  if (table_job* table = work.as_table()) {
    all.push_back(std::make_unique<one_sided>(work, *table));
  }
}

}  // namespace boxcar::bench
