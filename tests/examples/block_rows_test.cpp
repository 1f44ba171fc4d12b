// Tests of the distribution of rows over PEs in blocks.
#include "support/block_rows.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace examples::test::block_rows_test {
namespace {

TEST(block_rows, follow_one_another_and_are_equally_long) {
  for (const std::uint64_t rows : {0U, 1U, 2U, 7U, 64U, 1000U}) {
    for (const int pes : {1, 2, 3, 7, 100}) {
      const block_rows blocks(rows, pes);
      EXPECT_EQ(blocks.first(0), 0U);
      EXPECT_EQ(blocks.first(pes), rows);
      for (int pe = 0; pe < pes; ++pe) {
        EXPECT_LE(blocks.count(pe), rows / static_cast<std::uint64_t>(pes) + 1);
        EXPECT_GE(blocks.count(pe), rows / static_cast<std::uint64_t>(pes));
      }
    }
  }
}

}  // namespace
}  // namespace examples::test::block_rows_test
