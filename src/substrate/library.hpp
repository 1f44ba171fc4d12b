// Network libraries: the shared libraries of the substrates on MPI, OpenSHMEM and libfabric. Boxcar
// itself does not need MPI, OpenSHMEM or libfabric: a program opens a network library when the job
// of the program needs the library, and the same program runs with and without it. A network
// library has no copy of the other substrates, but takes the substrates of the program, which shows
// their symbols (boxcar_shown_symbols in cmake/component.cmake).
#pragma once

#include <array>
#include <memory>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// The substrates that may have a network library: "mpi" is an MPI whose name Boxcar does not know.
inline constexpr std::array library_names{"openmpi", "mpich", "mpi", "shmem", "ofi"};

// The type of boxcar_join_substrate in each network library. Returns the world of the job of this
// process. Collective over the job. `version` is the version of the caller; the function returns
// nullptr if the library has another version.
using join_function = substrate*(const char* version);

// The type of boxcar_join_communicator in each library for an MPI. Returns the world of the
// MPI_Comm at the address `communicator`, in the form of the MPI. Collective over the communicator.
using join_communicator_function = substrate*(const char* version, const void* communicator);

// Opens the library of the substrate `name`, "openmpi" for instance, and joins the job. Throws
// system_error if there is no such library, and the exceptions of the library. `why` is the reason
// why the library is needed, in words.
std::unique_ptr<substrate> join_by_library(const std::string& name, const std::string& why);

// Opens the library of the MPI `name`, and joins the world of the MPI_Comm at `communicator`.
std::unique_ptr<substrate> join_communicator(const std::string& name, const void* communicator);

// The file of an opened library, or the errors of the loader, a line for each file that the loader
// has tried. find_library opens the library.
struct library_place {
  std::string path;  // empty if the library cannot be opened
  std::string problems;
};
library_place find_library(const std::string& name);

// Returns a description of the networks that an opened library has found, a line for each network;
// empty if there is nothing to say. describe_function is the type of boxcar_describe_networks in a
// library; the returned text stays until the next call.
using describe_function = const char*();
std::string networks_found_by(const std::string& name);

// Returns advice for a user whose library cannot be opened.
std::string advice_without_library(const std::string& name);

}  // namespace boxcar::detail
