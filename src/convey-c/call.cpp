#include "convey-c/call.hpp"

namespace boxcar::convey_c {

const char* name_of(call function) {
  switch (function) {
    case call::convey_new:
      return "convey_new";
    case call::convey_new_elastic:
      return "convey_new_elastic";
    case call::convey_new_simple:
      return "convey_new_simple";
    case call::convey_new_twohop:
      return "convey_new_twohop";
    case call::convey_new_tensor:
      return "convey_new_tensor";
    case call::convey_new_etensor:
      return "convey_new_etensor";
    case call::convey_begin:
      return "convey_begin";
    case call::convey_push:
      return "convey_push";
    case call::convey_epush:
      return "convey_epush";
    case call::convey_pull:
      return "convey_pull";
    case call::convey_apull:
      return "convey_apull";
    case call::convey_epull:
      return "convey_epull";
    case call::convey_unpull:
      return "convey_unpull";
    case call::convey_advance:
      return "convey_advance";
    case call::convey_reset:
      return "convey_reset";
    case call::convey_free:
      return "convey_free";
    case call::convey_set_codec:
      return "convey_set_codec";
    case call::biconvey_new:
      return "biconvey_new";
    case call::biconvey_new_simple:
      return "biconvey_new_simple";
    case call::biconvey_new_tensor:
      return "biconvey_new_tensor";
    case call::biconvey_begin:
      return "biconvey_begin";
    case call::biconvey_push:
      return "biconvey_push";
    case call::biconvey_pull:
      return "biconvey_pull";
    case call::biconvey_advance:
      return "biconvey_advance";
    case call::biconvey_reset:
      return "biconvey_reset";
    case call::biconvey_free:
      return "biconvey_free";
    case call::boxcar_my_pe:
      return "boxcar_my_pe";
    case call::boxcar_n_pes:
      return "boxcar_n_pes";
    case call::boxcar_n_local:
      return "boxcar_n_local";
    case call::boxcar_barrier:
      return "boxcar_barrier";
    case call::boxcar_sum:
      return "boxcar_sum";
    case call::count:
      break;
  }
  return "?";
}

bool is_collective(call function) {
  switch (function) {
    case call::convey_push:
    case call::convey_epush:
    case call::convey_pull:
    case call::convey_apull:
    case call::convey_epull:
    case call::convey_unpull:
    case call::convey_advance:
    case call::biconvey_push:
    case call::biconvey_pull:
    case call::biconvey_advance:
    case call::boxcar_my_pe:
    case call::boxcar_n_pes:
    case call::boxcar_n_local:
      return false;
    default:
      return true;
  }
}

const char* name_among_pes(call function) {
  switch (function) {
    case call::convey_new:
    case call::convey_new_elastic:
    case call::convey_new_simple:
    case call::convey_new_twohop:
    case call::convey_new_tensor:
    case call::convey_new_etensor:
      return "making a conveyor";
    case call::biconvey_new:
    case call::biconvey_new_simple:
    case call::biconvey_new_tensor:
      return "making a biconveyor";
    default:
      return name_of(function);
  }
}

}  // namespace boxcar::convey_c
