// Starts the `boxcar` command, or another one, as a user would, and watches it from outside.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace boxcar::test {

// The path of one of the programs in programs/.
std::string little_program(const std::string& name);

struct surroundings {
  std::string command = "";                     // to start; empty: `boxcar`
  std::string input = "";                       // for its standard input
  bool one_output = false;                      // standard error goes where standard output goes
  bool terminal = false;                        // input and both outputs are a terminal of its own
  std::function<void()> before_exec = nullptr;  // called in the new process
};

struct ending_seen {
  int status = -1;  // as a shell would tell: 128 + the number of a signal that killed it
  std::string output;
  std::string errors;  // empty if they went with the output
};

class launched {
 public:
  // `words` follow the name of the command.
  explicit launched(const std::vector<std::string>& words, const surroundings& around = {});
  launched(const launched&) = delete;
  launched& operator=(const launched&) = delete;
  ~launched();  // kills everything

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const;
  // As if typed at its terminal.
  void type(const std::string& keys) const;
  // Reads on until its output holds `text` this many times; fails the test if that takes too long.
  void read_until(const std::string& text, int times);
  // Reads what there is, or comes first within so long.
  void read_for(std::chrono::milliseconds time);
  // What has been read so far.
  [[nodiscard]] const std::string& output() const { return seen_.output; }
  // From now on nobody reads the output, and writing it fails.
  void close_output();
  // Waits for the end, reading all output unless told otherwise. Fails the test if it takes too
  // long.
  ending_seen wait(bool reads = true);
  // The same for launchers that may not come to their end: nothing after so long. No test fails.
  std::optional<ending_seen> wait_for(std::chrono::seconds longest);

  // All processes that come from it and run now, itself included.
  [[nodiscard]] std::vector<pid_t> processes() const;
  // Those among them that run this program.
  [[nodiscard]] std::vector<pid_t> processes_of(const std::string& program) const;
  // Fails the test if some remain, other than for a moment.
  void expect_nothing_left() const;

 private:
  [[nodiscard]] bool is_readable() const { return output_ >= 0 || errors_ >= 0; }
  void read_some(int milliseconds);
  // Its status, as waitpid gives it, unless it still runs after so long.
  std::optional<int> status_within(std::chrono::seconds longest, bool reads);
  // To be called when it has ended: reads what is left.
  ending_seen take_ending(int status);

  std::string mark_;  // an environment variable, by which the processes are known
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  ending_seen seen_;
};

// Starts it, waits for its end, and checks that nothing is left.
ending_seen boxcar_command(const std::vector<std::string>& words, const surroundings& around = {});

// Waits until it does, for a while; false if it does not.
bool comes_true(const std::function<bool()>& condition);

// How often `text` occurs.
int count(const std::string& in, const std::string& text);

}  // namespace boxcar::test
