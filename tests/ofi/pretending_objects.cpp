#include "ofi/pretending_objects.hpp"

#include <cstdio>
#include <cstdlib>

namespace boxcar::test::pretending {

// Never destroyed: libfabric is called at the very end.
everywhere& here() {
  static auto* only = [] {
    auto* made = new everywhere;
    if (const char* name = std::getenv("BOXCAR_TEST_PRETENCE")) {
      made->how = pretence_named(name);
      made->ends_at_violation = true;
    }
    return made;
  }();
  return *only;
}

void violation(const std::string& what) {
  std::fprintf(stderr, "pretending provider: %s\n", what.c_str());
  if (here().ends_at_violation) std::abort();
  here().violations.push_back(what);
}

int refused(const domain_object& at, std::string_view function, std::size_t bytes) {
  if (&at != here().latest) return 0;
  for (refused_call& r : here().unwanted) {
    if (r.function != function || bytes < r.at_least || bytes > r.at_most) continue;
    if (r.spared > 0) {
      --r.spared;
    } else if (r.refused > 0) {
      --r.refused;
      ++here().refused;
      return r.code;
    }
  }
  return 0;
}

}  // namespace boxcar::test::pretending
