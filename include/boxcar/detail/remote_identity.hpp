// The identity of a remote function: its name, and the comparison of the function between PEs.
#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

#include <boxcar/world.hpp>

namespace boxcar::detail {

struct remote_identity {
  const std::type_info* function;
  std::string_view arguments;
  std::string_view result;
  std::string_view state;
};

// Returns the name of the function for messages: the given name if there is one, otherwise the name
// of the type.
[[nodiscard]] std::string name_of_function(const std::type_info& function,
                                           const std::string& given);

// Collective. Throws argument_error on all PEs unless all PEs have named the same function.
void require_same_function(const world& w, const remote_identity& mine, const std::string& name);

// As above, for the functions of a group. Throws argument_error also if the group is empty.
void require_same_group(const world& w, const std::string& names);

// Returns the text of the exception that is being handled, with the PE. Precondition: in a catch
// block.
[[nodiscard]] std::string text_of_exception(int pe);

}  // namespace boxcar::detail
