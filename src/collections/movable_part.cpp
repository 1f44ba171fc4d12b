// The error of an object that has been moved from.
#include <string>

#include <boxcar/detail/movable_part.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

void refuse_moved(const char* object) {
  throw contract_error("this " + std::string(object) +
                       " has been moved from: use the object that it was moved to");
}

}  // namespace boxcar::detail
