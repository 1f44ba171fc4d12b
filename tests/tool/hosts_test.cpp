// Tests of `boxcar run --hosts`: the same promises as on one machine, and the messages for unusable
// hosts. The hosts are this machine; the agent starts commands here, and Boxcar is told that they
// are two nodes.
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "hosts/channel.hpp"
#include "hosts/host_list.hpp"
#include "hosts/message.hpp"
#include "launched.hpp"
#include "launcher/pipe.hpp"
#include "launcher/process_table.hpp"

namespace boxcar::test::hosts_test {
namespace {

using words = std::vector<std::string>;

// The replacement of ssh ignores the host, and runs the command here.
constexpr const char* agent_of_this_machine = "here() { shift; exec \"$@\"; }; here";

// 2 PEs on each of the hosts a and b.
words on_two_hosts(const words& program, const words& options = {}) {
  words line{"run", "--hosts", "a:2,b:2", "--agent", agent_of_this_machine};
  line.insert(line.end(), options.begin(), options.end());
  line.emplace_back("--");
  line.insert(line.end(), program.begin(), program.end());
  return line;
}

void pretend_two_nodes() {
  setenv("BOXCAR_NODES", "2", 1);
}
const surroundings two_nodes{.before_exec = pretend_two_nodes};

struct misdeed {
  std::string what;
  std::string pe;
  int status;
  std::string message;  // after "boxcar run: "
};

void PrintTo(const misdeed& deed, std::ostream* out) {
  *out << deed.what << " by " << deed.pe;
}

TEST(hosts, make_one_world_of_all_processes) {
  const ending_seen seen = boxcar_command(on_two_hosts({little_program("hello")}, {"--label"}),
                                          {.input = "a word", .before_exec = pretend_two_nodes});
  EXPECT_EQ(seen.status, 0);
  EXPECT_EQ(seen.errors, "");
  for (const char* line : {"[0] PE 0 of 4 on node 0 of 2, ofi, sum 6, input \"a word\"\n",
                           "[1] PE 1 of 4 on node 0 of 2, ofi, sum 6, input \"\"\n",
                           "[2] PE 2 of 4 on node 1 of 2, ofi, sum 6, input \"\"\n",
                           "[3] PE 3 of 4 on node 1 of 2, ofi, sum 6, input \"\"\n"}) {
    EXPECT_EQ(count(seen.output, line), 1) << seen.output;
  }
}

TEST(hosts, of_which_there_is_one_need_no_network) {
  const ending_seen seen = boxcar_command(
      {"run", "--hosts", "a:3", "--agent", agent_of_this_machine, "--", little_program("hello")});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "of 3 on node 0 of 1, processes, sum 3"), 3) << seen.output;
}

TEST(hosts, carry_items_between_their_pes) {
  const ending_seen seen =
      boxcar_command(on_two_hosts({little_program("deed"), "-1", "nothing", "session"}), two_nodes);
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "done"), 4) << seen.output;
}

class pe_on_a_host_that : public testing::TestWithParam<misdeed> {};

TEST_P(pe_on_a_host_that, is_named_with_it_and_ends_the_job) {
  const misdeed& deed = GetParam();
  const ending_seen seen = boxcar_command(
      on_two_hosts({little_program("deed"), deed.pe, deed.what, "stubborn"}), two_nodes);
  EXPECT_EQ(seen.status, deed.status);
  EXPECT_EQ(count(seen.errors, "boxcar run: " + deed.message), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, "boxcar run: "), 1) << "more than one message: " << seen.errors;
  EXPECT_EQ(count(seen.output, "ready"), 4) << seen.output;
  EXPECT_EQ(count(seen.output, "done"), 0) << seen.output;
}

std::string name_of(const testing::TestParamInfo<misdeed>& info) {
  std::string name = info.param.what + "_by_" + info.param.pe;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    failure, pe_on_a_host_that,
    testing::Values(misdeed{"exit-3", "3", 3, "host b: PE 3 exited with status 3; ended PEs 0-2"},
                    misdeed{"kill", "0", 137,
                            "host a: PE 0 was killed by signal 9 (SIGKILL); ended PEs 1-3"},
                    misdeed{"print-and-kill", "2", 137,
                            "host b: PE 2 was killed by signal 9 (SIGKILL); ended PEs 0-1, 3"},
                    // The launcher recognises the failure by the status; or by the output, if the
                    // machine is too busy to end the PE. (The PEs of the other host may end first
                    // because of the failure.)
                    misdeed{"throw", "3", 1, "host b: PE 3 "}),
    name_of);

TEST(hosts, tell_of_pes_that_others_wait_for_in_vain) {
  const ending_seen seen =
      boxcar_command(on_two_hosts({"sh", "-c", "case $BOXCAR_JOB in 2:*) exit 0;; esac; exec $0",
                                   little_program("deed")}),
                     two_nodes);
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors,
                  "host b: PEs 2-3 exited with status 0 without joining the world, "
                  "while PEs 0-1 of host a waited there"),
            1)
      << seen.errors;
}

TEST(hosts, tell_what_their_pes_do_when_the_time_is_up) {
  const ending_seen seen =
      boxcar_command(on_two_hosts({"sleep", "1000"}, {"--timeout", "0.3"}), two_nodes);
  EXPECT_EQ(seen.status, 124);
  EXPECT_EQ(count(seen.errors,
                  "ended because not finished after 0.3 seconds\n on host a:\n  PEs "
                  "0-1: running, has not joined the world\n on host b:\n  PEs 2-3: "),
            1)
      << seen.errors;
}

// --- Ending --------------------------------------------------------------------------------------

// A program of PEs that ignore signals, and that start processes of their own.
words stubborn_program() {
  return {"sh", "-c", "sleep 1000 & exec $0 3 hang stubborn", little_program("deed")};
}

words command_line_of(pid_t pid) {
  return launcher::command_of(std::to_string(pid));
}

// All processes that run `boxcar`.
std::vector<pid_t> commands_of(const launched& job) {
  return job.processes_of(std::filesystem::canonical(BOXCAR_COMMAND));
}

bool is_on_host(pid_t pid) {
  const words started_by = command_line_of(pid);
  return !started_by.empty() && started_by.back() == "node";
}

TEST(hosts, are_left_alone_when_the_launcher_is_asked_to_end) {
  launched job(on_two_hosts(stubborn_program()), two_nodes);
  job.read_until("ready", 4);
  job.signal(SIGINT);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 128 + SIGINT);
  EXPECT_EQ(seen.errors, "boxcar run: ended by signal 2 (SIGINT)\n");
  job.expect_nothing_left();
}

TEST(hosts, let_their_pes_tidy_up) {
  launched job(
      on_two_hosts({"sh", "-c", "trap 'echo bye; exit' TERM; echo ready; sleep 1000 & wait"}));
  job.read_until("ready", 4);
  job.signal(SIGTERM);
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 128 + SIGTERM);
  EXPECT_EQ(count(seen.output, "bye\n"), 4) << seen.output;
  job.expect_nothing_left();
}

TEST(hosts, end_what_a_program_keeps) {
  const ending_seen seen = boxcar_command(on_two_hosts({little_program("keeps")}), two_nodes);
  EXPECT_EQ(seen.status, 0) << seen.output << seen.errors;
  EXPECT_EQ(count(seen.output, "nothing is left\n"), 4) << seen.output;
}

TEST(hosts, are_left_alone_when_the_launcher_is_killed) {
  // The processes of the agent must outlive the agent, as on another machine.
  words line = on_two_hosts(stubborn_program());
  std::ranges::replace(line, std::string(agent_of_this_machine),
                       std::string("there() { shift; \"$@\"; exit $?; }; there"));
  launched job(line, two_nodes);
  job.read_until("ready", 4);
  // The launcher's two processes end at once, without a goodbye: the agents see the end of their
  // input.
  std::vector<pid_t> launchers = commands_of(job);
  std::erase_if(launchers, is_on_host);
  for (const int signal : {SIGSTOP, SIGKILL}) {
    for (const pid_t pid : launchers) kill(pid, signal);
  }
  job.wait();
  job.expect_nothing_left();
}

TEST(hosts, are_missed_when_their_connection_ends) {
  launched job(on_two_hosts(stubborn_program()), two_nodes);
  job.read_until("ready", 4);
  // The host's processes end without a goodbye, as a node that fails: the first process there is
  // what an agent has become.
  for (const pid_t pid : commands_of(job)) {
    const pid_t parent = launcher::parent_of(std::to_string(pid));
    if (!is_on_host(pid) || is_on_host(parent)) continue;
    kill(pid, SIGKILL);
    break;
  }
  const ending_seen seen = job.wait();
  EXPECT_EQ(seen.status, 1);
  EXPECT_EQ(count(seen.errors, "was killed by signal 9 (SIGKILL)"), 1) << seen.errors;
  EXPECT_EQ(count(seen.errors, ": the connection has ended: the agent `"), 1) << seen.errors;
  job.expect_nothing_left();
}

TEST(hosts, lose_no_output_and_do_not_mix_lines) {
  constexpr int lines = 2000;
  constexpr int length = 100;
  const ending_seen seen = boxcar_command(
      on_two_hosts({little_program("lines"), std::to_string(lines), std::to_string(length)}),
      two_nodes);
  EXPECT_EQ(seen.status, 0) << seen.errors;
  for (const std::string* text : {&seen.output, &seen.errors}) {
    EXPECT_EQ(count(*text, "\n"), 4 * lines / 2);
    for (const char letter : {'a', 'b', 'c', 'd'}) {
      const std::string of_one(length, letter);
      EXPECT_EQ(count(*text, "\n" + of_one) + text->starts_with(of_one), lines / 2);
    }
  }
}

TEST(hosts, whose_output_nobody_reads_are_ended_all_the_same) {
  launched job(on_two_hosts({"yes"}), two_nodes);
  job.read_until("y\n", 1);
  job.signal(SIGTERM);
  EXPECT_EQ(job.wait(false).status, 128 + SIGTERM);
  job.expect_nothing_left();
}

TEST(hosts, read_input_of_any_length) {
  const ending_seen seen =
      boxcar_command(on_two_hosts({"sh", "-c", "wc -c"}), {.before_exec = [] {
                       const std::filesystem::path file =
                           testing::TempDir() + "boxcar-input-" + std::to_string(getpid());
                       std::ofstream(file) << std::string(1'000'000, 'x');
                       if (std::freopen(file.c_str(), "r", stdin) == nullptr) std::abort();
                       std::filesystem::remove(file);
                     }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(count(seen.output, "1000000\n"), 1) << seen.output;
  EXPECT_EQ(count(seen.output, "0\n"), 4) << seen.output;
}

// --- Environment and folder of remote PEs --------------------------------------------------------

TEST(hosts, have_the_folder_and_the_variables_of_the_launcher) {
  const ending_seen seen =
      boxcar_command({"run", "--hosts", "a", "--agent",
                      "here() { shift; cd / && exec env -i WEATHER=rain \"$@\"; }; here", "--env",
                      "FLOWER", "--env", "TREE=an old oak", "--", "sh", "-c",
                      "pwd; echo $BOXCAR_NODES, $FLOWER, $TREE, $WEATHER, ${MOON-none}"},
                     {.before_exec = [] {
                       pretend_two_nodes();
                       setenv("FLOWER", "rose", 1);
                       setenv("MOON", "full", 1);
                     }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.output,
            std::filesystem::current_path().string() + "\n2, rose, an old oak, rain, none\n");
}

TEST(hosts, are_reached_by_ssh_with_nothing_to_hide_in_its_arguments) {
  const std::filesystem::path folder =
      testing::TempDir() + "boxcar-ssh-" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  std::ofstream(folder / "ssh") << "#!/bin/sh\n"
                                   "echo \"$*\" >>\"$0.arguments\"\n"
                                   "while [ \"${1#-}\" != \"$1\" ]; do\n"
                                   "  [ \"$1\" != -o ] || shift\n"
                                   "  shift\n"
                                   "done\n"
                                   "shift\n"
                                   "exec sh -c \"$*\"\n";
  std::filesystem::permissions(folder / "ssh", std::filesystem::perms::owner_all);
  const std::filesystem::path list = folder / "hosts";
  std::ofstream(list) << "# the machines of the group\n\nfast.example slots=2 # new\nme@old\n";
  const ending_seen seen = boxcar_command(
      {"run", "--hostfile", list, "--env", "SECRET=42", "--", "sh", "-c", "echo moin $SECRET"},
      {.before_exec = [&folder] {
        setenv("PATH", (folder.string() + ":" + std::getenv("PATH")).c_str(), 1);
      }});
  EXPECT_EQ(seen.status, 0) << seen.errors;
  EXPECT_EQ(seen.output, "moin 42\nmoin 42\nmoin 42\n");
  std::ifstream told(folder / "ssh.arguments");
  words lines;
  for (std::string line; std::getline(told, line);) lines.push_back(line);
  std::ranges::sort(lines);
  const std::string options = "-x -T -o BatchMode=yes -o ControlMaster=no ";
  const std::string command = " " + std::filesystem::canonical(BOXCAR_COMMAND).string() + " node";
  EXPECT_EQ(lines, (words{options + "fast.example" + command, options + "me@old" + command}));
  std::filesystem::remove_all(folder);
}

// --- Inside --------------------------------------------------------------------------------------

TEST(hosts, are_read_from_a_list) {
  using hosts::host;
  EXPECT_EQ(hosts::hosts_from_list("a:4,me@b,[fe80::1%eth0]:2,me@[::1]"),
            (std::vector<host>{{"a", 4}, {"me@b", 1}, {"fe80::1%eth0", 2}, {"me@::1", 1}}));
}

TEST(messages, arrive_in_any_pieces) {
  const hosts::message sent{hosts::message_kind::output, {"1", std::string("a\0b\n", 4), ""}};
  const std::string bytes = hosts::encode(sent);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(hosts::decode(std::string_view(bytes).substr(0, size))) << size;
  }
  const auto got = hosts::decode(bytes + "more");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bytes, bytes.size());
  EXPECT_EQ(got->what.kind, sent.kind);
  EXPECT_EQ(got->what.fields, sent.fields);
}

TEST(messages, are_told_from_what_else_is_printed) {
  EXPECT_THROW(static_cast<void>(hosts::decode("Last login: Monday")), system_error);
  std::string too_short = hosts::encode({hosts::message_kind::over, {"0"}});
  too_short[5] = 9;  // the size of the field
  EXPECT_THROW(static_cast<void>(hosts::decode(too_short)), system_error);
  const hosts::message over{hosts::message_kind::over, {"zero"}};
  EXPECT_THROW(static_cast<void>(over.number(0)), system_error);
  EXPECT_THROW(static_cast<void>(over.field(1)), system_error);
}

// --- Impossible requests -------------------------------------------------------------------------

struct refusal {
  words line;
  int status;
  words must_say;
};

TEST(hosts, refuses_what_cannot_work) {
  const std::string here = agent_of_this_machine;
  const auto run = [&](const std::string& hosts, const std::string& agent, const words& more) {
    words line{"run", "--hosts", hosts, "--agent", agent};
    line.insert(line.end(), more.begin(), more.end());
    return line;
  };
  const words sleep{"--", "sleep", "1000"};
  const std::string other = std::string("echo boxcar-node 0.0.7; cat >/dev/null; :");
  const std::vector<refusal> refusals{
      {run("a:x", here, sleep), 2, {"\"x\" is no number of PEs"}},
      {run("a:0", here, sleep), 2, {"\"0\" is no number of PEs", "at least 1"}},
      {run("a:", here, sleep), 2, {"\"\" is no number of PEs"}},
      {run("a:2,,b", here, sleep), 2, {"name of a host is missing"}},
      {run("a:2,a:3", here, sleep), 2, {"names a twice", "with 5 PEs"}},
      {run("::1:4", here, sleep), 2, {"several colons", "[fe80::1]:4"}},
      {run("[::1:4", here, sleep), 2, {"after the address in brackets"}},
      {run("a:30000,b:30000", here, sleep), 2, {"60000 PEs", "at most 32767"}},
      {run("-x", here, sleep), 2, {"\"-x\" is no name of a host"}},
      {run("", here, sleep), 2, {"--hosts names no host"}},
      {run("a", " ", sleep), 2, {"--agent is empty"}},
      {run("a", here, {"-n", "2", "--", "true"}), 2, {"-n is for PEs of this machine"}},
      {run("a", here, {"--threads", "--", "true"}), 2, {"--threads is for PEs of this machine"}},
      {run("a", here, {"--env", "NO_SUCH_VARIABLE", "--", "true"}), 2, {"is not set here"}},
      {run("a", here, {"--hostfile", "x", "--", "true"}), 2, {"leave one of them out"}},
      {{"run", "--hostfile", "/no/such/file", "--", "true"}, 2, {"/no/such/file cannot be read"}},
      {{"run", "-n", "1", "--agent", "ssh", "--", "true"},
       2,
       {"--agent is for PEs on other hosts"}},
      {run("a:2,b:2", here, {"--", "./no-such"}), 127, {"host ", "cannot start ./no-such"}},
      {run("a:2,b:2", here, {"--", "/tmp"}), 126, {"host ", "it is a directory"}},
      {run("a,b", "./no-such-agent", sleep),
       1,
       {"`./no-such-agent ", "status 127", "no such agent here", "same path on all hosts"}},
      {run("a", "echo moin; false", sleep),
       1,
       {"status 1 before boxcar answered there (it printed \"moin\")", "--agent"}},
      {run("a", "sleep 1000; :", {"--agent-timeout", "0.3", "--", "true"}),
       1,
       {"has not brought boxcar to life within 0.3 seconds", "--agent-timeout"}},
      {run("a", "quiet() { shift; \"$@\" </dev/null; }; quiet", sleep),
       1,
       {"does not pass on standard input"}},
      {run("a", other, sleep), 1, {"has boxcar 0.0.7, and this is boxcar ", version, "the same"}},
  };
  for (const refusal& expected : refusals) {
    const ending_seen seen = boxcar_command(expected.line);
    EXPECT_EQ(seen.status, expected.status) << seen.errors;
    EXPECT_EQ(seen.output, "");
    EXPECT_EQ(count(seen.errors, "boxcar run: "), 1) << seen.errors;
    for (const std::string& text : expected.must_say) {
      EXPECT_EQ(count(seen.errors, text) > 0, true) << text << " is not in: " << seen.errors;
    }
  }
}

// The output of an agent before `boxcar` answers may have no end.
TEST(channel, keeps_no_more_of_a_line_than_is_of_use) {
  launcher::pipe_ends ends = launcher::make_pipe();
  hosts::channel talk(std::move(ends.read), {});
  const std::string noise(50000, 'x');
  constexpr int times = 40;
  for (int i = 0; i < times; ++i) {
    ASSERT_EQ(write(ends.write.number(), noise.data(), noise.size()),
              static_cast<ssize_t>(noise.size()));
    talk.turn();
    EXPECT_FALSE(talk.next_line());
  }
  const std::string rest = "\nboxcar-node 1\n";
  ASSERT_EQ(write(ends.write.number(), rest.data(), rest.size()),
            static_cast<ssize_t>(rest.size()));
  talk.turn();
  const auto line = talk.next_line();
  ASSERT_TRUE(line);
  EXPECT_LT(line->size(), 2 * noise.size());
  EXPECT_EQ(talk.next_line(), "boxcar-node 1");
}

}  // namespace
}  // namespace boxcar::test::hosts_test
