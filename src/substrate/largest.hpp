// The largest of each of several numbers over all PEs of a world.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Collective; all PEs give N numbers.
template <std::size_t N>
std::array<std::uint64_t, N> largest(substrate& world, std::array<std::uint64_t, N> mine) {
  world.all_reduce(std::as_writable_bytes(std::span(mine)),
                   [](std::byte* into, const std::byte* next) {
                     std::array<std::uint64_t, N> a;
                     std::array<std::uint64_t, N> b;
                     std::memcpy(a.data(), into, sizeof a);
                     std::memcpy(b.data(), next, sizeof b);
                     for (std::size_t i = 0; i < N; ++i) a[i] = std::max(a[i], b[i]);
                     std::memcpy(into, a.data(), sizeof a);
                   });
  return mine;
}

}  // namespace boxcar::detail
