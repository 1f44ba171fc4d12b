#include "rows.hpp"

#include <algorithm>
#include <vector>

#include "row_exchange.hpp"
#include "row_size.hpp"

namespace boxcar::python {

std::optional<std::size_t> first_out_of_range(std::string_view type, const read_bytes& numbers,
                                              std::uint64_t limit) {
  return with_index_type(type, [&]<typename T>(T) -> std::optional<std::size_t> {
    const std::span<const T> all = elements_of<T>(numbers);
    // The highest bit of a number, or of the difference to the last valid number, is set if the
    // number is out of range: so many numbers are checked together. Most often none is out of
    // range.
    const std::uint64_t last = std::min(limit, std::uint64_t(1) << 63) - 1;
    const auto signs = [last](T number) {
      const auto wide = static_cast<std::uint64_t>(number);
      return wide | (last - wide);
    };
    std::uint64_t any = 0;
    for (const T number : all) any |= signs(number);
    if (any >> 63 == 0) return std::nullopt;
    const auto is_out = [&](T number) { return signs(number) >> 63 != 0; };
    return static_cast<std::size_t>(std::ranges::find_if(all, is_out) - all.begin());
  });
}

void count_destinations(std::span<const std::int32_t> to, std::span<std::uint64_t> counts) {
  std::ranges::fill(counts, 0);
  for (const std::int32_t pe : to) ++counts[static_cast<std::size_t>(pe)];
}

void place_answers(const read_bytes& rows, std::size_t row_bytes, std::span<const std::int32_t> to,
                   std::span<const std::uint64_t> counts, const written_bytes& into) {
  std::vector<std::uint64_t> next = first_of_each(counts);
  const std::byte* const from = bytes_of(rows);
  std::byte* const first = bytes_of(into);
  with_row_size(row_bytes, [&](auto size) {
    for (std::size_t i = 0; i < to.size(); ++i) {
      const std::uint64_t row = next[static_cast<std::size_t>(to[i])]++;
      copy_row<size.value>(first + i * row_bytes, from + row * row_bytes, row_bytes);
    }
  });
}

}  // namespace boxcar::python
