// A counter of a PE that the network increments with puts of other PEs, if the put names the
// counter. The origin sends no request, and the target only makes progress on the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace boxcar::detail {

// Functions are local. Precondition of the destructor: no counted put is in flight.
class put_counter {
 public:
  virtual ~put_counter() = default;
  // Returns the number that PE `from`, of another node, passes with a put to be counted
  // (rma_region::put_counted); 0: no put of `from` can be counted. The number stays valid until the
  // end.
  virtual std::uint64_t number_for(int from) = 0;
};

// A listener for arrived puts of `bytes` bytes. Called by any thread of this PE that makes progress
// on the network.
using put_listener = std::function<void(std::size_t bytes)>;

}  // namespace boxcar::detail
