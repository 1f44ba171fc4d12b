// Tests of the performance alerts of a conveyor, on request: each alert comes once where there is
// reason, and none where there is none.
#include <chrono>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include <boxcar/conveyor.hpp>
#include <boxcar/run.hpp>

namespace boxcar::alert_test {
namespace {

std::string said(int pes, int nodes, const std::function<void(world&)>& program) {
  testing::internal::CaptureStderr();
  run(pes, program, {.nodes = nodes});
  return testing::internal::GetCapturedStderr();
}

void finish(conveyor<long>& c) {
  while (c.advance(true)) {
    while (c.pull_pointer() != nullptr) {
    }
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

TEST(alert, says_that_a_group_spans_nodes) {
  const std::string text = said(
      6, 3, [](world& w) { conveyor<long> c(w, {.hops = 2, .local_group = 3, .alert = true}); });
  EXPECT_EQ(count(text, "PE 0: alert:"), 1u) << text;
  EXPECT_NE(text.find("local group of 3"), std::string::npos) << text;
}

TEST(alert, is_silent_about_a_group_within_a_node) {
  EXPECT_EQ(said(6, 3,
                 [](world& w) {
                   conveyor<long> c(w, {.hops = 2, .local_group = 2, .alert = true});
                   const session s = c.begin();
                   finish(c);
                 }),
            "");
}

TEST(alert, says_once_that_buffers_leave_nearly_empty) {
  const std::string text = said(1, 1, [](world& w) {
    conveyor<long> c(w, {.buffer_bytes = 1 << 16, .steady = true, .alert = true});
    for (int repeat = 0; repeat < 2; ++repeat) {
      const session s = c.begin();
      for (int i = 0; i < 100'000; ++i) {
        ASSERT_TRUE(c.push(i, 0));
        c.advance(false);
        while (c.pull_pointer() != nullptr) {
        }
      }
      finish(c);
    }
  });
  EXPECT_EQ(count(text, "buffers left on hop 1"), 1u) << text;
}

TEST(alert, says_that_a_pe_is_late) {
  const std::string text = said(2, 1, [](world& w) {
    conveyor<long> c(w, {.alert = true});
    const session s = c.begin();
    c.advance(false);
    if (w.rank() == 1) w.sleep(std::chrono::milliseconds(2100));
    finish(c);
  });
  EXPECT_EQ(count(text, "PE 1: alert: "), 1u) << text;
  EXPECT_NE(text.find("seconds passed between two calls of advance"), std::string::npos) << text;
}

TEST(alert, is_silent_unless_asked_for) {
  EXPECT_EQ(said(6, 3, [](world& w) { conveyor<long> c(w, {.hops = 2, .local_group = 3}); }), "");
}

}  // namespace
}  // namespace boxcar::alert_test
