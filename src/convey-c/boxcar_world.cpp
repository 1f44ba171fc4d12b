// The functions of boxcar_world.h: no exception leaves the functions.
#include <boxcar/world.hpp>

#include "convey-c/c_headers.hpp"
#include "convey-c/complaints.hpp"
#include "convey-c/joined_world.hpp"

namespace {

using boxcar::convey_c::call;
using boxcar::convey_c::collective_scope;

// `action(world)` returns a value that is not negative, or throws.
template <typename Action>
int with_world(call function, const Action& action) noexcept {
  thread_local boxcar::convey_c::complaints all(false);
  int rank = -1;
  try {
    boxcar::world& here = boxcar::convey_c::joined_world();
    rank = here.rank();
    const collective_scope scope(function);
    return action(here);
  } catch (...) {
    return all.caught(function, rank);
  }
}

}  // namespace

int boxcar_my_pe(void) {
  return with_world(call::boxcar_my_pe, [](boxcar::world& w) { return w.rank(); });
}

int boxcar_n_pes(void) {
  return with_world(call::boxcar_n_pes, [](boxcar::world& w) { return w.size(); });
}

int boxcar_n_local(void) {
  return with_world(call::boxcar_n_local, [](boxcar::world& w) { return w.local_size(); });
}

int boxcar_barrier(void) {
  return with_world(call::boxcar_barrier, [](boxcar::world& w) {
    w.barrier();
    return convey_OK;
  });
}

int boxcar_sum(int64_t* value) {
  if (value == nullptr) {
    return boxcar::convey_c::complain_of_null(call::boxcar_sum, "the value is NULL");
  }
  return with_world(call::boxcar_sum, [value](boxcar::world& w) {
    *value = w.reduce(*value);
    return convey_OK;
  });
}
