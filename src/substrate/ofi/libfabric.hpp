// libfabric's own functions, which all others follow from. Its library is opened when one of them
// is asked for the first time, and so not by PEs that are all on one node: to load it takes 0.2 s,
// since libraries that it needs in turn measure meanwhile how fast the processor's clock is.
#pragma once

#include <rdma/fabric.h>

namespace boxcar::detail::ofi {

struct libfabric_functions {
  decltype(&fi_getinfo) get_information;
  decltype(&fi_dupinfo) copy_information;  // of nullptr: an empty one
  decltype(&fi_freeinfo) free_information;
  decltype(&fi_fabric) open_fabric;
  decltype(&fi_strerror) error_text;
};

// Throws system_error if there is no such library.
const libfabric_functions& libfabric();

}  // namespace boxcar::detail::ofi
