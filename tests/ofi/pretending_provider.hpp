// A libfabric provider for tests, layered over a provider of this machine. The layer pretends
// properties of adapters, and checks that its user keeps the corresponding rules. The library
// intercepts the calls of libfabric: the library defines fi_getinfo and fi_fabric, and gives the
// objects from these functions other tables of functions.
//
// A broken rule is a violation: the layer stores and prints the violation, and the call fails. A
// program that is unaware of the layer, and preloads this library, ends at the first violation; the
// environment variable BOXCAR_TEST_PRETENCE names the pretence.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ofi/pretence.hpp"

namespace boxcar::test {

// Sets the pretence of endpoints that the process opens from now on.
void pretend(const pretence& how);

// Returns the violations since the last call.
[[nodiscard]] std::vector<std::string> take_violations();

// Selects calls to fail in spite of promises.
struct refused_call {
  // The function, for instance "fi_tsend". "the end of fi_tsend" is an operation that begins well
  // and completes with an error. "deferred work" is refused at queuing; "the end of deferred work"
  // is a put or an atomic operation with a key that the provider does not know at execution.
  std::string function;
  // The size of the message, or of the buffer for it.
  std::size_t at_least = 0;
  std::size_t at_most = std::numeric_limits<std::size_t>::max();
  int spared = 0;  // number of such calls that pass before
  int refused = 1;
  int code = 5;  // FI_EIO
};

inline constexpr int all_of_them = std::numeric_limits<int>::max();

// Adds a refused call on this PE, from now on.
void refuse(const refused_call& unwanted);
void refuse_nothing();
// The number of calls refused since the last refuse_nothing.
[[nodiscard]] int count_refused();

// The error text of libfabric and the provider for an operation whose end was refused.
[[nodiscard]] std::string text_of_refused_end();

// The number of operations begun by a function, for instance "fi_writemsg".
[[nodiscard]] int count_begun(std::string_view function);

}  // namespace boxcar::test
