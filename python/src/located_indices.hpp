// The indices of a table's elements, and their locations, a batch at a time: so neither is stored
// for all elements.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "arrays.hpp"
#include "spread.hpp"

namespace boxcar::python {

// Some of them.
class located_indices {
 public:
  using locate_function = std::function<void(std::size_t first, std::size_t n, std::int32_t* pes,
                                             std::uint64_t* slots)>;

  located_indices(const locate_function& locate, std::size_t first, std::size_t count)
      : locate_(locate), first_(first), count_(count) {}

  // Calls `use(first, pes, slots)` for one batch after another.
  template <typename Use>
  void for_each_batch(const Use& use) {
    for (std::size_t first = 0; first < count_; first += batch) {
      const std::size_t n = std::min(batch, count_ - first);
      locate_(first_ + first, n, pes_.data(), slots_.data());
      use(first, std::span<const std::int32_t>(pes_.data(), n),
          std::span<const std::uint64_t>(slots_.data(), n));
    }
  }

 private:
  static constexpr std::size_t batch = 1024;  // 12 KiB of locations

  const locate_function& locate_;
  std::size_t first_;
  std::size_t count_;
  std::array<std::int32_t, batch> pes_;
  std::array<std::uint64_t, batch> slots_;
};

class indices_in_table {
 public:
  // `type` is the type of the indices.
  indices_in_table(const spread& table, std::string_view type, const read_bytes& indices)
      : table_(table) {
    with_index_type(type, [&]<typename Index>(Index) {
      const std::span<const Index> all = elements_of<Index>(indices);
      count_ = all.size();
      locate_ = [&table, all](std::size_t first, std::size_t n, std::int32_t* pes,
                              std::uint64_t* slots) {
        table.locate(all.subspan(first, n), pes, slots);
      };
    });
  }

  [[nodiscard]] const spread& table() const { return table_; }
  [[nodiscard]] std::size_t count() const { return count_; }
  // Returns at most `n` of the indices, from `first` on.
  [[nodiscard]] located_indices some(std::size_t first, std::size_t n) const {
    return {locate_, std::min(first, count_), std::min(n, count_ - std::min(first, count_))};
  }
  [[nodiscard]] located_indices all() const { return some(0, count_); }

 private:
  const spread& table_;
  std::size_t count_ = 0;
  located_indices::locate_function locate_;
};

}  // namespace boxcar::python
