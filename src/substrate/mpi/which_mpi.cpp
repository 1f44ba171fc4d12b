#include "substrate/mpi/which_mpi.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

#include <boxcar/error.hpp>

#include "substrate/mpi/call.hpp"

namespace boxcar::detail::mpi {
namespace {

struct library_closer {
  void operator()(void* library) const { dlclose(library); }
};

// Returns the loaded libraries with a name like an MPI's: libmpi.so.40, libmpich.so.12.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> found;
  const auto note = [](dl_phdr_info* one, std::size_t, void* into) {
    const std::string path = one->dlpi_name;
    if (path.compare(path.rfind('/') + 1, 6, "libmpi") == 0) {
      static_cast<std::vector<std::string>*>(into)->push_back(path);
    }
    return 0;
  };
  dl_iterate_phdr(note, &found);
  return found;
}

// Returns the function in the library `path`, and not in a dependency of `path`.
void* function_in(const std::string& path, const char* name) {
  const std::unique_ptr<void, library_closer> library(
      dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD));
  return library == nullptr ? nullptr : dlsym(library.get(), name);
}

std::string file_of(void* function) {
  Dl_info known{};
  return dladdr(function, &known) == 0 ? "a library" : known.dli_fname;
}

[[noreturn]] void refuse(const std::string& used, const std::string& expected) {
  throw system_error("this process uses the MPI of " + used +
                     ", and this library of Boxcar was built for " + expected +
                     ": build Boxcar by the compiler of the former (the CMake variable "
                     "BOXCAR_MPI_COMPILERS names it), or let the program use the latter");
}

#ifdef OPEN_MPI
constexpr bool is_built_for_open_mpi = true;
#else
constexpr bool is_built_for_open_mpi = false;
#endif

}  // namespace

std::string library_version() {
  std::array<char, 8192> text{};  // enough for the longest text of any MPI
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  std::ranges::replace(text, '\t', ' ');
  const std::string_view all(text.data(), static_cast<std::size_t>(length));
  return std::string(all.substr(0, all.find_first_of(",\n")));
}

void refuse_other_mpi() {
  const std::string mine = file_of(reinterpret_cast<void*>(&MPI_Initialized));
  // Open MPI shows its functions to all libraries opened later.
  if (library_version().starts_with("Open MPI") != is_built_for_open_mpi) {
    refuse(mine, is_built_for_open_mpi ? "Open MPI" : "MPICH");
  }
  int yes = 0;
  MPI_Initialized(&yes);
  if (yes != 0) return;
  for (const std::string& path : loaded_libraries()) {
    auto* const is_initialised =
        reinterpret_cast<decltype(&MPI_Initialized)>(function_in(path, "MPI_Initialized"));
    if (is_initialised == nullptr || is_initialised == &MPI_Initialized) continue;
    is_initialised(&yes);
    if (yes != 0) refuse(path, "that of " + mine);
  }
}

}  // namespace boxcar::detail::mpi
