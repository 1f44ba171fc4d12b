// Leaves collective objects after an exception in Python, without the other PEs.
#pragma once

#include <functional>

namespace boxcar::python {

// Calls `leave` as destructors of the library are called during an exception of C++: without
// waiting for other PEs, and without throwing.
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
    // The exception has served its purpose.
  }
}

}  // namespace boxcar::python
