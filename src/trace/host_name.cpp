#include "trace/host_name.hpp"

#include <array>
#include <unistd.h>

namespace boxcar::detail {

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace boxcar::detail
