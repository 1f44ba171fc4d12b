#include "substrate/shmem/symmetric_memory.hpp"

#include <algorithm>
#include <atomic>
#include <shmem.h>

#include "substrate/environment.hpp"
#include "substrate/largest.hpp"

namespace boxcar::detail::shmem {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t least_chunk = std::size_t{8} << 20;

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
}

bool symmetric_memory::add_chunk(std::size_t bytes) {
  bytes = round_up(bytes);
  auto* memory = static_cast<std::byte*>(shmem_align(line, bytes));
  if (memory == nullptr) return false;
  chunks_.push_back({memory, bytes, {}});
  return true;
}

std::size_t symmetric_memory::total() const {
  std::size_t all = 0;
  for (const chunk& c : chunks_) all += c.bytes;
  return all;
}

bool symmetric_memory::find_room(std::size_t bytes, symmetric_place& place) {
  for (std::size_t i = 0; i < chunks_.size(); ++i) {
    chunk& c = chunks_[i];
    std::size_t at = 0;  // the end of the block before the gap that is looked at
    for (const auto& [begin, length] : c.used) {
      if (begin - at >= bytes) break;
      at = begin + length;
    }
    if (c.bytes - at < bytes) continue;
    c.used.emplace(at, bytes);
    place = {i, at};
    return true;
  }
  return false;
}

symmetric_place symmetric_memory::take(substrate& world, std::size_t bytes) {
  bytes = round_up(bytes);
  reclaim();
  symmetric_place place;
  const bool found = find_room(bytes, place);
  if (largest<1>(world, {found ? 0u : 1u})[0] == 0) return place;
  if (found) give_back(place);
  if (world.size() != shmem_n_pes()) {
    throw system_error("the " + std::to_string(total()) +
                       " bytes of symmetric memory that Boxcar holds have no room for another " +
                       std::to_string(bytes) +
                       ", and the PEs of a part of the world cannot allocate more: set "
                       "BOXCAR_SYMMETRIC_BYTES to what is needed at once");
  }
  // As the heap is symmetric, all PEs get it or none.
  if (!add_chunk(std::max(bytes, least_chunk)) && !add_chunk(bytes)) {
    throw heap_too_small(bytes, total(), "use smaller buffers, or fewer conveyors at once");
  }
  find_room(bytes, place);
  return place;
}

symmetric_place symmetric_memory::take(std::size_t bytes, const std::string& purpose) {
  reclaim();
  symmetric_place place;
  if (find_room(round_up(bytes), place)) return place;
  throw system_error("the " + std::to_string(total()) +
                     " bytes of symmetric memory that Boxcar holds have no room for " + purpose +
                     " of " + std::to_string(bytes) +
                     " bytes: set BOXCAR_SYMMETRIC_BYTES to more, and OpenSHMEM's own "
                     "SHMEM_SYMMETRIC_SIZE, which is SMA_SYMMETRIC_SIZE for Open MPI 4, to more "
                     "than that");
}

void symmetric_memory::retire(const symmetric_place& block, std::uint64_t writers) {
  retired_.push_back({block, writers});
}

void symmetric_memory::reclaim() noexcept {
  std::erase_if(retired_, [this](const retired_block& r) {
    // Pairs with the writers' atomic increments: what they wrote before has arrived.
    auto& count = *reinterpret_cast<std::uint64_t*>(address(r.place));
    if (std::atomic_ref(count).load(std::memory_order_acquire) != r.writers) return false;
    give_back(r.place);
    return true;
  });
}

void symmetric_memory::give_back(const symmetric_place& block) noexcept {
  chunks_[block.chunk].used.erase(block.offset);
}

}  // namespace boxcar::detail::shmem
