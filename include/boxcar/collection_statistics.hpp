// The collection statistics count the activity of a collection on a PE.
#pragma once

#include <boxcar/detail/cpp20.hpp>

#include <cstdint>
#include <iosfwd>

namespace boxcar {

// The counts since the collection was made.
struct collection_statistics {
  std::uint64_t migrations = 0;      // of objects that left the PE
  std::uint64_t migrated_bytes = 0;  // of these objects
  std::uint64_t forwarded = 0;       // messages for absent objects that the PE sent on
  std::uint64_t learned = 0;         // locations that the PE has learned, each after a detour
  std::uint64_t held = 0;            // messages that waited so that their order is kept
};

std::ostream& operator<<(std::ostream& out, const collection_statistics& s);

}  // namespace boxcar
