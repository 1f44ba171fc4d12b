// The program of `boxcar info --probe`: tries the features of each provider of libfabric. The
// program is separate, so that a crash of a provider ends nothing else.
#include <exception>
#include <iostream>

#include "substrate/ofi/probe.hpp"

int main() {
  try {
    std::cout << boxcar::detail::ofi::probe_providers();
    return 0;
  } catch (const std::exception& e) {
    std::cerr << "boxcar info --probe: " << e.what() << '\n';
    return 1;
  }
}
