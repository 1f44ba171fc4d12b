// Tests that the grid of the pipeline computes the expected values, with any split of its columns,
// and notices wrong values, also where the last value is right.
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/run.hpp>

#include "pipeline_grid.hpp"
#include "pipeline_loop.hpp"
#include "problem_of.hpp"

namespace boxcar::bench::pipeline_test {
namespace {

constexpr std::uint64_t rows = 20;

setting grid_of(int pes, std::uint64_t columns, const char* scaling = "strong") {
  return {.pes = pes, .items = rows, .columns = columns, .scaling = scaling};
}

// Changes a value from the PE before, for a row.
using meddler = std::function<double(double value, std::uint64_t row)>;

double leave(double value, std::uint64_t) {
  return value;
}

// Collective. Once through the grid, PE by PE: values pass by collectives.
void do_session(world& w, pipeline_grid& grid, const meddler& meddle = leave) {
  std::vector<double> sent(rows);
  for (int pe = 0; pe < w.size(); ++pe) {
    std::vector<double> next(rows);
    if (pe == w.rank()) {
      do_pipeline(
          grid, [&](double value, std::uint64_t row) { next[row] = value; },
          [&](std::uint64_t row) { return row == 0 ? 0 : meddle(sent[row], row); });
    }
    sent = w.broadcast(std::move(next), pe);
  }
  if (grid.is_first() && !grid.is_last()) grid.feed_back(sent[0]);
}

TEST(pipeline, is_right_with_any_split_of_the_columns) {
  for (const int pes : {1, 2, 3, 5}) {
    for (const setting& s : {grid_of(pes, static_cast<std::uint64_t>(pes) + 1), grid_of(pes, 17),
                             grid_of(pes, 2, "weak"), grid_of(pes, 7, "weak")}) {
      run(pes, [&](world& w) {
        pipeline_grid grid(w, s);
        for (int repeated = 0; repeated < 2; ++repeated) {
          grid.clear();
          for (int session = 0; session < 3; ++session) do_session(w, grid);
          EXPECT_EQ(problem_of(w, grid, 3), "") << pes << " PEs, " << s.columns << " columns";
          EXPECT_NE(problem_of(w, grid, 2), "");
          EXPECT_NE(problem_of(w, grid, 4), "");
        }
      });
    }
  }
}

TEST(pipeline, notices_a_value_that_is_wrong) {
  run(3, [](world& w) {
    for (const std::uint64_t wrong_row : {std::uint64_t{1}, rows / 2, rows - 1}) {
      for (const int wrong_session : {0, 1, 2}) {
        pipeline_grid grid(w, grid_of(3, 17));
        grid.clear();
        for (int session = 0; session < 3; ++session) {
          const bool meddles = session == wrong_session && w.rank() == 1;
          do_session(w, grid, [&](double value, std::uint64_t row) {
            return meddles && row == wrong_row ? value - 1 : value;
          });
        }
        EXPECT_NE(problem_of(w, grid, 3), "")
            << "row " << wrong_row << ", session " << wrong_session;
      }
    }
  });
}

TEST(pipeline, notices_what_is_not_fed_back) {
  run(2, [](world& w) {
    pipeline_grid grid(w, grid_of(2, 17));
    grid.clear();
    do_session(w, grid);
    if (grid.is_first()) grid.feed_back(1);
    EXPECT_NE(problem_of(w, grid, 1).find("fed back"), std::string::npos);
  });
}

}  // namespace
}  // namespace boxcar::bench::pipeline_test
