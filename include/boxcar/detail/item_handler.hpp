// An item handler is a function of the client that is called with items.
#pragma once

#include <concepts>

namespace boxcar::detail {

// A handler takes the item, and optionally the sending PE.
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
