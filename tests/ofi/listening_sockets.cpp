#include "ofi/listening_sockets.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace boxcar::test {
namespace {

// Returns the inodes of the sockets of the process.
std::set<std::string> own_sockets() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code problem;
    const std::string link = std::filesystem::read_symlink(entry.path(), problem).string();
    constexpr std::string_view before = "socket:[";
    if (link.starts_with(before)) {
      found.insert(link.substr(before.size(), link.size() - before.size() - 1));
    }
  }
  return found;
}

// The sockets inherited at the start of the process: MPICH's launcher leaves sockets open in the
// PEs.
const std::set<std::string> sockets_at_start = own_sockets();

// Adds the process's sockets with state `state` from a table of /proc/net.
void add(std::vector<listening_socket>& all, const char* table, const char* state) {
  const std::set<std::string> own = own_sockets();
  std::ifstream lines(std::string("/proc/self/net/") + table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::array<std::string, 10> word;
    for (std::string& w : word) words >> w;
    const bool is_own = own.contains(word[9]) && !sockets_at_start.contains(word[9]);
    if (!is_own || word[3] != state) continue;
    const std::size_t colon = word[1].find(':');
    all.push_back({word[1].substr(0, colon), std::stoi(word[1].substr(colon + 1), nullptr, 16)});
  }
}

}  // namespace

std::vector<listening_socket> sockets_that_listen() {
  std::vector<listening_socket> all;
  for (const char* table : {"tcp", "tcp6"}) add(all, table, "0A");
  for (const char* table : {"udp", "udp6"}) add(all, table, "07");
  return all;
}

std::set<int> ports_that_listen() {
  std::set<int> ports;
  for (const listening_socket& s : sockets_that_listen()) ports.insert(s.port);
  return ports;
}

}  // namespace boxcar::test
