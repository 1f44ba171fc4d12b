#include "substrate/simulated/fiber_stacks.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <boxcar/error.hpp>

#include "substrate/simulated/memory_need.hpp"

namespace boxcar::detail {
namespace {

constexpr auto untouched = std::byte{0xb0};

// Returns the contents of the checked bytes of an intact zone.
template <std::size_t Bytes>
constexpr std::array<std::byte, Bytes> all_untouched() {
  std::array<std::byte, Bytes> all{};
  for (std::byte& one : all) one = untouched;
  return all;
}

std::size_t checked(std::size_t bytes) {
  if (bytes < fiber_stacks::min_bytes) {
    throw argument_error("simulate: a stack of " + std::to_string(bytes) +
                         " bytes is too small: give stack_bytes of at least " +
                         std::to_string(fiber_stacks::min_bytes));
  }
  return (bytes + fiber_stacks::page_bytes - 1) / fiber_stacks::page_bytes *
         fiber_stacks::page_bytes;
}

mapping memory_of(int stacks, std::size_t bytes) {
  const auto n = static_cast<std::size_t>(stacks);
  if (bytes > SIZE_MAX / 2 / n) {
    throw argument_error("simulate: " + std::to_string(stacks) + " stacks of " +
                         std::to_string(bytes) + " bytes are more than can be addressed");
  }
  try {
    return mapping::sparse((n * bytes) + fiber_stacks::page_bytes);
  } catch (const system_error& e) {
    throw system_error("simulate: no memory for " + std::to_string(stacks) + " stacks of " +
                       std::to_string(bytes) + " bytes; give smaller ones, or fewer PEs (" +
                       e.what() + ")");
  }
}

}  // namespace

fiber_stacks::fiber_stacks(int stacks, std::size_t bytes)
    : bytes_(checked(bytes)), memory_(memory_of(stacks, bytes_)) {
  // With large pages the switch to a PE is faster, if it does not matter that whole stacks take
  // memory.
  constexpr std::size_t large = std::size_t{16} << 20;
  if (memory_.bytes() >= large && memory_.bytes() <= physical_memory() / 64) {
    memory_.prefer_large_pages();
  }
  for (int i = 0; i < stacks; ++i) {
    std::memset(begin(i), std::to_integer<int>(untouched), zone_bytes);
  }
}

void fiber_stacks::require_intact(int stack, const std::byte* at) const {
  // If a frame has skipped the rest of the zone, `at` shows the overflow as long as the frame is on
  // the stack.
  static constexpr auto intact = all_untouched<looked_at>();
  const std::byte* const end = bottom(stack);
  const bool is_intact = at >= end && std::memcmp(end - looked_at, intact.data(), looked_at) == 0;
  if (is_intact) return;
  std::fflush(nullptr);
  std::fprintf(stderr,
               "boxcar: PE %d of the simulation has used more than its stack of %zu bytes: give "
               "simulate_options::stack_bytes = %zu or more\n",
               stack, bytes_, 2 * bytes_);
  std::abort();
}

}  // namespace boxcar::detail
