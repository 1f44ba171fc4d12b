// A word in symmetric memory has the type that OpenSHMEM's functions take. (Functions for uint64_t
// are not in every implementation.)
#pragma once

#include <cstdint>

namespace boxcar::detail::shmem {

using word = unsigned long;
static_assert(sizeof(word) == sizeof(std::uint64_t));

inline word* as_word(void* address) {
  return static_cast<word*>(address);
}

}  // namespace boxcar::detail::shmem
