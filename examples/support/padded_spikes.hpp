// An all-to-all of padded blocks carries the spikes of a slice, as MPI_Alltoall does in NEST.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boxcar/collective.hpp>

namespace examples {

// Every PE gives every PE a block of the same length, whatever the number of spikes for that PE.
// Spikes that do not fit travel in further rounds, and the blocks of the next slices are longer.
class padded_spikes {
 public:
  // Collective.
  explicit padded_spikes(const boxcar::world& w)
      : world_(w), queues_(static_cast<std::size_t>(w.size())) {
    make_blocks(first_capacity);
  }

  // Local. Adds a spike to those of the slice. Precondition: the PE exists.
  void add(std::uint32_t spike, int pe) { queues_[static_cast<std::size_t>(pe)].push_back(spike); }

  // Collective. Sends the spikes that were added, and calls `receive(spike)` for all that arrive.
  template <typename Receive>
  void travel(Receive&& receive) {
    std::size_t rounds = 0;
    for (bool any_left = true; any_left; ++rounds) {
      fill_blocks(rounds * capacity_);
      exchange_->start();
      exchange_->wait();
      any_left = false;
      for (std::size_t pe = 0; pe < queues_.size(); ++pe) {
        const auto arrived = block_of(received_, pe);
        any_left = any_left || arrived[left] != 0;
        for (const std::uint32_t spike : arrived.subspan(head, arrived[number])) receive(spike);
      }
    }
    for (auto& queue : queues_) queue.clear();
    if (rounds > 1) make_blocks(rounds * capacity_);
  }

 private:
  // A block begins with the number of its spikes, and with 1 if its sender has spikes left for any
  // PE: so all PEs know whether there is another round.
  static constexpr std::size_t number = 0;
  static constexpr std::size_t left = 1;
  static constexpr std::size_t head = 2;
  static constexpr std::size_t first_capacity = 16;

  void make_blocks(std::size_t capacity) {
    exchange_.reset();
    capacity_ = capacity;
    sent_.assign(queues_.size() * (head + capacity), 0);
    received_.assign(sent_.size(), 0);
    exchange_.emplace(
        boxcar::collectives(world_).all_to_all(std::span(sent_), std::span(received_)));
  }

  [[nodiscard]] std::span<std::uint32_t> block_of(std::vector<std::uint32_t>& blocks,
                                                  std::size_t pe) const {
    return std::span(blocks).subspan(pe * (head + capacity_), head + capacity_);
  }

  // Fills the blocks with the spikes behind the first `done` of each PE.
  void fill_blocks(std::size_t done) {
    const bool any_left = std::ranges::any_of(
        queues_, [&](const auto& queue) { return queue.size() > done + capacity_; });
    for (std::size_t pe = 0; pe < queues_.size(); ++pe) {
      const auto rest = std::span(queues_[pe]).subspan(std::min(done, queues_[pe].size()));
      const auto now = rest.first(std::min(rest.size(), capacity_));
      const auto block = block_of(sent_, pe);
      block[number] = static_cast<std::uint32_t>(now.size());
      block[left] = any_left ? 1 : 0;
      std::ranges::copy(now, block.begin() + head);
    }
  }

  const boxcar::world& world_;
  std::vector<std::vector<std::uint32_t>> queues_;  // the spikes of the slice for each PE
  std::size_t capacity_ = 0;                        // spikes that fit in a block
  std::vector<std::uint32_t> sent_;
  std::vector<std::uint32_t> received_;
  std::optional<boxcar::collective> exchange_;
};

}  // namespace examples
