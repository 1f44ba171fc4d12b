// Tests of the accepted and refused command lines, and of the output of `boxcar info`.
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <boxcar/version.hpp>

#include "launched.hpp"
#include "substrate/environment.hpp"

namespace boxcar::test::command_line_test {
namespace {

using words = std::vector<std::string>;

TEST(command_line, tells_its_version) {
  const ending_seen seen = boxcar_command({"--version"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.output, std::string("boxcar ") + version + "\n");
}

TEST(command_line, fails_if_standard_output_is_full) {
  const auto to_full_disk = [] { dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO); };
  for (const words& line :
       {words{"--version"}, words{"info"}, words{"bench", "--help"},
        words{"plan", "--nodes", "4", "--pes-per-node", "4"}, words{"simulate", "--help"}}) {
    const ending_seen seen = boxcar_command(line, {.before_exec = to_full_disk});
    EXPECT_EQ(seen.status, 1) << line.front();
    EXPECT_EQ(count(seen.errors, "cannot write to standard output: "), 1) << seen.errors;
  }
}

TEST(command_line, names_the_folder_without_files_of_cmake) {
  const ending_seen seen = boxcar_command({"--cmake-dir"});  // of a build tree
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(seen.output, "");
  EXPECT_EQ(count(seen.errors, "boxcar: there is no boxcar-config.cmake in /"), 1) << seen.errors;
}

TEST(command_line, helps) {
  for (const words& line : {words{"--help"}, words{"run", "--help"}, words{"info", "--help"},
                            words{"report", "--help"}}) {
    const ending_seen seen = boxcar_command(line);
    EXPECT_EQ(seen.status, 0);
    EXPECT_EQ(count(seen.output, "Usage: boxcar"), 1) << seen.output;
  }
}

TEST(command_line, info_says_what_is_chosen_and_why) {
  const ending_seen asked =
      boxcar_command({"info"}, {.before_exec = [] { setenv("BOXCAR_SUBSTRATE", "alone", 1); }});
  EXPECT_NE(asked.output.find("chosen here: threads (BOXCAR_SUBSTRATE=alone)"), std::string::npos)
      << asked.output;
  const ending_seen wrong =
      boxcar_command({"info"}, {.before_exec = [] { setenv("BOXCAR_SUBSTRATE", "tcp", 1); }});
  EXPECT_NE(wrong.output.find("BOXCAR_SUBSTRATE=tcp is no substrate"), std::string::npos)
      << wrong.output;
}

TEST(command_line, info_shows_control_characters_of_values_as_escapes) {
  const ending_seen seen =
      boxcar_command({"info"}, {.before_exec = [] {
                       for (const char* name : {"BOXCAR_SUBSTRATE", "BOXCAR_PES", "BOXCAR_NODES",
                                                "BOXCAR_TRACE", "BOXCAR_OFI_PROVIDER"}) {
                         setenv(name, "\x1b[31m", 1);
                       }
                     }});
  EXPECT_EQ(count(seen.output + seen.errors, "\x1b"), 0) << seen.output << seen.errors;
  for (const char* name : {"BOXCAR_SUBSTRATE", "BOXCAR_PES", "BOXCAR_TRACE"}) {
    EXPECT_GE(count(seen.output, std::string(name) + "=\\x1b[31m"), 1) << seen.output;
  }
}

TEST(command_line, info_says_if_the_library_of_what_is_chosen_is_missing) {
  const ending_seen plain = boxcar_command({"info"});
  for (const char* name : {"openmpi", "mpich", "mpi", "shmem"}) {
    const ending_seen seen =
        boxcar_command({"info"}, {.before_exec = [name] { setenv("BOXCAR_SUBSTRATE", name, 1); }});
    EXPECT_EQ(seen.status, 0);
    const std::string choice =
        std::string("chosen here: ") + name + " (BOXCAR_SUBSTRATE=" + name + ")\n";
    EXPECT_EQ(count(seen.output, choice), 1) << seen.output;
    const bool missing =
        std::regex_search(plain.output, std::regex(std::string("\n  ") + name + " +no library"));
    const std::string complaint = choice + "but its library cannot be opened: build Boxcar where";
    EXPECT_EQ(count(seen.output, complaint), missing ? 1 : 0) << seen.output;
  }
}

TEST(command_line, info_says_what_happens_while_a_pe_computes) {
  const auto with = [](const char* value) {
    return boxcar_command({"info"},
                          {.before_exec = [value] { setenv("BOXCAR_PROGRESS_THREAD", value, 1); }});
  };
  const auto expect_said = [&](const char* value, const char* text) {
    const ending_seen seen = with(value);
    EXPECT_EQ(count(seen.output, text), 1) << seen.output;
  };
  expect_said("0", "other nodes   their requests wait;");
  expect_said("1", "other nodes   a progress thread serves their requests");
  expect_said("7", "other nodes   BOXCAR_PROGRESS_THREAD=7 is neither 0 nor 1");
}

TEST(command_line, info_shows_every_environment_variable) {
  const ending_seen seen =
      boxcar_command({"info"}, {.before_exec = [] { setenv("BOXCAR_PES", "7", 1); }});
  EXPECT_EQ(seen.status, 0);
  for (const auto& variable : detail::environment_variables()) {
    const bool shown = !variable.of_others || std::getenv(variable.name) != nullptr;
    const std::string line = std::string("\n  ") + variable.name;
    EXPECT_EQ(count(seen.output, line + "=") + count(seen.output, line + " (not set)"), shown)
        << variable.name << seen.output;
    EXPECT_EQ(count(seen.output, std::string("      ") + variable.meaning + '\n'), shown)
        << variable.name << seen.output;
  }
  EXPECT_EQ(count(seen.output, "BOXCAR_PES=7\n"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "BOXCAR_JOB (not set)\n"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "\n  threads "), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "\n  processes "), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "cores: "), 1) << seen.output;
}

TEST(command_line, info_shows_what_launchers_and_openshmem_are_told_if_it_is_set) {
  const ending_seen seen =
      boxcar_command({"info"}, {.before_exec = [] {
                       for (const auto& variable : detail::environment_variables()) {
                         if (variable.of_others) setenv(variable.name, "0", 1);
                       }
                     }});
  EXPECT_EQ(seen.status, 0);
  int others = 0;
  for (const auto& variable : detail::environment_variables()) {
    if (!variable.of_others) continue;
    ++others;
    EXPECT_EQ(count(seen.output,
                    std::string("\n  ") + variable.name + "=0\n      " + variable.meaning + '\n'),
              1)
        << seen.output;
  }
  EXPECT_GE(others, 9);
}

struct refusal {
  words line;
  int status;
  words must_say;
};

TEST(command_line, refuses_what_cannot_work) {
  const std::string deed = little_program("deed");
  const std::vector<refusal> refusals{
      {{}, 2, {"subcommand", "--help"}},
      {{"walk"},
       2,
       {"\"walk\" is no command", "run, bench, calibrate, report, simulate, plan, info", "--help"}},
      {{"run", "--", deed}, 2, {"-n is required"}},
      {{"run", "-n", "0", "--", deed}, 2, {"0 PEs", "1 to 32767"}},
      {{"run", "-n", "-4", "--", deed}, 2, {"-4 PEs", "1 to 32767"}},
      {{"run", "-n", "32768", "--", deed}, 2, {"32768 PEs", "1 to 32767"}},
      {{"run", "-n", "99999999999", "--", deed}, 2, {"99999999999", "too large"}},
      {{"run", "-n", "four", "--", deed}, 2, {"\"four\" is not a whole number"}},
      {{"run", "-n", "4x", "--", deed}, 2, {"\"4x\" is not a whole number"}},
      {{"run", "-n", "", "--", deed}, 2, {"-n"}},
      {{"run", "-n", "4", "--nodes", "5", "--", deed}, 2, {"4 PEs", "5 nodes", "1 to 4"}},
      {{"run", "-n", "4", "--nodes", "0", "--", deed}, 2, {"0 nodes", "1 to 4"}},
      {{"run", "-n", "4", "--timeout", "0", "--", deed}, 2, {"\"0\"", "greater than 0"}},
      {{"run", "-n", "4", "--timeout", "soon", "--", deed}, 2, {"\"soon\"", "seconds"}},
      {{"run", "-n", "4", "--timeout", "nan", "--", deed}, 2, {"\"nan\"", "seconds"}},
      {{"run", "-n", "4", "--threads", "--label", "--", deed}, 2, {"--label", "--threads"}},
      {{"run", "-n", "4"}, 2, {"no program", "after --"}},
      {{"run", "-n", "4", "--"}, 2, {"no program", "after --"}},
      {{"run", "-n", "4", "--fast", "--", deed}, 2, {"\"--fast\" is no option"}},
      {{"run", "-n", "4", "fast", "--", deed}, 2, {"\"fast\" is no option"}},
      {{"run", "-n", "4", "--", "no-such-program"}, 127, {"no-such-program", "PATH"}},
      {{"run", "-n", "4", "--", "./no-such-program"}, 127, {"./no-such-program", "No such file"}},
      {{"run", "-n", "4", "--threads", "--", "./no-such"}, 127, {"./no-such", "No such file"}},
      {{"run", "-n", "4", "--", "/etc/passwd"}, 126, {"/etc/passwd", "chmod +x"}},
      {{"run", "-n", "4", "--", "/tmp"}, 126, {"/tmp", "directory"}},
  };
  for (const refusal& expected : refusals) {
    const ending_seen seen = boxcar_command(expected.line);
    EXPECT_EQ(seen.status, expected.status) << seen.errors;
    EXPECT_EQ(seen.output, "");
    EXPECT_EQ(seen.errors.rfind("boxcar", 0), 0u) << seen.errors;
    EXPECT_LE(count(seen.errors, "\n"), 2) << seen.errors;
    for (const std::string& text : expected.must_say) {
      EXPECT_EQ(count(seen.errors, text) > 0, true) << text << " is not in: " << seen.errors;
    }
  }
}

TEST(command_line, a_program_that_only_the_system_can_tell_is_none_is_reported_once) {
  const std::string script =
      testing::TempDir() + "boxcar-no-interpreter-" + std::to_string(getpid());
  FILE* file = std::fopen(script.c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fputs("#!/no/such/interpreter\n", file);
  std::fclose(file);
  ASSERT_EQ(chmod(script.c_str(), 0755), 0);
  const ending_seen seen = boxcar_command({"run", "-n", "16", "--", script});
  EXPECT_EQ(seen.status, 126);
  EXPECT_EQ(count(seen.errors, "interpreter"), 2) << seen.errors;  // once in the script's name
  EXPECT_EQ(count(seen.errors, "\n"), 1) << seen.errors;
  unlink(script.c_str());
}

TEST(command_line, options_after_the_program_are_the_programs) {
  const ending_seen seen = boxcar_command({"run", "-n", "1", "echo", "-n", "3", "--label"});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.output, "3 --label");
  const ending_seen dashes = boxcar_command({"run", "-n", "1", "--", "echo", "--", "x"});
  EXPECT_EQ(dashes.output, "-- x\n");
}

}  // namespace
}  // namespace boxcar::test::command_line_test
