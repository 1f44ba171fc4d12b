// How a PE leaves what needs all PEs because of an exception in Python.
#pragma once

#include <functional>

namespace boxcar::python {

// Calls `leave` as the destructors of the library are called when an exception of C++ is under way:
// they wait for nobody then, and throw nothing.
inline void quietly(const std::function<void()>& leave) {
  struct leaving {
    const std::function<void()>& leave;
    ~leaving() { leave(); }
  };
  struct exception_of_python {};
  try {
    const leaving scope{leave};
    throw exception_of_python();
  } catch (const exception_of_python&) {
    // It has served.
  }
}

}  // namespace boxcar::python
