// A counter of a PE that a network counts up with the puts of others, if they say so with the put:
// without a request, and without the doing of the PE that has it but to let the network get on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace boxcar::detail {

// Local. When it is destroyed, none of the puts that it counts may be under way.
class put_counter {
 public:
  virtual ~put_counter() = default;
  // What PE `from`, of another node, has to give with a put that is to be counted
  // (reach::put_counted); 0: it must do without. What a PE was given it may use until the end.
  virtual std::uint64_t number_for(int from) = 0;
};

// A put of so many bytes is here. Called by any thread of this PE that lets the network get on.
using put_listener = std::function<void(std::size_t bytes)>;

}  // namespace boxcar::detail
