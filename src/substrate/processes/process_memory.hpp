// Memory shared by PEs that are processes of a machine: nameless files. A nameless file vanishes
// with the last process that has the file open or mapped, however the process ends.
//
// Other PEs find a nameless file by the number of its creator's descriptor. By the time they look,
// the creator may have closed the descriptor, and the number may belong to a file of the client. A
// handle therefore identifies the file, and the file is sealed, unlike other files. A sealed file
// also keeps the size, so that no access to the memory can fail.
#pragma once

#include <memory>

#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

std::unique_ptr<memory_source> make_process_memory();

// Returns an open descriptor of a nameless file of zeros, whose size cannot change any more. Throws
// shortage if there are too many files or too little memory, otherwise system_error.
int create_nameless_file(std::size_t bytes);

// Returns true if the descriptor belongs to a nameless file.
bool is_nameless_file(int descriptor);

}  // namespace boxcar::detail
