// What can travel.
#pragma once

#include <type_traits>

namespace boxcar {

// An item: plain bytes, 1 to 65536 of them.
template <typename T>
concept item = std::is_trivially_copyable_v<T> && sizeof(T) <= 65536;

}  // namespace boxcar
