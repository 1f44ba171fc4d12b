// Sparse matrices in Matrix Market files: coordinate format, one entry a line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace examples {

struct matrix_entry {
  std::uint64_t row;  // from 0
  std::uint64_t column;
  double value;  // 1 if the file holds a pattern only
  friend auto operator<=>(const matrix_entry&, const matrix_entry&) = default;
};

struct matrix_shape {
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;  // lines of the file
  bool symmetric = false;     // an entry off the diagonal stands for two
};

// The head of a file. Throws input_error, with the file, the line and the remedy, if the file
// cannot be read or is not in coordinate format with real, integer or pattern entries.
matrix_shape read_shape(const std::string& path);

// Returns share number `index` of `of` shares of a matrix' entries, with both of each pair that a
// symmetric file stores once. Every entry is in exactly one share.
std::vector<matrix_entry> read_entries(const std::string& path, const matrix_shape& shape,
                                       std::uint64_t index, std::uint64_t of);

}  // namespace examples
