// The conversion of PE numbers, which C programs give in 64 bits.
#pragma once

#include <cstdint>

#include <boxcar/conveyor_state.hpp>

namespace boxcar::convey_c {

// Throws the reason for refusing a push to a PE with a number beyond int.
[[noreturn]] void refuse_pe(std::int64_t pe, conveyor_state state);

// Returns the PE number for a push into `core`.
template <typename Core>
int pe_number(std::int64_t pe, const Core& core) {
  if (pe != static_cast<int>(pe)) [[unlikely]]
    refuse_pe(pe, core.state());
  return static_cast<int>(pe);
}

}  // namespace boxcar::convey_c
