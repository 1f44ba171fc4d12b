#include "find_program.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher/job.hpp"

namespace boxcar::tool {
namespace {

using launcher::cannot_start;

constexpr int not_found = 127;
constexpr int not_executable = 126;

bool is_file(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

bool is_executable(const std::string& path) {
  return is_file(path) && access(path.c_str(), X_OK) == 0;
}

void check_executable(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    throw cannot_start(
        "cannot start " + path + ": " + std::strerror(errno) + "; check the path of the program",
        errno == EACCES ? not_executable : not_found);
  }
  if (S_ISDIR(status.st_mode)) {
    throw cannot_start("cannot start " + path + ": it is a directory; give the path of a program",
                       not_executable);
  }
  if (access(path.c_str(), X_OK) != 0) {
    throw cannot_start(
        "cannot start " + path + ": " + std::strerror(errno) + "; make it executable (chmod +x)",
        not_executable);
  }
}

std::string find_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  while (true) {
    const std::size_t colon = rest.find(':');
    const std::string folder(rest.substr(0, colon));
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (is_executable(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
  }
  const bool is_here = is_file("./" + name);
  throw cannot_start("cannot start " + name + ": there is no such program in PATH; " +
                         (is_here ? "for the one in this folder, give ./" + name
                                  : std::string("give its path if it is elsewhere")),
                     not_found);
}

}  // namespace

std::string find_program(const std::string& name) {
  if (name.find('/') == std::string::npos) return find_in_path(name);
  check_executable(name);
  return name;
}

void execute_program(const std::string& path, const std::vector<std::string>& words) {
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

}  // namespace boxcar::tool
