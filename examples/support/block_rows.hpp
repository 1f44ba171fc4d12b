// The distribution of rows, of a matrix or of any list, over PEs in blocks: each PE has consecutive
// rows.
#pragma once

#include <cstdint>

namespace examples {

// The numbers of rows of two PEs differ by one at most. If there are more PEs than rows, PEs
// without rows lie between the others.
class block_rows {
 public:
  // Preconditions: `pes` is above 0; `rows` times `pes` is below 2^64.
  block_rows(std::uint64_t rows, int pes) : rows_(rows), pes_(static_cast<std::uint64_t>(pes)) {}

  // Returns the first row of a PE; of the PE behind the last one, the number of rows.
  [[nodiscard]] std::uint64_t first(int pe) const {
    return rows_ * static_cast<std::uint64_t>(pe) / pes_;
  }
  [[nodiscard]] std::uint64_t count(int pe) const { return first(pe + 1) - first(pe); }

 private:
  std::uint64_t rows_;
  std::uint64_t pes_;
};

}  // namespace examples
