// Whether a cluster's library has found the job that the launcher has started.
#pragma once

#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail {

// A launcher has started `started` processes, as the environment says (read before the library is
// initialised, where Boxcar initialises it: the library may change the environment), and `library`
// counts `size` processes. A library that does not understand the launcher takes each process for a
// job of its own, and says nothing. Throws system_error.
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
