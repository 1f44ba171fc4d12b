#include "baseline_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>

#include <boxcar/error.hpp>

namespace boxcar::bench {
namespace {

// Which MPI has started this process: Open MPI tells its processes so.
std::string name_of_mpi() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr ? "openmpi" : "mpich";
}

// As the build lays it out, and the installation: beside the folder of the command.
std::filesystem::path path_of(const std::string& library) {
  const auto command = std::filesystem::read_symlink("/proc/self/exe");
  return command.parent_path() / BOXCAR_BENCH_LIBRARIES / ("libboxcar-bench-" + library + ".so");
}

}  // namespace

make_baselines open_baseline_library(std::string_view substrate) {
  if (substrate != "mpi" && substrate != "shmem") return nullptr;
  const std::string path = path_of(substrate == "mpi" ? name_of_mpi() : "shmem").lexically_normal();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* function = library == nullptr ? nullptr : dlsym(library, name_of_make_baselines);
  if (function == nullptr) {
    throw system_error("cannot open the baselines of " + std::string(substrate) + ": " + dlerror() +
                       "; leave them out by --baselines limit");
  }
  return reinterpret_cast<make_baselines>(function);
}

}  // namespace boxcar::bench
