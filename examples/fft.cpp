// The Fourier transform of a long vector that is distributed over the PEs in blocks: the benchmark
// G-FFT of HPC Challenge, with which tram-thesis-2014, section 7.1.2, shows that arrays in chunks
// can be aggregated. The six-step algorithm of Bailey, FFTs in external or hierarchical memory,
// Journal of Supercomputing 4, 1990, takes the vector for a matrix: transforms of rows, which FFTW
// does on each PE, alternate with transpositions. In a transposition, every PE sends to every PE a
// part of the matrix as arrays in chunks. The result is checked by the inverse transform, as by HPC
// Challenge, and a short one also by the definition of the transform.
//
//   boxcar run -n 4 -- fft --elements 1048576

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/arguments.hpp"
#include "support/block_rows.hpp"
#include "support/philox.h"
#include "support/report.hpp"
#include "support/require.hpp"
#include "support/row_transforms.hpp"
#include "support/stopwatch.hpp"

namespace {

using examples::block_rows;
using examples::direction;
using number = std::complex<double>;
using numbers = std::vector<number>;

// A matrix of which each PE has consecutive rows.
struct shape {
  std::uint64_t rows;
  std::uint64_t columns;

  [[nodiscard]] shape transposed() const { return {columns, rows}; }
  [[nodiscard]] std::uint64_t elements() const { return rows * columns; }
  // Returns the index of the first element of a PE, and the number of its elements.
  [[nodiscard]] std::uint64_t first_on(const boxcar::world& w) const {
    return block_rows(rows, w.size()).first(w.rank()) * columns;
  }
  [[nodiscard]] std::uint64_t count_on(const boxcar::world& w) const {
    return block_rows(rows, w.size()).count(w.rank()) * columns;
  }
};

// The first element of a chunk: which part of the transposed matrix follows, row by row.
struct chunk_head {
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t rows;
  std::uint32_t columns;
};

// Transposes matrices by a stream of chunks, one session for each.
class transposer {
 public:
  // Collective. `side` is the largest number of rows and of columns of a chunk.
  transposer(boxcar::world& w, std::uint64_t side)
      : world_(w), side_(side), chunks_(w, [this](std::span<const number> c) { receive(c); }) {}
  transposer(const transposer&) = delete;
  transposer& operator=(const transposer&) = delete;

  // Collective. `into` has room for the PE's rows of the transposed matrix.
  void transpose(const numbers& from, shape of, numbers& into) {
    const block_rows targets(of.columns, world_.size());
    into_ = &into;
    into_row_ = targets.first(world_.rank());
    into_length_ = of.rows;
    const boxcar::session session = chunks_.begin(boxcar::staged(1));
    // Every PE begins with another one.
    for (int i = 1; i <= world_.size(); ++i) {
      const int pe = (world_.rank() + i) % world_.size();
      send_columns(from, of, targets.first(pe), targets.first(pe + 1), pe);
    }
    chunks_.done();
    chunks_.finish();
  }

 private:
  void send_columns(const numbers& from, shape of, std::uint64_t first, std::uint64_t last,
                    int pe) {
    const block_rows mine(of.rows, world_.size());
    const std::uint64_t first_row = mine.first(world_.rank());
    const std::uint64_t last_row = mine.first(world_.rank() + 1);
    for (std::uint64_t row = first_row; row < last_row; row += side_) {
      const std::uint64_t rows = std::min(side_, last_row - row);
      const number* const corner = from.data() + (row - first_row) * of.columns;
      for (std::uint64_t column = first; column < last; column += side_) {
        send_chunk(corner + column, of.columns, pe,
                   {static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(row),
                    static_cast<std::uint32_t>(std::min(side_, last - column)),
                    static_cast<std::uint32_t>(rows)});
      }
    }
  }

  void send_chunk(const number* corner, std::uint64_t row_length, int pe, chunk_head head) {
    chunk_.clear();
    chunk_.push_back(std::bit_cast<number>(head));
    for (std::uint64_t r = 0; r < head.rows; ++r) {
      for (std::uint64_t c = 0; c < head.columns; ++c) {
        chunk_.push_back(corner[c * row_length + r]);
      }
    }
    chunks_.send_array(chunk_, pe);
  }

  void receive(std::span<const number> chunk) {
    const auto head = std::bit_cast<chunk_head>(chunk.front());
    for (std::uint64_t r = 0; r < head.rows; ++r) {
      const auto row = chunk.subspan(1 + r * head.columns, head.columns);
      std::copy(row.begin(), row.end(),
                into_->data() + (head.row - into_row_ + r) * into_length_ + head.column);
    }
  }

  boxcar::world& world_;
  std::uint64_t side_;
  numbers chunk_;
  numbers* into_ = nullptr;
  std::uint64_t into_row_ = 0;  // the first row of the PE
  std::uint64_t into_length_ = 0;
  boxcar::stream<number[]> chunks_;
};

// The transform of a vector whose element j is in row j / columns and column j % columns of a
// matrix. Element k of the result is in row k / rows and column k % rows of a matrix of the
// transposed shape.
class six_steps {
 public:
  // Local.
  six_steps(boxcar::world& w, transposer& t, shape of, direction towards)
      : transposer_(t),
        shape_(of),
        tall_(of.transposed().count_on(w)),
        wide_(of.count_on(w)),
        columns_(tall_, of.rows, towards),
        rows_(wide_, of.columns, towards),
        factors_(tall_.size()) {
    const double turn = (towards == direction::forward ? -2 : 2) * std::numbers::pi /
                        static_cast<double>(of.elements());
    const std::uint64_t first = of.transposed().first_on(w);
    for (std::uint64_t i = 0; i < factors_.size(); ++i) {
      const std::uint64_t product = (first + i) / of.rows * ((first + i) % of.rows);
      factors_[i] = std::polar(1.0, turn * static_cast<double>(product));
    }
  }

  // Collective. Not scaled. `result` has room for the PE's rows.
  void transform(const numbers& vector, numbers& result) {
    transposer_.transpose(vector, shape_, tall_);
    columns_.execute();
    for (std::uint64_t i = 0; i < tall_.size(); ++i) tall_[i] *= factors_[i];
    transposer_.transpose(tall_, shape_.transposed(), wide_);
    rows_.execute();
    transposer_.transpose(wide_, shape_, result);
  }

 private:
  transposer& transposer_;
  shape shape_;
  numbers tall_;
  numbers wide_;
  examples::row_transforms columns_;
  examples::row_transforms rows_;
  numbers factors_;
};

// Returns element j of the vector: both parts are between -0.5 and 0.5. The generator is keyed by
// the index, so that the vector is the same for any number of PEs.
number element(std::uint64_t j) {
  constexpr std::uint64_t seed = 1;
  const philox_block random = philox_4x32_10(
      {{static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(j >> 32), 0, 0}}, seed);
  return {random.word[0] * 0x1p-32 - 0.5, random.word[1] * 0x1p-32 - 0.5};
}

numbers elements(std::uint64_t first, std::uint64_t count) {
  numbers vector(count);
  for (std::uint64_t i = 0; i < count; ++i) vector[i] = element(first + i);
  return vector;
}

// Returns elements `first` and following of the transform, as many as `count`, by its definition.
numbers direct_transform(std::uint64_t n, std::uint64_t first, std::uint64_t count) {
  const numbers vector = elements(0, n);
  numbers roots(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n);
    roots[i] = std::polar(1.0, -2 * std::numbers::pi * share);
  }
  numbers result(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    for (std::uint64_t j = 0; j < n; ++j) result[k] += vector[j] * roots[(first + k) * j % n];
  }
  return result;
}

// Collective. Returns the residual of HPC Challenge, max |a - b| / (epsilon log2 n).
double residual(boxcar::world& w, const numbers& a, const numbers& b, std::uint64_t n) {
  double difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = std::max(difference, std::abs(a[i] - b[i]));
  difference = w.reduce(difference, boxcar::maximum());
  const double log2_n = std::max(1.0, std::log2(static_cast<double>(n)));
  return difference / (std::numeric_limits<double>::epsilon() * log2_n);
}

// Returns the shape nearest to a square, with not more rows than columns.
shape nearly_square(std::uint64_t n) {
  auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(n)));
  while (n % rows != 0) --rows;
  constexpr auto most = std::uint64_t{std::numeric_limits<int>::max()};
  if (n / rows > most) {
    throw boxcar::argument_error("--elements is " + std::to_string(n) + ", which is at best " +
                                 std::to_string(rows) + " times " + std::to_string(n / rows) +
                                 ": give a number that has two factors below 2^31");
  }
  return {rows, n / rows};
}

}  // namespace

int main(int argc, char** argv) {
  return boxcar::run([&](boxcar::world& w) {
    examples::arguments given(argc, argv, "Transforms a long vector (G-FFT of HPC Challenge).");
    const std::uint64_t n = given.number("--elements", 1 << 20, {1, std::uint64_t{1} << 40},
                                         "elements of the vector, on all PEs");
    const std::uint64_t side =
        given.number("--chunk", 16, {1, 1'024}, "rows and columns of a chunk, at most");
    if (!given.complete(w)) return;

    const shape s = nearly_square(n);
    const numbers vector = elements(s.first_on(w), s.count_on(w));
    numbers result(s.transposed().count_on(w));
    transposer t(w, side);
    six_steps forward(w, t, s, direction::forward);
    examples::stopwatch watch(w);
    forward.transform(vector, result);
    const double seconds = watch.seconds();

    constexpr double bound = 16;  // of HPC Challenge
    numbers back(vector.size());
    six_steps(w, t, s.transposed(), direction::backward).transform(result, back);
    for (number& x : back) x /= static_cast<double>(n);
    const double found = residual(w, vector, back, n);
    examples::require(found < bound, "the inverse of the transform is not the vector");
    if (n <= 4'096) {
      const numbers right = direct_transform(n, s.transposed().first_on(w), result.size());
      // The elements of a transform are about sqrt(n) times as large as those of the vector.
      examples::require(residual(w, result, right, n) < bound * std::sqrt(static_cast<double>(n)),
                        "the transform is not what its definition says");
    }
    if (w.rank() == 0) {
      const double operations = 5 * static_cast<double>(n) * std::log2(static_cast<double>(n));
      std::printf("%s elements as %s x %s in %.3f ms: %.3f GFLOP/s; residual %.3f\n",
                  examples::with_commas(n).c_str(), examples::with_commas(s.rows).c_str(),
                  examples::with_commas(s.columns).c_str(), seconds * 1e3,
                  operations / seconds * 1e-9, found);
    }
  });
}
