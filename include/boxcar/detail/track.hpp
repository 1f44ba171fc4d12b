#pragma once

#include <cstddef>

namespace boxcar::detail {

// Where the next packet of an outgoing link of a stream goes. Items lie from the front of a buffer
// on, so that they are where their alignment wants them; what accompanies them, words of 4 bytes,
// from the back towards the front.
struct track {
  std::byte* cursor = nullptr;  // where the next item goes
  std::byte* limit = nullptr;   // cursor == limit: there is no room (for items of one size)
  // The word that was written last; the next goes before it. On the last stage, where items have
  // none, a place behind the buffer, before which a word may be written that nobody reads.
  std::byte* back = nullptr;
  std::byte* begin = nullptr;  // of the open buffer, or nullptr
};

}  // namespace boxcar::detail
