// `boxcar calibrate`: writes a file that programs follow.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::calibrate_command_test {
namespace {

std::string fresh_file(const std::string& name) {
  std::string path = testing::TempDir() + name;
  std::filesystem::remove(path);
  return path;
}

std::string content_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Runs a command of which the programs find a calibration in `value`.
ending_seen with_calibration(const std::string& value, const std::vector<std::string>& words) {
  return boxcar_command(
      words, {.before_exec = [value] { setenv("BOXCAR_CALIBRATION", value.c_str(), 1); }});
}

ending_seen broadcast_explained(const std::string& calibration, const std::string& pes = "2",
                                const std::string& nodes = "1") {
  return with_calibration(
      calibration,
      {"bench",    "collectives", "--class",     "broadcast",    "--pes",      pes,       "--nodes",
       nodes,      "--substrate", "processes",   "--item-bytes", "8",          "--items", "2",
       "--rounds", "1",           "--baselines", "none",         "--variants", "chosen"});
}

TEST(calibrate_command, writes_what_programs_follow) {
  const std::string file = fresh_file("calibrate_command.txt");
  const ending_seen made =
      boxcar_command({"calibrate", "--pes", "3,2", "--seconds", "0.5", "--output", file});
  EXPECT_EQ(made.status, 0) << made.errors;
  EXPECT_EQ(count(made.output, "written to " + file), 1) << made.output;
  const std::string text = content_of(file);
  for (const char* row : {"\nbarrier 2 0 any ", "\nbroadcast 3 0 ", "\nexclusive_scan 2 0 "}) {
    EXPECT_EQ(count(text, row), 1) << row << text;
  }
  const ending_seen seen = broadcast_explained(file);
  EXPECT_EQ(count(seen.output, "calibrated on 2 PEs of this machine"), 1) << seen.output;
  EXPECT_EQ(count(with_calibration(file, {"info"}).output, "calibration: " + file), 1);
}

// The place is looked at before anything is measured.
TEST(calibrate_command, replaces_nothing_but_calibrations) {
  const std::string text = fresh_file("calibrate_command_text.txt");
  std::ofstream(text) << "keep this\n";
  const std::string folder = fresh_file("calibrate_command_folder");
  std::filesystem::create_directory(folder);
  for (const std::string& place : {text, folder, text + "/file", std::string("/dev/full")}) {
    const ending_seen refused = boxcar_command({"calibrate", "--pes", "2", "--output", place});
    EXPECT_NE(refused.status, 0);
    EXPECT_EQ(count(refused.errors, place), 1) << refused.errors;
    EXPECT_EQ(refused.output, "");
  }
  EXPECT_EQ(content_of(text), "keep this\n");
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/full"));
}

TEST(calibrate_command, writes_behind_a_symbolic_link) {
  const std::string file = fresh_file("calibrate_command_behind.txt");
  const std::string link = fresh_file("calibrate_command_link.txt");
  std::ofstream(file) << "broadcast 4 0 any ring 2 0\n";
  std::filesystem::create_symlink(file, link);
  const ending_seen made =
      boxcar_command({"calibrate", "--pes", "2", "--seconds", "0.2", "--output", link});
  EXPECT_EQ(made.status, 0) << made.errors;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(count(content_of(file), "\nbarrier 2 0 any "), 1);
}

TEST(calibrate_command, is_followed_within_a_node) {
  const std::string file = fresh_file("calibration_by_hand.txt");
  std::ofstream(file) << "broadcast 4 0 any ring 2 0\n";
  EXPECT_EQ(count(broadcast_explained(file, "4").output,
                  "ring, calibrated on 4 PEs of this machine for any number of bytes"),
            1);
  EXPECT_EQ(count(broadcast_explained(file, "2").output, "measured on 2 PEs of a node"), 1);
  EXPECT_EQ(count(broadcast_explained(file, "4", "2").output, "by rule for several nodes"), 1);
  EXPECT_EQ(count(broadcast_explained("none", "4").output, "measured on 4 PEs of a node"), 1);
  EXPECT_EQ(count(broadcast_explained(file + ".none", "4").output, "measured on 4 PEs"), 1);
}

// Processors with the same name may differ: the family and the model are in the name of the file.
TEST(calibrate_command, has_a_file_for_each_processor) {
  const std::string folder = testing::TempDir() + "calibrations";
  std::filesystem::remove_all(folder);
  const ending_seen made =
      boxcar_command({"calibrate", "--pes", "2", "--seconds", "0.1"}, {.before_exec = [folder] {
                       setenv("XDG_CACHE_HOME", folder.c_str(), 1);
                       unsetenv("BOXCAR_CALIBRATION");
                     }});
  EXPECT_EQ(made.status, 0) << made.errors;
  const std::filesystem::directory_iterator files(folder + "/boxcar");
  const std::vector<std::filesystem::path> found(begin(files), end(files));
  ASSERT_EQ(found.size(), 1U);
  const std::string name = found[0].filename();
  EXPECT_TRUE(std::regex_match(name, std::regex("calibration-[0-9.]+(-[A-Za-z0-9]+)+\\.txt")))
      << name;
  const std::string processors = content_of("/proc/cpuinfo");
  EXPECT_EQ(count(name, "-family-"), count(processors, "cpu family") != 0 ? 1 : 0) << name;
  std::filesystem::remove_all(folder);
}

TEST(calibrate_command, says_what_is_wrong) {
  const std::string file = fresh_file("broken_calibration.txt");
  std::ofstream(file) << "broadcast 4 0 any\n";
  const ending_seen seen = broadcast_explained(file);
  EXPECT_NE(seen.status, 0);
  EXPECT_GE(count(seen.output + seen.errors, file + ", line 1: a word is missing"), 1)
      << seen.output << seen.errors;
  const ending_seen one = boxcar_command({"calibrate", "--pes", "1", "--output", file});
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(count(one.errors, "a collective needs 2 PEs"), 1) << one.errors;
  const ending_seen nowhere = with_calibration("none", {"calibrate", "--pes", "2"});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(count(nowhere.errors, "give --output FILE"), 1) << nowhere.errors;
  const ending_seen no_folder =
      boxcar_command({"calibrate", "--pes", "2", "--seconds", "0.1", "--output", file + "/f"});
  EXPECT_EQ(no_folder.status, 1);
  EXPECT_EQ(count(no_folder.errors, "cannot make the folder of"), 1) << no_folder.errors;
}

}  // namespace
}  // namespace boxcar::test::calibrate_command_test
