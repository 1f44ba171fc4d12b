// The text of an index of a collection, for messages and files.
#pragma once

#include <concepts>
#include <string>

#include <boxcar/index_box.hpp>
#include <boxcar/key_hash.hpp>

namespace boxcar::detail {

// Returns the text of an index, for messages.
template <typename Index>
[[nodiscard]] std::string text_of_index(const Index& index) {
  if constexpr (std::integral<Index>) {
    return std::to_string(index);
  } else if constexpr (box_index<Index>) {
    std::string text = "(";
    for (const auto coordinate : index) {
      text += (text.size() == 1 ? "" : ", ") + std::to_string(coordinate);
    }
    return text + ")";
  } else {
    return "with hash " + std::to_string(key_hash<Index>()(index));
  }
}

}  // namespace boxcar::detail
