#include "mpi/one_sided.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"

namespace boxcar::bench {
namespace {

using access = table_job::access;

class one_sided final : public baseline {
 public:
  one_sided(bench::job& work, table_job& table) : job_(work), table_(table), kind_(table.kind()) {
    if (kind_ != access::add_one) values_.resize(work.items());
  }
  one_sided(const one_sided&) = delete;
  one_sided& operator=(const one_sided&) = delete;
  ~one_sided() override {
    if (locked_) MPI_Win_unlock_all(window_);
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
  }

  [[nodiscard]] std::string name() const override { return one_sided_name(kind_); }
  [[nodiscard]] bench::job& job() override { return job_; }

  void prepare() override {
    if (window_ == MPI_WIN_NULL) make_window();
    std::ranges::copy(table_.table(), memory_);
    check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
    locked_ = true;
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    check_mpi(MPI_Barrier(all_.get()), "MPI_Barrier");
  }

  void run() override {
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) start(i);
    // The flush is PE by PE: in MPICH 4.0, MPI_Win_flush_all and MPI_Win_unlock_all may return
    // before MPI_Get has completed (seen when PEs share cores).
    for (int pe = 0; pe < all_.size(); ++pe) {
      check_mpi(MPI_Win_flush(pe, window_), "MPI_Win_flush");
    }
    if (kind_ == access::fetch) {
      for (std::uint64_t i = 0; i < n; ++i) table_.fetched(i, values_[i]);
    }
    check_mpi(MPI_Barrier(all_.get()), "MPI_Barrier");
  }

  void finish() override {
    check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
    locked_ = false;
    check_mpi(MPI_Win_unlock_all(window_), "MPI_Win_unlock_all");
    if (kind_ != access::fetch) {
      std::copy_n(memory_, table_.table().size(), table_.table().begin());
    }
  }

 private:
  // The constructor does not allocate the window: an MPI may refuse, and the refusal is a failure
  // of this baseline alone. Open MPI 4.1 refuses on all PEs when some are connected by TCP.
  void make_window() {
    // The size is in whole lines: of 999 words, MPICH 4.0 loses remote changes of the last word.
    constexpr std::size_t line = 64;
    const std::size_t bytes = (table_.table().size_bytes() + line - 1) / line * line;
    check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(bytes), sizeof(std::uint64_t), MPI_INFO_NULL,
                               all_.get(), &memory_, &window_),
              "MPI_Win_allocate");
    MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN);
  }

  // The access of item i.
  void start(std::uint64_t i) {
    static constexpr std::uint64_t one = 1;
    const auto [pe, slot] = table_.target_of(i);
    const auto place = static_cast<MPI_Aint>(slot);
    switch (kind_) {
      case access::add_one:
        return accumulate(&one, pe, place, MPI_SUM);
      case access::combine_xor:
        values_[i] = table_.value_of(i);
        return accumulate(&values_[i], pe, place, MPI_BXOR);
      case access::fetch:
        return check_mpi(MPI_Get(&values_[i], 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, window_),
                         "MPI_Get");
      case access::store:
        values_[i] = table_.value_of(i);
        return check_mpi(MPI_Put(&values_[i], 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, window_),
                         "MPI_Put");
    }
  }
  void accumulate(const std::uint64_t* value, int pe, MPI_Aint place, MPI_Op operation) {
    check_mpi(
        MPI_Accumulate(value, 1, MPI_UINT64_T, pe, place, 1, MPI_UINT64_T, operation, window_),
        "MPI_Accumulate");
  }

  bench::job& job_;
  table_job& table_;
  access kind_;
  communicator all_;
  std::uint64_t* memory_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
  bool locked_ = false;
  // The fetched or sent values, of the whole session: MPICH 4.0 may still send flushed values.
  std::vector<std::uint64_t> values_;
};

}  // namespace

std::string one_sided_name(table_job::access kind) {
  switch (kind) {
    case access::add_one:
    case access::combine_xor:
      return "accumulate";
    case access::fetch:
      return "get";
    case access::store:
      return "put";
  }
  return {};
}

void make_one_sided(job& work, baselines& all) {
  if (table_job* table = work.as_table()) {
    all.push_back(std::make_unique<one_sided>(work, *table));
  }
}

}  // namespace boxcar::bench
