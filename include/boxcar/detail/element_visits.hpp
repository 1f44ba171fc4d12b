// The visitors of a distributed array on one PE, and the stream that carries the visits.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boxcar/detail/dispatch_stream.hpp>
#include <boxcar/session.hpp>
#include <boxcar/stream_options.hpp>
#include <boxcar/termination.hpp>
#include <boxcar/world.hpp>

namespace boxcar::detail {

class element_visits {
 public:
  // Local. Adds a visitor, and returns its number. Throws contract_error in a session, and if there
  // are 256 visitors.
  std::uint8_t add(const message_kind& kind);

  // Collective. Throws argument_error on all PEs if their visitors differ, contract_error if there
  // is no visitor or a session is on.
  session begin(const world& w, const stream_options& options, const termination& ending);

  // Throws contract_error if no session has begun yet. `function` is the caller, for the error.
  [[nodiscard]] dispatch_stream& stream(const char* function) const {
    if (stream_ == nullptr) [[unlikely]]
      refuse(function);
    return *stream_;
  }
  [[nodiscard]] bool on() const { return stream_ != nullptr && stream_->on(); }
  // Throws contract_error if a session is on.
  void require_no_session(const char* function) const;

 private:
  [[noreturn]] static void refuse(const char* function);

  std::vector<message_kind> kinds_;
  std::unique_ptr<dispatch_stream> stream_;  // nullptr: visitors were added since, or none began
};

}  // namespace boxcar::detail
