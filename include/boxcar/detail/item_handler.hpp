// Functions that a client gives to be called with items.
#pragma once

#include <concepts>

namespace boxcar::detail {

// They may ask for the sending PE or not.
template <typename Handler, typename T>
concept item_handler =
    std::invocable<Handler&, const T&, int> || std::invocable<Handler&, const T&>;

template <typename Handler, typename T>
decltype(auto) call_handler(Handler& handler, const T& item, int from) {
  if constexpr (std::invocable<Handler&, const T&, int>) {
    return handler(item, from);
  } else {
    return handler(item);
  }
}

}  // namespace boxcar::detail
