// Rounds of MPI_Alltoallv by hand: the items of a round are sorted by destination into one buffer,
// which is used again in the next round, as is the one for what arrives.
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
  // So many items of each PE in a round; fewer if MPI could not count those of all PEs.
  item_rounds(partitioned_job& work, std::uint64_t items_of_a_round);

  // Of this PE in a round, at most.
  [[nodiscard]] std::uint64_t items() const { return items_; }

  // Collective. How many rounds the PE with the most items needs.
  [[nodiscard]] std::uint64_t agree_on_number();

  struct arrivals {
    const std::byte* items;
    std::size_t n;
  };
  // Collective. Sends the items of this round. Where each was put in the buffer is kept if asked.
  arrivals exchange(std::uint64_t round, std::span<std::uint32_t> kept);
  // Collective. Sends one reply of so many bytes for each item that arrived back to where the item
  // came from. They lie as the items lay.
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
  // In items, per PE.
  std::vector<int> send_counts_;
  std::vector<int> send_begins_;
  std::vector<int> receive_counts_;
  std::vector<int> receive_begins_;
};

}  // namespace boxcar::bench
