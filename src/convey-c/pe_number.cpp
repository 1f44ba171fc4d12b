#include "convey-c/pe_number.hpp"

#include <string>

#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

void refuse_pe(std::int64_t pe, conveyor_state state) {
  if (state != conveyor_state::working) {
    throw refusal(convey_error_STATE,
                  std::string("push is illegal while the conveyor is ") + name_of(state));
  }
  throw refusal(convey_error_RANGE, "push to PE " + std::to_string(pe) +
                                        ": no world has so many PEs; they are numbered from 0");
}

}  // namespace boxcar::convey_c
