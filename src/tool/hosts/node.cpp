#include "hosts/node.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <string>
#include <unistd.h>

#include <boxcar/error.hpp>

#include "find_program.hpp"
#include "hosts/channel.hpp"
#include "hosts/message.hpp"
#include "hosts/node_front.hpp"
#include "hosts/part.hpp"
#include "hosts/worker_overseer.hpp"
#include "launcher/control_memory.hpp"
#include "launcher/guard.hpp"
#include "launcher/job.hpp"

namespace boxcar::hosts {
namespace {

using launcher::descriptor;

// The function moves other output to standard error: such output must not come between the
// messages.
channel take_over_standard_streams() {
  descriptor in = launcher::above_those_of_scripts(descriptor(dup(STDIN_FILENO)));
  descriptor out = launcher::above_those_of_scripts(descriptor(dup(STDOUT_FILENO)));
  const descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(nothing.number(), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return {std::move(in), std::move(out)};
}

// Returns the next message except beats; nothing if the launcher has gone.
std::optional<message> wait_for_message(channel& launcher) {
  while (true) {
    constexpr int milliseconds = 500;
    std::vector<pollfd> sources;
    launcher.watch(sources);
    poll(sources.data(), sources.size(), milliseconds);
    launcher.turn();
    launcher.beat();
    while (auto what = launcher.next()) {
      if (what->kind != message_kind::beat) return what;
    }
    if (launcher.is_at_end() || launcher.silence() > max_silence) return std::nullopt;
  }
}

void settle_in(const part& mine) {
  for (const std::string& variable : mine.environment) {
    const std::size_t equals = variable.find('=');
    if (equals == std::string::npos) continue;
    setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
  if (chdir(mine.folder.c_str()) == 0) return;
  throw launcher::cannot_start("cannot start the program in " + mine.folder + ": " +
                                   std::strerror(errno) +
                                   "; start it in a folder that all hosts have",
                               1);
}

// Returns the path of the program, according to the PATH and the files of the host; nothing, after
// a message to the launcher, if the program cannot be started on this host.
std::optional<std::string> find_program_here(channel& launcher, const part& mine) {
  try {
    settle_in(mine);
    return tool::find_program(mine.program.at(0));
  } catch (const launcher::cannot_start& e) {
    launcher.send({message_kind::refused, {std::to_string(e.status()), e.what()}});
  } catch (const std::exception& e) {
    launcher.send({message_kind::refused, {"1", e.what()}});
  }
  constexpr std::chrono::seconds longest{5};
  launcher.flush(longest);
  return std::nullopt;
}

int be_worker(node_front& front, const part& mine, const std::string& program) {
  node_front::workers_ends ends = front.be_worker();
  worker_overseer over(std::move(ends.talk));
  const int bootstrap = mine.hosts > 1 ? ends.bootstrap.number() : -1;
  launcher::job_options job;
  job.pes = mine.pes;
  job.label = mine.label;
  job.whole = {&over, mine.pes_of_job, mine.first_rank, bootstrap, mine.terminal};
  return launcher::run_job(job, [&](int) -> int { tool::execute_program(program, mine.program); });
}

}  // namespace

int run_node() {
  channel talk = take_over_standard_streams();
  talk.send(std::string(greeting) + spoken_version() + "\n");
  const auto told = wait_for_message(talk);
  if (!told) {
    throw system_error(
        "the launcher that has started this by its agent has gone, or the agent does not pass on "
        "standard input (ssh does, without -n)");
  }
  const part mine = part_of(*told);
  const auto program = find_program_here(talk, mine);
  if (!program) return 1;
  talk.send({message_kind::ready});
  const auto order = wait_for_message(talk);
  if (!order || order->kind != message_kind::start) return 1;
  node_front front(std::move(talk), mine.input);
  const int status =
      launcher::run_guarded([&] { return be_worker(front, mine, *program); }, &front);
  front.finish(status);
  return status;
}

}  // namespace boxcar::hosts
