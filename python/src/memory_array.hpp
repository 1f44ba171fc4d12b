// Memory of a window or an append buffer as an array of its bytes; the array keeps the memory
// alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "arrays.hpp"

namespace boxcar::python {

using memory_array = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;

inline memory_array array_of_memory(std::byte* data, std::size_t bytes,
                                    std::shared_ptr<const void> memory) {
  using keeper = std::shared_ptr<const void>;
  const nb::capsule owner(new keeper(std::move(memory)),
                          [](void* kept) noexcept { delete static_cast<keeper*>(kept); });
  return memory_array(data, {bytes}, owner);
}

}  // namespace boxcar::python
