// The program of `boxcar info --probe`: tries the features of each provider of libfabric. A program
// of its own, as a provider that misbehaves must not take anything else with it.
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
