// Memory shared by PEs that are processes of one machine: files without a name, which vanish with
// the last process that has them open or mapped, however it ends.
//
// Others find such a file by the number of its creator's descriptor. That may have been closed and
// used again, for a file of the client's, by the time they look: so they are told which file it
// was, and it is sealed, which other files are not. Being sealed it also keeps its size, so that no
// access to it can fail.
#pragma once

#include <memory>

#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

std::unique_ptr<memory_source> make_process_memory();

// An open descriptor of a nameless file of zeros, whose size cannot change any more. Throws
// shortage if there are too many files or too little memory, else system_error.
int create_nameless_file(std::size_t bytes);

// Whether this is a descriptor of such a file.
bool is_nameless_file(int descriptor);

}  // namespace boxcar::detail
