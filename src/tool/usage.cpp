#include "usage.hpp"

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

}  // namespace boxcar::tool
