#include "launcher/process_table.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include "launcher/descriptor.hpp"

namespace boxcar::launcher {

pid_t parent_of(const std::string& pid) {
  const std::string path = "/proc/" + pid + "/stat";
  const descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char buffer[1024];
  const ssize_t bytes = read(file.number(), buffer, sizeof buffer - 1);
  if (bytes <= 0) return 0;
  // "pid (name) state parent ...", where the name may hold anything
  const std::string text(buffer, static_cast<std::size_t>(bytes));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= text.size()) return 0;
  return std::atoi(text.c_str() + name_end + 4);
}

std::vector<std::string> command_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace boxcar::launcher
