// Pages shared by all PEs of a test.
#pragma once

#include <cstddef>

namespace boxcar::test {

// Returns zeroed pages. Throws std::runtime_error.
//
// In one program's tests, the program's threads and child processes share the pages. In the job of
// a cluster's launcher the pages are a file in the folder BOXCAR_TEST_FILES: every process of the
// job must map equally many in the same order.
void* map_shared_pages(std::size_t bytes);

}  // namespace boxcar::test
