// All environment variables that Boxcar reads, in one place.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace boxcar::detail {

struct environment_variable {
  const char* name;
  const char* meaning;
};

// What `boxcar info` lists.
std::span<const environment_variable> environment_variables();

// Set by `boxcar run` for the processes that it starts.
struct launched_process {
  int control_descriptor;  // of the memory that the launcher shares with all PEs
  int rank;
};

// These read the environment at each call. They throw argument_error if a variable holds nonsense.
std::optional<launched_process> launched_by_boxcar();
std::string launch_variable(const launched_process& process);      // "BOXCAR_JOB=..."
std::optional<int> pes_from_environment();                         // BOXCAR_PES
std::optional<int> nodes_from_environment();                       // BOXCAR_NODES
std::optional<std::size_t> buffer_bytes_from_environment();        // BOXCAR_BUFFER_BYTES
std::optional<int> convey_nlocal_from_environment();               // CONVEY_NLOCAL
std::optional<std::size_t> convey_buffer_size_from_environment();  // CONVEY_BUFFER_SIZE
bool terminal_from_environment();                                  // BOXCAR_TERMINAL

}  // namespace boxcar::detail
