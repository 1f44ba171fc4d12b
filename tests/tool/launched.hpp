// Starts the `boxcar` command, or another command, as a user would, and watches it from outside.
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
  std::string input = "";                       // for the command's standard input
  bool one_output = false;                      // standard error goes where standard output goes
  bool terminal = false;                        // input and both outputs are a terminal of its own
  std::function<void()> before_exec = nullptr;  // called in the new process
};

struct ending_seen {
  int status = -1;  // as a shell reports it: 128 + the number of a signal that killed the command
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
  // Sends keys as if typed at the command's terminal.
  void type(const std::string& keys) const;
  // Reads until the command's output holds `text` this many times; fails the test if that takes too
  // long.
  void read_until(const std::string& text, int times);
  // Reads the output for the given time.
  void read_for(std::chrono::milliseconds time);
  // The output that has been read so far.
  [[nodiscard]] const std::string& output() const { return seen_.output; }
  // Closes the reading end: from now on the command's writes fail.
  void close_output();
  // Waits for the end, and reads all output unless `reads` is false. Fails the test if the end
  // takes too long.
  ending_seen wait(bool reads = true);
  // Waits as `wait` does, for launchers that may not end: returns nothing after `longest`. No test
  // fails.
  std::optional<ending_seen> wait_for(std::chrono::seconds longest);

  // All running processes that descend from the command, with the command itself.
  [[nodiscard]] std::vector<pid_t> processes() const;
  // The processes among them that run `program`.
  [[nodiscard]] std::vector<pid_t> processes_of(const std::string& program) const;
  // Fails the test if some remain, other than for a moment.
  void expect_nothing_left() const;

 private:
  [[nodiscard]] bool is_readable() const { return output_ >= 0 || errors_ >= 0; }
  void read_some(int milliseconds);
  // The status of the command, as waitpid gives it, or nothing if the command runs longer.
  std::optional<int> status_within(std::chrono::seconds longest, bool reads);
  // Reads the rest of the output. Precondition: the command has ended.
  ending_seen take_ending(int status);

  std::string mark_;  // an environment variable that marks the processes of the command
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  ending_seen seen_;
};

// Starts the command, waits for its end, and checks that no process is left.
ending_seen boxcar_command(const std::vector<std::string>& words, const surroundings& around = {});

// Waits until the condition holds, for a while; false if it does not.
bool comes_true(const std::function<bool()>& condition);

// Returns the number of occurrences of `text`.
int count(const std::string& in, const std::string& text);

}  // namespace boxcar::test
