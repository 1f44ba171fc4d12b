// Memory shared by PEs that are processes of one machine: files without a name, which vanish with
// the last process that has them open or mapped, however it ends.
#pragma once

#include <memory>

#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

std::unique_ptr<memory_source> make_process_memory();

// An open descriptor of a nameless file of zeros. Throws system_error.
int create_nameless_file(std::size_t bytes);

}  // namespace boxcar::detail
