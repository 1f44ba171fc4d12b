// Tests of the reader of Matrix Market files: for any number of shares, and wherever they begin,
// each entry is read once, and no part of the head is.
#include "support/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace examples::test::matrix_market_test {
namespace {

class matrix_file {
 public:
  explicit matrix_file(const std::string& text) { std::ofstream(path_) << text; }
  matrix_file(const matrix_file&) = delete;
  matrix_file& operator=(const matrix_file&) = delete;
  ~matrix_file() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = std::filesystem::temp_directory_path() /
                      ("boxcar_matrix_" + std::to_string(getpid()) + ".mtx");
};

std::vector<matrix_entry> entries_in_shares(const std::string& path, std::uint64_t shares) {
  const matrix_shape shape = read_shape(path);
  std::vector<matrix_entry> all;
  for (std::uint64_t index = 0; index < shares; ++index) {
    const std::vector<matrix_entry> some = read_entries(path, shape, index, shares);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(matrix_market, line_of_sizes_is_no_entry) {
  const matrix_file file(
      "%%MatrixMarket matrix coordinate pattern general\n5 5 3\n1 2\n2 2\n5 5\n");
  const std::vector<matrix_entry> wanted{{0, 1, 1.0}, {1, 1, 1.0}, {4, 4, 1.0}};
  for (std::uint64_t shares = 1; shares < 100; ++shares) {
    EXPECT_EQ(entries_in_shares(file.path(), shares), wanted) << shares << " shares";
  }
}

TEST(matrix_market, line_of_sizes_comes_after_long_comments) {
  const matrix_file file("%%MatrixMarket matrix coordinate real general\n%" +
                         std::string(500, '-') + "\n\n5 3 2\n% in between\n1 1 2.5\n5 3 -1e300");
  const std::vector<matrix_entry> wanted{{0, 0, 2.5}, {4, 2, -1e300}};
  for (std::uint64_t shares = 1; shares < 100; ++shares) {
    EXPECT_EQ(entries_in_shares(file.path(), shares), wanted) << shares << " shares";
  }
}

TEST(matrix_market, matrix_without_entries) {
  const matrix_file file("%%MatrixMarket matrix coordinate real general\n5 3 0");
  for (std::uint64_t shares = 1; shares < 5; ++shares) {
    EXPECT_TRUE(entries_in_shares(file.path(), shares).empty());
  }
}

}  // namespace
}  // namespace examples::test::matrix_market_test
