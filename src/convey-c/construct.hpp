// The common frame of all constructors of the C interface.
#pragma once

#include <cstdint>
#include <utility>

#include "convey-c/arguments.hpp"
#include "convey-c/c_headers.hpp"
#include "convey-c/call.hpp"
#include "convey-c/complaints.hpp"
#include "convey-c/joined_world.hpp"

namespace boxcar::convey_c {

// `describe(given)` puts the client's arguments into `given`, `make(given)` returns the new object;
// both may throw. Returns nullptr, after a message, if there is no object.
template <typename Describe, typename Make>
auto construct(call constructor, const convey_alc8r_t* alloc, std::uint64_t options,
               const Describe& describe, const Make& make) noexcept
    -> decltype(make(std::declval<arguments&>())) {
  int rank = -1;
  try {
    const collective_scope scope(constructor);
    world& here = joined_world();
    rank = here.rank();
    arguments given(constructor, here, alloc, options);
    describe(given);
    given.agree();
    return make(given);
  } catch (...) {
    complaints((options & convey_opt_QUIET) != 0).caught(constructor, rank);
    return nullptr;
  }
}

}  // namespace boxcar::convey_c
