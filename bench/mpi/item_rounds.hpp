// Rounds of MPI_Alltoallv by hand: the items of a round are sorted by destination into one buffer,
// which is used again in the next round, as is the receive buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "job.hpp"
#include "mpi/communicator.hpp"

namespace boxcar::bench {

class item_rounds {
 public:
  // `items_of_a_round` items of each PE in a round; fewer if the total overflows MPI's counts.
  item_rounds(partitioned_job& work, std::uint64_t items_of_a_round);

  // The maximum number of items of the PE in a round.
  [[nodiscard]] std::uint64_t items() const { return items_; }

  // Collective. How many rounds the PE with the most items needs.
  [[nodiscard]] std::uint64_t agree_on_number();

  struct arrivals {
    const std::byte* items;
    std::size_t n;
  };
  // Collective. Sends the items of the round. `kept`, if not empty, gets the place of each item in
  // the buffer.
  arrivals exchange(std::uint64_t round, std::span<std::uint32_t> kept);
  // Collective. Sends one reply of `reply_bytes` bytes for each arrived item back to its source.
  // The replies are in the order of the items.
  void send_back(const std::byte* replies, std::size_t reply_bytes, std::byte* into);

  [[nodiscard]] std::uint64_t first_of(std::uint64_t round) const;

 private:
  partitioned_job& job_;
  communicator all_;
  std::uint64_t items_of_a_round_;
  std::uint64_t items_;
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
  std::vector<std::size_t> places_;
  // Counts and offsets in items, per PE.
  std::vector<int> send_counts_;
  std::vector<int> send_begins_;
  std::vector<int> receive_counts_;
  std::vector<int> receive_begins_;
};

}  // namespace boxcar::bench
