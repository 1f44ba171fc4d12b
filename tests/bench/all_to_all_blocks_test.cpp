// Tests of the check of all-to-all blocks: their source, their exchange, and every word of them.
#include "all_to_all_blocks.hpp"

#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <boxcar/run.hpp>

#include "problem_of.hpp"

namespace boxcar::bench::all_to_all_blocks_test {
namespace {

using blocks = std::vector<std::vector<all_to_all_blocks::word>>;  // by PE

constexpr std::size_t words = 8;
constexpr std::uint64_t exchanges = 3;

// Collective. One session, with changed blocks in exchange number `wrong` on PE 1.
std::string problem_after(world& w, std::uint64_t wrong,
                          const std::function<void(blocks&)>& change) {
  all_to_all_blocks job(
      w, {.pes = w.size(), .item_bytes = words * sizeof(std::uint64_t), .items = exchanges});
  job.clear();
  std::vector<blocks> arrived(exchanges);
  for (std::uint64_t i = 0; i < exchanges; ++i) {
    const auto block = job.next();
    arrived[i] = w.all_gather(std::vector(block.begin(), block.end()));
    if (i == wrong && w.rank() == 1) change(arrived[i]);
    for (int pe = 0; pe < w.size(); ++pe) {
      const auto& from = arrived[i][static_cast<std::size_t>(pe)];
      if (pe != w.rank() && !from.empty()) job.take(pe, from.data());
    }
  }
  return problem_of(w, job);
}

TEST(all_to_all_blocks, are_right_if_they_are_those_of_all_others) {
  run(3, [](world& w) { EXPECT_EQ(problem_after(w, 0, [](blocks&) {}), ""); });
}

TEST(all_to_all_blocks, are_wrong_if_any_word_is) {
  run(3, [](world& w) {
    for (std::size_t word = 0; word < words; ++word) {
      const auto change = [&](blocks& all) { ++all[2][word]; };
      EXPECT_NE(problem_after(w, exchanges - 1, change), "") << "word " << word;
    }
    for (const std::size_t end : {std::size_t{0}, words - 1}) {
      EXPECT_NE(problem_after(w, 0, [&](blocks& all) { --all[2][end]; }), "") << "word " << end;
    }
  });
}

TEST(all_to_all_blocks, are_wrong_if_they_are_those_of_another_pe_or_missing) {
  run(3, [](world& w) {
    const auto swap = [](blocks& all) { std::swap(all[0], all[2]); };
    EXPECT_NE(problem_after(w, exchanges - 1, swap), "");
    for (std::uint64_t exchange = 0; exchange < exchanges; ++exchange) {
      EXPECT_NE(problem_after(w, exchange, [](blocks& all) { all[2].clear(); }), "");
    }
  });
}

}  // namespace
}  // namespace boxcar::bench::all_to_all_blocks_test
