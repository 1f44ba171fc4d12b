// The names of remote functions, and the comparison of functions between PEs.
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <memory>

#include <boxcar/detail/remote_identity.hpp>

#include "substrate/agreement.hpp"

namespace boxcar::detail {

std::string name_of_function(const std::type_info& function, const std::string& given) {
  if (!given.empty()) return given;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(function.name(), nullptr, nullptr, &status), &std::free);
  return name != nullptr ? name.get() : function.name();
}

void require_same_function(const world& w, const remote_identity& mine, const std::string& name) {
  agreement same;
  same.on("name", name);
  // The mangled name differs between the functions of a program, also where compilers write both
  // types alike.
  same.on("type", mine.function->name());
  same.on("arguments", mine.arguments);
  same.on("result", mine.result);
  same.on("state", mine.state);
  same.require(*w.substrate(), "remote function", "a remote function's");
}

void require_same_group(const world& w, const std::string& names) {
  agreement same;
  if (names.empty()) same.object("the group has no function: add one before the first session");
  same.on("functions", names);
  same.require(*w.substrate(), "a group of remote functions", "a group's");
}

std::string text_of_exception(int pe) {
  constexpr std::size_t max_length = 1000;
  std::string text = std::to_string(pe) + ":";
  try {
    throw;
  } catch (const std::exception& e) {
    text += std::string_view(e.what()).substr(0, max_length);
  } catch (...) {
    text += "something that is no std::exception";
  }
  return text;
}

}  // namespace boxcar::detail
