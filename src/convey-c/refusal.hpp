// The errors found by the C interface itself, as an exception with the status to return.
#pragma once

#include <string>

#include <boxcar/error.hpp>

#include "convey-c/c_headers.hpp"

namespace boxcar::convey_c {

class refusal : public error {
 public:
  // `by_all`: every PE refuses with an equal message.
  refusal(convey_error status, const std::string& what, bool by_all = false)
      : error(what), status_(status), by_all_(by_all) {}

  [[nodiscard]] convey_error status() const { return status_; }
  [[nodiscard]] bool by_all() const { return by_all_; }

 private:
  convey_error status_;
  bool by_all_;
};

[[noreturn]] void refuse_null_item();

// For functions that copy an item to or from `item`.
inline void require_item(const void* item) {
  if (item == nullptr) [[unlikely]]
    refuse_null_item();
}

}  // namespace boxcar::convey_c
