#include "substrate/ofi/random_number.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <sys/random.h>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {

std::uint64_t random_number() {
  std::uint64_t number = 0;
  while (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) {
    // (getrandom returns 8 bytes at once after the system has started.)
    if (errno == EINTR) continue;
    throw system_error(std::string("getrandom failed: ") + std::strerror(errno) +
                       "; without secrets the PEs of a job do not know one another");
  }
  return number;
}

}  // namespace boxcar::detail::ofi
