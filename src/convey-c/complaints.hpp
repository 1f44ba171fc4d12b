// The end of all exceptions: each exception becomes a status for the caller in C and, the first
// time, a message on standard error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "convey-c/c_headers.hpp"
#include "convey-c/call.hpp"

namespace boxcar::convey_c {

class complaints {
 public:
  explicit complaints(bool quiet) : quiet_(quiet) {}

  // Precondition: an exception is being handled. `rank` is -1 if there is no world. An
  // argument_error means `for_argument`.
  int caught(call function, int rank, convey_error for_argument = convey_error_USAGE) noexcept;

  // Returns whether a convey_error_WORLD has been caught: there is nobody left to agree with.
  [[nodiscard]] bool world_has_failed() const { return world_has_failed_; }

  // Prints the message, unless the function has had the status before.
  int complain(call function, int rank, convey_error status, const char* what) noexcept;

 private:
  bool quiet_;
  bool world_has_failed_ = false;
  std::array<std::uint16_t, static_cast<std::size_t>(call::count)> printed_{};  // a bit per status
};

// Prints the message for a function whose object is NULL, so that no object can keep complaints.
int complain_of_null(call function, const char* what) noexcept;

}  // namespace boxcar::convey_c
