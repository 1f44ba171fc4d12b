#include "substrate/ofi/libfabric.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::detail::ofi {
namespace {

// That of the process, if it has one, as one libfabric knows nothing of what another one has made.
// (All structures of its interface are made by itself, and later versions only add to them: any
// will do that has the interface that is asked for.)
template <typename Function>
void find(Function& function, void* library, const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == nullptr) found = dlsym(library, name);
  if (found == nullptr) throw system_error(std::string("libfabric has no ") + name);
  function = reinterpret_cast<Function>(found);
}

// Debian's libfabric is linked with a library for an adapter that few have. As soon as that library
// is opened, it would catch the signals of a program that aborts, and let the program exit with a
// status.
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
