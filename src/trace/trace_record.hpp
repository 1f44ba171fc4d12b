// The record of one activity of a PE.
#pragma once

#include <cstdint>

namespace boxcar::detail {

enum class traced : std::uint8_t {
  call,           // a span: the program was in a function of Boxcar that waits for others
  wait,           // a span: the PE had nothing to do
  handlers,       // a span: the handlers of a stream, for one buffer
  sent,           // a buffer
  received,       // a buffer
  session,        // of a conveyor or a stream: begun on this PE
  session_state,  // the session has changed its state
  session_end,
  run,  // of a collective or a schedule: started on this PE
  run_end
};

struct trace_record {
  static constexpr std::uint8_t local = 1;  // the other PE is on this node
  static constexpr std::uint8_t last = 2;   // the last buffer of a session on its link

  std::int64_t at;       // nanoseconds, by the clock of the machine
  std::uint64_t length;  // of a span, in nanoseconds; of a session's items, in bytes; of a buffer,
                         // in bytes, with the filled bytes of a sent buffer above 32 bits
  std::uint32_t object;  // number of the conveyor, stream or run; 0: none
  std::uint32_t text;    // number of the name; for a sent buffer, its capacity in bytes
  std::uint32_t other;   // the other PE; number of the session or the run
  std::uint16_t hop;
  traced what;
  std::uint8_t marks;
};
static_assert(sizeof(trace_record) == 32);

}  // namespace boxcar::detail
