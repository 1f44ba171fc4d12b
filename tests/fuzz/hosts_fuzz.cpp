// Fuzzes the readers of hostfiles and of lists of hosts: a list that is written again is read as
// the same list.
#include <cstdlib>
#include <string>

#include <boxcar/error.hpp>

#include "hosts/host_list.hpp"
#include "input_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace boxcar::hosts;
  const boxcar::fuzz::input_file input(data, size);
  try {
    static_cast<void>(hosts_from_file(input.path()));
  } catch (const boxcar::error&) {
    // The file is refused.
  }
  try {
    const auto hosts = hosts_from_list(std::string(reinterpret_cast<const char*>(data), size));
    for (const host& one : hosts) {
      if (one.name.empty() || one.pes < 1) std::abort();
    }
  } catch (const boxcar::error&) {
    // The list is refused.
  }
  return 0;
}
