#include "substrate/ofi/libfabric.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {
namespace {

// Finds a function, first in a libfabric already loaded by the process: one copy of libfabric does
// not know the objects of another copy. (The library makes all structures of the interface, and
// later versions only add members: any version with the requested interface will do.)
template <typename Function>
void find(Function& function, void* library, const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) found = dlsym(library, name);
  if (found == nullptr) throw system_error(std::string("libfabric has no ") + name);
  function = reinterpret_cast<Function>(found);
}

// Debian's libfabric is linked with a library for a rare adapter. The adapter's library, once
// opened, would catch the signals of an aborting program, and let the program exit with a status.
void keep_signals() {
  setenv("IPATH_NO_BACKTRACE", "1", 0);
}

libfabric_functions load() {
  keep_signals();
  constexpr const char* file = "libfabric.so.1";
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);  // never closed
  if (library == nullptr) {
    throw system_error(
        std::string("the PEs are on several nodes or a provider is asked for, and libfabric cannot "
                    "be opened: ") +
        dlerror() + "; install it, or name the folder that it is in in LD_LIBRARY_PATH");
  }
  libfabric_functions functions{};
  find(functions.get_information, library, "fi_getinfo");
  find(functions.copy_information, library, "fi_dupinfo");
  find(functions.free_information, library, "fi_freeinfo");
  find(functions.open_fabric, library, "fi_fabric");
  find(functions.error_text, library, "fi_strerror");
  return functions;
}

}  // namespace

const libfabric_functions& libfabric() {
  static const libfabric_functions functions = load();
  return functions;
}

}  // namespace boxcar::detail::ofi
