// Objects of libfabric that close with their owner.
#pragma once

#include <memory>
#include <rdma/fabric.h>

#include "substrate/ofi/call.hpp"

namespace boxcar::detail::ofi {

template <typename Object>
struct closer {
  void operator()(Object* o) const { fi_close(&o->fid); }
};
template <typename Object>
using owned = std::unique_ptr<Object, closer<Object>>;

// Returns the object that `open(&made)` makes; `function` names the function that `open` calls.
// Throws system_error.
template <typename Object, typename Open>
owned<Object> opened(const char* function, const Open& open) {
  Object* made = nullptr;
  check(open(&made), function);
  return owned<Object>(made);
}

}  // namespace boxcar::detail::ofi
