#include "map_operation.hpp"

#include <concepts>
#include <cstring>

#include "arrays.hpp"
#include "operation.hpp"

namespace boxcar::python {
namespace {

template <typename T, typename Operation>
void combine_values(std::span<std::byte* const> into, std::span<const bool> is_new,
                    const packed_values& values) {
  // Sums begin at zero; all other operations keep a value that is combined with itself.
  constexpr bool begins_at_zero =
      std::same_as<Operation, add> || std::same_as<Operation, differing>;
  const std::size_t columns = values.bytes / sizeof(T);
  for (std::size_t i = 0; i < into.size(); ++i) {
    const std::byte* const value = values.at(i);
    if (!begins_at_zero && is_new[i]) {
      std::memcpy(into[i], value, values.bytes);
      continue;
    }
    T* const row = reinterpret_cast<T*>(into[i]);
    for (std::size_t k = 0; k < columns; ++k) {
      T arrived;
      std::memcpy(&arrived, value + k * sizeof(T), sizeof arrived);
      row[k] = Operation::apply(row[k], arrived);
    }
  }
}

template <bool Replaces>
void put_values(std::span<std::byte* const> into, std::span<const bool> is_new,
                const packed_values& values) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (Replaces || is_new[i]) std::memcpy(into[i], values.at(i), values.bytes);
  }
}

}  // namespace

map_operation* map_operation_of(std::string_view operation, std::string_view type) {
  if (operation == "put") return put_values<true>;
  if (operation == "first") return put_values<false>;
  return with_operation(operation, [&]<typename Operation>(Operation) {
    return with_number_type(type, [&]<typename T>(T) -> map_operation* {
      if constexpr (Operation::template allows<T>) {
        return combine_values<T, Operation>;
      } else {
        refuse_operation(operation, type);
      }
    });
  });
}

}  // namespace boxcar::python
