#include "substrate/library.hpp"

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <vector>

#include <boxcar/error.hpp>
#include <boxcar/version.hpp>

#include "substrate/environment.hpp"

namespace boxcar::detail {
namespace {

std::string file_name(const std::string& name) {
  return "libboxcar_" + name + ".so";
}

// In the order of preference. A bare name stands for where the system's loader looks, which knows
// the run path of the program, and might find another version that is installed, too.
std::vector<std::string> candidates(const std::string& name) {
  std::vector<std::string> files;
  const std::string folder = library_path_from_environment();
  if (!folder.empty()) files.push_back(folder + "/" + file_name(name));
  const std::string own = std::string(BOXCAR_LIBRARY_FOLDER) + "/" + file_name(name);
  if constexpr (BOXCAR_IS_INSTALLED) {
    files.insert(files.end(), {file_name(name), own});
  } else {
    files.insert(files.end(), {own, file_name(name)});
  }
  return files;
}

struct opened {
  void* handle = nullptr;
  std::string problems;  // what the loader said, if there is none
};

// Debian's libfabric is linked with a library for an adapter that few have, which would, as soon as
// it is opened, catch the signals of a program that aborts, and let it exit with a status.
void keep_signals() {
  setenv("IPATH_NO_BACKTRACE", "1", 0);
}

// Never closed: MPI does not survive that.
opened open(const std::string& name) {
  opened result;
  if (name == "ofi") keep_signals();
  for (const std::string& file : candidates(name)) {
    // MPI's own plugins look for its symbols.
    result.handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (result.handle != nullptr) return result;
    result.problems += std::string("\n  ") + dlerror();
  }
  return result;
}

}  // namespace

library_place find_library(const std::string& name) {
  const opened library = open(name);
  link_map* map = nullptr;
  if (library.handle == nullptr || dlinfo(library.handle, RTLD_DI_LINKMAP, &map) != 0) {
    return {{}, library.problems};
  }
  return {map->l_name, {}};
}

namespace {

std::string described_by(const char* function, const std::string& name) {
  const opened library = open(name);
  if (library.handle == nullptr) return {};
  void* const found = dlsym(library.handle, function);
  return found == nullptr ? "" : reinterpret_cast<describe_function*>(found)();
}

}  // namespace

std::string networks_found_by(const std::string& name) {
  return described_by("boxcar_describe_networks", name);
}

std::string networks_probed_by(const std::string& name) {
  return described_by("boxcar_probe_networks", name);
}

std::string advice_without_library(const std::string& name) {
  const std::string needed =
      name == "ofi" ? "libfabric and its headers are" : "that MPI or OpenSHMEM is";
  return "build Boxcar where " + needed + " installed and name the folder of " + file_name(name) +
         " in BOXCAR_LIBRARY_PATH, or set BOXCAR_SUBSTRATE=alone to let each process be a world "
         "of its own";
}

namespace {

// Calls the function of that name and type in the library of the substrate `name`.
template <typename Function, typename... Arguments>
std::unique_ptr<substrate> join_by(const char* function, const std::string& name,
                                   const std::string& why, Arguments... arguments) {
  const opened library = open(name);
  if (library.handle == nullptr) {
    throw system_error(why + ", so Boxcar needs its library " + file_name(name) +
                       ", which cannot be opened: " + advice_without_library(name) +
                       library.problems);
  }
  auto* join = reinterpret_cast<Function*>(dlsym(library.handle, function));
  std::unique_ptr<substrate> joined(join == nullptr ? nullptr : join(version, arguments...));
  if (joined == nullptr) {
    throw system_error(find_library(name).path + " is not of this program's version of Boxcar, " +
                       version + ": build both from the same sources");
  }
  return joined;
}

}  // namespace

std::unique_ptr<substrate> join_by_library(const std::string& name, const std::string& why) {
  return join_by<join_function>("boxcar_join_substrate", name, why);
}

std::unique_ptr<substrate> join_communicator(const std::string& name, const void* communicator) {
  return join_by<join_communicator_function>(
      "boxcar_join_communicator", name, "the program gave a communicator of MPI", communicator);
}

}  // namespace boxcar::detail
