// How elements of a collective are combined: numbers by the adapter, all else by a function.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include <boxcar/arithmetic.hpp>

namespace boxcar::detail {

// Each of the n elements of `into` becomes that of `left` and that of `right` combined; `into` is
// one of these.
using combining_function = std::function<void(std::byte* into, const std::byte* left,
                                              const std::byte* right, std::size_t n)>;

struct combination_of_elements {
  struct built_in {
    number_type type = number_type::int64;
    arithmetic how = arithmetic::sum;
    friend bool operator==(const built_in&, const built_in&) = default;
  };

  std::size_t element_bytes = 1;
  std::optional<built_in> numbers = {};  // whose order does not matter
  combining_function function = {};

  // Whether the bits of the result are the same however many elements are grouped.
  [[nodiscard]] bool is_exact() const {
    if (!numbers) return false;
    const bool is_integer = numbers->type < number_type::float32;
    return is_integer || (numbers->how != arithmetic::sum && numbers->how != arithmetic::product);
  }
};

}  // namespace boxcar::detail
