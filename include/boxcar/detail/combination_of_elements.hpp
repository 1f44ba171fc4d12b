// A combination defines how elements of a collective are combined: numbers by the adapter, all
// other elements by a function.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <boxcar/arithmetic.hpp>

namespace boxcar::detail {

// The function combines each of the n elements of `left` with the element of `right`, and stores
// the results in `into`, which is `left` or `right`.
using combining_function = std::function<void(std::byte* into, const std::byte* left,
                                              const std::byte* right, std::size_t n)>;

struct combination_of_elements {
  struct built_in {
    number_type type = number_type::int64;
    arithmetic how = arithmetic::sum;
    friend bool operator==(const built_in&, const built_in&) = default;
  };

  std::size_t element_bytes = 1;
  std::optional<built_in> numbers = {};  // combined in any order
  combining_function function = {};

  // Returns whether the bits of the result are the same for any grouping of the elements.
  [[nodiscard]] bool is_exact() const {
    if (!numbers) return false;
    const bool is_integer = numbers->type < number_type::float32;
    return is_integer || (numbers->how != arithmetic::sum && numbers->how != arithmetic::product);
  }
};

}  // namespace boxcar::detail
