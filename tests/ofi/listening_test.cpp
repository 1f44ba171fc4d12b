// The sockets by which a job of one machine can be reached: none of them has an address that
// another machine sees, although its nodes are connected by a network.
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/boxcar.hpp>

#include "support/by_name.hpp"
#include "support/on_shapes.hpp"
#include "support/run_on.hpp"

namespace boxcar::test {
namespace {

// The inodes of the sockets that this process has.
std::set<std::string> own_sockets() {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code problem;
    const std::string link = std::filesystem::read_symlink(entry.path(), problem).string();
    constexpr std::string_view before = "socket:[";
    if (link.starts_with(before)) found.insert(link.substr(before.size(), link.size() - 9));
  }
  return found;
}

// The sockets that this process was started with: MPICH's launcher leaves its own to its PEs.
const std::set<std::string> sockets_at_start = own_sockets();

// Addresses, as the kernel writes them, of the sockets that this process has opened, in a table of
// /proc/net, and whose state is one of these.
std::vector<std::string> addresses_in(const char* table, const std::set<std::string>& states) {
  const std::set<std::string> own = own_sockets();
  std::vector<std::string> found;
  std::ifstream lines(std::string("/proc/self/net/") + table);
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::array<std::string, 10> word;
    for (std::string& w : word) words >> w;
    const bool is_own = own.contains(word[9]) && !sockets_at_start.contains(word[9]);
    if (is_own && states.contains(word[3])) {
      found.push_back(word[1].substr(0, word[1].find(':')));
    }
  }
  return found;
}

// A socket of TCP that listens, or one of UDP, which takes what comes.
std::vector<std::string> addresses_that_listen() {
  std::vector<std::string> all;
  for (const char* table : {"tcp", "tcp6"}) {
    for (std::string& a : addresses_in(table, {"0A"})) all.push_back(std::move(a));
  }
  for (const char* table : {"udp", "udp6"}) {
    for (std::string& a : addresses_in(table, {"07"})) all.push_back(std::move(a));
  }
  return all;
}

bool is_loopback(const std::string& address) {
  std::uint32_t v4 = 0;
  if (address.size() == 8 && std::sscanf(address.c_str(), "%8X", &v4) == 1) {
    return (v4 & 0xff) == 127;  // in the order of the network, on a machine of the other order
  }
  return address == "00000000000000000000000001000000";
}

std::vector<world_shape> on_two_nodes() {
  std::vector<world_shape> shapes = all_shapes();
  std::erase_if(shapes, [](const world_shape& shape) { return shape.nodes != 2; });
  return shapes;
}

class listening : public testing::TestWithParam<world_shape> {};

TEST_P(listening, is_on_loopback_if_all_pes_are_on_one_machine) {
  run_on(GetParam(), [](world& w) {
    window<std::uint64_t> numbers(w, 4);
    numbers.put(7, (w.rank() + 1) % w.size(), 0);
    numbers.flush();
    w.barrier();
    const std::vector<std::string> all = addresses_that_listen();
    EXPECT_FALSE(all.empty());  // the endpoint, at least
    for (const std::string& address : all) EXPECT_TRUE(is_loopback(address)) << address;
    w.barrier();
  });
}

INSTANTIATE_TEST_SUITE_P(on, listening, testing::ValuesIn(on_two_nodes()), by_name{});

}  // namespace
}  // namespace boxcar::test
