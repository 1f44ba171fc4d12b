// Fuzz test of the examples' reader of Matrix Market files: the reader refuses a file, or the
// shares of the file have the entries of the whole file, within the matrix.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "input_file.hpp"
#include "support/input_error.hpp"
#include "support/matrix_market.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const boxcar::fuzz::input_file file(data, size);
  try {
    const examples::matrix_shape shape = examples::read_shape(file.path());
    const auto all = examples::read_entries(file.path(), shape, 0, 1);
    for (const examples::matrix_entry& e : all) {
      const bool is_mirrored = shape.symmetric && e.row < shape.columns && e.column < shape.rows;
      if ((e.row >= shape.rows || e.column >= shape.columns) && !is_mirrored) std::abort();
    }
    std::size_t entries = 0;
    for (std::uint64_t index = 0; index < 3; ++index) {
      entries += examples::read_entries(file.path(), shape, index, 3).size();
    }
    if (entries != all.size()) std::abort();
  } catch (const examples::input_error&) {
    // The file is refused.
  }
  return 0;
}
