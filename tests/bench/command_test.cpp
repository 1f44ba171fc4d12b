// Tests of `boxcar bench` as a user sees it.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

#include "tool/launched.hpp"

namespace boxcar::test::command_test {
namespace {

using words = std::vector<std::string>;

words small(words line) {
  line.insert(line.begin(), "bench");
  line.insert(line.end(), {"--items", "2000", "--rounds", "2"});
  return line;
}

// The progress shows on a busy machine only.
std::string without_progress(const std::string& errors) {
  return std::regex_replace(errors, std::regex("\\w+: [0-9]+ % after [0-9.]+ s\n"), "");
}

TEST(bench, measures_on_threads_and_processes) {
  for (const char* substrate : {"threads", "processes"}) {
    const ending_seen seen =
        boxcar_command(small({"histogram", "--substrate", substrate, "--pes", "3"}));
    EXPECT_EQ(seen.status, 0) << seen.errors;
    EXPECT_EQ(without_progress(seen.errors), "");
    EXPECT_EQ(count(seen.output, std::string("substrate ") + substrate + ", PEs 3"), 1)
        << seen.output;
    for (const char* row : {"\nconveyor  ", "\nexchange  ", "\nlimit  "}) {
      EXPECT_EQ(count(seen.output, row), 1) << seen.output;
    }
  }
}

TEST(bench, sweeps) {
  const ending_seen seen = boxcar_command(
      small({"alltoall", "--pes", "1,2", "--buffer-bytes", "1KiB,4KiB", "--baselines", "none"}));
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "  conveyor  "), 4) << seen.output;
  EXPECT_EQ(count(seen.output, "  pull_all  "), 4) << seen.output;
  EXPECT_EQ(count(seen.output, "\nlimit "), 0) << seen.output;
  EXPECT_EQ(count(seen.output, "  4096  "), 6) << seen.output;
}

TEST(bench, goes_on_behind_a_setting_that_cannot_be) {
  const words kinds{"histogram", "--pes", "4", "--kind", "simple,tensor", "--hops", "1,2"};
  words launched = small(kinds);
  launched.erase(launched.begin() + 2, launched.begin() + 4);
  launched.insert(launched.begin(), {"run", "-n", "4", "--", BOXCAR_COMMAND});
  words processes = small(kinds);
  processes.insert(processes.end(), {"--substrate", "processes"});
  for (const words& line : {small(kinds), processes, launched}) {
    const ending_seen seen = boxcar_command(line);
    EXPECT_EQ(seen.status, 1);
    EXPECT_EQ(count(seen.output, "simple     2  FAILED: conveyor on PE 0: hops is 2"), 1)
        << seen.output;
    EXPECT_EQ(count(seen.output, "  conveyor  "), 3) << seen.output;
  }
  const ending_seen early =
      boxcar_command(small({"histogram", "--pes", "1,2", "--nodes", "2", "--baselines", "none"}));
  EXPECT_EQ(early.status, 1);
  EXPECT_EQ(count(early.output, "  1  FAILED: 1 PEs cannot be spread over 2 nodes"), 1)
      << early.output;
  EXPECT_EQ(count(early.output, "  2  conveyor  "), 1) << early.output;
}

// The progress in lines as "alltoall: 45 % after 1.3 s [#########...........]".
struct shown_progress {
  std::vector<int> percents;
  std::vector<double> seconds;
};

shown_progress progress_in(const std::string& output) {
  shown_progress all;
  const std::regex line("alltoall: ([0-9]+) % after ([0-9.]+) s");
  for (std::sregex_iterator i(output.begin(), output.end(), line), end; i != end; ++i) {
    all.percents.push_back(std::stoi((*i)[1]));
    all.seconds.push_back(std::stod((*i)[2]));
  }
  return all;
}

TEST(bench, shows_the_progress_of_a_whole_sweep) {
  // A measurement takes 20 ms or more, so that each setting takes more than half a second.
  const words line{"bench",   "alltoall", "--pes",    "1", "--item-bytes", "8,16,32",
                   "--items", "2000",     "--rounds", "8", "--baselines",  "none"};
  for (const std::string way : {"threads", "processes", "launched"}) {
    words started = line;
    if (way == "launched") {
      started.insert(started.begin(), {"run", "-n", "1", "--", BOXCAR_COMMAND});
    } else {
      started.insert(started.end(), {"--substrate", way});
    }
    const ending_seen seen = boxcar_command(started, {.terminal = true});
    EXPECT_EQ(seen.status, 0) << way << ": " << seen.output;
    const auto [percents, seconds] = progress_in(seen.output);
    ASSERT_GE(percents.size(), 2U) << way << ": " << seen.output;
    EXPECT_TRUE(std::ranges::is_sorted(percents)) << way << ": " << seen.output;
    EXPECT_TRUE(std::ranges::is_sorted(seconds)) << way << ": " << seen.output;
    EXPECT_GE(seconds.front(), 1) << way << ": " << seen.output;
    EXPECT_GT(percents.back(), 67) << way << ", the last of three settings: " << seen.output;
  }
}

TEST(bench, joins_the_world_that_it_is_started_in) {
  words line = small({"indexgather"});
  line.insert(line.begin(), {"run", "-n", "3", "--", BOXCAR_COMMAND});
  const ending_seen seen = boxcar_command(line);
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "substrate processes, PEs 3"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "\nbiconveyor  "), 1) << seen.output;
}

TEST(bench, says_if_it_is_asked_for_another_world_than_it_is_in) {
  const std::vector<words> wishes{
      {"--pes", "4"}, {"--substrate", "threads"}, {"--nodes", "2"}, {"--pes", "3,4"}};
  for (const words& wish : wishes) {
    words line{"run", "-n", "3", "--", BOXCAR_COMMAND, "bench", "histogram"};
    line.insert(line.end(), wish.begin(), wish.end());
    const ending_seen seen = boxcar_command(line);
    EXPECT_EQ(seen.status, 2);
    EXPECT_EQ(count(seen.errors,
                    wish.front() + " asks for " + wish.back().substr(wish.back().find(',') + 1)),
              1)
        << seen.errors;
  }
}

TEST(bench, complains_once_for_all_processes_of_a_job) {
  for (const words& wrong : {words{"bench", "chess"}, words{"bench", "histogram", "--hops", "4"},
                             words{"bench", "histogram", "--baselines", "luck"}}) {
    words line{"run", "-n", "3", "--", BOXCAR_COMMAND};
    line.insert(line.end(), wrong.begin(), wrong.end());
    const ending_seen seen = boxcar_command(line);
    EXPECT_EQ(seen.status, 2);
    EXPECT_EQ(count(seen.errors, wrong.back()), 1) << seen.errors;
  }
}

TEST(bench, counts_the_kmers_of_a_file) {
  const ending_seen seen =
      boxcar_command({"bench", "kmer", "--file", LAMBDA_GENOME, "--rounds", "1", "--pes", "2"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "lambda_virus"), 1) << seen.output;
}

TEST(bench, overlaps_the_usual_collectives) {
  const ending_seen seen =
      boxcar_command({"bench", "overlap", "--pes", "2", "--items", "3", "--rounds", "1"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "overlap, substrate threads, PEs 2"), 1) << seen.output;
  for (const char* name : {"broadcast", "all_reduce", "all_gather", "all_to_all"}) {
    for (const char* bytes : {"65536", "1048576"}) {
      const std::regex row(std::string("\\n *") + bytes + " +" + name + "  automatic ");
      EXPECT_TRUE(std::regex_search(seen.output, row)) << name << ": " << seen.output;
    }
  }
}

TEST(bench, overlaps_a_collective_of_one_pe) {
  const ending_seen seen = boxcar_command({"bench", "overlap", "--pes", "1", "--class", "scan",
                                           "--item-bytes", "8", "--items", "20", "--rounds", "2"});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "class scan"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "\nautomatic  "), 1) << seen.output;
}

TEST(bench, helps) {
  const ending_seen seen = boxcar_command({"bench", "--help"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "Usage: boxcar bench"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "\n  indexgather "), 1) << seen.output;
}

struct refusal {
  words line;
  words must_say;
};

TEST(bench, refuses_what_cannot_work) {
  const std::vector<refusal> refusals{
      {{}, {"NAME is required"}},
      {{"chess"}, {"no benchmark \"chess\"", "histogram, indexgather"}},
      {{"histogram", "--pes", "many"}, {"--pes", "\"many\" is not a whole number"}},
      {{"histogram", "--pes", "0"}, {"--pes", "\"0\" is not", "from 1 to 2147483647"}},
      {{"histogram", "--pes", "2,-1"}, {"--pes", "\"-1\" is not"}},
      {{"histogram", "--pes", "99999999999"}, {"--pes", "\"99999999999\" is not"}},
      {{"histogram", "--pes", "40000"}, {"40000 PEs", "1 to 32767"}},
      {{"histogram", "--nodes", "3", "--pes", "2"}, {"2 PEs", "3 nodes"}},
      {{"histogram", "--hops", "4"}, {"--hops", "4", "1,2,3"}},
      {{"histogram", "--buffers", "3"}, {"--buffers", "3", "1,2,4"}},
      {{"histogram", "--kind", "fast"}, {"--kind", "no kind \"fast\"", "auto, simple, twohop"}},
      {{"histogram", "--kind", "simple", "--hops", "2"}, {"hops is 2"}},
      {{"histogram", "--substrate", "carrier-pigeon"}, {"--substrate", "carrier-pigeon"}},
      {{"histogram", "--substrate", "mpi"}, {"mpirun -n"}},
      {{"histogram", "--substrate", "shmem"}, {"oshrun -n"}},
      {{"histogram", "--item-bytes", "7"}, {"7 bytes", "give one of"}},
      {{"histogram", "--table-bytes", "lots"}, {"--table-bytes", "\"lots\" is not a size"}},
      {{"histogram", "--table-bytes", "-1"}, {"--table-bytes", "\"-1\" is not a size"}},
      {{"histogram", "--item-bytes", "-8"}, {"--item-bytes", "\"-8\" is not a size"}},
      {{"histogram", "--buffer-bytes", "0"}, {"--buffer-bytes", "\"0\" is not a size"}},
      {{"histogram", "--buffer-bytes", "16kilo"}, {"--buffer-bytes", "KiB, MiB or GiB"}},
      {{"histogram", "--buffer-bytes", "99999999999GiB"}, {"--buffer-bytes", "is not a size"}},
      {{"histogram", "--buffer-bytes", "4GiB"}, {"4294967296", "at most"}},
      {{"histogram", "--items", "-5"}, {"--items", "\"-5\" is not a whole number"}},
      {{"histogram", "--items", "9999999999999999999"}, {"not enough memory", "--items"}},
      {{"histogram", "--table-bytes", "4"}, {"--table-bytes"}},
      {{"histogram", "--baselines", "magic"}, {"no baseline \"magic\""}},
      {{"histogram", "--baselines", "none,limit"}, {"\"none\" and others"}},
      {{"permute", "--table-bytes", "64KiB"}, {"has no table"}},
      {{"randomaccess", "--table-bytes", "768KiB"}, {"786432 bytes", "524288 for instance"}},
      {{"limit", "--kind", "elastic"}, {"limit sends nothing", "--kind"}},
      {{"limit", "--baselines", "alltoallv"}, {"limit has no baseline alltoallv"}},
      {{"histogram", "--group", "0"}, {"--group", "\"0\" is not"}},
      {{"histogram", "--pes", "4", "--hops", "2", "--group", "3"},
       {"group of 3 PEs does not divide the 4 PEs"}},
      {{"histogram", "--pes", "4", "--group", "2"}, {"give --hops with --group"}},
      {{"pingpong", "--pes", "1"}, {"pingpong takes at least 2 PEs", "--pes"}},
      {{"pingpong", "--pes", "2", "--hops", "2"}, {"pingpong uses no conveyor", "--hops"}},
      {{"histogram", "--class", "S"}, {"histogram has no classes", "--class"}},
      {{"histogram", "--message-bytes", "64"}, {"gathers no items", "--message-bytes"}},
      {{"integersort", "--class", "Z"}, {"no class Z", "S, W, A, B", "--class"}},
      {{"integersort", "--items", "100"}, {"says how many items", "--items"}},
      {{"integersort", "--message-bytes", "6"}, {"6 bytes", "items of 4", "--message-bytes"}},
      {{"integersort", "--table-bytes", "64KiB"}, {"has no table"}},
      {{"collectives", "--class", "S"}, {"no class S", "barrier, broadcast", "--class"}},
      {{"collectives", "--item-bytes", "12"}, {"12 bytes", "give one of 8, 64"}},
      {{"overlap", "--class", "S"}, {"no class S", "broadcast, all_reduce", "--class"}},
      {{"overlap", "--baselines", "limit", "--class", "scan", "--item-bytes", "8"},
       {"overlap has no limit", "--baselines"}},
      {{"overlap", "--hops", "2"}, {"overlap uses no conveyor", "--hops"}},
      {{"histogram", "--plot", "here.svg"},
       {"histogram has no picture", "collectives and overlap", "leave --plot out"}},
      {{"overlap", "--plot", "/nowhere/at/all"}, {"/nowhere/at/all", "No such file", "--plot"}},
      {{"overlap", "--plot", "one", "--json", "one"}, {"both name one", "file of its own"}},
      {{"puts", "--pes", "1"}, {"puts takes at least 2 PEs", "--pes"}},
      {{"puts", "--item-bytes", "12"}, {"12 bytes", "give one of 8, 64"}},
      {{"histogram", "--columns", "64"}, {"histogram has no grid", "--columns"}},
      {{"histogram", "--scaling", "weak"}, {"histogram has no grid", "--scaling"}},
      {{"pipeline", "--scaling", "up"}, {"--scaling", "up", "strong,weak"}},
      {{"histogram", "--variants", "all"}, {"histogram goes over no topology", "--variants"}},
      {{"collectives", "--variants", "most"}, {"--variants", "most", "chosen,few,all"}},
      {{"pipeline", "--pes", "4", "--columns", "4"}, {"4 columns", "4 PEs", "at least 5"}},
      {{"pipeline", "--scaling", "weak", "--columns", "1"}, {"1 columns of each PE", "at least 2"}},
      {{"pipeline", "--items", "1"}, {"1 row", "at least 2 to --items"}},
      {{"pipeline", "--items", "9999999999999999999"}, {"not enough memory", "--items"}},
      {{"pipeline", "--items", "9999999999999999999", "--columns", "2147483647"},
       {"not enough memory", "2,147,483,647 columns", "--columns"}},
      {{"pipeline", "--columns", "99999999999"}, {"--columns", "\"99999999999\" is not"}},
      {{"histogram", "--round-items", "0"}, {"--round-items", "\"0\" is not"}},
      {{"histogram", "--rounds", "0"}, {"--rounds", "0"}},
      {{"histogram", "--json", "/nowhere/at/all"}, {"/nowhere/at/all", "No such file"}},
      {{"kmer", "--file", "/nowhere/at/all"}, {"/nowhere/at/all", "No such file"}},
      {{"histogram", "--speed", "high"}, {"--speed"}},
  };
  for (refusal r : refusals) {
    r.line.insert(r.line.begin(), "bench");
    const ending_seen seen = boxcar_command(r.line);
    EXPECT_GE(seen.status, 1);
    EXPECT_LE(seen.status, 2);
    for (const std::string& text : r.must_say) {
      EXPECT_GE(count(seen.errors, text), 1) << text << " is not said: " << seen.errors;
    }
  }
}

}  // namespace
}  // namespace boxcar::test::command_test
