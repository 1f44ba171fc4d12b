// Tests of sweeps: every value with every other, and the values that a benchmark fills in or
// refuses.
#include "sweep.hpp"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>

#include <boxcar/error.hpp>

#include "benchmark.hpp"

namespace boxcar::bench::sweep_test {
namespace {

TEST(sweep, is_one_setting_if_nothing_is_given) {
  EXPECT_EQ(settings_of({}).size(), 1U);
}

TEST(sweep, has_every_value_with_every_other) {
  sweep values;
  values.pes = {2, 4, 8};
  values.kinds = {carrier::simple, carrier::elastic};
  values.table_bytes = {64, 128};
  std::set<std::tuple<int, carrier, std::size_t>> seen;
  int last_pes = 0;
  for (const setting& s : settings_of(values)) {
    seen.emplace(s.pes, s.kind, s.table_bytes);
    EXPECT_GE(s.pes, last_pes) << "the number of PEs changes slowest";
    last_pes = s.pes;
  }
  EXPECT_EQ(seen.size(), 12U);
}

std::string refusal_of(const char* benchmark, const setting& s) {
  try {
    const description& what = benchmark_of(benchmark);
    check(what, completed(what, s));
  } catch (const argument_error& e) {
    return e.what();
  }
  return "";
}

TEST(setting, is_completed) {
  const setting s = completed(benchmark_of("histogram"), {.pes = 2});
  EXPECT_EQ(s.item_bytes, 8U);
  EXPECT_EQ(s.table_bytes, 512U << 10);
  EXPECT_GT(s.items, 0U);
  EXPECT_EQ(completed(benchmark_of("alltoall"), {.pes = 2, .item_bytes = 128}).items * 16,
            completed(benchmark_of("alltoall"), {.pes = 2}).items)
      << "all-to-all sends a number of bytes, whatever the size of an item";
  EXPECT_EQ(completed(benchmark_of("alltoall"), {.pes = 64}).items,
            completed(benchmark_of("alltoall"), {.pes = 2}).items)
      << "of each PE";
  EXPECT_EQ(completed(benchmark_of("session"), {.pes = 2}).items, 1U);
  const setting sort = completed(benchmark_of("integersort"), {.pes = 2});
  EXPECT_EQ(sort.problem_class, "S");
  EXPECT_EQ(sort.message_bytes, 512U);
  EXPECT_EQ(sort.items, 0U) << "the class says it";
  EXPECT_EQ(sort.columns, 0U);
  EXPECT_EQ(sort.scaling, "");
  const setting pipeline = completed(benchmark_of("pipeline"), {.pes = 2});
  EXPECT_EQ(pipeline.items, 12'800U);
  EXPECT_EQ(pipeline.columns, 1280U);
  EXPECT_EQ(pipeline.scaling, "strong");
}

TEST(setting, has_a_smaller_one) {
  const description& histogram = benchmark_of("histogram");
  EXPECT_EQ(smaller(histogram, {.items = 1'000'000}).items, 10'000U);
  EXPECT_EQ(smaller(histogram, {.items = 100}).items, 100U);
  EXPECT_EQ(smaller(benchmark_of("kmer"), {.file = "x"}).items, 10'000U);
  const setting sort = smaller(benchmark_of("integersort"), {.problem_class = "B"});
  EXPECT_EQ(sort.problem_class, "S");
  EXPECT_EQ(sort.items, 0U);
}

TEST(setting, is_refused_if_the_benchmark_cannot_do_it) {
  EXPECT_NE(refusal_of("histogram", {.pes = 2, .item_bytes = 7}).find("7 bytes: give one of 8, 4"),
            std::string::npos);
  EXPECT_NE(refusal_of("alltoall", {.pes = 2, .table_bytes = 7}).find("has no table"),
            std::string::npos);
  EXPECT_NE(refusal_of("permute", {.pes = 2, .file = "x"}).find("reads no file"),
            std::string::npos);
  EXPECT_NE(refusal_of("kmer", {.pes = 2, .items = 1, .file = "x"}).find("leave --items or --file"),
            std::string::npos);
  EXPECT_NE(refusal_of("randomaccess", {.pes = 2, .table_bytes = 24}).find("16 for instance"),
            std::string::npos);
  EXPECT_NE(refusal_of("limit", {.pes = 2, .hops = 1}).find("sends nothing"), std::string::npos);
  EXPECT_NE(refusal_of("histogram", {.pes = 2, .table_bytes = 7}).find("--table-bytes"),
            std::string::npos);
  EXPECT_THROW(static_cast<void>(benchmark_of("nothing")), argument_error);
}

}  // namespace
}  // namespace boxcar::bench::sweep_test
