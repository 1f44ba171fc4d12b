// Tests of the display of progress: silent at first, new lines without a terminal, a single
// rewritten line on a terminal.
#include "support/progress.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <string>

#include <boxcar/run.hpp>

namespace examples::test::progress_test {
namespace {

using namespace std::chrono_literals;

std::string shown_by(int pes, const std::function<void(boxcar::world&)>& job) {
  testing::internal::CaptureStderr();
  boxcar::run(pes, job);
  return testing::internal::GetCapturedStderr();
}

// Often enough to be noticed, once.
void arrive(progress& display, std::uint64_t done) {
  for (std::uint32_t i = 0; i < progress::calls_per_look; ++i) display.at(done);
}

void half_in_more_than_a_second(boxcar::world& w) {
  progress display(w, "half", 100'000);
  arrive(display, 0);
  w.sleep(1100ms);
  arrive(display, 50'000);
  arrive(display, 60'000);
}

TEST(progress, of_a_short_run_is_not_shown) {
  EXPECT_EQ(shown_by(1,
                     [](boxcar::world& w) {
                       progress display(w, "short", 100'000);
                       for (std::uint64_t i = 0; i <= 100'000; ++i) display.at(i);
                     }),
            "");
}

TEST(progress, is_a_line_of_pe_0_where_there_is_no_terminal) {
  unsetenv("BOXCAR_TERMINAL");
  const std::string shown = shown_by(3, half_in_more_than_a_second);
  EXPECT_EQ(shown.substr(0, 18), "half: 50 % after 1") << shown;
  EXPECT_EQ(shown.find('\r'), std::string::npos) << shown;
  EXPECT_EQ(shown.find('\n'), shown.size() - 1) << shown;
}

TEST(progress, is_rewritten_and_gone_at_the_end_on_a_terminal) {
  setenv("BOXCAR_TERMINAL", "1", 1);
  const std::string shown = shown_by(3, half_in_more_than_a_second);
  EXPECT_EQ(shown.substr(0, 18), "half: 50 % after 1") << shown;
  EXPECT_EQ(shown.find('\n'), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("s [##########..........]\033[K\r\033[K\r")) << shown;
}

// The display begins as if earlier displays had shown the first 39 seconds, with a line after the
// first, the fourth and so on.
TEST(progress, that_goes_on_with_another_keeps_the_time_and_the_distance_of_lines) {
  unsetenv("BOXCAR_TERMINAL");
  const std::string shown = shown_by(1, [](boxcar::world& w) {
    progress display(w, "whole", 100'000, 39s);
    display.look(30'000);  // the next line is due at 40 seconds
    w.sleep(1100ms);
    display.look(40'000);
    display.look(50'000);
  });
  EXPECT_EQ(shown.substr(0, 21), "whole: 40 % after 40.") << shown;
  EXPECT_EQ(shown.find('\n'), shown.size() - 1) << shown;
}

}  // namespace
}  // namespace examples::test::progress_test
