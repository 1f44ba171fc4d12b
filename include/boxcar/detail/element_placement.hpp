// The placement of the elements of a distributed array: the PE that owns an index, and the offset
// of the element in the owner's part.
#pragma once

#include <cstddef>
#include <cstdint>

#include <boxcar/detail/divider.hpp>
#include <boxcar/distributed_array_options.hpp>

namespace boxcar::detail {

// Returns the first number of a PE's block, if `count` numbers are divided into even blocks: the
// first `count % pes` blocks have one number more than the others. `pe` may equal `pes`.
[[nodiscard]] inline std::uint64_t first_of_even_block(std::uint64_t count, int pes, int pe) {
  const auto all = static_cast<std::uint64_t>(pes);
  const auto here = static_cast<std::uint64_t>(pe);
  const std::uint64_t num_larger = count % all;
  return here * (count / all) + (here < num_larger ? here : num_larger);
}

struct element_location {
  int pe;
  std::uint64_t offset;
};

class element_placement {
 public:
  // The maximum number of elements of a PE: offsets travel as 5 bytes.
  static constexpr std::uint64_t max_local_size = std::uint64_t{1} << 40;

  element_placement(array_layout layout, std::uint64_t size, int pes, int me)
      : size_(size),
        quotient_(size / static_cast<std::uint64_t>(pes)),
        num_larger_(size % static_cast<std::uint64_t>(pes)),
        in_larger_(num_larger_ * (quotient_ + 1)),
        by_larger_(quotient_ + 1, size),
        by_smaller_(quotient_ == 0 ? 1 : quotient_, size),
        by_pes_(static_cast<std::uint64_t>(pes), size),
        pes_(static_cast<std::uint64_t>(pes)),
        first_(layout == array_layout::cyclic ? static_cast<std::uint64_t>(me)
                                              : first_of_even_block(size, pes, me)),
        local_size_(quotient_ + (static_cast<std::uint64_t>(me) < num_larger_ ? 1 : 0)),
        is_cyclic_(layout == array_layout::cyclic) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }
  // Returns the number of elements of the PE.
  [[nodiscard]] std::uint64_t local_size() const { return local_size_; }
  // Returns the largest number of elements of any PE.
  [[nodiscard]] std::uint64_t largest_local_size() const {
    return quotient_ + (num_larger_ == 0 ? 0 : 1);
  }

  // Precondition: index < size().
  [[nodiscard]] element_location location(std::uint64_t index) const {
    if (is_cyclic_) {
      const std::uint64_t offset = by_pes_(index);
      return {static_cast<int>(index - offset * pes_), offset};
    }
    if (index < in_larger_) {
      const std::uint64_t pe = by_larger_(index);
      return {static_cast<int>(pe), index - pe * (quotient_ + 1)};
    }
    const std::uint64_t behind = index - in_larger_;
    const std::uint64_t pe = by_smaller_(behind);
    return {static_cast<int>(num_larger_ + pe), behind - pe * quotient_};
  }
  // Returns the index of an element of the PE. Precondition: offset < local_size().
  [[nodiscard]] std::uint64_t index_of(std::uint64_t offset) const {
    return is_cyclic_ ? offset * pes_ + first_ : first_ + offset;
  }

 private:
  std::uint64_t size_;
  std::uint64_t quotient_;
  std::uint64_t num_larger_;  // PEs with one element more than the others
  std::uint64_t in_larger_;   // elements of these PEs
  divider by_larger_;
  divider by_smaller_;
  divider by_pes_;
  std::uint64_t pes_;
  std::uint64_t first_;  // the first index of the PE
  std::uint64_t local_size_;
  bool is_cyclic_;
};

}  // namespace boxcar::detail
