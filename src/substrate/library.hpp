// Network libraries. The substrates on libraries that Boxcar itself does not need live in shared
// libraries of their own, which are opened when a program turns out to be part of a job that needs
// them. So the same program runs with and without them. A network library has no copy of the other
// substrates: it takes those of the program, which shows their symbols (boxcar_shown_symbols in
// cmake/component.cmake).
#pragma once

#include <array>
#include <memory>
#include <string>

#include "substrate/substrate.hpp"

namespace boxcar::detail {

// Substrates that may have one: "mpi" is an MPI whose name Boxcar does not know.
inline constexpr std::array library_names{"openmpi", "mpich", "mpi", "shmem", "ofi"};

// Each such library has a function of this type, called boxcar_join_substrate: the world of the job
// that this process belongs to. Collective over the job. `version` is that of the caller; nullptr
// is returned if it is not that of the library.
using join_function = substrate*(const char* version);

// Those for an MPI have a function of this type as well, called boxcar_join_communicator: the world
// of the MPI_Comm that is at this address, in the form that this MPI gives it. Collective over it.
using join_communicator_function = substrate*(const char* version, const void* communicator);

// Opens the library of the substrate `name`, "openmpi" for instance, and joins. Throws system_error
// if there is no such library, and what the library throws. `why` it is needed, in words.
std::unique_ptr<substrate> join_by_library(const std::string& name, const std::string& why);

// The same for a communicator, at this address, of the MPI called `name`.
std::unique_ptr<substrate> join_communicator(const std::string& name, const void* communicator);

// Where the library is, which is opened; or why it cannot be, in the words of the loader, a line
// for each place where it was looked for.
struct library_place {
  std::string path;  // empty if it cannot be opened
  std::string problems;
};
library_place find_library(const std::string& name);

// What the library of a substrate that is opened says of the networks that it found, a line for
// each; empty if it has nothing to say. Functions of this type are called boxcar_describe_networks,
// and return a text that stays until the next call.
using describe_function = const char*();
std::string networks_found_by(const std::string& name);

// What to do if it cannot.
std::string advice_without_library(const std::string& name);

}  // namespace boxcar::detail
