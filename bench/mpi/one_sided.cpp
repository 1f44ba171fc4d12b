#include "mpi/one_sided.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"

namespace boxcar::bench {
namespace {

class one_sided final : public baseline {
 public:
  one_sided(bench::job& work, table_job& table) : job_(work), table_(table) {
    if (table.kind() == table_job::access::fetch) fetched_.resize(work.items());
    if (table.kind() == table_job::access::store) stored_.resize(work.items());
  }
  one_sided(const one_sided&) = delete;
  one_sided& operator=(const one_sided&) = delete;
  ~one_sided() override {
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
  }

  [[nodiscard]] std::string name() const override {
    switch (table_.kind()) {
      case table_job::access::add_one:
        return "accumulate";
      case table_job::access::fetch:
        return "get";
      case table_job::access::store:
        return "put";
    }
    return {};
  }
  [[nodiscard]] bench::job& job() override { return job_; }

  void prepare() override {
    if (window_ == MPI_WIN_NULL) make_window();
    std::ranges::copy(table_.table(), memory_);
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    check_mpi(MPI_Barrier(all_.get()), "MPI_Barrier");
  }

  void run() override {
    constexpr std::uint64_t one = 1;
    const std::uint64_t n = job_.items();
    const table_job::access kind = table_.kind();
    for (std::uint64_t i = 0; i < n; ++i) {
      const auto [pe, slot] = table_.target_of(i);
      const auto place = static_cast<MPI_Aint>(slot);
      if (kind == table_job::access::add_one) {
        check_mpi(
            MPI_Accumulate(&one, 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, MPI_SUM, window_),
            "MPI_Accumulate");
      } else if (kind == table_job::access::fetch) {
        check_mpi(MPI_Get(&fetched_[i], 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, window_),
                  "MPI_Get");
      } else {
        stored_[i] = table_.value_of(i);
        check_mpi(MPI_Put(&stored_[i], 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, window_),
                  "MPI_Put");
      }
    }
    // One PE after the other: in MPICH 4.0, MPI_Win_flush_all and MPI_Win_unlock_all may return
    // before what MPI_Get asked for is there (seen when PEs share cores).
    for (int pe = 0; pe < all_.size(); ++pe) {
      check_mpi(MPI_Win_flush(pe, window_), "MPI_Win_flush");
    }
    for (std::uint64_t i = 0; i < fetched_.size(); ++i) table_.fetched(i, fetched_[i]);
    check_mpi(MPI_Barrier(all_.get()), "MPI_Barrier");
  }

  void finish() override {
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    check_mpi(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all");
    if (table_.kind() != table_job::access::fetch) {
      std::copy_n(memory_, table_.table().size(), table_.table().begin());
    }
  }

 private:
  // Not when this is made: an MPI may refuse it, and that is a failure of this baseline alone. Open
  // MPI 4.1 does on all PEs when some are connected by TCP.
  void make_window() {
    const auto bytes = static_cast<MPI_Aint>(table_.table().size_bytes());
    check_mpi(MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, all_.get(), &memory_,
                               &window_),
              "MPI_Win_allocate");
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  }

  bench::job& job_;
  table_job& table_;
  communicator all_;
  std::uint64_t* memory_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  std::vector<std::uint64_t> fetched_;
  // What is sent, all of it: MPICH 4.0 may still send what was flushed.
  std::vector<std::uint64_t> stored_;
};

}  // namespace

void make_one_sided(job& work, baselines& all) {
  if (table_job* table = work.as_table()) {
    all.push_back(std::make_unique<one_sided>(work, *table));
  }
}

}  // namespace boxcar::bench
