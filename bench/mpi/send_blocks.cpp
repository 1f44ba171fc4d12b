#include "mpi/send_blocks.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mpi/communicator.hpp"
#include "other_pes.hpp"

namespace boxcar::bench {
namespace {

class send_blocks final : public baseline {
 public:
  explicit send_blocks(bench::job& work)
      : job_(work), exchange_(*work.as_all_to_all()), words_(work.item_bytes() / sizeof(word)) {
    for (auto& room : rooms_) room.resize(static_cast<std::size_t>(all_.size()) * words_);
  }

  [[nodiscard]] std::string name() const override { return "isend"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    for (std::uint64_t i = 0; i < exchange_.exchanges(); ++i) {
      word* const room = rooms_[i % rooms_.size()].data();
      const auto block = exchange_.next();
      requests_.clear();
      for_others([&](int pe) {
        check_mpi(MPI_Irecv(of(room, pe), bytes(), MPI_BYTE, pe, 0, all_.get(), add_request()),
                  "MPI_Irecv");
      });
      for_others([&](int pe) {
        check_mpi(MPI_Isend(block.data(), bytes(), MPI_BYTE, pe, 0, all_.get(), add_request()),
                  "MPI_Isend");
      });
      check_mpi(
          MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
      for_others([&](int pe) { exchange_.take(pe, of(room, pe)); });
    }
  }

 private:
  using word = std::uint64_t;

  template <typename Action>
  void for_others(const Action& action) {
    for_other_pes(all_.rank(), all_.size(), action);
  }
  [[nodiscard]] int bytes() const { return static_cast<int>(job_.item_bytes()); }
  word* of(word* room, int pe) const { return room + static_cast<std::size_t>(pe) * words_; }
  // The request stays until the next request is added, which is long enough to be written to.
  MPI_Request* add_request() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  communicator all_;
  bench::job& job_;
  all_to_all_job& exchange_;
  std::size_t words_;
  std::array<std::vector<word>, 2> rooms_;  // in turn: a taken block stays for one exchange more
  std::vector<MPI_Request> requests_;
};

}  // namespace

void make_send_blocks(job& work, baselines& all) {
  if (work.as_all_to_all() != nullptr) all.push_back(std::make_unique<send_blocks>(work));
}

}  // namespace boxcar::bench
