#include "launched.hpp"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace boxcar::test {
namespace {

using clock = std::chrono::steady_clock;

// The time limit of all waits; nothing here takes nearly as long, not even with sanitizers on a
// busy machine.
constexpr auto patience = std::chrono::seconds(240);

constexpr const char* mark_name = "BOXCAR_TOOL_TEST";

std::string new_mark() {
  static std::atomic<int> number{0};
  return std::to_string(getpid()) + "." + std::to_string(++number);
}

struct pipe_ends {
  int read;
  int write;
};

pipe_ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) std::abort();
  return {ends[0], ends[1]};
}

void be_command(std::string command, const std::vector<std::string>& words) {
  std::vector<char*> arguments{command.data()};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(command.c_str(), arguments.data());
  _exit(99);
}

int open_terminal() {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) std::abort();
  return terminal;
}

void use_terminal(int terminal) {
  setsid();
  const int here = open(ptsname(terminal), O_RDWR | O_CLOEXEC);
  ioctl(here, TIOCSCTTY, 0);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(here, standard);
}

std::string whole_file(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  char buffer[4096];
  ssize_t bytes = 0;
  // The read fails in the middle if the process of the file ends.
  while ((bytes = read(file, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(bytes));
  }
  if (file >= 0) close(file);
  return text;
}

bool is_marked(const std::filesystem::path& process, const std::string& mark) {
  const std::string text = whole_file(process / "environ");
  std::string variable(1, '\0');
  variable.append(mark_name).append("=").append(mark).append(1, '\0');
  return (std::string(1, '\0') + text).find(variable) != std::string::npos;
}

std::string shared_memory_of_boxcar() {
  std::string names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find("boxcar") != std::string::npos) names += " " + name;
  }
  return names;
}

// Appends the available text; false at the end.
bool read_into(int descriptor, std::string& text) {
  char buffer[65536];
  const ssize_t bytes = read(descriptor, buffer, sizeof buffer);
  if (bytes > 0) text.append(buffer, static_cast<std::size_t>(bytes));
  return bytes > 0 || (bytes < 0 && errno == EAGAIN);
}

void close_and_forget(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace

std::string little_program(const std::string& name) {
  return LITTLE_PROGRAMS + name;
}

launched::launched(const std::vector<std::string>& words, const surroundings& around)
    : mark_(new_mark()) {
  const pipe_ends input = make_pipe();
  const pipe_ends output = make_pipe();
  const pipe_ends errors = make_pipe();
  // The text fits into the pipe.
  const auto& text = around.input;
  EXPECT_EQ(write(input.write, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  const int terminal = around.terminal ? open_terminal() : -1;
  pid_ = fork();
  if (pid_ == 0) {
    setenv(mark_name, mark_.c_str(), 1);
    if (around.terminal) {
      use_terminal(terminal);
    } else {
      dup2(input.read, STDIN_FILENO);
      dup2(output.write, STDOUT_FILENO);
      dup2(around.one_output ? output.write : errors.write, STDERR_FILENO);
    }
    // The parent of the test may ignore some signals: nohup, a shell in the background.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(signal, SIG_DFL);
    if (around.before_exec) around.before_exec();
    be_command(around.command.empty() ? BOXCAR_COMMAND : around.command, words);
  }
  for (const int end : {input.read, input.write, output.write, errors.write}) close(end);
  errors_ = errors.read;
  if (around.terminal) {
    close(output.read);
    input_ = output_ = terminal;
    return;
  }
  output_ = output.read;
}

launched::~launched() {
  for (const pid_t pid : processes()) kill(pid, SIGKILL);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_and_forget(output_);
  close_and_forget(errors_);
}

void launched::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

void launched::type(const std::string& keys) const {
  EXPECT_EQ(write(input_, keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
}

void launched::read_some(int milliseconds) {
  pollfd sources[] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}};
  poll(sources, 2, milliseconds);
  if (sources[0].revents != 0 && !read_into(output_, seen_.output)) close_and_forget(output_);
  if (sources[1].revents != 0 && !read_into(errors_, seen_.errors)) close_and_forget(errors_);
}

void launched::read_until(const std::string& text, int times) {
  const auto limit = clock::now() + patience;
  while (count(seen_.output, text) < times && is_readable() && clock::now() < limit) read_some(100);
  EXPECT_GE(count(seen_.output, text), times)
      << text << " is not in: " << seen_.output << "\nand " << seen_.errors;
}

void launched::read_for(std::chrono::milliseconds time) {
  read_some(static_cast<int>(time.count()));
}

void launched::close_output() {
  close_and_forget(output_);
}

std::optional<int> launched::status_within(std::chrono::seconds longest, bool reads) {
  const auto limit = clock::now() + longest;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    if (clock::now() > limit) return std::nullopt;
    if (reads) {
      read_some(5);
    } else {
      poll(nullptr, 0, 5);
    }
  }
  return status;
}

ending_seen launched::take_ending(int status) {
  pid_ = -1;
  seen_.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  const auto limit = clock::now() + patience;
  while (is_readable() && clock::now() < limit) read_some(100);
  return seen_;
}

ending_seen launched::wait(bool reads) {
  if (const auto status = status_within(patience, reads)) return take_ending(*status);
  ADD_FAILURE() << "the command hangs; so far it printed " << seen_.output << "\nand "
                << seen_.errors;
  kill(pid_, SIGKILL);
  int status = 0;
  waitpid(pid_, &status, 0);
  return take_ending(status);
}

std::optional<ending_seen> launched::wait_for(std::chrono::seconds longest) {
  const auto status = status_within(longest, true);
  return status ? std::optional(take_ending(*status)) : std::nullopt;
}

std::vector<pid_t> launched::processes() const {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (is_marked(entry.path(), mark_)) found.push_back(std::atoi(name.c_str()));
  }
  return found;
}

std::vector<pid_t> launched::processes_of(const std::string& program) const {
  std::vector<pid_t> all = processes();
  std::erase_if(all, [&program](pid_t pid) {
    std::error_code ended;
    const auto file = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe", ended);
    return ended || file != program;
  });
  return all;
}

void launched::expect_nothing_left() const {
  EXPECT_TRUE(comes_true([this] { return processes().empty(); })) << "processes remain";
  EXPECT_EQ(shared_memory_of_boxcar(), "") << "shared memory remains";
}

ending_seen boxcar_command(const std::vector<std::string>& words, const surroundings& around) {
  launched command(words, around);
  const ending_seen seen = command.wait();
  command.expect_nothing_left();
  return seen;
}

bool comes_true(const std::function<bool()>& condition) {
  const auto limit = clock::now() + patience;
  while (clock::now() < limit) {
    if (condition()) return true;
    poll(nullptr, 0, 10);
  }
  return false;
}

int count(const std::string& in, const std::string& text) {
  int times = 0;
  for (auto at = in.find(text); at != std::string::npos; at = in.find(text, at + 1)) ++times;
  return times;
}

}  // namespace boxcar::test
