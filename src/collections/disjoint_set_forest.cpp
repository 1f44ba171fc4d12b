// The errors of disjoint sets.
#include <string>

#include <boxcar/detail/disjoint_set_forest.hpp>
#include <boxcar/error.hpp>

namespace boxcar::detail {

void refuse_without_union_session(const char* function) {
  throw contract_error(std::string(function) +
                       ": the disjoint set has no session: call begin first");
}

void refuse_in_union_session(const char* function) {
  throw contract_error(std::string(function) +
                       ": the disjoint set has a session: call finish first");
}

}  // namespace boxcar::detail
