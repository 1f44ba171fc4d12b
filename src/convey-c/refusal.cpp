#include "convey-c/refusal.hpp"

namespace boxcar::convey_c {

void refuse_null_item() {
  throw refusal(convey_error_NULL, "the item is NULL: give its address");
}

}  // namespace boxcar::convey_c
