// A provider that pretends what only adapters have, over one that is here, and that sees to it that
// its user keeps the rules which follow from that. The calls that Boxcar's library makes of
// libfabric come here first: fi_getinfo and fi_fabric are defined by this library, and what objects
// are made by them get other tables of functions.
//
// A rule that is broken is a violation: it is kept, printed, and the call fails. A program that
// knows nothing of all this, and has this library preloaded, is ended by the first; its environment
// says in BOXCAR_TEST_PRETENCE what is pretended.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "ofi/pretence.hpp"

namespace boxcar::test {

// Of endpoints that are opened from now on by this process.
void pretend(const pretence& how);

// What rules were broken since this was called last.
[[nodiscard]] std::vector<std::string> take_violations();

// Which calls fail in spite of what was promised.
struct refused_call {
  // "fi_tsend"; "the end of fi_tsend" is an operation that was begun well and ends with an error.
  // "deferred work" is refused when it is queued; "the end of deferred work" is a put or an atomic
  // operation whose key the provider does not know when it is carried out.
  std::string function;
  // Of the message, or of the room for it.
  std::size_t at_least = 0;
  std::size_t at_most = std::numeric_limits<std::size_t>::max();
  int spared = 0;  // so many of them pass before
  int refused = 1;
  int code = 5;  // FI_EIO
};

inline constexpr int all_of_them = std::numeric_limits<int>::max();

// From now on, on this PE, besides what is refused already.
void refuse(const refused_call& unwanted);
void refuse_nothing();
// So many calls have been refused since there was nothing to refuse.
[[nodiscard]] int count_refused();

// What libfabric and the provider say to an operation that has ended so.
[[nodiscard]] std::string text_of_refused_end();

// So many operations were begun, by function; "fi_writemsg" for instance.
[[nodiscard]] int count_begun(std::string_view function);

}  // namespace boxcar::test
