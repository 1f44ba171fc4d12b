// The scope in which a conveyor carries items.
#pragma once

#include <exception>

namespace boxcar {

namespace detail {

// What carries items in a session.
class session_owner {
 public:
  // Called when a session is left, `quietly` if by an exception. If the conveyor is complete, it is
  // reset, unless quietly. If it is not, the world has failed by that, and `leave` throws
  // contract_error unless quietly.
  virtual void leave(bool quietly) = 0;

 protected:
  ~session_owner() = default;
};

}  // namespace detail

// The scope of a session. Leaving it resets the conveyor (collective) if it is complete; leaving it
// earlier throws contract_error, and the world fails. An exception that leaves it passes: a
// conveyor that is complete stays so until `reset`, and if it is not complete, the world fails.
class [[nodiscard]] session {
 public:
  explicit session(detail::session_owner& conveyor)
      : conveyor_(conveyor), exceptions_(std::uncaught_exceptions()) {}
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session() noexcept(false) {
    const bool unwinding = std::uncaught_exceptions() > exceptions_;
    conveyor_.leave(unwinding);
  }

 private:
  detail::session_owner& conveyor_;
  int exceptions_;
};

}  // namespace boxcar
