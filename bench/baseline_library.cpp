#include "baseline_library.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <vector>

#include <boxcar/error.hpp>

namespace boxcar::bench {
namespace {

// The MPI that the substrate has loaded into the process.
std::string name_of_mpi() {
  return dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr ? "openmpi" : "mpich";
}

// The candidate paths, as for the libraries of the substrates: the folder given by the user, the
// search path of the loader, and the installation folder.
std::vector<std::string> candidates(const std::string& file) {
  std::vector<std::string> paths;
  const char* folder = std::getenv("BOXCAR_LIBRARY_PATH");
  if (folder != nullptr && *folder != '\0') {
    paths.push_back(std::string(folder) + "/" + file);
  }
  paths.push_back(file);
  constexpr std::string_view installed = BOXCAR_LIBRARY_FOLDER;
  if (!installed.empty()) paths.push_back(std::string(installed) + "/" + file);
  return paths;
}

bool has_library(std::string_view substrate) {
  return substrate == "mpi" || substrate == "shmem";
}

std::string file_name(std::string_view substrate) {
  return "libboxcar_bench_" + (substrate == "mpi" ? name_of_mpi() : std::string(substrate)) + ".so";
}

// Returns whether the loader found no such file. A file that exists may miss a dependency, and the
// message names the dependency.
bool is_not_there(const std::string& problem, const std::string& path) {
  return problem.starts_with(path + ": ") && problem.ends_with(std::strerror(ENOENT));
}

struct opened {
  void* library = nullptr;
  std::string problem;  // of the first existing file that cannot be opened
};

opened open_first(const std::string& file) {
  opened result;
  bool is_there = false;
  for (const std::string& path : candidates(file)) {
    result.library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (result.library != nullptr) return result;
    const std::string problem = dlerror();
    if (is_there) continue;
    is_there = !is_not_there(problem, path);
    result.problem = problem;
  }
  return result;
}

struct found {
  void* function = nullptr;
  std::string problem;  // if there is none
};

found find_function(std::string_view substrate, const char* name) {
  const opened file = open_first(file_name(substrate));
  if (file.library == nullptr) return {nullptr, file.problem};
  if (void* function = dlsym(file.library, name)) return {function, {}};
  return {nullptr, dlerror()};
}

}  // namespace

make_baselines open_baseline_library(std::string_view substrate) {
  if (!has_library(substrate)) return nullptr;
  const auto [function, problem] = find_function(substrate, name_of_make_baselines);
  if (function == nullptr) {
    throw system_error("cannot open " + file_name(substrate) + ": " + problem +
                       "; name its folder in BOXCAR_LIBRARY_PATH, or leave these baselines out by "
                       "--baselines limit");
  }
  return reinterpret_cast<make_baselines>(function);
}

std::optional<std::string> library_beneath(std::string_view substrate) {
  if (!has_library(substrate)) return std::nullopt;
  void* function = find_function(substrate, name_of_tell_library).function;
  if (function == nullptr) return std::nullopt;
  std::string name_and_version;
  reinterpret_cast<tell_library>(function)(name_and_version);
  return name_and_version;
}

}  // namespace boxcar::bench
