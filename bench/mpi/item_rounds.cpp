#include "mpi/item_rounds.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace boxcar::bench {
namespace {

// An MPI datatype for an item of a given size, so that counts are in items and stay small.
class item_type {
 public:
  explicit item_type(std::size_t bytes) {
    check_mpi(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_),
              "MPI_Type_contiguous");
    check_mpi(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  item_type(const item_type&) = delete;
  item_type& operator=(const item_type&) = delete;
  ~item_type() { MPI_Type_free(&type_); }
  [[nodiscard]] MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// All PEs may send all their items to one PE, where MPI counts them by an int.
std::uint64_t most_of_a_round(int pes) {
  return static_cast<std::uint64_t>(std::numeric_limits<int>::max() / pes);
}

}  // namespace

item_rounds::item_rounds(partitioned_job& work, std::uint64_t items_of_a_round)
    : job_(work),
      items_of_a_round_(std::min(items_of_a_round, most_of_a_round(all_.size()))),
      items_(std::min(items_of_a_round_, work.items())),
      sent_(items_ * work.item_bytes()) {
  const auto pes = static_cast<std::size_t>(all_.size());
  places_.resize(pes);
  for (auto* counts : {&send_counts_, &send_begins_, &receive_counts_, &receive_begins_}) {
    counts->resize(pes);
  }
}

std::uint64_t item_rounds::agree_on_number() {
  std::uint64_t rounds = (job_.items() + items_of_a_round_ - 1) / items_of_a_round_;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_UINT64_T, MPI_MAX, all_.get()),
            "MPI_Allreduce");
  return rounds;
}

std::uint64_t item_rounds::first_of(std::uint64_t round) const {
  return std::min(round * items_of_a_round_, job_.items());
}

item_rounds::arrivals item_rounds::exchange(std::uint64_t round, std::span<std::uint32_t> kept) {
  const std::uint64_t first = first_of(round);
  const std::uint64_t last = first_of(round + 1);
  std::ranges::fill(places_, 0);
  job_.count(first, last, places_);
  std::ranges::transform(places_, send_counts_.begin(),
                         [](std::size_t n) { return static_cast<int>(n); });
  std::exclusive_scan(send_counts_.begin(), send_counts_.end(), send_begins_.begin(), 0);
  std::ranges::copy(send_begins_, places_.begin());
  job_.scatter(first, last, sent_.data(), places_, kept);

  check_mpi(
      MPI_Alltoall(send_counts_.data(), 1, MPI_INT, receive_counts_.data(), 1, MPI_INT, all_.get()),
      "MPI_Alltoall");
  std::exclusive_scan(receive_counts_.begin(), receive_counts_.end(), receive_begins_.begin(), 0);
  const auto n = static_cast<std::size_t>(receive_begins_.back() + receive_counts_.back());
  const std::size_t bytes = n * job_.item_bytes();
  if (received_.size() < bytes) received_.resize(bytes);
  const item_type item(job_.item_bytes());
  check_mpi(MPI_Alltoallv(sent_.data(), send_counts_.data(), send_begins_.data(), item.get(),
                          received_.data(), receive_counts_.data(), receive_begins_.data(),
                          item.get(), all_.get()),
            "MPI_Alltoallv");
  return {received_.data(), n};
}

void item_rounds::send_back(const std::byte* replies, std::size_t reply_bytes, std::byte* into) {
  const item_type reply(reply_bytes);
  check_mpi(MPI_Alltoallv(replies, receive_counts_.data(), receive_begins_.data(), reply.get(),
                          into, send_counts_.data(), send_begins_.data(), reply.get(), all_.get()),
            "MPI_Alltoallv");
}

}  // namespace boxcar::bench
