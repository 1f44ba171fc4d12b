#include "usage.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <unistd.h>

#include "basis/printable.hpp"
#include "substrate/environment.hpp"

namespace boxcar::tool {

int complain_of_usage(const std::string& complaint) {
  if (!detail::first_of_job()) return 0;
  std::cerr << detail::printable(complaint) << '\n';
  return wrong_usage;
}

void open_standard_descriptors() {
  int lowest = 0;
  do {
    lowest = open("/dev/null", O_RDWR);
  } while (lowest >= 0 && lowest <= STDERR_FILENO);
  if (lowest > STDERR_FILENO) close(lowest);
}

int end_of_output(const std::string& command, int status) {
  errno = 0;
  if (std::cout.flush()) return status;
  const char* const why = errno == 0 ? "an earlier write has failed" : std::strerror(errno);
  std::cerr << command << ": cannot write to standard output: " << why << '\n';
  return status == 0 ? 1 : status;
}

}  // namespace boxcar::tool
