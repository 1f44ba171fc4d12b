#include "groups.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <numeric>

#include "operation.hpp"

namespace boxcar::python {
namespace {

template <typename Operation, typename From, typename To>
void combine(std::span<const From> values, std::span<const std::uint32_t> ids, To* into) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    into[ids[i]] = Operation::apply(into[ids[i]], static_cast<To>(values[i]));
  }
}

// Sums of small numbers are wide, as NumPy's are.
template <typename From, typename To>
constexpr bool widens =
    std::integral<From> && (std::same_as<To, std::int64_t> || std::same_as<To, std::uint64_t>);

}  // namespace

void combine_groups(std::string_view operation, std::string_view from, std::string_view to,
                    const read_bytes& values, std::span<const std::uint32_t> ids,
                    const written_bytes& into) {
  with_operation(operation, [&]<typename Operation>(Operation) {
    with_number_type(from, [&]<typename From>(From) {
      if constexpr (!Operation::template allows<From>) {
        refuse_operation(operation, from);
      } else {
        const auto values_of_type = elements_of<From>(values);
        if (to == from) {
          return combine<Operation>(values_of_type, ids, elements_of<From>(into).data());
        }
        with_number_type(to, [&]<typename To>(To) {
          if constexpr (std::same_as<Operation, add> && widens<From, To>) {
            combine<Operation>(values_of_type, ids, elements_of<To>(into).data());
          } else {
            refuse_type(to);
          }
        });
      }
    });
  });
}

void count_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> counts) {
  for (const std::uint32_t id : ids) ++counts[id];
}

void order_groups(std::span<const std::uint32_t> ids, std::span<std::int64_t> order,
                  std::span<std::int64_t> starts) {
  std::ranges::fill(starts, 0);
  count_groups(ids, starts.subspan(1));
  std::inclusive_scan(starts.begin(), starts.end(), starts.begin());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    order[static_cast<std::size_t>(starts[ids[i]]++)] = static_cast<std::int64_t>(i);
  }
  // Each start has moved to where the next group begins.
  std::shift_right(starts.begin(), starts.end() - 1, 1);
  if (starts.size() > 1) starts.front() = 0;
}

}  // namespace boxcar::python
