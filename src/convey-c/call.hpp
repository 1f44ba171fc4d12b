// The functions of the C interface, by name, for messages.
#pragma once

#include <cstdint>
#include <optional>

#include <boxcar/detail/called_scope.hpp>

namespace boxcar::convey_c {

enum class call : std::uint8_t {
  convey_new,
  convey_new_elastic,
  convey_new_simple,
  convey_new_twohop,
  convey_new_tensor,
  convey_new_etensor,
  convey_begin,
  convey_push,
  convey_epush,
  convey_pull,
  convey_apull,
  convey_epull,
  convey_unpull,
  convey_advance,
  convey_reset,
  convey_free,
  convey_set_codec,
  biconvey_new,
  biconvey_new_simple,
  biconvey_new_tensor,
  biconvey_begin,
  biconvey_push,
  biconvey_pull,
  biconvey_advance,
  biconvey_reset,
  biconvey_free,
  boxcar_my_pe,
  boxcar_n_pes,
  boxcar_n_local,
  boxcar_barrier,
  boxcar_sum,
  count
};

const char* name_of(call function);

// Returns whether the function fails alike on all PEs, with the same message, if its arguments are
// impossible.
bool is_collective(call function);

// Returns the name under which the other PEs may have called the function: several functions make
// conveyors, and PEs that call different constructors disagree on the kind.
const char* name_among_pes(call function);

// While a scope exists, this PE counts as being in `function`, if the function is collective.
class collective_scope {
 public:
  explicit collective_scope(call function) {
    // (To free a conveyor may mean to reset the conveyor, and the other PEs may have called reset.)
    if (is_collective(function) && function != call::convey_free && function != call::biconvey_free)
      scope_.emplace(name_among_pes(function));
  }

 private:
  std::optional<detail::called_scope> scope_;
};

}  // namespace boxcar::convey_c
