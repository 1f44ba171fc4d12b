// `boxcar simulate`: ordinary programs, built as modules, on the PEs of a simulated machine.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "launched.hpp"

namespace boxcar::test::simulate_command_test {
namespace {

std::string little_module(const std::string& name) {
  return little_program(name) + ".so";
}

ending_seen simulate(const std::vector<std::string>& options, const std::string& module,
                     const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> words{"simulate"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"--", module});
  words.insert(words.end(), arguments.begin(), arguments.end());
  return boxcar_command(words);
}

void expect_mentions(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    EXPECT_NE(text.find(part), std::string::npos) << '"' << part << "\" is not in:\n" << text;
  }
}

TEST(simulate_command, runs_a_program_on_all_pes) {
  const ending_seen seen =
      simulate({"--pes", "700", "--pes-per-node", "64"}, little_module("hello"));
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.output, "of 11, simulated, sum 244650"), 700) << seen.output;
  EXPECT_EQ(count(seen.output, "PE 64 of 700 on node 1 of 11"), 1) << seen.output;
  expect_mentions(seen.errors, {"on the clock of 700 PEs, 11 nodes, seed 1; trace "});
}

TEST(simulate_command, repeats_a_run_with_the_same_seed_only) {
  const auto trace = [](const std::string& seed) {
    const ending_seen seen = simulate({"--pes", "20", "--pes-per-node", "3", "--seed", seed},
                                      little_module("deed"), {"-1", "nothing", "session"});
    EXPECT_EQ(seen.status, 0) << seen.errors;
    return seen.errors.substr(0, seen.errors.find('\n'));
  };
  const std::string first = trace("7");
  EXPECT_EQ(trace("7"), first);
  EXPECT_NE(trace("8"), first);
}

TEST(simulate_command, gives_each_pe_variables_of_its_own) {
  for (const std::string per_node : {"1", "5", "23"}) {
    const ending_seen seen = simulate({"--pes", "23", "--pes-per-node", per_node, "--quiet"},
                                      little_module("variables"), {"-n", "12"});
    EXPECT_EQ(seen.status, 0);
    EXPECT_EQ(seen.output, "");
    EXPECT_EQ(seen.errors, "");
  }
}

TEST(simulate_command, knows_networks_by_name_and_in_files) {
  const auto seconds_on = [](const std::string& network) {
    const ending_seen seen = simulate({"--pes", "40", "--pes-per-node", "1", "--network", network},
                                      little_module("deed"), {"-1", "nothing", "session"});
    EXPECT_EQ(seen.status, 0) << seen.errors;
    expect_mentions(seen.errors, {"40 nodes of " + network});
    return std::stod(seen.errors.substr(seen.errors.find(": ") + 2));
  };
  EXPECT_GT(seconds_on("ethernet-25g"), 1.5 * seconds_on("hdr-infiniband"));
  const std::string file = testing::TempDir() + "own.network";
  std::ofstream(file) << "other_node.latency = 1e6\n";
  EXPECT_GT(seconds_on(file), 1.5 * seconds_on("slingshot"));
  std::ofstream(file) << "other_node.latency = soon\n";
  const ending_seen seen = simulate({"--pes", "2", "--network", file}, little_module("hello"));
  EXPECT_EQ(seen.status, 2);
  expect_mentions(seen.errors, {file + ", line 1: other_node.latency = soon"});
  std::remove(file.c_str());
}

TEST(simulate_command, runs_programs_in_c) {
  const ending_seen seen =
      simulate({"--pes", "40", "--pes-per-node", "8", "--quiet"}, little_module("ring"));
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.errors, "");
  EXPECT_EQ(seen.output, "40 PEs, sum 780, calls 1\n");
}

TEST(simulate_command, needs_no_dashes) {
  const ending_seen seen =
      boxcar_command({"simulate", "--pes", "3", "--quiet", little_module("variables"), "-n", "12"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.output + seen.errors, "");
}

TEST(simulate_command, writes_what_it_was) {
  const std::string file = testing::TempDir() + "simulation.json";
  const ending_seen seen =
      simulate({"--pes", "3", "--json", file, "--quiet"}, little_module("hello"));
  EXPECT_EQ(seen.status, 0) << seen.errors;
  std::ifstream stream(file);
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  expect_mentions(text,
                  {"\"pes\": 3", "\"nodes\": 1", "\"trace_hash\": \"", "\"simulated_seconds\""});
  std::remove(file.c_str());
  const std::string nowhere = "/nowhere/simulation.json";
  const ending_seen refused = simulate({"--pes", "3", "--json", nowhere}, little_module("hello"));
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.output, "");
  expect_mentions(refused.errors, {"--json", nowhere});
}

struct misdeed {
  std::string what;
  int status;
  std::vector<std::string> told;
};

TEST(simulate_command, tells_of_programs_that_end_untowardly) {
  for (const misdeed& d :
       std::vector<misdeed>{{"throw", 1, {"boxcar: PE 2: the reactor is too hot"}},
                            {"exit-3", 3, {"PE 2 called exit(3), which ends the simulation"}},
                            {"exit-0", 1, {"PE 2 called exit(0), which ends the simulation"}},
                            {"abort", 134, {"PE 2 was ended by signal 6 (ABRT)"}},
                            {"leave", 1, {"PE 2 has left the world while PE "}}}) {
    const ending_seen seen = simulate({"--pes", "5"}, little_module("deed"), {"2", d.what});
    EXPECT_EQ(seen.status, d.status) << d.what << ": " << seen.errors;
    expect_mentions(seen.errors, d.told);
    EXPECT_EQ(count(seen.output, "ready\n"), 5) << d.what;
    EXPECT_EQ(count(seen.output, "done\n"), 0) << d.what;
  }
  const ending_seen thrown = simulate({"--pes", "2"}, little_module("deed"), {"0", "no such deed"});
  EXPECT_EQ(thrown.status, 1);
}

TEST(simulate_command, tells_of_a_pe_that_keeps_the_others_from_running) {
  launched l({"simulate", "--pes", "4", "--", little_module("deed"), "1", "hang"},
             {.one_output = true, .before_exec = [] { setenv("BOXCAR_STALL_SECONDS", "0.2", 1); }});
  l.read_until("PE 1 has kept all others from running", 1);
  l.read_until("deed.so", 1);  // where
  l.signal(SIGKILL);
  l.wait();
}

TEST(simulate_command, warns_once_of_real_clocks) {
  const ending_seen seen = simulate({"--pes", "6"}, little_module("deed"), {"1", "compute"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(count(seen.errors, "reads a real clock"), 0);
  const ending_seen reads = simulate({"--pes", "6"}, little_module("deed"), {"1", "read-clock"});
  EXPECT_EQ(reads.status, 0);
  EXPECT_EQ(count(reads.errors, "PE 1 reads a real clock by clock_gettime"), 1) << reads.errors;
}

TEST(simulate_command, refuses_what_it_cannot_simulate) {
  struct wrong {
    std::vector<std::string> options;
    std::string module;
    std::vector<std::string> told;
  };
  const std::string good = little_module("hello");
  for (const wrong& w : std::vector<wrong>{
           {{"--pes", "2"}, "/nowhere/program.so", {"/nowhere/program.so", "no such file"}},
           {{"--pes", "2"}, little_program("hello"), {"-shared -fPIC"}},
           {{"--pes", "2"}, little_module("linked"), {"linked with a library of Boxcar"}},
           {{"--pes", "0"}, good, {"0 PEs", "from 1 to"}},
           {{"--pes", "-5"}, good, {"-5 PEs", "from 1 to"}},
           {{"--pes", "2147483647"}, good, {"2147483647 PEs", "KiB each", "at most"}},
           {{"--pes", "2", "--network", ""}, good, {"--network"}},
           {{"--pes", "many"}, good, {"--pes", "many"}},
           {{"--pes", "2", "--pes-per-node", "-1"}, good, {"-1 PEs on a node"}},
           {{"--pes", "2", "--seed", "-3"}, good, {"--seed", "-3"}},
           {{"--pes", "2", "--stack", "1000"}, good, {"1000 bytes", "at least"}},
           {{"--pes", "2", "--pace", "1"}, good, {"\"--pace\" is no option"}},
           {{"--pes", "2", "--network", "arise"}, good, {"arise", "aries", "slingshot"}},
           {{}, good, {"--pes is required"}}}) {
    const ending_seen seen = simulate(w.options, w.module);
    EXPECT_EQ(seen.status, 2) << seen.errors;
    EXPECT_EQ(seen.output, "");
    expect_mentions(seen.errors, w.told);
  }
  const ending_seen without = boxcar_command({"simulate", "--pes", "2"});
  EXPECT_EQ(without.status, 2);
  expect_mentions(without.errors, {"there is no program to simulate"});
}

TEST(simulate_command, is_listed_and_explained) {
  expect_mentions(boxcar_command({"--help"}).output, {"simulate"});
  const ending_seen seen = boxcar_command({"simulate", "--help"});
  EXPECT_EQ(seen.status, 0);
  expect_mentions(seen.output, {"boxcar simulate --pes N", "--pes-per-node", "-shared -fPIC"});
}

}  // namespace
}  // namespace boxcar::test::simulate_command_test
