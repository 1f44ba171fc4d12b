#include "route/group.hpp"

#include <string>

#include <boxcar/error.hpp>

#include "grid/factorisations.hpp"

namespace boxcar::detail {

void require_group(int pes, int group) {
  if (group >= 1 && pes % group == 0) return;
  std::string fitting;
  for (const int d : divisors(pes)) fitting += (fitting.empty() ? "" : ", ") + std::to_string(d);
  throw argument_error("a local group of " + std::to_string(group) + " PEs does not divide the " +
                       std::to_string(pes) + " PEs of the world: give one of " + fitting);
}

}  // namespace boxcar::detail
