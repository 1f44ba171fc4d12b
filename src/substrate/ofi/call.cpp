#include "substrate/ofi/call.hpp"

#include <cstdlib>
#include <rdma/fi_errno.h>

#include "substrate/cluster/refusal.hpp"
#include "substrate/ofi/libfabric.hpp"

namespace boxcar::detail::ofi {

std::string text_of(long code) {
  return libfabric().error_text(static_cast<int>(std::labs(code)));
}

void check(long code, const char* function) {
  if (code < 0) throw_refusal(std::string(function) + " failed: " + text_of(code));
}

}  // namespace boxcar::detail::ofi
