#pragma once

#include <cstddef>

namespace boxcar::detail {

// A track holds the place of the next packet of an outgoing link of a stream. Items lie from the
// front of a buffer on, so that they are aligned; the words of 4 bytes that accompany items lie
// from the back towards the front.
struct track {
  std::byte* cursor = nullptr;  // the place of the next item
  std::byte* limit = nullptr;   // cursor == limit: there is no room (for items of one size)
  // The word that was written last; the next word goes before the address. On the last stage, where
  // items have no words, a place behind the buffer: a word may be written before the place, and no
  // PE reads the word.
  std::byte* back = nullptr;
  std::byte* begin = nullptr;  // of the open buffer, or nullptr
};

}  // namespace boxcar::detail
