#include "substrate/usable_cores.hpp"

namespace boxcar::detail {

cpu_set_t usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) CPU_SET(0, &cores);
  return cores;
}

}  // namespace boxcar::detail
