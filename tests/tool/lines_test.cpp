// Tests of lines inside the launcher: cutting them out of the output of PEs, and joining them.
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "launcher/line_output.hpp"
#include "launcher/line_splitter.hpp"
#include "launcher/report.hpp"

namespace boxcar::launcher::lines_test {
namespace {

// The output after each of the pieces, and, last, at the end.
std::vector<std::string> split(const std::string& label, const std::vector<std::string>& pieces) {
  line_splitter splitter(label);
  std::vector<std::string> results;
  for (const std::string& piece : pieces) splitter.take(piece, results.emplace_back());
  splitter.finish(results.emplace_back());
  return results;
}

using strings = std::vector<std::string>;

TEST(line_splitter, passes_on_whole_lines) {
  EXPECT_EQ(split("", {"one\ntw", "o", "\nthree\n"}), (strings{"one\n", "", "two\nthree\n", ""}));
  EXPECT_EQ(split("[7] ", {"one\ntw", "o\n\n"}), (strings{"[7] one\n", "[7] two\n[7] \n", ""}));
}

TEST(line_splitter, lets_carriage_returns_end_lines) {
  EXPECT_EQ(split("", {"10%\r20", "%\r"}), (strings{"10%\r", "20%\r", ""}));
  EXPECT_EQ(split("[7] ", {"10%\r20", "%\r"}), (strings{"[7] 10%\r", "[7] 20%\r", ""}));
}

TEST(line_splitter, takes_a_carriage_return_and_a_newline_for_one_end) {
  EXPECT_EQ(split("[7] ", {"one\r\ntwo\r\n"}), (strings{"[7] one\r\n[7] two\r\n", ""}));
  EXPECT_EQ(split("[7] ", {"one\r", "\ntwo\n"}), (strings{"[7] one\r", "\n[7] two\n", ""}));
  EXPECT_EQ(split("[7] ", {"one\r", "", "\n", "\n"}),
            (strings{"[7] one\r", "", "\n", "[7] \n", ""}));
}

TEST(line_splitter, passes_on_what_is_not_ended_at_the_end) {
  EXPECT_EQ(split("", {"one"}), (strings{"", "one"}));
  EXPECT_EQ(split("[7] ", {"one"}), (strings{"", "[7] one\n"}));
}

TEST(line_splitter, does_not_collect_endless_lines) {
  const std::string piece(line_splitter::longest_line / 4 + 1, 'x');
  const strings plain = split("", strings(5, piece));
  EXPECT_EQ(plain[3], piece + piece + piece + piece);
  EXPECT_EQ(plain.back(), piece);
  const strings labelled = split("[7] ", strings(5, piece));
  EXPECT_EQ(labelled[3], "[7] " + piece + piece + piece + piece + "\n");
  EXPECT_EQ(labelled.back(), "[7] " + piece + "\n");
}

class line_output_test : public testing::Test {
 protected:
  line_output_test() { EXPECT_EQ(pipe(ends_), 0); }
  ~line_output_test() override {
    close(ends_[0]);
    close(ends_[1]);
  }
  std::string arrived() {
    char text[1000];
    const ssize_t bytes = read(ends_[0], text, sizeof text);
    return {text, static_cast<std::size_t>(bytes)};
  }

  int ends_[2];
};

TEST_F(line_output_test, ends_the_open_line_of_another) {
  line_output output(ends_[1]);
  output.put(1, "open");
  output.put(1, "ed\nopen");
  output.put(2, "other\n");
  output.put(1, "rest\n");
  EXPECT_EQ(arrived(), "opened\nopen\nother\nrest\n");
}

TEST_F(line_output_test, does_not_overwrite_the_progress_of_another) {
  line_output output(ends_[1]);
  output.put(1, "10%\r20%\r");
  output.put(1, "30%\r");
  output.put(2, "other\n");
  EXPECT_EQ(arrived(), "10%\r20%\r30%\r\nother\n");
  output.put(1, "40%\r   \r");  // has erased itself
  output.put(2, "other\n");
  EXPECT_EQ(arrived(), "40%\r   \rother\n");
}

TEST_F(line_output_test, never_blocks) {
  line_output output(ends_[1]);
  const std::string line = std::string(99999, 'x') + "\n";
  output.put(1, line);
  output.put(2, line);
  EXPECT_TRUE(output.is_behind());
  std::size_t bytes = 0;
  while (output.is_behind() || bytes < 2 * line.size()) {
    bytes += arrived().size();
    output.write_what_fits();
  }
  EXPECT_EQ(bytes, 2 * line.size());
}

TEST(report, names_pes) {
  EXPECT_EQ(name_pes({3}), "PE 3");
  EXPECT_EQ(name_pes({0, 1}), "PEs 0-1");
  EXPECT_EQ(name_pes({0, 2, 3, 4, 9}), "PEs 0, 2-4, 9");
}

TEST(report, names_signals) {
  EXPECT_EQ(describe_signal(9), "signal 9 (SIGKILL)");
  EXPECT_EQ(describe_signal(50), "signal 50");
}

}  // namespace
}  // namespace boxcar::launcher::lines_test
