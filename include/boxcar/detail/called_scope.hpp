// The called scope records the call of the program that messages name: "making a conveyor", and not
// the collectives inside of the call.
#pragma once

#include <cstdint>

namespace boxcar::detail {

// The current call of a PE, which is a thread. Names are texts with static lifetime.
struct current_call {
  const char* name = nullptr;    // nullptr: the program is in no function of Boxcar
  const char* within = nullptr;  // the caller of the program's function that has made the call
  bool has_value = false;
  bool is_ending = false;
  bool returns_soon = false;  // the program may look elsewhere before it calls again
  bool is_traced = false;     // calls of the PE are recorded in a trace
};

// During the lifetime of the scope the PE is in the named call. The outermost scope gives the name:
// calls between functions of Boxcar are not named.
class [[nodiscard]] called_scope {
 public:
  enum class kind : std::uint8_t {
    call,        // the PE cannot do anything else before the call returns
    with_value,  // as call; the number of bytes is an argument that must be the same on all PEs
    turn,        // as call, but the call returns soon, to be called again
    ending,      // as call; the call returns when all PEs have reached the call
    step,        // PEs reach the step from different calls: the step has its own name
    program      // a function of the program that Boxcar calls: the function's own calls are named
  };

  explicit called_scope(const char* name);  // a call
  called_scope(const char* name, kind what);
  called_scope(const called_scope&) = delete;
  called_scope& operator=(const called_scope&) = delete;
  ~called_scope() {
    if (outer_.is_traced) note_end();
    call_ = outer_;
  }

 private:
  void enter(const char* name, kind what);
  // Records the call in a trace.
  void note_begin(kind what);
  void note_end() const;

  current_call& call_;
  current_call outer_;
  std::int64_t since_;  // the time of the beginning, if the call is recorded in a trace; otherwise
                        // 0
};

}  // namespace boxcar::detail
