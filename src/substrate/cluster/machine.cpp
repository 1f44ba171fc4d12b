#include "substrate/cluster/machine.hpp"

#include <array>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

namespace boxcar::detail {
namespace {

// Drawn anew each time a machine starts; empty if there is no such file.
std::string boot_number() {
  std::string number;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> number;
  return number;
}

// Of this process: of the kind "pid" or "net", for instance.
std::string namespace_of_kind(const char* kind) {
  std::array<char, 64> name{};
  const std::string link = std::string("/proc/self/ns/") + kind;
  const ssize_t length = readlink(link.c_str(), name.data(), name.size() - 1);
  return length > 0 ? std::string(name.data(), static_cast<std::size_t>(length)) : std::string();
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

machine_identity identify_machine() {
  const std::hash<std::string> hash;
  const std::string boot = boot_number();
  // Where the start of a machine has no number, its name must do. Different names on one machine
  // are meant to be different nodes: somebody has gone to lengths to give them.
  return {
      .machine = hash(boot.empty() ? host_name() : boot),
      .memory = hash(boot + ' ' + host_name() + ' ' + namespace_of_kind("pid") + ' ' +
                     std::to_string(geteuid())),
      .loopback = hash(boot + (boot.empty() ? host_name() : "") + ' ' + namespace_of_kind("net"))};
}

}  // namespace boxcar::detail
