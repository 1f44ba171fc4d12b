// The entry points of libfabric, which lead to all further functions. The library is opened at the
// first call of libfabric(), and so not by PEs on a single node. Loading takes 0.2 s, since
// libraries below libfabric measure the rate of the processor's clock.
#pragma once

#include <rdma/fabric.h>

namespace boxcar::detail::ofi {

struct libfabric_functions {
  decltype(&fi_getinfo) get_information;
  decltype(&fi_dupinfo) copy_information;  // of nullptr: an empty info
  decltype(&fi_freeinfo) free_information;
  decltype(&fi_fabric) open_fabric;
  decltype(&fi_strerror) error_text;
};

// Opens the library at the first call. Throws system_error if there is no libfabric.
const libfabric_functions& libfabric();

}  // namespace boxcar::detail::ofi
