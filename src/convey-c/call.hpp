// The functions of the C interface, by name, for messages.
#pragma once

#include <cstdint>

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

// Fails alike on all PEs, with the same message, if its arguments cannot work.
bool is_collective(call function);

}  // namespace boxcar::convey_c
