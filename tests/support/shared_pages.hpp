// Pages that all PEs of a test see.
#pragma once

#include <cstddef>

namespace boxcar::test {

// Zeroed. Throws std::runtime_error.
//
// In one program's tests they are seen by the threads and the processes that it starts. In the job
// of a cluster's launcher they are a file in the folder BOXCAR_TEST_FILES: every process of the job
// must map as many of them in the same order.
void* map_shared_pages(std::size_t bytes);

}  // namespace boxcar::test
