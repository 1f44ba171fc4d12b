#include "convey-c/status.hpp"

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

const char* status_text(int status) {
  switch (status) {
    case convey_DONE:
      return "complete, or there is nothing now";
    case convey_OK:
      return "success";
    case convey_NEAR:
      return "nothing more will arrive";
    case convey_error_NULL:
      return "the conveyor or a needed argument is NULL";
    case convey_error_STATE:
      return "the operation is illegal in the state of the conveyor";
    case convey_error_RANGE:
      return "there is no such PE";
    case convey_error_SIZE:
      return "the size is zero, too large, or not the same on all PEs";
    case convey_error_MISFIT:
      return "the next item does not have the default size";
    case convey_error_RIGID:
      return "the conveyor is not elastic";
    case convey_error_MEMORY:
      return "there is not enough memory";
    case convey_error_WORLD:
      return "another PE has failed or left";
    case convey_error_USAGE:
      return "an argument cannot work, or differs between PEs";
    case convey_error_FAILURE:
      return "an unexpected failure";
    default:
      return "not a status of a conveyor";
  }
}

}  // namespace boxcar::convey_c
