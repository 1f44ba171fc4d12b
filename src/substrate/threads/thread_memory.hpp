// Memory shared by PEs that are threads of this process: a pointer is enough.
#pragma once

#include <memory>

#include "substrate/shared_memory/memory_source.hpp"

namespace boxcar::detail {

std::unique_ptr<memory_source> make_thread_memory();

}  // namespace boxcar::detail
