// A check whether a cluster's library has found the job of the launcher.
#pragma once

#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail {

// Throws system_error if a launcher has started `started` processes but `library` counts only one.
// `started` comes from the environment (where Boxcar initialises the library, read before the
// initialisation, which may change the environment); `size` is the count of `library`. A library
// without support for the launcher takes each process for a job of its own, and reports no error.
inline void require_whole_job(int started, int size, const std::string& library) {
  if (size != 1 || started == 1) return;
  throw system_error("the launcher has started " + std::to_string(started) +
                     " processes of this program or more, but " + library +
                     " does not understand it, and takes each for a job of its own: start the "
                     "program by the launcher that belongs to this library, put the library that "
                     "belongs to the launcher first in LD_LIBRARY_PATH, or set BOXCAR_SUBSTRATE "
                     "to ofi, or to alone to let each be a world of its own");
}

}  // namespace boxcar::detail
