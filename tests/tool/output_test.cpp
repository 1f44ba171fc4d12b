// Tests of the output of the PEs through the launcher.
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <ostream>
#include <poll.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>

#include "basis/printable.hpp"
#include "launched.hpp"

namespace boxcar::test::output_test {
namespace {

// Takes off "[3] ", and returns whether it was right for PE 3.
bool take_label(std::string& line, char letter) {
  std::string label = "[";
  label.append(std::to_string(letter - 'a')).append("] ");
  if (line.rfind(label, 0) != 0) return false;
  line.erase(0, label.size());
  return true;
}

void expect_whole_lines(const std::string& text, int pes, int lines_of_each, std::size_t least,
                        bool labelled) {
  std::map<char, int> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    ASSERT_FALSE(line.empty());
    const char letter = line.back();
    ASSERT_TRUE(!labelled || take_label(line, letter)) << line.substr(0, 80);
    ASSERT_EQ(line.find_first_not_of(letter), std::string::npos) << line.substr(0, 80);
    ASSERT_GE(line.size(), least);
    ASSERT_LT(line.size(), least + 7);
    ++lines[letter];
  }
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(pes));
  for (const auto& [letter, number] : lines) EXPECT_EQ(number, lines_of_each) << letter;
}

struct lines_case {
  const char* name;
  int pes;
  int lines;
  std::size_t length;
  bool label;
};

void PrintTo(const lines_case& lines, std::ostream* out) {
  *out << lines.name;
}

class lines : public testing::TestWithParam<lines_case> {};

TEST_P(lines, of_pes_stay_whole) {
  const lines_case& param = GetParam();
  std::vector<std::string> line{"run", "-n", std::to_string(param.pes)};
  if (param.label) line.emplace_back("--label");
  line.insert(line.end(), {"--", little_program("lines"), std::to_string(param.lines),
                           std::to_string(param.length)});
  const ending_seen seen = boxcar_command(line, {.one_output = true});
  EXPECT_EQ(seen.status, 0);
  expect_whole_lines(seen.output, param.pes, param.lines, param.length, param.label);
}

INSTANTIATE_TEST_SUITE_P(
    output, lines,
    testing::Values(lines_case{"short", 8, 500, 10, false},
                    lines_case{"labelled", 8, 500, 10, true},
                    lines_case{"longer_than_a_pipe_takes", 8, 100, 10000, false},
                    lines_case{"long_and_labelled", 8, 100, 10000, true},
                    lines_case{"longer_than_a_pipe", 8, 10, 300000, false}),
    [](const testing::TestParamInfo<lines_case>& each) { return std::string(each.param.name); });

TEST(output, goes_where_it_should) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "2", "--", "sh", "-c", "echo out; echo err >&2"});
  EXPECT_EQ(seen.output, "out\nout\n");
  EXPECT_EQ(seen.errors, "err\nerr\n");
}

TEST(output, that_is_no_text_stays_as_it_is) {
  const ending_seen seen =
      boxcar_command({"run", "-n", "1", "--", "sh", "-c",
                      "head -c 3000000 /dev/zero; printf '\\r\\n\\r\\r\\001x'"});
  EXPECT_EQ(seen.output, std::string(3000000, '\0') + "\r\n\r\r\001x");
}

TEST(output, that_ends_without_a_line_end_gets_one_if_it_is_labelled) {
  const ending_seen plain = boxcar_command({"run", "-n", "1", "--", "printf", "text"});
  EXPECT_EQ(plain.output, "text");
  const ending_seen labelled =
      boxcar_command({"run", "-n", "1", "--label", "--", "printf", "text"});
  EXPECT_EQ(labelled.output, "[0] text\n");
  const ending_seen two = boxcar_command({"run", "-n", "2", "--", "printf", "text"});
  EXPECT_EQ(two.output, "text\ntext");
}

TEST(output, is_seen_when_it_is_printed) {
  launched job({"run", "-n", "2", "--", little_program("deed"), "1", "hang"});
  job.read_until("ready\n", 2);
  job.signal(SIGTERM);
  job.wait();
  job.expect_nothing_left();
}

TEST(output, of_progress_displays_is_seen_when_it_is_printed) {
  launched job({"run", "-n", "1", "--", "sh", "-c", "printf '50%%\\r'; sleep 1000"});
  job.read_until("50%\r", 1);
  job.signal(SIGTERM);
  job.wait();
  job.expect_nothing_left();
}

TEST(output, that_nobody_reads_any_more_ends_the_job) {
  launched job({"run", "-n", "4", "--", "yes"});
  job.read_until("y\n", 10);
  job.close_output();
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 128 + SIGPIPE);
  EXPECT_EQ(seen.errors, "");
  job.expect_nothing_left();
}

TEST(output, that_does_not_fit_on_the_disk_ends_the_job) {
  const ending_seen seen = boxcar_command({"run", "-n", "4", "--", "yes"}, {.before_exec = [] {
                                            const int full = open("/dev/full", O_WRONLY);
                                            dup2(full, STDOUT_FILENO);
                                          }});
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "cannot write to standard output: No space left on device"), 1)
      << seen.errors;
}

// --- A slow reader -------------------------------------------------------------------------------

TEST(output, that_is_read_late_is_not_lost) {
  launched job({"run", "-n", "2", "--", "sh", "-c", "seq 100000"});
  poll(nullptr, 0, 300);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.output.size(), 2 * 588895u);
}

TEST(output, that_nobody_reads_does_not_keep_the_job_from_being_ended) {
  launched job({"run", "-n", "4", "--", "yes"});
  poll(nullptr, 0, 300);
  job.signal(SIGINT);
  const ending_seen seen = job.wait(false);
  EXPECT_EQ(seen.status, 128 + SIGINT);
  job.expect_nothing_left();
}

TEST(output, that_nobody_reads_does_not_keep_a_failure_from_ending_the_pes) {
  launched job({"run", "-n", "4", "--", "sh", "-c",
                "case $BOXCAR_JOB in *:2) sleep 0.5; exit 5;; esac; yes"});
  EXPECT_TRUE(comes_true([&] { return job.processes().size() >= 6; }));
  // The launcher alone remains, two processes, to print.
  EXPECT_TRUE(comes_true([&] { return job.processes().size() == 2; }));
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 5);
  EXPECT_EQ(count(seen.errors, "PE 2 exited with status 5"), 1) << seen.errors;
}

TEST(output, shows_control_characters_of_names_as_escapes) {
  EXPECT_EQ(detail::printable("a\tb\n\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\x82"),
            "a\tb\n\xc3\xa4 \xe2\x82\xac \xf0\x9f\x9a\x82");
  EXPECT_EQ(detail::printable("\x1b[31m\r\x7f"), "\\x1b[31m\\x0d\\x7f");
  EXPECT_EQ(detail::printable("\xc2\x9b \xff \xe2\x82"), "\\xc2\\x9b \\xff \\xe2\\x82");
  EXPECT_STREQ(argument_error("BOXCAR_PES=\x1b[31m is no number").what(),
               "BOXCAR_PES=\\x1b[31m is no number");
  const std::string name = "./\x1b[31mno_such_program";
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"run", "-n", "2", "--", name}, {"report", name}, {name}}) {
    const ending_seen seen = boxcar_command(words);
    EXPECT_NE(seen.status, 0);
    EXPECT_GE(count(seen.errors, "\\x1b[31mno_such_program"), 1) << seen.errors;
    EXPECT_EQ(count(seen.output + seen.errors, "\x1b"), 0);
  }
}

}  // namespace
}  // namespace boxcar::test::output_test
