#include "mpi/isend.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "mpi/communicator.hpp"

namespace boxcar::bench {
namespace {

// Requests and what they send or receive, in a ring.
class request_ring {
 public:
  request_ring(std::size_t n, std::size_t item_bytes)
      : requests_(n, MPI_REQUEST_NULL),
        finished_(n),
        item_bytes_(item_bytes),
        items_(n * item_bytes) {}

  [[nodiscard]] std::size_t size() const { return requests_.size(); }
  MPI_Request& request(std::size_t i) { return requests_[i]; }
  std::byte* item(std::size_t i) { return items_.data() + i * item_bytes_; }

  // Those that have finished since the last call.
  const std::vector<int>& test() {
    int n = 0;
    finished_.resize(requests_.size());
    check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &n,
                           finished_.data(), MPI_STATUSES_IGNORE),
              "MPI_Testsome");
    finished_.resize(n == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(n));
    return finished_;
  }

 private:
  std::vector<MPI_Request> requests_;
  std::vector<int> finished_;
  std::size_t item_bytes_;
  std::vector<std::byte> items_;
};

class isend final : public baseline {
 public:
  explicit isend(one_way_job& work)
      : job_(work),
        item_bytes_(static_cast<int>(work.item_bytes())),
        sends_(under_way, work.item_bytes()),
        receives_(awaited, work.item_bytes()) {}
  [[nodiscard]] std::string name() const override { return "isend"; }
  [[nodiscard]] bench::job& job() override { return job_; }

  void run() override {
    std::uint64_t to_receive = agree_on_arrivals();
    std::uint64_t posted = 0;
    for (; posted < receives_.size() && posted < to_receive; ++posted) post(posted);
    std::uint64_t received = 0;
    const auto receive = [&] {
      for (const int i : receives_.test()) {
        const auto slot = static_cast<std::size_t>(i);
        job_.apply_all(receives_.item(slot), 1);
        ++received;
        if (posted < to_receive) {
          post(slot);
          ++posted;
        }
      }
    };
    const std::uint64_t n = job_.items();
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::size_t slot = i % sends_.size();
      while (!is_free(slot)) receive();
      send(i, slot);
      if (slot % looked_for_every == 0) receive();
    }
    while (received < to_receive) receive();
    for (std::size_t slot = 0; slot < sends_.size(); ++slot) {
      while (!is_free(slot)) receive();
    }
  }

 private:
  static constexpr std::size_t under_way = 256;
  static constexpr std::size_t awaited = 128;
  static constexpr std::size_t looked_for_every = 16;
  static constexpr int tag = 1;

  // Collective. How many items this PE will receive.
  std::uint64_t agree_on_arrivals() {
    std::vector<std::size_t> counts(static_cast<std::size_t>(all_.size()));
    job_.count(0, job_.items(), counts);
    std::vector<std::uint64_t> sent(counts.begin(), counts.end());
    std::uint64_t arriving = 0;
    check_mpi(
        MPI_Reduce_scatter_block(sent.data(), &arriving, 1, MPI_UINT64_T, MPI_SUM, all_.get()),
        "MPI_Reduce_scatter_block");
    return arriving;
  }

  void post(std::size_t slot) {
    check_mpi(MPI_Irecv(receives_.item(slot), item_bytes_, MPI_BYTE, MPI_ANY_SOURCE, tag,
                        all_.get(), &receives_.request(slot)),
              "MPI_Irecv");
  }
  void send(std::uint64_t i, std::size_t slot) {
    job_.copy(i, sends_.item(slot));
    check_mpi(MPI_Isend(sends_.item(slot), item_bytes_, MPI_BYTE, job_.pe_of(i), tag, all_.get(),
                        &sends_.request(slot)),
              "MPI_Isend");
  }
  bool is_free(std::size_t slot) {
    int finished = 0;
    check_mpi(MPI_Test(&sends_.request(slot), &finished, MPI_STATUS_IGNORE), "MPI_Test");
    return finished != 0;
  }

  one_way_job& job_;
  int item_bytes_;
  communicator all_;
  request_ring sends_;
  request_ring receives_;
};

}  // namespace

void make_isend(job& work, baselines& all) {
  if (one_way_job* one = work.as_one_way()) all.push_back(std::make_unique<isend>(*one));
}

}  // namespace boxcar::bench
