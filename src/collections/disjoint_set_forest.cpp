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

void refuse_key_unequal_to_itself(const char* function) {
  throw argument_error(
      std::string(function) +
      ": the key does not equal itself, as a NaN: no set can find such a key again; "
      "leave out such keys, or replace them by a number");
}

}  // namespace boxcar::detail
