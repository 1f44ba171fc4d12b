#include "run_command.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "find_program.hpp"
#include "launcher/control_memory.hpp"
#include "launcher/guard.hpp"

namespace boxcar::tool {
namespace {

using launcher::cannot_start;

[[noreturn]] void execute(const std::string& path, const std::vector<std::string>& words) {
  constexpr int not_executable = 126;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(path.c_str(), arguments.data());
  const bool interpreter_missing = errno == ENOENT;
  throw cannot_start("cannot start " + path + ": " + std::strerror(errno) +
                         (interpreter_missing ? "; the interpreter or the dynamic linker that it "
                                                "names is missing"
                                              : ""),
                     not_executable);
}

[[noreturn]] void become_program_with_threads(const launcher::job_options& job,
                                              const std::string& path,
                                              const std::vector<std::string>& words) {
  setenv("BOXCAR_PES", std::to_string(job.pes).c_str(), 1);
  setenv("BOXCAR_NODES", std::to_string(job.nodes).c_str(), 1);
  unsetenv("BOXCAR_JOB");  // of a launcher that may have started this one
  execute(path, words);
}

void end_with_parent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) raise(SIGTERM);
}

}  // namespace

int run_command(const run_request& request) {
  if (request.program.empty()) {
    throw argument_error("there is no program to run; give it, and its arguments, after --");
  }
  launcher::check(request.job);
  const std::string path = find_program(request.program.front());
  if (request.ends_with_parent) end_with_parent();
  if (request.threads) become_program_with_threads(request.job, path, request.program);
  return launcher::run_guarded([&] {
    return launcher::run_job(request.job, [&](int) -> int { execute(path, request.program); });
  });
}

}  // namespace boxcar::tool
