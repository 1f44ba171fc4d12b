#include "hosts/agent.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include "launcher/pipe.hpp"

namespace boxcar::hosts {
namespace {

// The name of the subcommand (see main.cpp).
constexpr const char* subcommand = "node";

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("/._-+,:@%=").find(c) != std::string_view::npos;
}

// ssh and similar agents pass their arguments to a shell; other agents execute the words directly.
// Plain words mean the same in both cases.
std::string for_a_shell(const std::string& word) {
  if (std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

[[noreturn]] void be_agent(const std::string& agent, const std::string& host) {
  const std::string script = agent + " \"$@\"";
  execl("/bin/sh", "sh", "-c", script.c_str(), "sh", host.c_str(), command_on_hosts().c_str(),
        subcommand, static_cast<char*>(nullptr));
  std::fprintf(stderr, "cannot start /bin/sh: %s\n", std::strerror(errno));
  constexpr int not_found = 127;
  _exit(not_found);
}

}  // namespace

std::string command_on_hosts() {
  std::error_code unknown;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return for_a_shell(unknown ? "boxcar" : path.string());
}

std::string in_words(const std::string& agent, const std::string& host) {
  return "`" + agent + " " + host + "`";
}

started_agent start_agent(const std::string& agent, const std::string& host,
                          const std::function<void()>& prepare) {
  launcher::pipe_ends input = launcher::make_pipe();
  const auto body = [&]() -> int {
    prepare();
    be_agent(agent, host);
  };
  started_agent made{launcher::start_pe(body, input.read.number()), {}};
  made.talk = channel(std::move(made.process.standard_output), std::move(input.write));
  return made;
}

}  // namespace boxcar::hosts
