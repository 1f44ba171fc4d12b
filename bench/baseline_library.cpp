#include "baseline_library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

namespace boxcar::bench {
namespace {

// Which MPI the substrate has brought into this process.
std::string name_of_mpi() {
  return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr ? "openmpi" : "mpich";
}

// Where the libraries of the substrates are, too: where the user says, where the loader looks, and
// where they are installed.
std::vector<std::string> candidates(const std::string& file) {
  std::vector<std::string> paths;
  if (const char* folder = std::getenv("BOXCAR_LIBRARY_PATH")) {
    paths.push_back(std::string(folder) + "/" + file);
  }
  paths.push_back(file);
  paths.push_back(std::string(BOXCAR_LIBRARY_FOLDER) + "/" + file);
  return paths;
}

void* open_first(const std::string& file) {
  for (const std::string& path : candidates(file)) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

bool has_library(std::string_view substrate) {
  return substrate == "mpi" || substrate == "shmem";
}

std::string file_name(std::string_view substrate) {
  return "libboxcar_bench_" + (substrate == "mpi" ? name_of_mpi() : std::string(substrate)) + ".so";
}

}  // namespace

make_baselines open_baseline_library(std::string_view substrate) {
  if (!has_library(substrate)) return nullptr;
  const std::string file = file_name(substrate);
  void* library = open_first(file);
  void* function = library == nullptr ? nullptr : dlsym(library, name_of_make_baselines);
  if (function == nullptr) {
    throw system_error("cannot open " + file + ": " + dlerror() +
                       "; name its folder in BOXCAR_LIBRARY_PATH, or leave these baselines out by "
                       "--baselines limit");
  }
  return reinterpret_cast<make_baselines>(function);
}

std::optional<std::string> library_beneath(std::string_view substrate) {
  if (!has_library(substrate)) return std::nullopt;
  void* library = open_first(file_name(substrate));
  void* function = library == nullptr ? nullptr : dlsym(library, name_of_tell_library);
  if (function == nullptr) return std::nullopt;
  std::string name_and_version;
  reinterpret_cast<tell_library>(function)(name_and_version);
  return name_and_version;
}

}  // namespace boxcar::bench
