#include "substrate/cluster/machine.hpp"

#include <array>
#include <fstream>
#include <functional>
#include <string>
#include <unistd.h>

#include "trace/host_name.hpp"

namespace boxcar::detail {
namespace {

// Returns a number drawn at each boot of the machine; empty if the file is missing.
std::string boot_number() {
  std::string number;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> number;
  return number;
}

// Returns the namespace of this process of a kind, "pid" or "net" for instance.
std::string namespace_of_kind(const char* kind) {
  std::array<char, 64> name{};
  const std::string link = std::string("/proc/self/ns/") + kind;
  const ssize_t length = readlink(link.c_str(), name.data(), name.size() - 1);
  return length > 0 ? std::string(name.data(), static_cast<std::size_t>(length)) : std::string();
}

}  // namespace

machine_identity identify_machine() {
  const std::hash<std::string> hash;
  const std::string boot = boot_number();
  // The host name identifies a machine without a boot number. Different host names on a machine are
  // meant as different nodes: the names were given on purpose.
  return {
      .machine = hash(boot.empty() ? host_name() : boot),
      .memory = hash(boot + ' ' + host_name() + ' ' + namespace_of_kind("pid") + ' ' +
                     std::to_string(geteuid())),
      .loopback = hash(boot + (boot.empty() ? host_name() : "") + ' ' + namespace_of_kind("net"))};
}

}  // namespace boxcar::detail
