// two_mpis LIBRARY: initialises the MPI of the library, as the packages of other languages do,
// invisible to later code; and joins a world, for which Boxcar opens its own library.
#include <cstdio>
#include <dlfcn.h>

#include <boxcar/boxcar.hpp>

int main(int, char** argv) {
  void* const library = dlopen(argv[1], RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 2;
  }
  auto* const initialise = reinterpret_cast<int (*)(int*, char***)>(dlsym(library, "MPI_Init"));
  auto* const finalise = reinterpret_cast<int (*)()>(dlsym(library, "MPI_Finalize"));
  initialise(nullptr, nullptr);
  try {
    const boxcar::world world = boxcar::join();
    std::printf("a world of %d\n", world.size());
  } catch (const boxcar::system_error& e) {
    std::printf("%s\n", e.what());
  }
  finalise();
}
