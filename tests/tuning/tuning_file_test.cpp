// Tests of the file with the results of tuning.
#include "tuning/tuning_file.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "support/thrown.hpp"

namespace boxcar::test::tuning_file_test {
namespace {

using namespace detail;

const tuning_key some_key{"conveyor", "threads", 8, 4, 16, "automatic"};

tuning_record some_record() {
  return {some_key, 5, "direct:_8_PEs,_one_hop", 4096, 1.25, 17};
}

const std::string good_line =
    "conveyor version=" + std::string(version) +
    " substrate=threads pes=8 pes_per_node=4 item_bytes=16 options=automatic items=1e5 "
    "way=direct:_8_PEs,_one_hop buffer_bytes=4096 gain=1.25 steps=17";

TEST(tuning_file, reads_what_it_writes) {
  tuning_file written;
  written.put(some_record());
  EXPECT_NE(written.text().find(good_line + "\n"), std::string::npos) << written.text();
  const tuning_file read(written.text(), "it");
  const std::vector<tuning_record> found = read.records_of(some_key);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].magnitude, 5);
  EXPECT_EQ(found[0].way, some_record().way);
  EXPECT_EQ(found[0].buffer_bytes, 4096U);
  EXPECT_EQ(found[0].gain, 1.25);
  EXPECT_EQ(found[0].steps, 17);
  EXPECT_EQ(read.text(), written.text());
}

TEST(tuning_file, keeps_what_others_have_written) {
  const std::string text = "# a remark\n\nconveyor version=99.1 pes=many what=ever\n" + good_line +
                           "\n   # another one\n";
  tuning_file file(text, "it");
  EXPECT_EQ(file.text(), text);
  tuning_record other = some_record();
  other.key.pes = 9;
  file.put(other);
  tuning_record larger = some_record();
  larger.magnitude = 7;
  file.put(larger);
  EXPECT_TRUE(file.text().starts_with(text));
  EXPECT_EQ(file.records_of(some_key).size(), 2U);
  EXPECT_EQ(file.records_of(other.key).size(), 1U);
}

TEST(tuning_file, puts_a_record_in_the_place_of_that_for_the_same) {
  tuning_file file(good_line + "\n", "it");
  tuning_record again = some_record();
  again.buffer_bytes = 8192;
  file.put(again);
  const std::vector<tuning_record> found = file.records_of(some_key);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].buffer_bytes, 8192U);
}

std::string with(const std::string& from, const std::string& to) {
  std::string line = good_line;
  return line.replace(line.find(from), from.size(), to);
}

TEST(tuning_file, names_the_line_that_is_wrong_and_what_is_allowed) {
  struct wrong {
    std::string line;
    std::string problem;
  };
  const std::vector<wrong> all{
      {"conveyer pes=8", "\"conveyer\" is none of conveyor, elastic"},
      {"conveyor pes", "\"pes\" is not of the form name=value"},
      {"conveyor pes=8 pes=9", "pes is there twice"},
      {"conveyor pes=8", "version is missing"},
      {with("pes=8", "pes=0"), "pes=0 is not a number of at least 1"},
      {with("pes=8", "pes=8x"), "pes=8x is not a number"},
      {with("pes=8", "pes="), "pes has no value"},
      {with("pes=8 ", ""), "pes is missing"},
      {with("buffer_bytes=4096", "buffer_bytes=-1"), "buffer_bytes=-1 is not a number"},
      {with("gain=1.25", "gain=nan"), "gain=nan is not a number"},
      {with("items=1e5", "items=100000"), "items=100000 is no power of ten"},
      {with("items=1e5", "items=1e99"), "items=1e99 is no power of ten"},
      {good_line + " colour=red", "there is no \"colour\""},
  };
  for (const wrong& w : all) {
    const std::string text = thrown_by<argument_error>(
        [&] { tuning_file("# remark\n" + good_line + "\n" + w.line + "\n", "a.tuning"); });
    expect_mentions(text, {"a.tuning, line 3: ", w.problem, "correct the line or remove it"});
  }
}

TEST(tuning_file, is_written_at_once_and_in_its_place) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tuning." + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string name = folder / "found";
  EXPECT_TRUE(tuning_file::read(name).records_of(some_key).empty());  // there is none yet
  tuning_file::add(name, some_record());
  tuning_record other = some_record();
  other.magnitude = 2;
  tuning_file::add(name, other);
  EXPECT_EQ(tuning_file::read(name).records_of(some_key).size(), 2U);
  // No other file is left.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  thrown_by<argument_error>([&] { tuning_file::read(folder); });
  thrown_by<system_error>([&] { tuning_file::add(folder / "no" / "folder", other); });
  std::filesystem::remove_all(folder);
}

TEST(tuning_file, tells_amounts_by_powers_of_ten) {
  EXPECT_EQ(magnitude_of(0), 0);
  EXPECT_EQ(magnitude_of(9), 0);
  EXPECT_EQ(magnitude_of(10), 1);
  EXPECT_EQ(magnitude_of(99'999), 4);
  EXPECT_EQ(magnitude_of(1e5), 5);
  EXPECT_EQ(magnitude_of(1e300), 20);
}

TEST(tuning_file, keeps_the_permissions_of_a_file) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(testing::TempDir()) / ("permissions_" + std::to_string(getpid()));
  { std::ofstream(path) << good_line << '\n'; }
  for (const fs::perms wanted : {fs::perms(0600), fs::perms(0640)}) {
    fs::permissions(path, wanted);
    tuning_file::add(path, some_record());
    EXPECT_EQ(fs::status(path).permissions(), wanted);
  }
  fs::remove(path);
  // A new file has the permissions of the user's umask.
  const mode_t former = umask(077);
  tuning_file::add(path, some_record());
  umask(former);
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0600));
  fs::remove(path);
}

TEST(tuning_file, is_no_device_or_pipe) {
  EXPECT_THROW(static_cast<void>(tuning_file::read("/dev/null")), argument_error);
  const std::string pipe = testing::TempDir() + "pipe_" + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(static_cast<void>(tuning_file::read(pipe)), argument_error);
  std::filesystem::remove(pipe);
}

}  // namespace
}  // namespace boxcar::test::tuning_file_test
