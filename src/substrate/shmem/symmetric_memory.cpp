#include "substrate/shmem/symmetric_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <shmem.h>

#include "substrate/environment.hpp"
#include "substrate/largest.hpp"
#include "substrate/proposal_backoff.hpp"

namespace boxcar::detail::shmem {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t min_chunk = std::size_t{8} << 20;

constexpr std::size_t round_up(std::size_t bytes) {
  return std::max(line, (bytes + line - 1) / line * line);
}

}  // namespace

system_error heap_too_small(std::size_t bytes, std::size_t held, const std::string& remedy) {
  const std::string set = symmetric_heap_from_environment();
  return system_error("OpenSHMEM's symmetric heap has no room for " + std::to_string(bytes) +
                      " bytes beside the " + std::to_string(held) +
                      " that Boxcar holds and what the program has allocated (" +
                      (set.empty() ? "no variable sets its size" : set) +
                      "): make it larger by SHMEM_SYMMETRIC_SIZE, which is SMA_SYMMETRIC_SIZE for "
                      "Open MPI 4, or " +
                      remedy);
}

symmetric_memory::symmetric_memory(std::size_t first_bytes) {
  if (!add_chunk(first_bytes)) {
    throw heap_too_small(first_bytes, 0, "set BOXCAR_SYMMETRIC_BYTES to less");
  }
  // The chunk is fresh on all PEs: so the block lies at the same place on all PEs.
  published_ = address(*take(sizeof(symmetric_place)));
}

void symmetric_memory::publish(const symmetric_place& block) {
  std::memcpy(published_, &block, sizeof block);
}

symmetric_place symmetric_memory::lookup(int pe) const {
  symmetric_place block;
  shmem_getmem(&block, published_, sizeof block, pe);
  return block;
}

bool symmetric_memory::add_chunk(std::size_t bytes) {
  bytes = round_up(bytes);
  auto* memory = static_cast<std::byte*>(shmem_align(line, bytes));
  if (memory == nullptr) return false;
  chunks_.push_back({memory, parts_in_use(bytes)});
  return true;
}

std::size_t symmetric_memory::total() const {
  std::size_t all = 0;
  for (const chunk& c : chunks_) all += c.blocks.bytes();
  return all;
}

std::optional<symmetric_place> symmetric_memory::find_room(std::size_t bytes) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    if (const auto at = chunks_[i].blocks.take(bytes)) return symmetric_place{i, *at};
  }
  return std::nullopt;
}

symmetric_place symmetric_memory::take(substrate& world, std::size_t bytes) {
  bytes = round_up(bytes);
  reclaim();
  const auto found = find_room(bytes);
  if (largest<1>(world, {found ? 0u : 1u})[0] == 0) return *found;
  if (found) give_back(*found);
  grow(world, bytes);
  return *find_room(bytes);
}

symmetric_place symmetric_memory::take_alike(substrate& world, std::size_t bytes) {
  bytes = round_up(bytes);
  reclaim();
  auto place = take_if_alike(world, bytes);
  if (!place) {
    grow(world, bytes);
    place = take_if_alike(world, bytes);
    // (Another world may have taken the block, as background worlds run beside the program.)
    if (!place) throw heap_too_small(bytes, total(), "make fewer objects at a time");
  }
  return *place;
}

// Each PE looks for its first gap behind the proposed place. The last of the gaps is the next
// proposal, until all PEs have found room at the same place, and still have the room afterwards.
std::optional<symmetric_place> symmetric_memory::take_if_alike(substrate& world,
                                                               std::size_t bytes) {
  constexpr std::uint64_t none = ~std::uint64_t{0};
  proposal_backoff in_the_way(world.identity());
  for (std::size_t c = 0; c < chunks_.size(); ++c) {
    std::uint64_t proposal = 0;
    while (proposal != none) {
      const auto mine = chunks_[c].blocks.find(bytes, proposal);
      const std::uint64_t at = mine ? *mine : none;
      const auto [last, first] = largest<2>(world, {at, ~at});
      proposal = last;
      if (last != ~first || last == none) continue;
      const bool is_kept = chunks_[c].blocks.find(bytes, last) == last;
      if (is_kept) chunks_[c].blocks.take_at(last, bytes);
      if (largest<1>(world, {is_kept ? 0u : 1u})[0] == 0) return symmetric_place{c, last};
      if (is_kept) give_back({c, last});
      in_the_way.next();
      proposal += line * in_the_way.skipped();
    }
  }
  return std::nullopt;
}

void symmetric_memory::grow(substrate& world, std::size_t bytes) {
  if (world.size() != shmem_n_pes()) {
    throw system_error("the " + std::to_string(total()) +
                       " bytes of symmetric memory that Boxcar holds have no room for another " +
                       std::to_string(bytes) +
                       ", and the PEs of a part of the world cannot allocate more: set "
                       "BOXCAR_SYMMETRIC_BYTES to what is needed at once");
  }
  // The heap is symmetric: all PEs get the chunk, or no PE.
  if (!add_chunk(std::max(bytes, min_chunk)) && !add_chunk(bytes)) {
    throw heap_too_small(bytes, total(), "use smaller buffers, or fewer conveyors at once");
  }
}

std::optional<symmetric_place> symmetric_memory::take(std::size_t bytes) {
  reclaim();
  return find_room(round_up(bytes));
}

void symmetric_memory::retire(const symmetric_place& block, std::uint64_t writers) {
  retired_.push_back({block, writers});
}

void symmetric_memory::reclaim() noexcept {
  std::erase_if(retired_, [this](const retired_block& r) {
    // Pairs with the writers' atomic increments: earlier writes have arrived.
    auto& count = *reinterpret_cast<std::uint64_t*>(address(r.place));
    if (std::atomic_ref(count).load(std::memory_order_acquire) != r.writers) return false;
    give_back(r.place);
    return true;
  });
}

void symmetric_memory::give_back(const symmetric_place& block) noexcept {
  chunks_[block.chunk].blocks.give_back(block.offset);
}

}  // namespace boxcar::detail::shmem
