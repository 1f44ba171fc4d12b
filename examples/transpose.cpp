// The transpose of a sparse matrix: its rows are dealt out to the PEs, and every entry travels to
// the owner PE of the entry's row in the transpose. Transposing twice gives the matrix back, and so
// checks the result.
//
//   boxcar run -n 4 -- transpose MATRIX.mtx

#include <algorithm>
#include <cstdio>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/matrix_market.hpp"
#include "support/report.hpp"
#include "support/require.hpp"

namespace {

using examples::matrix_entry;
using entries = std::vector<matrix_entry>;

// Sends every entry to the owner of the entry's row. The owner sorts its entries by row and column.
entries deal_out(boxcar::world& w, const entries& mine) {
  const auto pes = static_cast<std::uint64_t>(w.size());
  entries rows;
  boxcar::exchange<matrix_entry>(
      w,
      [&](auto& out) {
        for (const matrix_entry& e : mine) out.push(e, static_cast<int>(e.row % pes));
      },
      [&](const matrix_entry& e) { rows.push_back(e); });
  std::sort(rows.begin(), rows.end());
  return rows;
}

entries transpose(boxcar::world& w, entries rows) {
  for (matrix_entry& e : rows) std::swap(e.row, e.column);
  return deal_out(w, rows);
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Transposes a sparse matrix.");
    const std::string path = given.file("a Matrix Market file");
    if (!given.complete(w)) return;
    const auto rank = static_cast<std::uint64_t>(w.rank());
    const auto pes = static_cast<std::uint64_t>(w.size());
    const examples::matrix_shape shape = examples::read_shape(path);
    const entries matrix = deal_out(w, examples::read_entries(path, shape, rank, pes));
    const entries transposed = transpose(w, matrix);

    for (const matrix_entry& e : transposed) {
      examples::require(e.row % pes == rank && e.row < shape.columns, "an entry went astray");
    }
    examples::require(transpose(w, transposed) == matrix, "the transpose of the transpose differs");
    const std::uint64_t all = w.reduce(std::uint64_t{transposed.size()});
    examples::require(shape.symmetric || all == shape.entries,
                      "there are not as many entries as the file says");
    if (w.rank() == 0) {
      std::printf("a matrix of %s rows and %s columns with %s entries was transposed\n",
                  examples::with_commas(shape.rows).c_str(),
                  examples::with_commas(shape.columns).c_str(), examples::with_commas(all).c_str());
    }
  });
}
