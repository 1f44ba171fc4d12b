// What the program has called, as messages name it: "making a conveyor", and not the collectives
// of which that is made.
#pragma once

#include <cstdint>

namespace boxcar::detail {

// Of a PE, which is a thread. Names are texts that live for ever.
struct current_call {
  const char* name = nullptr;    // nullptr: the program is in no function of Boxcar
  const char* within = nullptr;  // what called the function of the program that has called it
  bool has_value = false;
  bool is_ending = false;
  bool returns_soon = false;  // the program may look elsewhere before it calls again
  bool is_traced = false;     // calls of this PE are noted for a trace
};

// For as long as it exists this PE is in that call. The outermost scope gives the name: what
// functions of Boxcar call of one another is their own business.
class [[nodiscard]] called_scope {
 public:
  enum class kind : std::uint8_t {
    call,        // the PE cannot do anything else before it returns
    with_value,  // the same; how many bytes are given belongs to what all PEs must give alike
    turn,        // the same as `call`, but it returns soon, to be called again
    ending,      // the same as `call`; it returns when all PEs have come to it
    step,        // PEs come to it from different calls: it is named by itself
    program      // a function of the program that is called from within: what it calls counts
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
  // For a trace.
  void note_begin(kind what);
  void note_end() const;

  current_call& call_;
  current_call outer_;
  std::int64_t since_;  // when it began, if calls are noted for a trace; 0: this one is not
};

}  // namespace boxcar::detail
